#pragma once

// (F, G) -= 2^shift k (f, g) for polynomials of at most 8 coefficients with hundreds of words, word by word.

#include <cstddef>
#include <cstdint>

#include "falcon/bigint31.hpp"
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace postern::falcon::POSTERN_FALCON_KERNELS {

/// sum[u] -= sum over v of x[v] m[v][u] for 31-bit words x and |m| <= 2^31, then the word of sum leaves at the bottom and the
/// carry stays. Two accumulators of words, so that nothing overflows: sum = low + 2^31 high.
template <std::size_t N>
struct NegatedProduct {
    std::int64_t m[N][N];
    std::int64_t carry[N] = {};

    explicit NegatedProduct(const std::int32_t* k) {
        for (std::size_t v = 0; v < N; ++v)
            for (std::size_t u = 0; u < N; ++u) {
                // x^N = -1. -2^31, which only a failed reduction asks for, stays what it is, with and without AVX2.
                const auto x = static_cast<u32>(k[(u - v) & (N - 1)]);
                m[v][u] = static_cast<std::int32_t>(v <= u ? x : 0U - x);
            }
    }
    ~NegatedProduct() { secure_wipe(this, sizeof *this); }
    NegatedProduct(const NegatedProduct&) = delete;
    NegatedProduct& operator=(const NegatedProduct&) = delete;

    void step(u32* row, const u32* x) {
#ifdef __AVX2__
        if constexpr (N >= 4) {
            for (std::size_t u = 0; u < N; u += 4) step_four(row, x, u);
            return;
        }
#endif
        for (std::size_t u = 0; u < N; ++u) {
            std::int64_t low = 0;
            std::int64_t high = 0;
            for (std::size_t v = 0; v < N; ++v) {
                const std::int64_t t = std::int64_t{x[v]} * m[v][u];
                low += t & kMask31;
                high += t >> 31;
            }
            const std::int64_t z = std::int64_t{row[u]} + carry[u] - low;
            row[u] = static_cast<u32>(z) & kMask31;
            carry[u] = (z >> 31) - high;
        }
    }

  private:
#ifdef __AVX2__
    /// Shift right of signed 64-bit lanes, which AVX2 does not have: through a bias.
    static __m256i shift_right_31(__m256i z) {
        const __m256i bias = _mm256_set1_epi64x(static_cast<std::int64_t>(std::uint64_t{1} << 63));
        return _mm256_sub_epi64(_mm256_srli_epi64(_mm256_add_epi64(z, bias), 31), _mm256_set1_epi64x(std::int64_t{1} << 32));
    }
    void step_four(u32* row, const u32* x, std::size_t u) {
        const __m256i mask = _mm256_set1_epi64x(kMask31);
        __m256i low = _mm256_setzero_si256();
        __m256i high = _mm256_setzero_si256();
        for (std::size_t v = 0; v < N; ++v) {
            const __m256i t = _mm256_mul_epi32(_mm256_set1_epi64x(x[v]), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&m[v][u])));
            low = _mm256_add_epi64(low, _mm256_and_si256(t, mask));
            high = _mm256_add_epi64(high, shift_right_31(t));
        }
        auto* saved = reinterpret_cast<__m256i*>(carry + u);
        auto* words = reinterpret_cast<__m128i*>(row + u);
        const __m256i z = _mm256_sub_epi64(_mm256_add_epi64(_mm256_cvtepu32_epi64(_mm_loadu_si128(words)), _mm256_loadu_si256(saved)), low);
        const __m256i pick = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
        _mm_storeu_si128(words, _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_and_si256(z, mask), pick)));
        _mm256_storeu_si256(saved, _mm256_sub_epi64(shift_right_31(z), high));
    }
#endif
};

/// F and G have `words` rows of 2N columns, f and g `fg_words`.
template <std::size_t N>
void subtract_directly(u32* FG, std::size_t words, const u32* fg, std::size_t fg_words, const std::int32_t* k, std::size_t shift_words,
                       unsigned shift_bits) {
    constexpr std::size_t width = 2 * N;
    NegatedProduct<N> F(k);
    NegatedProduct<N> G(k);
    u32 low[width] = {};  // bits shifted out of the word before
    u32 sign[width];
    for (std::size_t j = 0; j < width; ++j) sign[j] = (0U - (fg[(fg_words - 1) * width + j] >> 30)) >> 1;
    for (std::size_t i = shift_words; i < words; ++i) {
        const u32* source = i - shift_words < fg_words ? fg + (i - shift_words) * width : sign;
        u32 shifted[width];
        for (std::size_t j = 0; j < width; ++j) {
            shifted[j] = ((source[j] << shift_bits) & kMask31) | low[j];
            low[j] = source[j] >> (31 - shift_bits);
        }
        F.step(FG + i * width, shifted);
        G.step(FG + i * width + N, shifted + N);
    }
    secure_wipe(low);
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
