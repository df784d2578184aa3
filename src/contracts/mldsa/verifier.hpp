#pragma once

#include <postern/contracts.hpp>

#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

/// The three doors of every ML-DSA verifier, the cheapest first.
inline const std::vector<Door> kDoors{Door::erc7913, Door::message, Door::context};
/// Doors of the verifiers whose key is in calldata.
inline const std::vector<Door> kWireDoors{Door::erc7913, Door::context};
/// The whole verifier of a plan: doors, key checks, kernels, answer.
void emit_verifier(Kernel& k, const Plan& plan);

}  // namespace postern::contracts::mldsa_evm
