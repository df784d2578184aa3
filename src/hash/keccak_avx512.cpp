// Compiled with -mavx512f -mavx512vl. Nothing here may be shared with other translation units: no library templates.
// A rotation is one instruction and so is any function of three words; 32 registers hold the state.

#include <immintrin.h>

#include "hash/keccak_backend.hpp"
#include "hash/keccak_extract.hpp"
#include "hash/keccak_rounds.hpp"

namespace postern::hash {

namespace {

// Truth tables of a ^ b ^ c and of a ^ (~b & c), bit 4 a + 2 b + c.
constexpr int kXor3 = 0x96, kChi = 0xd2;

struct Ops4 {
    using Lane = __m256i;
    static POSTERN_INLINE void xor_to(Lane& a, const Lane& b) { a = _mm256_xor_si256(a, b); }
    static POSTERN_INLINE void xor5(Lane& out, const Lane& a, const Lane& b, const Lane& c, const Lane& d, const Lane& e) {
        out = _mm256_ternarylogic_epi64(_mm256_ternarylogic_epi64(a, b, c, kXor3), d, e, kXor3);
    }
    template <unsigned N>
    static POSTERN_INLINE void rotate(Lane& out, const Lane& v) {
        out = N == 0 ? v : _mm256_rol_epi64(v, N);
    }
    static POSTERN_INLINE void theta(Lane& out, const Lane& left, const Lane& right) {
        out = _mm256_xor_si256(left, _mm256_rol_epi64(right, 1));
    }
    static POSTERN_INLINE void chi(Lane& out, const Lane& a, const Lane& b, const Lane& c) {
        out = _mm256_ternarylogic_epi64(a, b, c, kChi);
    }
    static POSTERN_INLINE void iota(Lane& a, std::uint64_t constant) {
        a = _mm256_xor_si256(a, _mm256_set1_epi64x(static_cast<long long>(constant)));
    }
};

struct Ops8 {
    using Lane = __m512i;
    static POSTERN_INLINE void xor_to(Lane& a, const Lane& b) { a = _mm512_xor_si512(a, b); }
    static POSTERN_INLINE void xor5(Lane& out, const Lane& a, const Lane& b, const Lane& c, const Lane& d, const Lane& e) {
        out = _mm512_ternarylogic_epi64(_mm512_ternarylogic_epi64(a, b, c, kXor3), d, e, kXor3);
    }
    template <unsigned N>
    static POSTERN_INLINE void rotate(Lane& out, const Lane& v) {
        out = N == 0 ? v : _mm512_rol_epi64(v, N);
    }
    static POSTERN_INLINE void theta(Lane& out, const Lane& left, const Lane& right) {
        out = _mm512_xor_si512(left, _mm512_rol_epi64(right, 1));
    }
    static POSTERN_INLINE void chi(Lane& out, const Lane& a, const Lane& b, const Lane& c) {
        out = _mm512_ternarylogic_epi64(a, b, c, kChi);
    }
    static POSTERN_INLINE void iota(Lane& a, std::uint64_t constant) {
        a = _mm512_xor_si512(a, _mm512_set1_epi64(static_cast<long long>(constant)));
    }
};

template <class O, std::size_t Stride>
POSTERN_INLINE void permute_all(std::uint64_t* states, unsigned rounds) {
    typename O::Lane a[25];
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) __builtin_memcpy(&a[i], states + Stride * i, sizeof a[i]);
    keccak_permute<O>(a, rounds);
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) __builtin_memcpy(states + Stride * i, &a[i], sizeof a[i]);
}
void permute_x4(std::uint64_t* states, unsigned rounds) { permute_all<Ops4, 4>(states, rounds); }
void permute_x8(std::uint64_t* states, unsigned rounds) { permute_all<Ops8, 8>(states, rounds); }

void extract(const std::uint64_t* states, std::size_t stride, std::size_t words, std::uint8_t* const* out) {
    extract_x4(states, stride, words, out);
}
void absorb(std::uint64_t* states, std::size_t stride, std::size_t words, const std::uint8_t* const* in) {
    absorb_x4(states, stride, words, in);
}

}  // namespace

// A single state is faster in general registers (measured: 840 cycles there, 900 with one lane in each vector register).
const KeccakBackend kAvx512Keccak{&keccak_permute_bmi, &permute_x4, &permute_x8, &extract, &absorb};

}  // namespace postern::hash
