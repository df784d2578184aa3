#pragma once

// Two Keccak states permuted together: bit i of lane l of the first state is bit 2i, of the second bit 2i + 1 of one 128-bit value, so a
// rotation by r of both is one rotation by 2r. 25 words, the value in the high half and enough of its copy below for theta's shift.

#include <array>
#include <cstdint>

#include "codegen/kernel.hpp"
#include "contracts/sponge.hpp"

namespace postern::contracts {

class SpongePair {
  public:
    static constexpr std::uint64_t kStride = 48, kBuffer = 25 * kStride, kTable = 64;
    static constexpr std::uint64_t kBytes = 2 * kBuffer + kTable;

    /// `memory`: kBytes bytes, zero in the gaps of 16 bytes before every word at run time.
    SpongePair(std::uint64_t memory, unsigned rounds) : memory_(memory), rounds_(rounds) {}
    void allocate(Kernel& k);
    /// Copies the table, sets both states to the empty one. Leaves six masks on the stack, which absorb() and squeeze() find right
    /// under what they push themselves: until finish() the stack holds nothing above them when these are called.
    void prepare(Kernel& k) const;
    void finish(Kernel& k) const;
    /// XORs `lanes` lanes (an even number) standing as 64-bit integers at `from` into state 0 or 1. `from` - 16 must be readable.
    void absorb(Kernel& k, unsigned state, std::uint64_t from, unsigned lanes) const;
    void absorb_constant(Kernel& k, unsigned state, unsigned lane, std::uint64_t value) const;
    void permute(Kernel& k) const { k.call(permutation_, 0, 0); }
    /// Writes lanes 0 .. lanes - 1 (an even number) of a state as 64-bit integers to `to`.
    void squeeze(Kernel& k, unsigned state, std::uint64_t to, unsigned lanes) const;
    void emit_routines(Kernel& k);

  private:
    std::uint64_t slot(unsigned buffer, unsigned lane) const { return memory_ + buffer * kBuffer + 16 + kStride * lane; }
    std::uint64_t table() const { return memory_ + 2 * kBuffer; }
    void emit_permutation(Kernel& k) const;
    void emit_round(Kernel& k, V pointer) const;

    std::uint64_t memory_;
    unsigned rounds_;
    Label permutation_, spread_, gather_, table_label_;
};

}  // namespace postern::contracts
