#pragma once

#include "codegen/block.hpp"
#include "contracts/keccak_layout.hpp"

namespace postern::contracts::keccak {

/// One round of kernel P as a block: reads buffer `from`, writes buffer `to`. `iota` gives the word to XOR onto column 0 of group 0.
void build_round(codegen::Block& b, const Memory& memory, bool second, const codegen::Value& iota_address);

}  // namespace postern::contracts::keccak
