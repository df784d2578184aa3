// The transform and the products for AVX-512 (foundation with VL), sixteen lanes: the polynomial lies in sixteen of the 32 registers
// from the first level to the last. Everything else is taken from the table for AVX2. Compiled with its own options: nothing
// here may be shared with other translation units (tests/layering/check_kernels.sh).

#include <immintrin.h>

#include "mldsa/kernels.hpp"
#include "mldsa/zetas.hpp"

namespace postern::mldsa {

namespace {

#define POSTERN_INLINE inline __attribute__((always_inline))

using Vector = __m512i;
POSTERN_INLINE Vector load(const std::int32_t* p) { return _mm512_loadu_si512(p); }
POSTERN_INLINE void store(std::int32_t* p, Vector v) { _mm512_storeu_si512(p, v); }
POSTERN_INLINE Vector all(std::int32_t x) { return _mm512_set1_epi32(x); }
/// Even lanes of the result: the odd lanes of `from`; odd lanes: those of `keep`.
POSTERN_INLINE Vector odd_to_even(Vector keep, Vector from) {
    return _mm512_mask_shuffle_epi32(keep, 0x5555, from, static_cast<_MM_PERM_ENUM>(0xf5));
}
/// Odd lanes of the result: the even lanes of `from`; even lanes: those of `keep`.
POSTERN_INLINE Vector even_to_odd(Vector keep, Vector from) {
    return _mm512_mask_shuffle_epi32(keep, 0xaaaa, from, static_cast<_MM_PERM_ENUM>(0xa0));
}
/// Two words of every pair of vectors by their numbers, 0 to 7 of a and 8 to 15 of b.
POSTERN_INLINE Vector pick(Vector a, Vector b, long long w0, long long w1, long long w2, long long w3) {
    return _mm512_permutex2var_epi64(a, _mm512_setr_epi64(w0, w0 + 1, w1, w1 + 1, w2, w2 + 1, w3, w3 + 1), b);
}

/// The odd lanes at the places of the even ones. A shuffle, because shifts and products share one port.
POSTERN_INLINE Vector odd_lanes(Vector v) { return _mm512_shuffle_epi32(v, static_cast<_MM_PERM_ENUM>(0xf5)); }

/// Twiddle factors in Montgomery form and times q^-1 modulo 2^32; of the odd lanes apart.
struct Factor {
    Vector even, even_q, odd, odd_q;
};
/// 2^-32 v factor in (-q, q); as for AVX2 (avx2_ring.hpp).
POSTERN_INLINE Vector product(Vector v, const Factor& f) {
    const Vector modulus = all(q), w = odd_lanes(v);
    const Vector even = _mm512_sub_epi64(_mm512_mul_epi32(v, f.even), _mm512_mul_epi32(_mm512_mul_epi32(v, f.even_q), modulus));
    const Vector odd = _mm512_sub_epi64(_mm512_mul_epi32(w, f.odd), _mm512_mul_epi32(_mm512_mul_epi32(w, f.odd_q), modulus));
    return odd_to_even(odd, even);
}

constexpr std::int32_t times_q_inverse(std::int32_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * q_inverse); }

/// The factors of one transform; for each pair of vectors (32 coefficients) those of the last four levels, lane by lane. From
/// level 4 on the quarters of a vector belong to the groups 0, 2, 1 and 3 of eight coefficients.
struct TwiddleTables {
    alignas(64) std::int32_t plain[256], plain_q[256];
    alignas(64) std::int32_t level8[8][2][16], level4[8][2][16], level2[8][2][16], level1[8][4][16];
};
constexpr TwiddleTables make_tables(const std::array<std::int32_t, 256>& z) {
    TwiddleTables t{};
    for (std::size_t m = 0; m < 256; ++m) {
        t.plain[m] = z[m];
        t.plain_q[m] = times_q_inverse(z[m]);
    }
    constexpr std::size_t group_of[4] = {0, 2, 1, 3};
    for (std::size_t pair = 0; pair < 8; ++pair) {
        const auto put = [&](std::int32_t(&rows)[2][16], std::size_t lane, std::int32_t value) {
            rows[0][lane] = value;
            rows[1][lane] = times_q_inverse(value);
        };
        for (std::size_t lane = 0; lane < 16; ++lane) {
            const std::size_t group = 4 * pair + group_of[lane / 4], in = lane % 4;
            put(t.level8[pair], lane, z[16 + 2 * pair + lane / 8]);
            put(t.level4[pair], lane, z[32 + group]);
            put(t.level2[pair], lane, z[64 + 2 * group + in / 2]);
            t.level1[pair][0][lane] = z[128 + 4 * group + in];
            t.level1[pair][1][lane] = times_q_inverse(t.level1[pair][0][lane]);
            t.level1[pair][2][lane] = z[128 + 4 * group + (in | 1)];
            t.level1[pair][3][lane] = times_q_inverse(t.level1[pair][2][lane]);
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
    const Vector a = all(z), b = all(z_q);
    return {a, b, a, b};
}
POSTERN_INLINE Factor plain_factor(const TwiddleTables& t, std::size_t m) { return same_factor(t.plain[m], t.plain_q[m]); }
POSTERN_INLINE Factor lane_factor(const std::int32_t (&rows)[2][16]) {
    const Vector a = load(rows[0]), b = load(rows[1]);
    return {a, b, a, b};
}
POSTERN_INLINE Factor lane_factor(const std::int32_t (&rows)[4][16]) {
    return {load(rows[0]), load(rows[1]), load(rows[2]), load(rows[3])};
}

POSTERN_INLINE void forward(Vector& a, Vector& b, const Factor& z) {
    const Vector t = product(b, z);
    b = _mm512_sub_epi32(a, t);
    a = _mm512_add_epi32(a, t);
}
POSTERN_INLINE void inverse(Vector& a, Vector& b, const Factor& z) {
    const Vector difference = _mm512_sub_epi32(a, b);
    a = _mm512_add_epi32(a, b);
    b = product(difference, z);
}

/// Levels of 8, 4, 2 and 1 on two neighbouring vectors: halves, quarters, pairs, single lanes of one kind come together.
POSTERN_INLINE void forward_within(Vector& a, Vector& b, std::size_t pair) {
    Vector lo = _mm512_shuffle_i64x2(a, b, 0x44), hi = _mm512_shuffle_i64x2(a, b, 0xee);
    forward(lo, hi, lane_factor(kForward.level8[pair]));
    Vector lo4 = _mm512_shuffle_i64x2(lo, hi, 0x88), hi4 = _mm512_shuffle_i64x2(lo, hi, 0xdd);
    forward(lo4, hi4, lane_factor(kForward.level4[pair]));
    Vector lo2 = _mm512_unpacklo_epi64(lo4, hi4), hi2 = _mm512_unpackhi_epi64(lo4, hi4);
    forward(lo2, hi2, lane_factor(kForward.level2[pair]));
    Vector even = even_to_odd(lo2, hi2), odd = odd_to_even(hi2, lo2);
    forward(even, odd, lane_factor(kForward.level1[pair]));
    const Vector front = _mm512_unpacklo_epi32(even, odd), back = _mm512_unpackhi_epi32(even, odd);
    a = pick(front, back, 0, 8, 4, 12);
    b = pick(front, back, 2, 10, 6, 14);
}
POSTERN_INLINE void inverse_within(Vector& a, Vector& b, std::size_t pair) {
    const __m512 front = _mm512_castsi512_ps(pick(a, b, 0, 8, 4, 12)), back = _mm512_castsi512_ps(pick(a, b, 2, 10, 6, 14));
    Vector even = _mm512_castps_si512(_mm512_shuffle_ps(front, back, 0x88));
    Vector odd = _mm512_castps_si512(_mm512_shuffle_ps(front, back, 0xdd));
    inverse(even, odd, lane_factor(kInverse.level1[pair]));
    Vector lo2 = even_to_odd(even, odd), hi2 = odd_to_even(odd, even);
    inverse(lo2, hi2, lane_factor(kInverse.level2[pair]));
    Vector lo4 = _mm512_unpacklo_epi64(lo2, hi2), hi4 = _mm512_unpackhi_epi64(lo2, hi2);
    inverse(lo4, hi4, lane_factor(kInverse.level4[pair]));
    Vector lo = pick(lo4, hi4, 0, 8, 2, 10), hi = pick(lo4, hi4, 4, 12, 6, 14);
    inverse(lo, hi, lane_factor(kInverse.level8[pair]));
    a = _mm512_shuffle_i64x2(lo, hi, 0x44);
    b = _mm512_shuffle_i64x2(lo, hi, 0xee);
}

void transform(std::int32_t* f) {
    Vector v[16];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 16; ++i) v[i] = load(f + 16 * i);
#pragma GCC unroll 4
    for (std::size_t level = 0; level < 4; ++level) {
        const std::size_t distance = 8U >> level;
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) {
            const std::size_t block = i / distance, at = block * 2 * distance + i % distance;
            forward(v[at], v[at + distance], plain_factor(kForward, (1U << level) + block));
        }
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) {
        forward_within(v[2 * i], v[2 * i + 1], i);
        store(f + 32 * i, v[2 * i]);
        store(f + 32 * i + 16, v[2 * i + 1]);
    }
}

void inverse_transform(std::int32_t* f) {
    constexpr std::int32_t scale = inverse_transform_scale;
    constexpr std::int32_t last = to_centred(multiply_mod(to_canonical(scale), to_canonical(-zetas[1])));
    Vector v[16];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) {
        v[2 * i] = load(f + 32 * i);
        v[2 * i + 1] = load(f + 32 * i + 16);
        inverse_within(v[2 * i], v[2 * i + 1], i);
    }
#pragma GCC unroll 3
    for (std::size_t level = 0; level < 3; ++level) {
        const std::size_t distance = std::size_t{1} << level;
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) {
            const std::size_t block = i / distance, at = block * 2 * distance + i % distance;
            inverse(v[at], v[at + distance], plain_factor(kInverse, 8 / distance + block));
        }
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) {
        const Vector sum = _mm512_add_epi32(v[i], v[i + 8]), difference = _mm512_sub_epi32(v[i], v[i + 8]);
        store(f + 16 * i, product(sum, same_factor(scale, times_q_inverse(scale))));
        store(f + 16 * (i + 8), product(difference, same_factor(last, times_q_inverse(last))));
    }
}

