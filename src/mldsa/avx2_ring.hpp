#pragma once

// The transform and the products on eight 32-bit lanes. For the translation unit that is compiled for AVX2 only.
// Bounds are those of the portable transform (poly.hpp): sums and differences without reduction, products in (-q, q).

#include <immintrin.h>

#include "mldsa/zetas.hpp"

namespace postern::mldsa {
namespace {

#define POSTERN_INLINE inline __attribute__((always_inline))

POSTERN_INLINE __m256i load(const void* p) { return _mm256_load_si256(static_cast<const __m256i*>(p)); }
POSTERN_INLINE __m256i load_any(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
POSTERN_INLINE void store(void* p, __m256i v) { _mm256_store_si256(static_cast<__m256i*>(p), v); }
POSTERN_INLINE __m256i all(std::int32_t x) { return _mm256_set1_epi32(x); }

/// The odd lanes at the places of the even ones (where a 32x32-bit product takes its factors from).
POSTERN_INLINE __m256i odd_lanes(__m256i v) { return _mm256_shuffle_epi32(v, 0xf5); }
/// High halves of eight 64-bit numbers: those of `even` to the even lanes, those of `odd` to the odd ones.
POSTERN_INLINE __m256i high_halves(__m256i even, __m256i odd) { return _mm256_blend_epi32(odd_lanes(even), odd, 0xaa); }

/// Twiddle factors of eight lanes in Montgomery form and times q^-1 modulo 2^32; of the odd lanes apart.
struct Factor {
    __m256i even, even_q, odd, odd_q;
};
/// 2^-32 v factor in (-q, q). The quotient's product is subtracted at full width: the low halves cancel.
POSTERN_INLINE __m256i product(__m256i v, const Factor& f) {
    const __m256i modulus = all(q), w = odd_lanes(v);
    const __m256i even = _mm256_sub_epi64(_mm256_mul_epi32(v, f.even), _mm256_mul_epi32(_mm256_mul_epi32(v, f.even_q), modulus));
    const __m256i odd = _mm256_sub_epi64(_mm256_mul_epi32(w, f.odd), _mm256_mul_epi32(_mm256_mul_epi32(w, f.odd_q), modulus));
    return high_halves(even, odd);
}

// --- Tables ------------------------------------------------------------------------------------------------------

constexpr std::int32_t times_q_inverse(std::int32_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * q_inverse); }

/// The factors of one transform: `plain[m]` for whole vectors, and for each pair of vectors (16 coefficients) those of
/// the last three levels, lane by lane. Level 1 has its odd lanes apart.
struct TwiddleTables {
    alignas(32) std::int32_t plain[256], plain_q[256];
    alignas(32) std::int32_t level4[16][2][8], level2[16][2][8], level1[16][4][8];
};
/// `z` in the order in which the levels take them: 2^t .. 2^(t+1) - 1 for 2^t blocks.
constexpr TwiddleTables make_tables(const std::array<std::int32_t, 256>& z) {
    TwiddleTables t{};
    for (std::size_t m = 0; m < 256; ++m) {
        t.plain[m] = z[m];
        t.plain_q[m] = times_q_inverse(z[m]);
    }
    for (std::size_t pair = 0; pair < 16; ++pair) {
        for (std::size_t lane = 0; lane < 8; ++lane) {
            const std::int32_t z4 = z[32 + 2 * pair + lane / 4];
            const std::int32_t z2 = z[64 + 4 * pair + lane / 2];
            const std::int32_t z1 = z[128 + 8 * pair + lane];
            const std::int32_t z1_odd = z[128 + 8 * pair + (lane | 1)];
            t.level4[pair][0][lane] = z4;
            t.level4[pair][1][lane] = times_q_inverse(z4);
            t.level2[pair][0][lane] = z2;
            t.level2[pair][1][lane] = times_q_inverse(z2);
            t.level1[pair][0][lane] = z1;
            t.level1[pair][1][lane] = times_q_inverse(z1);
            t.level1[pair][2][lane] = z1_odd;
            t.level1[pair][3][lane] = times_q_inverse(z1_odd);
        }
    }
    return t;
}
constexpr std::array<std::int32_t, 256> inverse_zetas() {
    std::array<std::int32_t, 256> z{};
    for (std::size_t blocks = 1; blocks < 256; blocks *= 2) {
        for (std::size_t j = 0; j < blocks; ++j) z[blocks + j] = -montgomery_zetas[2 * blocks - 1 - j];
    }
    return z;
}
constexpr TwiddleTables kForward = make_tables(montgomery_zetas);
constexpr TwiddleTables kInverse = make_tables(inverse_zetas());

POSTERN_INLINE Factor same_factor(std::int32_t z, std::int32_t z_q) {
    const __m256i a = all(z), b = all(z_q);
    return {a, b, a, b};
}
POSTERN_INLINE Factor plain_factor(const TwiddleTables& t, std::size_t m) { return same_factor(t.plain[m], t.plain_q[m]); }
POSTERN_INLINE Factor lane_factor(const std::int32_t (&rows)[2][8]) {
    const __m256i a = load(rows[0]), b = load(rows[1]);
    return {a, b, a, b};
}
POSTERN_INLINE Factor lane_factor(const std::int32_t (&rows)[4][8]) { return {load(rows[0]), load(rows[1]), load(rows[2]), load(rows[3])}; }

// --- Butterflies -------------------------------------------------------------------------------------------------

/// Cooley-Tukey: (a, b) to (a + z b, a - z b).
POSTERN_INLINE void forward(__m256i& a, __m256i& b, const Factor& z) {
    const __m256i t = product(b, z);
    b = _mm256_sub_epi32(a, t);
    a = _mm256_add_epi32(a, t);
}
/// Gentleman-Sande: (a, b) to (a + b, z (a - b)).
POSTERN_INLINE void inverse(__m256i& a, __m256i& b, const Factor& z) {
    const __m256i difference = _mm256_sub_epi32(a, b);
    a = _mm256_add_epi32(a, b);
    b = product(difference, z);
}

/// Levels of 4, 2 and 1 on two neighbouring vectors: halves, then pairs, then single lanes of one kind come together.
POSTERN_INLINE void forward_within(__m256i& a, __m256i& b, std::size_t pair) {
    __m256i lo = _mm256_permute2x128_si256(a, b, 0x20), hi = _mm256_permute2x128_si256(a, b, 0x31);
    forward(lo, hi, lane_factor(kForward.level4[pair]));
    __m256i lo2 = _mm256_unpacklo_epi64(lo, hi), hi2 = _mm256_unpackhi_epi64(lo, hi);
    forward(lo2, hi2, lane_factor(kForward.level2[pair]));
    __m256i even = _mm256_blend_epi32(lo2, _mm256_shuffle_epi32(hi2, 0xa0), 0xaa);
    __m256i odd = _mm256_blend_epi32(odd_lanes(lo2), hi2, 0xaa);
    forward(even, odd, lane_factor(kForward.level1[pair]));
    const __m256i front = _mm256_unpacklo_epi32(even, odd), back = _mm256_unpackhi_epi32(even, odd);
    a = _mm256_permute2x128_si256(front, back, 0x20);
    b = _mm256_permute2x128_si256(front, back, 0x31);
}
POSTERN_INLINE void inverse_within(__m256i& a, __m256i& b, std::size_t pair) {
    const __m256 front = _mm256_castsi256_ps(_mm256_permute2x128_si256(a, b, 0x20));
    const __m256 back = _mm256_castsi256_ps(_mm256_permute2x128_si256(a, b, 0x31));
    __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(front, back, 0x88));
    __m256i odd = _mm256_castps_si256(_mm256_shuffle_ps(front, back, 0xdd));
    inverse(even, odd, lane_factor(kInverse.level1[pair]));
    __m256i lo2 = _mm256_blend_epi32(even, _mm256_shuffle_epi32(odd, 0xa0), 0xaa);
    __m256i hi2 = _mm256_blend_epi32(odd_lanes(even), odd, 0xaa);
    inverse(lo2, hi2, lane_factor(kInverse.level2[pair]));
    __m256i lo = _mm256_unpacklo_epi64(lo2, hi2), hi = _mm256_unpackhi_epi64(lo2, hi2);
    inverse(lo, hi, lane_factor(kInverse.level4[pair]));
    a = _mm256_permute2x128_si256(lo, hi, 0x20);
    b = _mm256_permute2x128_si256(lo, hi, 0x31);
}

/// Two passes over the data: three levels on eight vectors 32 coefficients apart, then five within blocks of 32.
void transform(std::int32_t* f) {
    for (std::size_t j = 0; j < 32; j += 8) {
        __m256i v[8];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) v[i] = load(f + 32 * i + j);
#pragma GCC unroll 3
        for (std::size_t level = 0; level < 3; ++level) {
            const std::size_t distance = 4U >> level;
#pragma GCC unroll 4
            for (std::size_t i = 0; i < 4; ++i) {
                const std::size_t block = i / distance, at = block * 2 * distance + i % distance;
                forward(v[at], v[at + distance], plain_factor(kForward, (1U << level) + block));
            }
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) store(f + 32 * i + j, v[i]);
    }
    for (std::size_t block = 0; block < 8; ++block) {
        std::int32_t* g = f + 32 * block;
        __m256i v0 = load(g), v1 = load(g + 8), v2 = load(g + 16), v3 = load(g + 24);
        const Factor z = plain_factor(kForward, 8 + block);
        forward(v0, v2, z);
        forward(v1, v3, z);
        forward(v0, v1, plain_factor(kForward, 16 + 2 * block));
        forward(v2, v3, plain_factor(kForward, 17 + 2 * block));
        forward_within(v0, v1, 2 * block);
        forward_within(v2, v3, 2 * block + 1);
        store(g, v0);
        store(g + 8, v1);
        store(g + 16, v2);
        store(g + 24, v3);
    }
}

