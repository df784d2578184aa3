#pragma once

// Four Keccak states permuted together: bit z of a lane of state s is bit 4 z + s of a word, so the word is one ring of 256 bits and a
// rotation by r of all four is one rotation by 4 r, without masks and without anything beside the lane.

#include <array>
#include <cstdint>

#include "codegen/block.hpp"
#include "codegen/kernel.hpp"
#include "contracts/sponge.hpp"

namespace postern::contracts {

class SpongeQuad {
  public:
    static constexpr std::uint64_t kBuffer = 25 * 32;
    static constexpr std::uint64_t size(unsigned rounds) { return 2 * kBuffer + 32ULL * rounds; }

    /// `memory`: size(rounds) bytes, anything in them. `unroll`: rounds of the loop's body, even, a divisor of `rounds`.
    SpongeQuad(std::uint64_t memory, unsigned rounds, unsigned unroll = 2) : memory_(memory), rounds_(rounds), unroll_(unroll) {}
    void allocate(Kernel& k);
    /// Copies the table; once, before the first permutation.
    void prepare(Kernel& k) const;
    /// Where lane x + 5 y stands before and after a permutation, and whether it is stored complemented.
    std::uint64_t slot(unsigned lane) const { return memory_ + 32ULL * lane; }
    static bool complemented(unsigned lane);
    void permute(Kernel& k) const { k.call(permutation_, 0, 0); }
    void emit_routines(Kernel& k);

    /// Four lanes side by side, state s in bits 64 s .., to one interleaved word; and back (192 gas each way).
    static void interleave(Kernel& k);
    static void separate(Kernel& k);
    /// Leaves the masks of both on the stack, where they are used as long as they are in reach.
    static void push_masks(Kernel& k);
    /// One lane of 64 bits to all four states.
    static void repeat(Kernel& k);
    /// A lane's constant in all four states.
    static U256 repeated(std::uint64_t lane);

    /// One round from one buffer to the other as a block; the word at `iota_address` is XORed onto lane 0. Returns its load.
    static codegen::Value build_round(codegen::Block& b, std::uint64_t memory, bool second, const codegen::Value& iota_address);

  private:
    std::uint64_t memory_;
    unsigned rounds_, unroll_;
    Label permutation_, table_label_;
};

/// Proves that the block is one round of Keccak-p for four states at once, whatever they are. Throws codegen::BoundError.
void prove_quad_round(codegen::Block& b, std::uint64_t memory, bool second, const codegen::Value& iota);

}  // namespace postern::contracts
