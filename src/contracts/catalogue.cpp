#include "contracts/catalogue.hpp"

#include <map>
#include <mutex>
#include <stdexcept>

#include "contracts/registry_pins.hpp"

namespace postern::contracts {

codegen::AbiFunction function_of(Door door) {
    switch (door) {
        case Door::erc7913:
            return {"verify", {{"key", "bytes"}, {"hash", "bytes32"}, {"signature", "bytes"}}, {{"magic", "bytes4"}}, "view"};
        case Door::message:
            return {"verify", {{"keyBlob", "address"}, {"message", "bytes"}, {"signature", "bytes"}}, {{"valid", "bool"}}, "view"};
        case Door::context:
            return {
                "verify", {{"key", "bytes"}, {"message", "bytes"}, {"signature", "bytes"}, {"ctx", "bytes"}}, {{"valid", "bool"}}, "view"};
    }
    throw std::invalid_argument("unknown door");
}

EntryPoint entry_point(Door door) {
    const auto function = function_of(door);
    return {door, function.signature(), function.selector(), function.outputs.front().type};
}

std::vector<EntryPoint> entry_points(const std::vector<Door>& doors) {
    std::vector<EntryPoint> out;
    for (const Door door : doors) out.push_back(entry_point(door));
    return out;
}

const std::vector<const Row*>& catalogue() {
    static const std::vector<const Row*> all = [] {
        std::vector<const Row*> out;
        for (const auto* family : {&mldsa_registered_rows(), &mldsa_wire_rows(), &thin_rows(), &falcon_rows()})
            for (const Row& row : *family) out.push_back(&row);
        return out;
    }();
    return all;
}

namespace {

const Row* find_row(std::string_view contract) {
    for (const Row* row : catalogue())
        if (row->name == contract) return row;
    return nullptr;
}

ContractInfo info_of(const Row& row) { return {row.name, row.scheme, row.key_form, entry_points(row.doors), row.signature_codec}; }

}  // namespace

std::string_view name(KeyForm form) {
    switch (form) {
        case KeyForm::expanded:
            return "expanded";
        case KeyForm::packed:
            return "packed";
        case KeyForm::wire:
            return "wire";
        case KeyForm::committed:
            return "committed";
        case KeyForm::none:
            return "none";
    }
    return "none";
}

std::vector<ContractInfo> list_contracts() {
    std::vector<ContractInfo> out;
    for (const Row* row : catalogue()) out.push_back(info_of(*row));
    return out;
}

std::optional<ContractInfo> find_contract(std::string_view contract) {
    const Row* row = find_row(contract);
    return row == nullptr ? std::nullopt : std::optional(info_of(*row));
}

Result<Contract> build_called(const std::string& name, evm::Fork fork) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, evm::Fork>, Contract> built;
    const std::lock_guard lock(mutex);
    const auto it = built.find({name, fork});
    if (it != built.end()) return it->second;
    auto contract = build_contract(name, fork);
    if (contract) built.emplace(std::pair{name, fork}, *contract);
    return contract;
}

Result<Contract> build_contract(std::string_view contract, evm::Fork fork) {
    const Row* row = find_row(contract);
    if (row == nullptr) {
        std::string known;
        for (const Row* r : catalogue()) known += (known.empty() ? "" : ", ") + r->name;
        return Error{"unknown contract '" + std::string(contract) + "' (known: " + known + ")"};
    }
    if (fork < row->since) {
        return Error{"contract '" + row->name + "' needs fork " + std::string(evm::name(row->since)) + " or later"};
    }
    Contract out;
    out.info = info_of(*row);
    out.fork = fork;
    try {
        codegen::AssembleOptions options;
        options.fork = fork;
        options.max_code_size = evm::limits(fork).code_size;
        codegen::Program program = row->generate(*row, options);
        out.listing = program.listing();
        out.runtime = std::move(program.code);
        out.regions = std::move(program.regions);
    } catch (const std::exception& e) {
        return Error{"contract '" + row->name + "' cannot be generated: " + e.what()};
    }
    out.init = row->registry.empty() ? creation_code(out.runtime) : creation_code_after(registry_pin(row->registry), out.runtime);
    for (const std::string& name : row->calls) {
        const auto called = build_called(name, fork);
        if (!called) return called.error();
        out.companions.push_back({name, deterministic_address(called->init), called->runtime, called->init, called->regions});
    }
    std::vector<codegen::AbiFunction> functions;
    for (const Door door : row->doors) functions.push_back(function_of(door));
    functions.insert(functions.end(), row->functions.begin(), row->functions.end());
    out.abi_json = codegen::abi_json(functions);
    return out;
}

}  // namespace postern::contracts
