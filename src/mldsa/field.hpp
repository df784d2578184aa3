#pragma once

// Arithmetic modulo q and the rounding functions of FIPS 204 section 7.4. Nothing here branches, indexes or divides
// on the values: the same functions serve secret and public data.

#include <cstdint>
#include <postern/mldsa_params.hpp>

namespace postern::mldsa {

/// All ones if x < 0, else zero.
constexpr std::int32_t sign_mask(std::int32_t x) noexcept { return x >> 31; }

/// x in (-q, q) to the representative in [0, q).
constexpr std::int32_t to_canonical(std::int32_t x) noexcept { return x + (sign_mask(x) & q); }

/// x in [0, q) to the centred representative, x mod+- q.
constexpr std::int32_t to_centred(std::int32_t x) noexcept { return x - (sign_mask((q - 1) / 2 - x) & q); }

constexpr std::int32_t absolute(std::int32_t x) noexcept { return (x ^ sign_mask(x)) - sign_mask(x); }

/// q^-1 mod 2^32, by Newton's iteration (each step doubles the correct bits; q is its own inverse mod 8).
constexpr std::uint32_t montgomery_q_inverse() noexcept {
    std::uint32_t x = q;
    for (int i = 0; i < 4; ++i) x *= 2U - static_cast<std::uint32_t>(q) * x;
    return x;
}
inline constexpr std::uint32_t q_inverse = montgomery_q_inverse();
static_assert(q_inverse * static_cast<std::uint32_t>(q) == 1U);

/// a * 2^-32 mod q in (-q, q), for |a| < 2^31 q.
constexpr std::int32_t montgomery_reduce(std::int64_t a) noexcept {
    const auto t = static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * q_inverse);
    return static_cast<std::int32_t>((a - static_cast<std::int64_t>(t) * q) >> 32);
}

/// Canonical product of canonical factors; for tables and tests (it divides: public values only).
constexpr std::int32_t multiply_mod(std::int32_t a, std::int32_t b) noexcept {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(a) * b % q);
}
constexpr std::int32_t power_mod(std::int32_t base, unsigned exponent) noexcept {
    std::int32_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1U) != 0) result = multiply_mod(result, base);
        base = multiply_mod(base, base);
    }
    return result;
}

struct Rounded {
    std::int32_t high;  ///< r1
    std::int32_t low;   ///< r0
};

/// Algorithm 35: r = r1 2^d + r0 with r0 in (-2^(d-1), 2^(d-1)], r in [0, q).
constexpr Rounded power2round(std::int32_t r) noexcept {
    const std::int32_t high = (r + (1 << (d - 1)) - 1) >> d;
    return {high, r - (high << d)};
}

/// Algorithm 36: r = r1 2 gamma2 + r0 with r0 in (-gamma2, gamma2], except that r1 = m wraps to 0 with r0 one less.
template <std::int32_t Gamma2>
constexpr Rounded decompose(std::int32_t r) noexcept {
    // Division by 2 gamma2 as a multiplication: with numerators below 2^24 and 2^shift >= 2^24 * 2 gamma2 the
    // rounded-up reciprocal gives the exact floor.
    constexpr int shift = 46;
    constexpr std::int64_t divisor = 2 * static_cast<std::int64_t>(Gamma2);
    static_assert((divisor << 24) <= (std::int64_t{1} << shift));
    constexpr std::int64_t reciprocal = (std::int64_t{1} << shift) / divisor + 1;
    constexpr std::int32_t m = (q - 1) / (2 * Gamma2);
    auto high = static_cast<std::int32_t>((static_cast<std::int64_t>(r + Gamma2 - 1) * reciprocal) >> shift);
    std::int32_t low = r - high * (2 * Gamma2);
    const std::int32_t wraps = sign_mask(m - 1 - high);  // high == m
    high &= ~wraps;
    low += wraps;  // one less
    return {high, low};
}
/// Algorithms 37 and 38.
template <std::int32_t Gamma2>
constexpr std::int32_t high_bits(std::int32_t r) noexcept {
    return decompose<Gamma2>(r).high;
}
template <std::int32_t Gamma2>
constexpr std::int32_t low_bits(std::int32_t r) noexcept {
    return decompose<Gamma2>(r).low;
}

/// Algorithm 39 on canonical r and canonical r + z: 1 if adding z changes the high bits.
template <std::int32_t Gamma2>
constexpr std::uint32_t make_hint(std::int32_t r, std::int32_t r_plus_z) noexcept {
    const auto difference = static_cast<std::uint32_t>(high_bits<Gamma2>(r) ^ high_bits<Gamma2>(r_plus_z));
    return (difference | (0U - difference)) >> 31;
}

/// Algorithm 40: the high bits of r, moved by one towards r0's side if the hint is set.
template <std::int32_t Gamma2>
constexpr std::int32_t use_hint(std::uint32_t hint, std::int32_t r) noexcept {
    constexpr std::int32_t m = (q - 1) / (2 * Gamma2);
    const Rounded parts = decompose<Gamma2>(r);
    const std::int32_t step = 1 + 2 * sign_mask(parts.low - 1);  // +1 if r0 > 0, else -1
    std::int32_t high = parts.high + (step & -static_cast<std::int32_t>(hint));
    high += sign_mask(high) & m;         // -1 becomes m - 1
    high -= (~sign_mask(high - m)) & m;  // m becomes 0
    return high;
}

}  // namespace postern::mldsa
