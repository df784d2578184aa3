#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::hash {

/// The permutation kernels of one instruction set. States are as in keccak_p.hpp.
struct KeccakBackend {
    void (*permute)(std::uint64_t* state, unsigned rounds);
    void (*permute_x4)(std::uint64_t* states, unsigned rounds);
    /// Writes the first `words` lanes of each of four interleaved states to out[0..3], as bytes.
    void (*extract_x4)(const std::uint64_t* states, std::size_t words, std::uint8_t* const* out);
};

extern const KeccakBackend kPortableKeccak;
#ifdef POSTERN_HASH_X86
/// One state in general registers with BMI instructions, of both.
void keccak_permute_bmi(std::uint64_t* state, unsigned rounds);
extern const KeccakBackend kAvx2Keccak;
extern const KeccakBackend kAvx512Keccak;
#endif

}  // namespace postern::hash
