#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::hash {

/// The permutation kernels of one instruction set. States are as in keccak_p.hpp.
struct KeccakBackend {
    void (*permute)(std::uint64_t* state, unsigned rounds);
    void (*permute_x4)(std::uint64_t* states, unsigned rounds);
    void (*permute_x8)(std::uint64_t* states, unsigned rounds);
    /// Four of `stride` interleaved states, those that `states` points to and their right neighbours: writes their first `words` lanes to
    /// out[0..3], as bytes.
    void (*extract_x4)(const std::uint64_t* states, std::size_t stride, std::size_t words, std::uint8_t* const* out);
    /// The reverse: `words` lanes of in[0..3] are added (xor) to those of the states.
    void (*absorb_x4)(std::uint64_t* states, std::size_t stride, std::size_t words, const std::uint8_t* const* in);
};

extern const KeccakBackend kPortableKeccak;
#ifdef POSTERN_HASH_X86
/// One state in general registers with BMI instructions, of both.
void keccak_permute_bmi(std::uint64_t* state, unsigned rounds);
extern const KeccakBackend kAvx2Keccak;
extern const KeccakBackend kAvx512Keccak;
#endif

}  // namespace postern::hash
