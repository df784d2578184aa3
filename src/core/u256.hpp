#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <span>
#include <string>
#include <string_view>

namespace postern {

/// Unsigned integer mod 2^256: four 64-bit limbs, least significant first.
struct U256 {
    std::array<std::uint64_t, 4> limb{};

    constexpr U256() = default;
    constexpr U256(std::uint64_t v) : limb{v, 0, 0, 0} {}  // NOLINT(google-explicit-constructor)
    constexpr U256(std::uint64_t l3, std::uint64_t l2, std::uint64_t l1, std::uint64_t l0) : limb{l0, l1, l2, l3} {}

    static constexpr U256 max() { return {~0ULL, ~0ULL, ~0ULL, ~0ULL}; }
    /// 2^n for n < 256, else 0.
    static constexpr U256 pow2(unsigned n) {
        U256 r;
        if (n < 256) r.limb[n / 64] = 1ULL << (n % 64);
        return r;
    }
    /// 2^n - 1 for n <= 256.
    static constexpr U256 mask(unsigned n);

    constexpr bool is_zero() const { return (limb[0] | limb[1] | limb[2] | limb[3]) == 0; }
    constexpr explicit operator bool() const { return !is_zero(); }
    constexpr bool fits_u64() const { return (limb[1] | limb[2] | limb[3]) == 0; }
    constexpr std::uint64_t low64() const { return limb[0]; }
    constexpr bool bit(unsigned n) const { return n < 256 && ((limb[n / 64] >> (n % 64)) & 1U) != 0; }
    /// Number of significant bits; 0 for 0.
    constexpr unsigned bit_length() const {
        for (unsigned i = 4; i-- > 0;) {
            if (limb[i] != 0) return 64 * i + 64U - static_cast<unsigned>(__builtin_clzll(limb[i]));
        }
        return 0;
    }
    constexpr unsigned byte_length() const { return (bit_length() + 7) / 8; }

