#pragma once

// SHAKE and TurboSHAKE on top of kernel P: absorb a message of exact length, squeeze lanes or bytes.

#include "contracts/keccak_kernel.hpp"

namespace postern::contracts::keccak {

/// Where a message comes from.
enum class Source : std::uint8_t { memory, calldata };

class Sponge {
  public:
    /// `rate` in bytes: 136 (SHAKE256) or 168 (SHAKE128); `domain` is 0x1f for SHAKE. `buffer` is memory for one padded block,
    /// buffer_size(rate) bytes.
    Sponge(codegen::Assembler& a, Permutation& permutation, unsigned rate, std::uint8_t domain, std::uint64_t buffer);
    static constexpr std::uint64_t buffer_size(unsigned rate) { return (rate + 31U) / 32U * 32U; }

    /// Emitted once, at a place that is not fallen into (besides Permutation::define).
    void define();

    /// Stack: [address][length][caller's items] -> [caller's items]. Exactly `length` bytes are read; what follows them and what was in
    /// the buffer has no influence. Starts from the state as it is (Permutation::reset before), pads, and permutes after every
    /// block: the first output block is ready.
    void absorb(Source source);
    /// The next output block.
    void squeeze_more() { permutation_.call(); }

    /// Lane i of the current output block as a little-endian integer, clean 64 bits.
    codegen::Value lane(codegen::Block& b, unsigned i) const;
    /// Lanes i.. i + 3 (zeros behind the rate) as their 32 output bytes, first byte on top.
    codegen::Value bytes32(codegen::Block& b, unsigned i) const;
    /// Writes the whole output block as bytes; a last partial word is filled up with zeros.
    void squeeze_bytes(std::uint64_t address);

    unsigned rate() const { return rate_; }
    const std::vector<codegen::CostReport>& reports() const { return reports_; }

  private:
    void define_absorb_block(codegen::Assembler& a);

    codegen::Assembler& a_;
    Permutation& permutation_;
    unsigned rate_;
    std::uint8_t domain_;
    std::uint64_t buffer_;
    codegen::Subroutine absorb_block_;
    std::vector<codegen::CostReport> reports_;
};

/// Reverses the bytes of every 64-bit lane (99 gas).
codegen::Value reverse_lane_bytes(codegen::Value v);

}  // namespace postern::contracts::keccak