/// The same backwards; the division by 256 is folded into the last level.
void inverse_transform(std::int32_t* f) {
    constexpr std::int32_t scale = inverse_transform_scale;
    // 2^32 z / 256 ... with the factors of `scale`: a product with it is both.
    constexpr std::int32_t last = to_centred(multiply_mod(to_canonical(scale), to_canonical(-zetas[1])));
    for (std::size_t block = 0; block < 8; ++block) {
        std::int32_t* g = f + 32 * block;
        __m256i v0 = load(g), v1 = load(g + 8), v2 = load(g + 16), v3 = load(g + 24);
        inverse_within(v0, v1, 2 * block);
        inverse_within(v2, v3, 2 * block + 1);
        inverse(v0, v1, plain_factor(kInverse, 16 + 2 * block));
        inverse(v2, v3, plain_factor(kInverse, 17 + 2 * block));
        const Factor z = plain_factor(kInverse, 8 + block);
        inverse(v0, v2, z);
        inverse(v1, v3, z);
        store(g, v0);
        store(g + 8, v1);
        store(g + 16, v2);
        store(g + 24, v3);
    }
    for (std::size_t j = 0; j < 32; j += 8) {
        __m256i v[8];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) v[i] = load(f + 32 * i + j);
#pragma GCC unroll 2
        for (std::size_t level = 0; level < 2; ++level) {
            const std::size_t distance = std::size_t{1} << level;
#pragma GCC unroll 4
            for (std::size_t i = 0; i < 4; ++i) {
                const std::size_t block = i / distance, at = block * 2 * distance + i % distance;
                inverse(v[at], v[at + distance], plain_factor(kInverse, 4 / distance + block));
            }
        }
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) {
            const __m256i sum = _mm256_add_epi32(v[i], v[i + 4]), difference = _mm256_sub_epi32(v[i], v[i + 4]);
            store(f + 32 * i + j, product(sum, same_factor(scale, times_q_inverse(scale))));
            store(f + 32 * (i + 4) + j, product(difference, same_factor(last, times_q_inverse(last))));
        }
    }
}

