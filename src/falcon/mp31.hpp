#pragma once

// Arithmetic modulo primes below 2^31, values in [0, p), products in Montgomery form; no branch depends on a value.

#include <cstddef>
#include <cstdint>

#include "falcon/small_primes.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline u32 mp_add(u32 a, u32 b, u32 p) {
    const u32 d = a + b - p;
    return d + (p & (0U - (d >> 31)));
}
inline u32 mp_sub(u32 a, u32 b, u32 p) {
    const u32 d = a - b;
    return d + (p & (0U - (d >> 31)));
}
/// a b / R mod p.
inline u32 mp_mul(u32 a, u32 b, u32 p, u32 p0i) {
    const u64 z = u64{a} * b;
    const u32 w = static_cast<u32>(z) * p0i;
    const u32 d = static_cast<u32>((z + u64{w} * p) >> 32) - p;
    return d + (p & (0U - (d >> 31)));
}
/// a / 2 mod p.
inline u32 mp_half(u32 a, u32 p) { return (a + (p & (0U - (a & 1)))) >> 1; }
/// Residue of a signed number, |x| < p.
inline u32 mp_set(std::int32_t x, u32 p) {
    const auto w = static_cast<u32>(x);
    return w + (p & (0U - (w >> 31)));
}
/// The representative in (-p/2, p/2).
inline std::int32_t mp_centred(u32 x, u32 p) {
    const u32 above = ((p >> 1) - x) >> 31;
    return static_cast<std::int32_t>(x - (p & (0U - above)));
}
/// 2^(31 e) R mod p.
inline u32 mp_power_of_word(std::size_t e, const SmallPrime& s) {
    // 2^31 R, then square and multiply on the public exponent.
    const u32 word = mp_half(s.r2, s.p);
    u32 r = mp_mul(s.r2, 1, s.p, s.minus_inverse);
    for (std::size_t bit = std::size_t{1} << 16; bit != 0; bit >>= 1) {
        r = mp_mul(r, r, s.p, s.minus_inverse);
        if (e & bit) r = mp_mul(r, word, s.p, s.minus_inverse);
    }
    return r;
}

/// Natural order to slot i = a(w^(2 rev(i) + 1)); n = 2^logn.
inline void mp_ntt(unsigned logn, u32* a, const SmallPrime& s) {
    const u32 p = s.p;
    const u32 p0i = s.minus_inverse;
    const std::size_t n = std::size_t{1} << logn;
    std::size_t k = 1;
    for (std::size_t len = n / 2; len >= 1; len /= 2)
        for (std::size_t start = 0; start < n; start += 2 * len, ++k) {
            const u32 w = s.root[k];
            u32* __restrict x = a + start;
            u32* __restrict y = x + len;
            for (std::size_t j = 0; j < len; ++j) {
                const u32 v = mp_mul(y[j], w, p, p0i);
                const u32 u = x[j];
                x[j] = mp_add(u, v, p);
                y[j] = mp_sub(u, v, p);
            }
        }
}
inline void mp_inverse_ntt(unsigned logn, u32* a, const SmallPrime& s) {
    const u32 p = s.p;
    const u32 p0i = s.minus_inverse;
    const std::size_t n = std::size_t{1} << logn;
    for (std::size_t len = 1; len < n; len *= 2) {
        std::size_t k = n / (2 * len);
        for (std::size_t start = 0; start < n; start += 2 * len, ++k) {
            const u32 w = s.inverse_root[k];
            u32* __restrict x = a + start;
            u32* __restrict y = x + len;
            for (std::size_t j = 0; j < len; ++j) {
                const u32 u = x[j];
                const u32 v = y[j];
                // Halving at every level spares the division by n.
                x[j] = mp_half(mp_add(u, v, p), p);
                y[j] = mp_mul(mp_sub(u, v, p), w, p, p0i);
            }
        }
    }
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
