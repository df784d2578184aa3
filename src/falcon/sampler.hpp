#pragma once

// SamplerZ (algorithm 15) and what it stands on: integers with a Gaussian distribution of any centre and a deviation
// between sigma_min and sigma_0. Constant time up to what is declassified: how many candidates were tried and how many
// bytes the Bernoulli comparison read, neither of which depends on centre or deviation (section 3.9.3).

#include <array>
#include <cstdint>

#include "core/secure.hpp"
#include "core/u256.hpp"
#include "falcon/real.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

/// Reverse cumulative distribution of the half Gaussian of deviation 1.8205 on 72 bits (table 3.1): high 8, low 64 bits.
struct Rcdt {
    std::uint32_t high;
    std::uint64_t low;
};
constexpr Rcdt rcdt(std::uint64_t top24, std::uint64_t middle24, std::uint64_t low24) {
    return {static_cast<std::uint32_t>(top24 >> 16), (top24 & 0xffff) << 48 | middle24 << 24 | low24};
}
inline constexpr Rcdt kHalfGaussian[18] = {rcdt(10745844, 3068844, 3741698),
                                           rcdt(5559083, 1580863, 8248194),
                                           rcdt(2260429, 13669192, 2736639),
                                           rcdt(708981, 4421575, 10046180),
                                           rcdt(169348, 7122675, 4136815),
                                           rcdt(30538, 13063405, 7650655),
                                           rcdt(4132, 14505003, 7826148),
                                           rcdt(417, 16768101, 11363290),
                                           rcdt(31, 8444042, 8086568),
                                           rcdt(1, 12844466, 265321),
                                           rcdt(0, 1232676, 13644283),
                                           rcdt(0, 38047, 9111839),
                                           rcdt(0, 870, 6138264),
                                           rcdt(0, 14, 12545723),
                                           rcdt(0, 0, 3104126),
                                           rcdt(0, 0, 28824),
                                           rcdt(0, 0, 198),
                                           rcdt(0, 0, 1)};

/// Algorithm 12. The generator's 72 bits are 64 low ones, then 8 high ones.
template <class Rng>
int base_sampler(Rng& rng) {
    const std::uint64_t low = rng.next_u64();
    const std::uint32_t high = rng.next_u8();
    std::uint32_t z = 0;
    for (const auto& entry : kHalfGaussian) {
        const auto borrow = static_cast<std::uint32_t>(low < entry.low);
        z += (high - entry.high - borrow) >> 31;
    }
    return static_cast<int>(z);
}

/// 2^63 ccs exp(-x) for 0 <= x < ln 2 and 0 <= ccs < 1 (algorithm 13), by the polynomial of the specification.
template <class R>
std::uint64_t approximate_exp(R x, R ccs) {
    constexpr std::uint64_t kCoefficient[13] = {0x00000004741183A3, 0x00000036548CFC06, 0x0000024FDCBF140A, 0x0000171D939DE045,
                                                0x0000D00CF58F6F84, 0x000680681CF796E3, 0x002D82D8305B0FEA, 0x011111110E066FD0,
                                                0x0555555555070F00, 0x155555555581FF00, 0x400000000002B400, 0x7FFFFFFFFFFF4800,
                                                0x8000000000000000};
    const R two63(9223372036854775808.0);
    const std::uint64_t z = static_cast<std::uint64_t>(truncate(x * two63)) << 1;
    const std::uint64_t w = static_cast<std::uint64_t>(truncate(ccs * two63)) << 1;
    std::uint64_t y = kCoefficient[0];
    for (std::size_t i = 1; i < 13; ++i) y = kCoefficient[i] - static_cast<std::uint64_t>((static_cast<detail::u128>(z) * y) >> 64);
    return static_cast<std::uint64_t>((static_cast<detail::u128>(w) * y) >> 64);
}

/// Algorithm 14: true with probability ccs exp(-x), x >= 0.
template <class R, class Rng>
bool bernoulli_exp(Rng& rng, R x, R ccs) {
    const R ln2(0.69314718055994530942);
    const R inverse_ln2(1.4426950408889634074);
    const std::int64_t whole = truncate(x * inverse_ln2);
    const R r = x - from_int<R>(whole) * ln2;
    // Over 63 the answer is false but for a chance of 2^-64: saturate.
    auto s = static_cast<std::uint32_t>(whole);
    s = (s | (0U - ((63U - s) >> 31))) & 63U;
    const std::uint64_t z = ((approximate_exp<R>(r, ccs) << 1) - 1) >> s;
    for (int i = 56; i >= 0; i -= 8) {
        const std::uint32_t difference = std::uint32_t{rng.next_u8()} - (static_cast<std::uint32_t>(z >> i) & 0xff);
        // Fresh random bytes end the comparison; where it ends says nothing about z. The verdict is the caller's to publish.
        if (declassify((difference | (0U - difference)) >> 31) != 0) return (difference >> 31) != 0;
    }
    return false;
}

/// An integer near `centre` with deviation 1 / inverse_sigma.
template <class R, class Rng>
int sample_z(Rng& rng, R centre, R inverse_sigma, R sigma_min) {
    const std::int64_t s = floor_to_int(centre);
    const R r = centre - from_int<R>(s);
    const R dss = (inverse_sigma * inverse_sigma) * R(0.5);
    const R ccs = inverse_sigma * sigma_min;
    const R inverse_2_sigma0_squared(0.15086504887537272034);  // 1 / (2 1.8205^2)
    for (;;) {
        const int z0 = base_sampler(rng);
        const int b = rng.next_u8() & 1;
        const int z = b + (2 * b - 1) * z0;
        const R d = from_int<R>(z) - r;
        const R x = (d * d) * dss - from_int<R>(z0 * z0) * inverse_2_sigma0_squared;
        // ccs makes the chance of acceptance the same for every centre and deviation: the number of candidates tells nothing.
        if (declassify(bernoulli_exp<R>(rng, x, ccs))) return static_cast<int>(s) + z;
    }
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
