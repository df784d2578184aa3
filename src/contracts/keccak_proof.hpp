#pragma once

#include "codegen/block.hpp"
#include "contracts/keccak_layout.hpp"

namespace postern::contracts::keccak {

/// Proves that the block is one round of Keccak-p for every state and every junk: each needed window of each output word, with the
/// extra bit below it, is the round function's formula of the input lanes; products do not carry; the zero gaps stay zero.
/// `gauge_in` is the common rotation of the input lanes, `iota` the value loaded from the table. Throws codegen::BoundError naming
/// the first lane and bit that differ.
void prove_round(codegen::Block& b, const Memory& memory, bool second, unsigned gauge_in, const codegen::Value& iota);

}  // namespace postern::contracts::keccak
