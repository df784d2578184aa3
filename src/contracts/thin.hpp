#pragma once

// Thin contracts: another shape of call in front of a contract that does the work. What they rely on is pinned by address and code hash,
// and an inner call that fails makes the whole call revert: whoever chooses the gas could otherwise starve it and leave enough to go on.

#include <postern/contracts.hpp>

#include "codegen/kernel.hpp"
#include "contracts/provenance.hpp"

namespace postern::contracts {

/// A contract that is called: where it is, and keccak256 of the code that must be there.
struct Pinned {
    evm::Address address{};
    Hash32 code_hash{};
};
/// A contract of the catalogue at its address through the deployment factory with salt 0.
Pinned pinned_contract(std::string_view name);

/// The drop-in for the published contracts of ML-DSA-ETH-44: `setKey(bytes)` with the wire key registers it and returns the 20 bytes that
/// the verifier takes as the key; ERC-7913 and the context door go to the verifier as they come.
void emit_eth_compat(codegen::Kernel& k, const Pinned& verifier, const Pinned& registry);
/// setKey(bytes) returns (bytes), 0x218ebfa3.
codegen::AbiFunction set_key_function();

}  // namespace postern::contracts
