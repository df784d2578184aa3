#include <cstring>

#include "hash/keccak_backend.hpp"
#include "hash/keccak_rounds.hpp"

namespace postern::hash {

namespace {

// A word of one or four lanes. The four-lane form is the compiler's own vector type: whatever the target has.
// By reference throughout: such values must not cross a function boundary where the ABI depends on the processor.
template <class Word>
struct Ops {
    using Lane = Word;
    static POSTERN_INLINE void xor_to(Lane& a, const Lane& b) { a ^= b; }
    static POSTERN_INLINE void xor5(Lane& out, const Lane& a, const Lane& b, const Lane& c, const Lane& d, const Lane& e) {
        out = a ^ b ^ c ^ d ^ e;
    }
    template <unsigned N>
    static POSTERN_INLINE void rotate(Lane& out, const Lane& v) {
        if constexpr (N == 0) {
            out = v;
        } else {
            out = v << N | v >> (64 - N);
        }
    }
    static POSTERN_INLINE void theta(Lane& out, const Lane& left, const Lane& right) { out = left ^ (right << 1 | right >> 63); }
    static POSTERN_INLINE void chi(Lane& out, const Lane& a, const Lane& b, const Lane& c) { out = a ^ (~b & c); }
    static POSTERN_INLINE void iota(Lane& a, std::uint64_t constant) { a = a ^ constant; }
};

typedef std::uint64_t Lane4 __attribute__((vector_size(32)));  // NOLINT(modernize-use-using): attributes need the typedef

void permute(std::uint64_t* state, unsigned rounds) {
    std::uint64_t a[25];
    std::memcpy(a, state, sizeof a);
    keccak_permute<Ops<std::uint64_t>>(a, rounds);
    std::memcpy(state, a, sizeof a);
}

POSTERN_INLINE void permute_four(std::uint64_t* states, std::size_t stride, unsigned rounds) {
    Lane4 a[25];
    for (std::size_t i = 0; i < 25; ++i) std::memcpy(&a[i], states + stride * i, sizeof a[i]);
    keccak_permute<Ops<Lane4>>(a, rounds);
    for (std::size_t i = 0; i < 25; ++i) std::memcpy(states + stride * i, &a[i], sizeof a[i]);
}
void permute_x4(std::uint64_t* states, unsigned rounds) { permute_four(states, 4, rounds); }
void permute_x8(std::uint64_t* states, unsigned rounds) {
    for (std::size_t half = 0; half < 8; half += 4) permute_four(states + half, 8, rounds);
}

void extract_x4(const std::uint64_t* states, std::size_t stride, std::size_t words, std::uint8_t* const* out) {
    for (std::size_t i = 0; i < words; ++i) {
        for (std::size_t s = 0; s < 4; ++s) std::memcpy(out[s] + 8 * i, states + stride * i + s, 8);
    }
}
void absorb_x4(std::uint64_t* states, std::size_t stride, std::size_t words, const std::uint8_t* const* in) {
    for (std::size_t i = 0; i < words; ++i) {
        for (std::size_t s = 0; s < 4; ++s) {
            std::uint64_t lane = 0;
            std::memcpy(&lane, in[s] + 8 * i, 8);
            states[stride * i + s] ^= lane;
        }
    }
}

}  // namespace

const KeccakBackend kPortableKeccak{&permute, &permute_x4, &permute_x8, &extract_x4, &absorb_x4};

}  // namespace postern::hash
