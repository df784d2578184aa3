#pragma once

#include "codegen/block.hpp"
#include "contracts/keccak_layout.hpp"

namespace postern::contracts::keccak {

/// One round of kernel P as a block, the first or the second of the loop's body. The word at `iota_address` is XORed onto column 0 of
/// group 0. Returns the load of that word.
codegen::Value build_round(codegen::Block& b, const Memory& memory, bool second, const codegen::Value& iota_address);

}  // namespace postern::contracts::keccak
