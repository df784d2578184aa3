#pragma once

// Keccak-p[1600] and sponges as EVM code, in the paired-row form of docs/keccak-evm.md: 15 words hold 25 lanes, two buffers, a
// loop of two rounds. Lanes go in and out as integers; byte order is the caller's business.

#include <array>
#include <cstdint>

#include "codegen/kernel.hpp"

namespace postern::contracts {

using codegen::Int;
using codegen::Kernel;
using codegen::Label;
using codegen::Lanes;
using codegen::Op;
using codegen::splat;
using codegen::V;

struct SpongeMap {
    std::uint64_t state = 0;  // 2 x 15 slots of 56 bytes; the 24 bytes before each slot must be zero
    std::uint64_t table = 0;  // iota words
    static constexpr std::uint64_t buffer_bytes = 15 * 56;
    static constexpr std::uint64_t state_bytes = 2 * buffer_bytes;
};

class SpongeCode {
  public:
    SpongeCode(SpongeMap map, unsigned rate_lanes, unsigned rounds) : map_(map), rate_(rate_lanes), rounds_(rounds) {}

    unsigned rate() const { return rate_; }
    std::size_t table_bytes() const { return 48 * (rounds_ / 2) + 16; }

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
    void emit_round(Kernel& k, unsigned parity, V pointer) const;

    SpongeMap map_;
    unsigned rate_;
    unsigned rounds_;
    Label permutation_, absorb_, table_label_;
};

/// Bytes of every 64-bit lane of the word on top reversed.
void reverse_lane_bytes(Kernel& k);

}  // namespace postern::contracts
