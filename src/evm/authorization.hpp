#pragma once

#include "evm/machine.hpp"

namespace postern::evm {

/// Who signed an authorization: recovered from keccak256(0x05 || rlp([chain_id, address, nonce])) (EIP-7702); none if the
/// signature is not one, s in the upper half included.
std::optional<Address> recover_authority(const Authorization& a);

/// Applies the valid authorizations of a transaction, skipping the others. Charges `meter` under Amsterdam rules; false if it
/// ran out.
bool apply_authorizations(Machine& machine, const Transaction& tx, GasMeter& meter);

}  // namespace postern::evm
