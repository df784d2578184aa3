#pragma once

// Kernel P as code: the two rounds that a permutation repeats, scheduled and proved. SpongeCode (sponge.hpp) makes a permutation of them.

#include "codegen/block.hpp"
#include "contracts/keccak_layout.hpp"

namespace postern::contracts::keccak {

/// Emits rounds A and B on the state at `memory`. Stack: [address of the rounds' iota words], kept. Fails if a window, a mask or a zero gap
/// that the kernel rests on does not hold.
std::vector<codegen::CostReport> emit_two_rounds(codegen::Assembler& a, const Memory& memory);

/// The iota table for the last `rounds` rounds (24: SHA-3, SHAKE; 12: TurboSHAKE), as it lies in memory.
Bytes iota_table(unsigned rounds);

}  // namespace postern::contracts::keccak