/// Sums of 64-bit products, one reduction at the end. The number of terms is known when inlined, where it is written out.
POSTERN_INLINE void accumulate_terms(std::int32_t* r, const std::int32_t* a, const std::int32_t* b, std::size_t terms,
                                     const std::int32_t* c, const std::int32_t* t) {
    const __m256i modulus = all(q), modulus_inverse = all(static_cast<std::int32_t>(q_inverse));
    for (std::size_t j = 0; j < n; j += 8) {
        __m256i even = _mm256_setzero_si256(), odd = even;
#pragma GCC unroll 7
        for (std::size_t i = 0; i < terms; ++i) {
            const __m256i x = load(a + n * i + j), y = load(b + n * i + j);
            even = _mm256_add_epi64(even, _mm256_mul_epi32(x, y));
            odd = _mm256_add_epi64(odd, _mm256_mul_epi32(odd_lanes(x), odd_lanes(y)));
        }
        if (c != nullptr) {
            const __m256i x = load(c + j), y = load(t + j);
            even = _mm256_sub_epi64(even, _mm256_mul_epi32(x, y));
            odd = _mm256_sub_epi64(odd, _mm256_mul_epi32(odd_lanes(x), odd_lanes(y)));
        }
        even = _mm256_sub_epi64(even, _mm256_mul_epi32(_mm256_mul_epi32(even, modulus_inverse), modulus));
        odd = _mm256_sub_epi64(odd, _mm256_mul_epi32(_mm256_mul_epi32(odd, modulus_inverse), modulus));
        store(r + j, high_halves(even, odd));
    }
}
template <class P>
void accumulate_products(std::int32_t* r, const std::int32_t* a, const std::int32_t* b, std::size_t terms, const std::int32_t* c,
                         const std::int32_t* t) {
    if (terms == P::l && c == nullptr) {
        accumulate_terms(r, a, b, P::l, nullptr, nullptr);
    } else if (terms == P::l) {
        accumulate_terms(r, a, b, P::l, c, t);
    } else if (terms == 1 && c == nullptr) {
        accumulate_terms(r, a, b, 1, nullptr, nullptr);
    } else {
        accumulate_terms(r, a, b, terms, c, t);
    }
}

/// (-q, q) to [0, q).
POSTERN_INLINE __m256i canonical(__m256i x) { return _mm256_add_epi32(x, _mm256_and_si256(_mm256_srai_epi32(x, 31), all(q))); }
/// [0, 2 q) to [0, q).
POSTERN_INLINE __m256i below_q(__m256i x) {
    const __m256i less = _mm256_sub_epi32(x, all(q));
    return canonical(less);
}
POSTERN_INLINE __m256i reduced(__m256i x) {
    const __m256i t = _mm256_srai_epi32(_mm256_add_epi32(x, all(1 << 22)), 23);
    return canonical(_mm256_sub_epi32(x, _mm256_mullo_epi32(t, all(q))));
}
void reduce_all(std::int32_t* f) {
    for (std::size_t j = 0; j < n; j += 8) store(f + j, reduced(load(f + j)));
}

}  // namespace
}  // namespace postern::mldsa
