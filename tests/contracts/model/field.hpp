#pragma once

// Plain integer mathematics as an oracle: nothing here is taken from the generator.

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace postern::test::model {

inline constexpr std::int64_t Q = 8380417;
using Poly = std::array<std::int64_t, 256>;

inline std::int64_t mod(std::int64_t a) { return ((a % Q) + Q) % Q; }
inline std::int64_t power(std::int64_t a, std::int64_t e) {
    std::int64_t r = 1;
    for (a = mod(a); e != 0; e >>= 1, a = a * a % Q) {
        if ((e & 1) != 0) r = r * a % Q;
    }
    return r;
}
inline std::int64_t inverse(std::int64_t a) { return power(a, Q - 2); }

/// Schoolbook product modulo x^256 + 1.
inline Poly multiply(const Poly& a, const Poly& b) {
    Poly r{};
    for (std::size_t i = 0; i < 256; ++i) {
        if (a[i] == 0) continue;
        for (std::size_t j = 0; j < 256; ++j) {
            const std::int64_t p = mod(a[i] * mod(b[j]));
            if (i + j < 256)
                r[i + j] = mod(r[i + j] + p);
            else
                r[i + j - 256] = mod(r[i + j - 256] - p);
        }
    }
    return r;
}

/// zeta of leaf p: the p-th root in bit-reversed order, by definition.
inline std::int64_t leaf_root(unsigned p) {
    unsigned r = 0;
    for (unsigned b = 0; b < 6; ++b) r |= ((p >> b) & 1U) << (5 - b);
    return power(power(1753, 4), 2 * r + 1);
}

/// Coefficients of a(x) modulo x^4 - zeta_p.
inline std::array<std::int64_t, 4> at_leaf(const Poly& a, unsigned p) {
    const std::int64_t root = leaf_root(p);
    std::array<std::int64_t, 4> out{};
    for (unsigned j = 0; j < 4; ++j) {
        std::int64_t sum = 0, x = 1;
        for (unsigned n = 0; n < 64; ++n, x = x * root % Q) sum = mod(sum + mod(a[4 * n + j]) * x);
        out[j] = sum;
    }
    return out;
}

/// FIPS 204 algorithm 36, r canonical.
inline void decompose(std::int64_t r, std::int64_t gamma2, std::int64_t& r1, std::int64_t& r0) {
    r0 = r % (2 * gamma2);
    if (r0 > gamma2) r0 -= 2 * gamma2;
    if (r - r0 == Q - 1) {
        r1 = 0;
        r0 -= 1;
    } else {
        r1 = (r - r0) / (2 * gamma2);
    }
}
/// Algorithm 40.
inline std::int64_t use_hint(bool h, std::int64_t r, std::int64_t gamma2) {
    const std::int64_t m = (Q - 1) / (2 * gamma2);
    std::int64_t r1 = 0, r0 = 0;
    decompose(r, gamma2, r1, r0);
    if (!h) return r1;
    return r0 > 0 ? (r1 + 1) % m : (r1 + m - 1) % m;
}

}  // namespace postern::test::model
