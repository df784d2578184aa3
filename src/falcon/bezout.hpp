#pragma once

// For odd x, y: u and v with x u - y v = 1, by the binary GCD in steps of 31 bits (Pornin, "Optimized binary GCD for
// modular inversion", ePrint 2020/972), with a fixed number of steps.

#include <cstddef>
#include <cstdint>

#include "falcon/bigint31.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

using i64 = std::int64_t;

/// What 31 halving steps do to (a, b): a' = (a a_from_a + b a_from_b) / 2^31, and b' likewise.
struct GcdStep {
    i64 a_from_a, a_from_b, b_from_a, b_from_b;
};

inline void negate_if(u32* a, std::size_t len, u32 mask) {
    u32 carry = mask & 1;
    for (std::size_t i = 0; i < len; ++i) {
        const u32 w = (a[i] ^ (mask >> 1)) + carry;
        a[i] = w & kMask31;
        carry = w >> 31;
    }
}

/// Applies the step to a and b; each is made positive again. Returns masks that say which was negated.
inline void gcd_apply(u32* a, u32* b, std::size_t len, GcdStep& s) {
    i64 ca = 0;
    i64 cb = 0;
    for (std::size_t i = 0; i < len; ++i) {
        const i64 wa = a[i];
        const i64 wb = b[i];
        const i64 za = wa * s.a_from_a + wb * s.a_from_b + ca;
        const i64 zb = wa * s.b_from_a + wb * s.b_from_b + cb;
        if (i > 0) {
            a[i - 1] = static_cast<u32>(za) & kMask31;
            b[i - 1] = static_cast<u32>(zb) & kMask31;
        }
        ca = za >> 31;
        cb = zb >> 31;
    }
    a[len - 1] = static_cast<u32>(ca) & kMask31;
    b[len - 1] = static_cast<u32>(cb) & kMask31;
    const i64 na = ca >> 63;
    const i64 nb = cb >> 63;
    negate_if(a, len, static_cast<u32>(na));
    negate_if(b, len, static_cast<u32>(nb));
    s.a_from_a = (s.a_from_a ^ na) - na;
    s.a_from_b = (s.a_from_b ^ na) - na;
    s.b_from_a = (s.b_from_a ^ nb) - nb;
    s.b_from_b = (s.b_from_b ^ nb) - nb;
}

/// Brings a in [-m, 2m) into [0, m); `negative` is all ones if a < 0. The top word may have 32 bits.
inline void gcd_into_range(u32* a, const u32* m, std::size_t len, u32 negative) {
    u32 borrow = 0;
    for (std::size_t i = 0; i < len; ++i) borrow = (a[i] - m[i] - borrow) >> 31;
    const u32 flip = negative >> 1;            // subtract -m instead of m
    const u32 use = negative | (borrow - 1U);  // or nothing at all
    borrow = negative & 1;
    for (std::size_t i = 0; i < len; ++i) {
        const u32 w = a[i] - ((m[i] ^ flip) & use) - borrow;
        a[i] = w & kMask31;
        borrow = w >> 31;
    }
}

/// The same step on the cofactors, modulo m, with m_inverse = -1/m mod 2^31.
inline void gcd_apply_mod(u32* a, u32* b, const u32* m, std::size_t len, u32 m_inverse, const GcdStep& s) {
    const u32 fa = ((a[0] * static_cast<u32>(s.a_from_a) + b[0] * static_cast<u32>(s.a_from_b)) * m_inverse) & kMask31;
    const u32 fb = ((a[0] * static_cast<u32>(s.b_from_a) + b[0] * static_cast<u32>(s.b_from_b)) * m_inverse) & kMask31;
    i64 ca = 0;
    i64 cb = 0;
    for (std::size_t i = 0; i < len; ++i) {
        const i64 wa = a[i];
        const i64 wb = b[i];
        const i64 za = wa * s.a_from_a + wb * s.a_from_b + i64{m[i]} * fa + ca;
        const i64 zb = wa * s.b_from_a + wb * s.b_from_b + i64{m[i]} * fb + cb;
        if (i > 0) {
            a[i - 1] = static_cast<u32>(za) & kMask31;
            b[i - 1] = static_cast<u32>(zb) & kMask31;
        }
        ca = za >> 31;
        cb = zb >> 31;
    }
    a[len - 1] = static_cast<u32>(ca);
    b[len - 1] = static_cast<u32>(cb);
    gcd_into_range(a, m, len, static_cast<u32>(ca >> 63));
    gcd_into_range(b, m, len, static_cast<u32>(cb >> 63));
}

