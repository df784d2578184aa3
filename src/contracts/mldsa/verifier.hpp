#pragma once

#include <postern/contracts.hpp>

#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

/// The three doors, selectors from their signatures.
std::vector<EntryPoint> verifier_entry_points();
/// The whole verifier of a plan: doors, key checks, kernels, answer.
void emit_verifier(Kernel& k, const Plan& plan);

}  // namespace postern::contracts::mldsa_evm
