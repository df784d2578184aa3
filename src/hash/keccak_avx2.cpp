// Compiled with -mavx2 -mbmi -mbmi2. Nothing here may be shared with other translation units: no library templates.

#include <immintrin.h>

#include "hash/keccak_backend.hpp"
#include "hash/keccak_extract.hpp"
#include "hash/keccak_rounds.hpp"

namespace postern::hash {

namespace {

/// One state in general registers: `andn` for chi, `rorx` for the rotations.
struct Ops1 {
    using Lane = std::uint64_t;
    static POSTERN_INLINE void xor_to(Lane& a, const Lane& b) { a ^= b; }
    static POSTERN_INLINE void xor5(Lane& out, const Lane& a, const Lane& b, const Lane& c, const Lane& d, const Lane& e) {
        out = a ^ b ^ c ^ d ^ e;
    }
    template <unsigned N>
    static POSTERN_INLINE void rotate(Lane& out, const Lane& v) {
        out = N == 0 ? v : v << N | v >> ((64 - N) % 64);
    }
    static POSTERN_INLINE void theta(Lane& out, const Lane& left, const Lane& right) { out = left ^ (right << 1 | right >> 63); }
    static POSTERN_INLINE void chi(Lane& out, const Lane& a, const Lane& b, const Lane& c) { out = a ^ (~b & c); }
    static POSTERN_INLINE void iota(Lane& a, std::uint64_t constant) { a ^= constant; }
};

/// Four states in step. A rotation is two shifts and an or; by whole bytes it is one shuffle.
struct Ops4 {
    using Lane = __m256i;
    static POSTERN_INLINE void xor_to(Lane& a, const Lane& b) { a = _mm256_xor_si256(a, b); }
    static POSTERN_INLINE void xor5(Lane& out, const Lane& a, const Lane& b, const Lane& c, const Lane& d, const Lane& e) {
        out = _mm256_xor_si256(_mm256_xor_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d)), e);
    }
    template <unsigned N>
    static POSTERN_INLINE void rotate(Lane& out, const Lane& v) {
        if constexpr (N == 0) {
            out = v;
        } else if constexpr (N == 8) {
            const __m256i order =
                _mm256_set_epi8(14, 13, 12, 11, 10, 9, 8, 15, 6, 5, 4, 3, 2, 1, 0, 7, 14, 13, 12, 11, 10, 9, 8, 15, 6, 5, 4, 3, 2, 1, 0, 7);
            out = _mm256_shuffle_epi8(v, order);
        } else if constexpr (N == 56) {
            const __m256i order =
                _mm256_set_epi8(8, 15, 14, 13, 12, 11, 10, 9, 0, 7, 6, 5, 4, 3, 2, 1, 8, 15, 14, 13, 12, 11, 10, 9, 0, 7, 6, 5, 4, 3, 2, 1);
            out = _mm256_shuffle_epi8(v, order);
        } else {
            out = _mm256_or_si256(_mm256_slli_epi64(v, N), _mm256_srli_epi64(v, 64 - N));
        }
    }
    static POSTERN_INLINE void theta(Lane& out, const Lane& left, const Lane& right) {
        // The shift by one as an addition: it has more ports to run on.
        const __m256i rotated = _mm256_or_si256(_mm256_add_epi64(right, right), _mm256_srli_epi64(right, 63));
        out = _mm256_xor_si256(left, rotated);
    }
    static POSTERN_INLINE void chi(Lane& out, const Lane& a, const Lane& b, const Lane& c) {
        out = _mm256_xor_si256(a, _mm256_andnot_si256(b, c));
    }
    static POSTERN_INLINE void iota(Lane& a, std::uint64_t constant) {
        a = _mm256_xor_si256(a, _mm256_set1_epi64x(static_cast<long long>(constant)));
    }
};

POSTERN_INLINE void permute_four(std::uint64_t* states, std::size_t stride, unsigned rounds) {
    __m256i a[25];
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) a[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(states + stride * i));
    keccak_permute<Ops4>(a, rounds);
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(states + stride * i), a[i]);
}
void permute_x4(std::uint64_t* states, unsigned rounds) { permute_four(states, 4, rounds); }
void permute_x8(std::uint64_t* states, unsigned rounds) {
    for (std::size_t half = 0; half < 8; half += 4) permute_four(states + half, 8, rounds);
}

void extract(const std::uint64_t* states, std::size_t stride, std::size_t words, std::uint8_t* const* out) {
    extract_x4(states, stride, words, out);
}
void absorb(std::uint64_t* states, std::size_t stride, std::size_t words, const std::uint8_t* const* in) {
    absorb_x4(states, stride, words, in);
}

}  // namespace

void keccak_permute_bmi(std::uint64_t* state, unsigned rounds) {
    std::uint64_t a[25];
    for (std::size_t i = 0; i < 25; ++i) a[i] = state[i];
    keccak_permute<Ops1>(a, rounds);
    for (std::size_t i = 0; i < 25; ++i) state[i] = a[i];
}

const KeccakBackend kAvx2Keccak{&keccak_permute_bmi, &permute_x4, &permute_x8, &extract, &absorb};

}  // namespace postern::hash
