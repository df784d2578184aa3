#pragma once

// Rounding, norms and hints on eight 32-bit lanes, and the products with a challenge as sums of shifted copies.
// For the translation unit that is compiled for AVX2 only.

#include "mldsa/avx2_ring.hpp"
#include "mldsa/kernels.hpp"

namespace postern::mldsa {
namespace {

/// HighBits before the wrap from m to 0, for r in [0, q), as floor((r + gamma2 - 1) / (2 gamma2)).
/// 2 gamma2 = 2^e o with o odd, 93 or 1023, and both divide 2^20 - 1 = o M. With v = floor((r + gamma2 - 1) / 2^e),
/// (v + 1) M / 2^20 = (v + 1) / o - (v + 1) / (2^20 o). For v = k o + s, 0 <= s < o, this is at least
/// k + (1 - (v + 1) / 2^20) / o, hence not below k, and less than k + 1: its floor is k. v + 1 is below 2^16, so that M times it is
/// taken as a 16-bit high product and a shift by four.
template <class P>
POSTERN_INLINE __m256i high_before_wrap(__m256i r) {
    constexpr int e = P::gamma2 == (q - 1) / 88 ? 11 : 9;
    constexpr std::int32_t o = 2 * P::gamma2 >> e, m = ((1 << 20) - 1) / o;
    static_assert(o * m == (1 << 20) - 1 && (o << e) == 2 * P::gamma2 && o % 2 == 1 && m < (1 << 16));
    static_assert(((q + P::gamma2 - 2) >> e) + 1 < (1 << 16));
    const __m256i v = _mm256_srli_epi32(_mm256_add_epi32(r, all(P::gamma2 - 1 + (1 << e))), e);
    return _mm256_srli_epi32(_mm256_mulhi_epu16(v, all(m)), 4);
}
template <class P>
POSTERN_INLINE __m256i high_part(__m256i r) {
    constexpr std::int32_t wrap = (q - 1) / (2 * P::gamma2);
    const __m256i high = high_before_wrap<P>(r);
    return _mm256_andnot_si256(_mm256_cmpgt_epi32(high, all(wrap - 1)), high);
}
template <class P>
POSTERN_INLINE __m256i low_part(__m256i r) {
    constexpr std::int32_t wrap = (q - 1) / (2 * P::gamma2);
    constexpr int e = P::gamma2 == (q - 1) / 88 ? 11 : 9;
    const __m256i high = high_before_wrap<P>(r);
    // high 2 gamma2, the odd part as a 16-bit product.
    const __m256i multiple = _mm256_slli_epi32(_mm256_mullo_epi16(high, all(2 * P::gamma2 >> e)), e);
    return _mm256_add_epi32(_mm256_sub_epi32(r, multiple), _mm256_cmpgt_epi32(high, all(wrap - 1)));
}

/// Four vectors of eight small values to 32 bytes in order.
POSTERN_INLINE __m256i to_bytes(__m256i a, __m256i b, __m256i c, __m256i d) {
    const __m256i packed = _mm256_packus_epi16(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
    return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}
POSTERN_INLINE std::uint32_t any_lane(__m256i mask) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(mask)); }
/// Lanes where |x| >= bound.
POSTERN_INLINE __m256i too_large(__m256i x, std::int32_t bound) { return _mm256_cmpgt_epi32(_mm256_abs_epi32(x), all(bound - 1)); }

template <class P>
void high_bits_all(std::int32_t* w, std::uint8_t* high) {
    for (std::size_t j = 0; j < n; j += 32) {
        __m256i h[4];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) {
            const __m256i r = canonical(load(w + j + 8 * i));
            store(w + j + 8 * i, r);
            h[i] = high_part<P>(r);
        }
        store(high + j, to_bytes(h[0], h[1], h[2], h[3]));
    }
}

