#pragma once

// Four interleaved states to four byte strings, four lanes of each at a time by a 4x4 transpose. For the translation units
// that are compiled for AVX2 or more.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace postern::hash {
namespace {

inline __attribute__((always_inline)) void extract_x4(const std::uint64_t* states, std::size_t words, std::uint8_t* const* out) {
    const auto* in = reinterpret_cast<const __m256i*>(states);
    const auto store = [&](std::size_t s, std::size_t i, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out[s] + 8 * i), v); };
    std::size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        const __m256i r0 = _mm256_loadu_si256(in + i), r1 = _mm256_loadu_si256(in + i + 1);
        const __m256i r2 = _mm256_loadu_si256(in + i + 2), r3 = _mm256_loadu_si256(in + i + 3);
        const __m256i t0 = _mm256_unpacklo_epi64(r0, r1), t1 = _mm256_unpackhi_epi64(r0, r1);
        const __m256i t2 = _mm256_unpacklo_epi64(r2, r3), t3 = _mm256_unpackhi_epi64(r2, r3);
        store(0, i, _mm256_permute2x128_si256(t0, t2, 0x20));
        store(1, i, _mm256_permute2x128_si256(t1, t3, 0x20));
        store(2, i, _mm256_permute2x128_si256(t0, t2, 0x31));
        store(3, i, _mm256_permute2x128_si256(t1, t3, 0x31));
    }
    for (; i < words; ++i) {
        for (std::size_t s = 0; s < 4; ++s) __builtin_memcpy(out[s] + 8 * i, states + 4 * i + s, 8);
    }
}

}  // namespace
}  // namespace postern::hash
