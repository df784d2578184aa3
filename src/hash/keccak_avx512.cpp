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

void permute_x4(std::uint64_t* states, unsigned rounds) {
    __m256i a[25];
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) a[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(states + 4 * i));
    keccak_permute<Ops4>(a, rounds);
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(states + 4 * i), a[i]);
}

void extract(const std::uint64_t* states, std::size_t words, std::uint8_t* const* out) { extract_x4(states, words, out); }

}  // namespace

// A single state is faster in general registers (measured: 840 cycles there, 900 with one lane in each vector register).
const KeccakBackend kAvx512Keccak{&keccak_permute_bmi, &permute_x4, &extract};

}  // namespace postern::hash
