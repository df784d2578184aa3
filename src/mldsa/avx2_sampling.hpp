#pragma once

// Rejection sampling on eight candidates at a time (FIPS 204 algorithms 14, 15, 30 and 31). For the translation unit that is
// compiled for AVX2 only.

#include "core/secure.hpp"
#include "mldsa/avx2_rounding.hpp"

namespace postern::mldsa {
namespace {

/// For every mask of eight: the numbers of its ones in front, then zeros.
struct KeptLanes {
    alignas(8) std::uint8_t lane[256][8]{};
    constexpr KeptLanes() {
        for (unsigned mask = 0; mask < 256; ++mask) {
            unsigned at = 0;
            for (unsigned i = 0; i < 8; ++i) {
                if ((mask >> i & 1U) != 0) lane[mask][at++] = static_cast<std::uint8_t>(i);
            }
        }
    }
};
constexpr KeptLanes kKept{};

POSTERN_INLINE __m128i kept_lanes(unsigned mask) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kKept.lane[mask])); }
/// Stores the first lanes of v that still fit.
POSTERN_INLINE void store_front(std::int32_t* f, std::size_t have, __m256i v) {
    if (have + 8 <= n) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(f + have), v);
    } else {
        const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_maskstore_epi32(f + have, _mm256_cmpgt_epi32(all(static_cast<std::int32_t>(n - have)), lanes), v);
    }
}
POSTERN_INLINE std::size_t advanced(std::size_t have, unsigned mask) {
    const std::size_t next = have + static_cast<std::size_t>(__builtin_popcount(mask));
    return next < n ? next : n;
}

/// Three bytes a candidate, top bit dropped. All eight are below q 992 times out of 1000: then they are stored as they are.
std::size_t reject_uniform_all(const std::uint8_t* stream, std::size_t bytes, std::int32_t* f, std::size_t have) {
    const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
    for (const std::uint8_t* end = stream + bytes; stream < end && have < n; stream += 24) {
        const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(stream));
        const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(stream + 12));
        __m256i v = _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1), order);
        v = _mm256_and_si256(v, all(0x7fffff));
        const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(all(q), v))));
        if (mask != 0xff) v = _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(kept_lanes(mask)));
        store_front(f, have, v);
        have = advanced(have, mask);
    }
    return have;
}

/// Sixteen nibbles at a time. The mask of those kept is public; the values go through byte shuffles, never through memory.
template <class P>
std::size_t reject_bounded_all(const std::uint8_t* stream, std::size_t bytes, std::int32_t* f, std::size_t have) {
    const __m128i nibble = _mm_set1_epi8(15);
    const __m128i limit = _mm_set1_epi8(P::eta == 2 ? 15 : 9);
    // eta - nibble, modulo 5 for eta = 2; the rejected ones do not matter.
    const __m128i value = P::eta == 2 ? _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0)
                                      : _mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0);
    for (const std::uint8_t* end = stream + bytes; stream < end && have < n; stream += 8) {
        const __m128i in = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(stream));
        const __m128i all16 = _mm_unpacklo_epi8(_mm_and_si128(in, nibble), _mm_and_si128(_mm_srli_epi16(in, 4), nibble));
        const auto accepted = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmplt_epi8(all16, limit)));
        const unsigned kept = declassify(value_barrier(accepted));
        const __m128i values = _mm_shuffle_epi8(value, all16);
#pragma GCC unroll 2
        for (unsigned half = 0; half < 2; ++half) {
            const unsigned mask = half == 0 ? kept & 0xffU : kept >> 8;
            const __m128i eight = half == 0 ? values : _mm_bsrli_si128(values, 8);
            if (have == n) break;
            store_front(f, have, _mm256_cvtepi8_epi32(_mm_shuffle_epi8(eight, kept_lanes(mask))));
            have = advanced(have, mask);
        }
    }
    return have;
}

}  // namespace
}  // namespace postern::mldsa
