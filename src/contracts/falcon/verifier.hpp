#pragma once

#include "codegen/assembler.hpp"

namespace postern::contracts::falcon_evm {

/// `ethfalcon-512`: registered, expanded key; salt || s2 in 16-bit two's complement; keccak256 counter stream.
void emit_ethfalcon512(codegen::Assembler& a);

}  // namespace postern::contracts::falcon_evm
