#pragma once

// Registries: contracts that expand a wire key themselves and create the blob which a verifier accepts.

#include "contracts/mldsa/plan.hpp"
#include "contracts/registry_shell.hpp"

namespace postern::contracts::mldsa_evm {

/// The expanded key of this plan as a registry makes it.
BlobShape blob_shape(const Plan& plan);
/// The whole registry of a plan's keys.
void emit_registry(Kernel& k, const Plan& plan);

}  // namespace postern::contracts::mldsa_evm