/// Top 32 bits of a and b at the position of the larger one, above their lowest 31 bits; exact if both have up to 63 bits.
inline void gcd_approximate(const u32* a, const u32* b, std::size_t len, u64& xa, u64& xb) {
    u32 c0 = 0xffffffff, c1 = 0xffffffff, cp = 0xffffffff;  // all ones while the word is still to be found
    u32 a0 = 0, a1 = 0, b0 = 0, b1 = 0;
    for (std::size_t j = len; j-- > 0;) {
        a1 ^= c1 & (a1 ^ a[j]);
        a0 ^= c0 & (a0 ^ a[j]);
        b1 ^= c1 & (b1 ^ b[j]);
        b0 ^= c0 & (b0 ^ b[j]);
        cp = c0;
        c0 = c1;
        c1 &= (((a[j] | b[j]) + kMask31) >> 31) - 1U;
    }
    // Align so that the larger of the two has its top bit in place.
    u32 any = a1 | b1 | ((cp & c0) >> 1);
    unsigned shift = 0;
    for (const unsigned k : {16U, 8U, 4U, 2U, 1U}) {
        const u32 zero = ((any >> (32 - k)) - 1U) >> 31;  // the top k bits are all zero
        const unsigned step = k & (0U - zero);
        any <<= step;
        shift += step;
    }
    u32 ha = static_cast<u32>((u64{a1} << shift) | (u64{a0} >> (31 - (shift & 31))));
    u32 hb = static_cast<u32>((u64{b1} << shift) | (u64{b0} >> (31 - (shift & 31))));
    ha ^= cp & (ha ^ a1);
    hb ^= cp & (hb ^ b1);
    ha &= ~c0;
    hb &= ~c0;
    xa = u64{ha} << 31 | a[0];
    xb = u64{hb} << 31 | b[0];
}

inline GcdStep gcd_inner(u64 xa, u64 xb) {
    // Two 32-bit factors share one register, so that one operation serves both.
    u64 fa = 1;
    u64 fb = u64{1} << 32;
    for (int i = 0; i < 31; ++i) {
        const u64 odd = 0 - (xa & 1);
        const u64 swap = odd & static_cast<u64>(static_cast<i64>(xa - xb) >> 63);
        const u64 tx = swap & (xa ^ xb);
        xa ^= tx;
        xb ^= tx;
        const u64 tf = swap & (fa ^ fb);
        fa ^= tf;
        fb ^= tf;
        xa -= odd & xb;
        fa -= odd & fb;
        xa >>= 1;
        fb <<= 1;
    }
    constexpr u64 bias = 0x7fffffff7fffffff;
    fa += bias;
    fb += bias;
    const auto low = [](u64 x) { return static_cast<i64>(x & 0xffffffff) - 0x7fffffff; };
    const auto high = [](u64 x) { return static_cast<i64>(x >> 32) - 0x7fffffff; };
    return {low(fa), high(fa), low(fb), high(fb)};
}

inline u32 minus_inverse31(u32 odd) {
    u32 y = 2U - odd;
    for (int i = 0; i < 4; ++i) y *= 2U - odd * y;
    return (0U - y) & kMask31;
}

/// False unless gcd(x, y) = 1 and both are odd.
inline bool bezout(u32* u, u32* v, const u32* x, const u32* y, std::size_t len) {
    Words scratch(4 * len);
    u32* u0 = scratch.data();
    u32* v0 = u0 + len;
    u32* a = v0 + len;
    u32* b = a + len;
    // a = x u0 - y v0 and b = x u1 - y v1 throughout, with (u1, v1) in (u, v).
    for (std::size_t i = 0; i < len; ++i) {
        a[i] = x[i];
        b[i] = y[i];
        u[i] = y[i];
        v[i] = x[i];
    }
    u0[0] = 1;
    v[0] -= 1;
    const u32 x_inverse = minus_inverse31(x[0]);
    const u32 y_inverse = minus_inverse31(y[0]);
    for (std::size_t bits = 62 * len + 31; bits >= 31; bits -= 31) {
        u64 xa = 0;
        u64 xb = 0;
        gcd_approximate(a, b, len, xa, xb);
        GcdStep step = gcd_inner(xa, xb);
        gcd_apply(a, b, len, step);
        gcd_apply_mod(u0, u, y, len, y_inverse, step);
        gcd_apply_mod(v0, v, x, len, x_inverse, step);
    }
    u32 wrong = b[0] ^ 1;
    for (std::size_t i = 1; i < len; ++i) wrong |= b[i];
    wrong |= (x[0] & y[0] & 1) ^ 1;
    return declassify(wrong) == 0;
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
