#pragma once

// Sponges of a verifier: the paired-row permutation of keccak_kernel.hpp, with lanes going in and out as integers; byte order is the
// caller's business.

#include <array>
#include <cstdint>

#include "codegen/kernel.hpp"
#include "contracts/keccak_layout.hpp"

namespace postern::contracts {

using codegen::Int;
using codegen::Kernel;
using codegen::Label;
using codegen::Lanes;
using codegen::Op;
using codegen::splat;
using codegen::V;

class SpongeCode {
  public:
    SpongeCode(keccak::Memory memory, unsigned rate_lanes, unsigned rounds) : memory_(memory), rate_(rate_lanes), rounds_(rounds) {}

    unsigned rate() const { return rate_; }

    /// Subroutines and data, emitted once after a terminator.
    void emit_routines(Kernel& k);
    /// Labels: call allocate before anything else.
    void allocate(Kernel& k);

    /// Copies the iota table; once, before the first permutation.
    void prepare(Kernel& k) const;
    /// The empty state (zeros up to complemented lanes).
    void reset(Kernel& k) const;
    /// Absorbs one block of rate lanes standing as consecutive 64-bit big-endian integers at the address on top (kept), and
    /// permutes. A call of a subroutine.
    void absorb_block(Kernel& k) const;
    void permute(Kernel& k) const;
    /// Pushes lane i of the state as an integer.
    void lane(Kernel& k, unsigned i) const;
    /// Four lanes from i on as one word, lane i on top.
    void lanes4(Kernel& k, unsigned i) const;

  private:
    void emit_permutation(Kernel& k) const;
    void emit_absorb(Kernel& k) const;

    keccak::Memory memory_;
    unsigned rate_;
    unsigned rounds_;
    Label permutation_, absorb_, table_label_;
};

/// Bytes of every 64-bit lane of the word on top reversed.
void reverse_lane_bytes(Kernel& k);

}  // namespace postern::contracts
