#pragma once

// Hash-to-point by a keccak256 counter stream: blocks keccak256(state || counter), sixteen big-endian 16-bit samples each; samples from
// 61445 = 5q on are left out. They are not reduced.

#include "codegen/assembler.hpp"

namespace postern::contracts::falcon_evm {

/// The state must stand at byte 0 and the counter behind it must be zero. Writes `count` samples at `point` and up to 80 bytes behind
/// them. Stack unchanged.
void emit_keccak_point(codegen::Assembler& a, std::uint64_t point, unsigned count, unsigned counter_bytes);

}  // namespace postern::contracts::falcon_evm