/// The coefficients of c s, 32 to a register. Addresses depend on the challenge, which is public.
template <class P>
POSTERN_INLINE void sum_shifted(const std::int8_t* shifted, const std::uint16_t* offsets, ShiftScratch& scratch) {
    std::size_t term = 0;
#pragma GCC unroll 2
    for (std::size_t part = 0; part < bytes_of_sum<P>; ++part) {
        constexpr std::size_t terms = P::tau;
        const std::size_t end = part + 1 == bytes_of_sum<P> ? terms : terms / bytes_of_sum<P>;
        __m256i sum[8];
#pragma GCC unroll 8
        for (auto& s : sum) s = _mm256_setzero_si256();
        for (; term < end; ++term) {
            const std::int8_t* from = shifted + offsets[term];
#pragma GCC unroll 8
            for (std::size_t i = 0; i < 8; ++i) sum[i] = _mm256_add_epi8(sum[i], load_any(from + 32 * i));
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) store(&scratch.sums[part][32 * i], sum[i]);
    }
}
/// Eight of them as 32-bit numbers.
template <class P>
POSTERN_INLINE __m256i shifted_total(const ShiftScratch& scratch, std::size_t j) {
    const auto eight = [&](std::size_t part) {
        return _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&scratch.sums[part][j])));
    };
    if constexpr (bytes_of_sum<P> == 2) {
        return _mm256_add_epi32(eight(0), eight(1));
    } else {
        return eight(0);
    }
}

template <class P>
std::uint32_t subtract_challenge(std::int32_t* w, const std::int8_t* shifted, const std::uint16_t* offsets, ShiftScratch& scratch) {
    sum_shifted<P>(shifted, offsets, scratch);
    __m256i any = _mm256_setzero_si256();
    for (std::size_t j = 0; j < n; j += 8) {
        const __m256i x = below_q(canonical(_mm256_sub_epi32(load(w + j), shifted_total<P>(scratch, j))));
        store(w + j, x);
        any = _mm256_or_si256(any, too_large(low_part<P>(x), P::gamma2 - Sizes<P>::beta));
    }
    return any_lane(any);
}
template <class P>
std::uint32_t add_challenge(std::int32_t* z, const std::int32_t* y, const std::int8_t* shifted, const std::uint16_t* offsets,
                            ShiftScratch& scratch) {
    sum_shifted<P>(shifted, offsets, scratch);
    __m256i any = _mm256_setzero_si256();
    for (std::size_t j = 0; j < n; j += 8) {
        const __m256i x = _mm256_add_epi32(load(y + j), shifted_total<P>(scratch, j));
        store(z + j, x);
        any = _mm256_or_si256(any, too_large(x, P::gamma1 - Sizes<P>::beta));
    }
    return any_lane(any);
}

template <class P>
std::uint32_t make_all_hints(const std::int32_t* w, const std::int32_t* product, std::uint8_t* bits, std::uint32_t& ones) {
    __m256i any = _mm256_setzero_si256(), same_count = any;
    for (std::size_t j = 0; j < n; j += 8) {
        const __m256i p = canonical(load(product + j)), r = load(w + j);
        const __m256i centred = _mm256_sub_epi32(p, _mm256_and_si256(_mm256_cmpgt_epi32(p, all((q - 1) / 2)), all(q)));
        any = _mm256_or_si256(any, too_large(centred, P::gamma2));
        const __m256i same = _mm256_cmpeq_epi32(high_part<P>(r), high_part<P>(below_q(_mm256_add_epi32(r, p))));
        same_count = _mm256_sub_epi32(same_count, same);
        bits[j / 8] = static_cast<std::uint8_t>(~_mm256_movemask_ps(_mm256_castsi256_ps(same)));
    }
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(same_count), _mm256_extracti128_si256(same_count, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    ones += static_cast<std::uint32_t>(n) - static_cast<std::uint32_t>(_mm_cvtsi128_si32(sum));
    return any_lane(any);
}

void power2round_all(std::int32_t* t, std::int32_t* low) {
    for (std::size_t j = 0; j < n; j += 8) {
        const __m256i r = load(t + j);
        const __m256i high = _mm256_srai_epi32(_mm256_add_epi32(r, all((1 << (d - 1)) - 1)), d);
        store(t + j, high);
        store(low + j, _mm256_sub_epi32(r, _mm256_slli_epi32(high, d)));
    }
}

std::uint32_t norm_exceeds(const std::int32_t* f, std::int32_t bound) {
    __m256i any = _mm256_setzero_si256();
    for (std::size_t j = 0; j < n; j += 8) any = _mm256_or_si256(any, too_large(load(f + j), bound));
    return any_lane(any);
}

}  // namespace
}  // namespace postern::mldsa
