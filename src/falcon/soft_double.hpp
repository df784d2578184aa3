#pragma once

#include <bit>
#include <cstdint>

namespace postern::falcon {

/// IEEE-754 binary64 arithmetic in integers, round to nearest even, in constant time: for processors whose floating-point
/// unit cannot be trusted with secrets, and as the oracle of the hardware path. Only what Falcon needs: results that
/// would be subnormal are zero, infinities and NaN do not occur.
class SoftDouble {
  public:
    constexpr SoftDouble() = default;
    constexpr explicit SoftDouble(double x) : bits_(std::bit_cast<std::uint64_t>(x)) {}
    static constexpr SoftDouble from_bits(std::uint64_t bits) {
        SoftDouble r;
        r.bits_ = bits;
        return r;
    }
    constexpr std::uint64_t bits() const { return bits_; }

    static SoftDouble from_int(std::int64_t x);
    /// Towards zero; |x| < 2^63.
    std::int64_t truncate() const;
    SoftDouble square_root() const;

    friend SoftDouble operator+(SoftDouble a, SoftDouble b);
    friend SoftDouble operator-(SoftDouble a, SoftDouble b) { return a + -b; }
    friend SoftDouble operator*(SoftDouble a, SoftDouble b);
    friend SoftDouble operator/(SoftDouble a, SoftDouble b);
    SoftDouble operator-() const { return from_bits(bits_ ^ (std::uint64_t{1} << 63)); }
    /// 1 if a < b, else 0.
    static std::uint32_t less(SoftDouble a, SoftDouble b);

  private:
    std::uint64_t bits_ = 0;
};

}  // namespace postern::falcon