    friend constexpr bool operator==(const U256&, const U256&) = default;
    friend constexpr std::strong_ordering operator<=>(const U256& a, const U256& b) {
        for (unsigned i = 4; i-- > 0;) {
            if (a.limb[i] != b.limb[i]) return a.limb[i] <=> b.limb[i];
        }
        return std::strong_ordering::equal;
    }
};

namespace detail {
__extension__ using u128 = unsigned __int128;
}  // namespace detail

constexpr U256 operator+(const U256& a, const U256& b) {
    U256 r;
    detail::u128 carry = 0;
    for (unsigned i = 0; i < 4; ++i) {
        carry += static_cast<detail::u128>(a.limb[i]) + b.limb[i];
        r.limb[i] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
    return r;
}

constexpr U256 operator-(const U256& a, const U256& b) {
    U256 r;
    std::uint64_t borrow = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const detail::u128 d = static_cast<detail::u128>(a.limb[i]) - b.limb[i] - borrow;
        r.limb[i] = static_cast<std::uint64_t>(d);
        borrow = static_cast<std::uint64_t>(d >> 64) & 1U;
    }
    return r;
}

constexpr U256 operator*(const U256& a, const U256& b) {
    U256 r;
    for (unsigned i = 0; i < 4; ++i) {
        std::uint64_t carry = 0;
        for (unsigned j = 0; i + j < 4; ++j) {
            const detail::u128 t = static_cast<detail::u128>(a.limb[i]) * b.limb[j] + r.limb[i + j] + carry;
            r.limb[i + j] = static_cast<std::uint64_t>(t);
            carry = static_cast<std::uint64_t>(t >> 64);
        }
    }
    return r;
}

constexpr U256 operator&(const U256& a, const U256& b) {
    return {a.limb[3] & b.limb[3], a.limb[2] & b.limb[2], a.limb[1] & b.limb[1], a.limb[0] & b.limb[0]};
}
constexpr U256 operator|(const U256& a, const U256& b) {
    return {a.limb[3] | b.limb[3], a.limb[2] | b.limb[2], a.limb[1] | b.limb[1], a.limb[0] | b.limb[0]};
}
constexpr U256 operator^(const U256& a, const U256& b) {
    return {a.limb[3] ^ b.limb[3], a.limb[2] ^ b.limb[2], a.limb[1] ^ b.limb[1], a.limb[0] ^ b.limb[0]};
}
constexpr U256 operator~(const U256& a) { return {~a.limb[3], ~a.limb[2], ~a.limb[1], ~a.limb[0]}; }
constexpr U256 operator-(const U256& a) { return U256{} - a; }

/// Shifts by 256 and more give 0, as SHL and SHR do.
constexpr U256 operator<<(const U256& a, unsigned n) {
    U256 r;
    if (n >= 256) return r;
    const unsigned words = n / 64;
    const unsigned bits = n % 64;
    for (unsigned i = words; i < 4; ++i) {
        r.limb[i] = a.limb[i - words] << bits;
        if (bits != 0 && i > words) r.limb[i] |= a.limb[i - words - 1] >> (64 - bits);
    }
    return r;
}
constexpr U256 operator>>(const U256& a, unsigned n) {
    U256 r;
    if (n >= 256) return r;
    const unsigned words = n / 64;
    const unsigned bits = n % 64;
    for (unsigned i = 0; i + words < 4; ++i) {
        r.limb[i] = a.limb[i + words] >> bits;
        if (bits != 0 && i + words + 1 < 4) r.limb[i] |= a.limb[i + words + 1] << (64 - bits);
    }
    return r;
}

constexpr U256& operator+=(U256& a, const U256& b) { return a = a + b; }
constexpr U256& operator-=(U256& a, const U256& b) { return a = a - b; }
constexpr U256& operator*=(U256& a, const U256& b) { return a = a * b; }
constexpr U256& operator&=(U256& a, const U256& b) { return a = a & b; }
constexpr U256& operator|=(U256& a, const U256& b) { return a = a | b; }
constexpr U256& operator^=(U256& a, const U256& b) { return a = a ^ b; }
constexpr U256& operator<<=(U256& a, unsigned n) { return a = a << n; }
constexpr U256& operator>>=(U256& a, unsigned n) { return a = a >> n; }

constexpr U256 U256::mask(unsigned n) { return n >= 256 ? max() : pow2(n) - U256{1}; }

struct DivResult;
/// Quotient and remainder; division by 0 gives 0 and 0, as DIV and MOD do.
DivResult div_mod(const U256& a, const U256& b);
U256 operator/(const U256& a, const U256& b);
U256 operator%(const U256& a, const U256& b);
/// Two's complement quotient and remainder (SDIV, SMOD).
U256 sdiv(const U256& a, const U256& b);
U256 smod(const U256& a, const U256& b);
/// (a + b) mod m and (a * b) mod m without losing the carry; 0 for m = 0.
U256 add_mod(const U256& a, const U256& b, const U256& m);
U256 mul_mod(const U256& a, const U256& b, const U256& m);
/// a^e mod 2^256.
U256 pow(U256 a, U256 e);
/// Two's complement comparison a < b.
constexpr bool slt(const U256& a, const U256& b) {
    const bool na = a.bit(255);
    const bool nb = b.bit(255);
    return na != nb ? na : a < b;
}
/// Arithmetic shift right (SAR); n >= 256 gives 0 or -1.
U256 sar(const U256& a, unsigned n);
/// SIGNEXTEND: extends the sign of byte `index` (0 = least significant); index >= 31 changes nothing.
U256 sign_extend(const U256& index, const U256& value);

struct DivResult {
    U256 quotient;
    U256 remainder;
};

/// Big-endian bytes to integer and back; a shorter input is a smaller number, at most 32 bytes are taken.
U256 load_be(ByteView bytes);
void store_be(std::span<std::uint8_t, 32> out, const U256& v);
std::array<std::uint8_t, 32> to_be_bytes(const U256& v);
/// Hex with 0x, without leading zeros ("0x0" for 0).
std::string to_hex_0x(const U256& v);
/// Decimal, or hex with 0x; refuses anything else and anything over 2^256 - 1.
Result<U256> parse_u256(std::string_view text);

}  // namespace postern
