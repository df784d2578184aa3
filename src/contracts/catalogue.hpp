#pragma once

// The table behind list_contracts() and build_contract(): one row for each contract. Every family of contracts keeps its rows in a
// file of its own; catalogue.cpp puts the families in order.

#include <postern/contracts.hpp>
#include <string>
#include <vector>

#include "codegen/assembler.hpp"
#include "contracts/provenance.hpp"

namespace postern::contracts {

struct Row {
    std::string name;
    std::string scheme;  ///< empty for a contract of no scheme
    KeyForm key_form = KeyForm::none;
    std::vector<Door> doors;  ///< in the order in which the dispatcher tries them; none: the contract verifies nothing
    /// Generates the runtime code. Throws for a bound or a limit that does not hold.
    codegen::Program (*generate)(const Row& row, const codegen::AssembleOptions& options) = nullptr;
    std::vector<codegen::AbiFunction> functions;  ///< what the contract answers beside the doors
    evm::Fork since = evm::Fork::cancun;          ///< the oldest fork with every opcode it uses
    BlobShape (*blob)(const Row& row) = nullptr;  ///< of a registry: what it makes
    std::string registry{};                       ///< of a verifier: whose blobs it accepts
    std::vector<std::string> calls = {};          ///< names of the contracts that it calls
    std::string signature_codec{};                ///< of a Falcon signature
};

/// build_contract for a contract that others call: made once, because theirs need it again and again.
Result<Contract> build_called(const std::string& name, evm::Fork fork);

/// The function behind a door.
codegen::AbiFunction function_of(Door door);
EntryPoint entry_point(Door door);
std::vector<EntryPoint> entry_points(const std::vector<Door>& doors);

/// All rows, family after family.
const std::vector<const Row*>& catalogue();

// The families.
const std::vector<Row>& mldsa_registered_rows();
const std::vector<Row>& mldsa_wire_rows();
const std::vector<Row>& thin_rows();
const std::vector<Row>& falcon_rows();

}  // namespace postern::contracts
