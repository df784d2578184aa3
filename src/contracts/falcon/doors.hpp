#pragma once

// The doors of the Falcon verifiers. Calldata has exactly one shape for each call: fixed offsets, exact lengths, zero padding, exact
// size. Anything else under a known selector is a rejection; an unknown selector or calldata too short to hold one reverts.

#include "codegen/assembler.hpp"

namespace postern::contracts::falcon_evm {

struct DoorPlan {
    std::size_t key_bytes = 20;          ///< of the ERC-7913 door
    std::size_t signature_bytes = 1064;  ///< salt (40) first
    bool message_door = true;            ///< verify(address,bytes,bytes) besides the ERC-7913 one
    std::uint64_t hashed = 0;            ///< memory for salt and message
    std::uint64_t body = 0;              ///< memory for the signature behind its salt
};

struct DoorLabels {
    codegen::Label verify;  ///< bound by the caller: [keccak256(salt || message)][key: address or word][answer if it verifies]
    codegen::Label reject;  ///< with any stack
    codegen::Label message, no_selector;
};

/// The dispatcher and the ERC-7913 door, which falls through to labels.verify.
DoorLabels emit_doors(codegen::Assembler& a, const DoorPlan& plan);
/// The other doors, out of line.
void emit_other_doors(codegen::Assembler& a, const DoorPlan& plan, const DoorLabels& labels);
/// The code behind labels.reject: the rejecting word of whatever door was called.
void emit_rejection(codegen::Assembler& a, const DoorLabels& labels);

}  // namespace postern::contracts::falcon_evm