/// Sums of 64-bit products, one reduction at the end.
template <std::size_t Terms, bool Minus>
POSTERN_INLINE void accumulate_fixed(std::int32_t* r, const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                                     const std::int32_t* t) {
    const Vector modulus = all(q), modulus_inverse = all(static_cast<std::int32_t>(q_inverse));
    for (std::size_t j = 0; j < n; j += 16) {
        Vector even = _mm512_setzero_si512(), odd = even;
#pragma GCC unroll 7
        for (std::size_t i = 0; i < Terms; ++i) {
            const Vector x = load(a + n * i + j), y = load(b + n * i + j);
            even = _mm512_add_epi64(even, _mm512_mul_epi32(x, y));
            odd = _mm512_add_epi64(odd, _mm512_mul_epi32(odd_lanes(x), odd_lanes(y)));
        }
        if constexpr (Minus) {
            const Vector x = load(c + j), y = load(t + j);
            even = _mm512_sub_epi64(even, _mm512_mul_epi32(x, y));
            odd = _mm512_sub_epi64(odd, _mm512_mul_epi32(odd_lanes(x), odd_lanes(y)));
        }
        even = _mm512_sub_epi64(even, _mm512_mul_epi32(_mm512_mul_epi32(even, modulus_inverse), modulus));
        odd = _mm512_sub_epi64(odd, _mm512_mul_epi32(_mm512_mul_epi32(odd, modulus_inverse), modulus));
        store(r + j, odd_to_even(odd, even));
    }
}
/// One term, or those of a row.
template <class P>
void accumulate_products(std::int32_t* r, const std::int32_t* a, const std::int32_t* b, std::size_t terms, const std::int32_t* c,
                         const std::int32_t* t) {
    if (terms == P::l) {
        c == nullptr ? accumulate_fixed<P::l, false>(r, a, b, c, t) : accumulate_fixed<P::l, true>(r, a, b, c, t);
    } else if (terms == 1 && c == nullptr) {
        accumulate_fixed<1, false>(r, a, b, c, t);
    } else {
        avx2_kernels<P>().accumulate(r, a, b, terms, c, t);
    }
}

template <class P>
POSTERN_INLINE Kernels<P> make_table() {
    Kernels<P> table = avx2_kernels<P>();
    table.ntt = &transform;
    table.inverse_ntt = &inverse_transform;
    table.accumulate = &accumulate_products<P>;
    return table;
}

}  // namespace

template <>
const Kernels<MlDsa44>& avx512_kernels<MlDsa44>() noexcept {
    static const Kernels<MlDsa44> table = make_table<MlDsa44>();
    return table;
}
template <>
const Kernels<MlDsa65>& avx512_kernels<MlDsa65>() noexcept {
    static const Kernels<MlDsa65> table = make_table<MlDsa65>();
    return table;
}
template <>
const Kernels<MlDsa87>& avx512_kernels<MlDsa87>() noexcept {
    static const Kernels<MlDsa87> table = make_table<MlDsa87>();
    return table;
}

}  // namespace postern::mldsa
