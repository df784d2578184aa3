#pragma once

// Four interleaved states to four byte strings, four lanes of each at a time by a 4x4 transpose. For the translation units
// that are compiled for AVX2 or more.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace postern::hash {
namespace {

/// Rows r0 to r3 to columns: element s of each to out s.
inline __attribute__((always_inline)) void transpose(__m256i& r0, __m256i& r1, __m256i& r2, __m256i& r3) {
    const __m256i t0 = _mm256_unpacklo_epi64(r0, r1), t1 = _mm256_unpackhi_epi64(r0, r1);
    const __m256i t2 = _mm256_unpacklo_epi64(r2, r3), t3 = _mm256_unpackhi_epi64(r2, r3);
    r0 = _mm256_permute2x128_si256(t0, t2, 0x20);
    r1 = _mm256_permute2x128_si256(t1, t3, 0x20);
    r2 = _mm256_permute2x128_si256(t0, t2, 0x31);
    r3 = _mm256_permute2x128_si256(t1, t3, 0x31);
}
inline __attribute__((always_inline)) __m256i load_bytes(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

inline __attribute__((always_inline)) void extract_x4(const std::uint64_t* states, std::size_t stride, std::size_t words,
                                                      std::uint8_t* const* out) {
    const auto store = [&](std::size_t s, std::size_t i, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out[s] + 8 * i), v); };
    std::size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        const std::uint64_t* in = states + stride * i;
        __m256i r0 = load_bytes(in), r1 = load_bytes(in + stride), r2 = load_bytes(in + 2 * stride), r3 = load_bytes(in + 3 * stride);
        transpose(r0, r1, r2, r3);
        store(0, i, r0);
        store(1, i, r1);
        store(2, i, r2);
        store(3, i, r3);
    }
    for (; i < words; ++i) {
        for (std::size_t s = 0; s < 4; ++s) __builtin_memcpy(out[s] + 8 * i, states + stride * i + s, 8);
    }
}

inline __attribute__((always_inline)) void absorb_x4(std::uint64_t* states, std::size_t stride, std::size_t words,
                                                     const std::uint8_t* const* in) {
    const auto add = [&](std::size_t i, __m256i v) {
        auto* lane = reinterpret_cast<__m256i*>(states + stride * i);
        _mm256_storeu_si256(lane, _mm256_xor_si256(_mm256_loadu_si256(lane), v));
    };
    std::size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        __m256i r0 = load_bytes(in[0] + 8 * i), r1 = load_bytes(in[1] + 8 * i), r2 = load_bytes(in[2] + 8 * i),
                r3 = load_bytes(in[3] + 8 * i);
        transpose(r0, r1, r2, r3);
        add(i, r0);
        add(i + 1, r1);
        add(i + 2, r2);
        add(i + 3, r3);
    }
    for (; i < words; ++i) {
        for (std::size_t s = 0; s < 4; ++s) {
            std::uint64_t lane;
            __builtin_memcpy(&lane, in[s] + 8 * i, 8);
            states[stride * i + s] ^= lane;
        }
    }
}

}  // namespace
}  // namespace postern::hash
