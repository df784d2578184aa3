#pragma once

// The registries whose blobs verifiers accept, by the hashes of their code. Committed as registry_pins.inc, so that a verifier is generated
// without generating its registry first; `make artifacts` writes that file, and a test compares it with what the generators make.

#include <string_view>
#include <vector>

#include "contracts/provenance.hpp"

namespace postern::contracts {

struct RegistryPin {
    std::string_view contract;
    std::string_view init_hash, code_hash;  ///< keccak256 in hex

    Hash32 init() const;
    Hash32 code() const;
    /// Through the deployment factory, salt 0.
    evm::Address address() const;
};

const std::vector<RegistryPin>& registry_pins();
/// Throws std::invalid_argument for a registry that is not pinned.
const RegistryPin& registry_pin(std::string_view contract);

/// Creation code of a verifier: deploys these bytes where the registry's code is in place, and reverts elsewhere.
Bytes creation_code_after(const RegistryPin& registry, ByteView runtime);

}  // namespace postern::contracts
