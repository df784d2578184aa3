#include <algorithm>
#include <postern/contracts.hpp>
#include <postern/mldsa.hpp>

#include "codegen/assembler.hpp"
#include "contracts/mldsa/key_blob.hpp"
#include "contracts/mldsa/verifier.hpp"
#include "hash/sha3.hpp"

namespace postern::contracts {

namespace mldsa_evm {

std::vector<EntryPoint> verifier_entry_points() {
    std::vector<EntryPoint> out{{Door::erc7913, "verify(bytes,bytes32,bytes)", 0, "bytes4"},
                                {Door::message, "verify(address,bytes,bytes)", 0, "bool"},
                                {Door::context, "verify(bytes,bytes,bytes,bytes)", 0, "bool"}};
    for (EntryPoint& e : out) {
        const auto digest = hash::keccak256(e.signature);
        for (std::size_t i = 0; i < 4; ++i) e.selector = e.selector << 8 | digest[i];
    }
    return out;
}

}  // namespace mldsa_evm

namespace {

/// Schemes whose registered-key verifier can be generated.
const std::vector<std::string_view>& schemes() {
    static const std::vector<std::string_view> names{"ml-dsa-44",       "ml-dsa-65",       "ml-dsa-87",
                                                     "turbo-ml-dsa-44", "turbo-ml-dsa-65", "turbo-ml-dsa-87"};
    return names;
}

std::vector<codegen::AbiFunction> abi() {
    return {{"verify", {{"key", "bytes"}, {"hash", "bytes32"}, {"signature", "bytes"}}, {{"magic", "bytes4"}}, "view"},
            {"verify", {{"keyBlob", "address"}, {"message", "bytes"}, {"signature", "bytes"}}, {{"valid", "bool"}}, "view"},
            {"verify", {{"key", "bytes"}, {"message", "bytes"}, {"signature", "bytes"}, {"ctx", "bytes"}}, {{"valid", "bool"}}, "view"}};
}

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
    for (const auto scheme : schemes()) {
        ContractInfo info;
        info.name = scheme;
        info.scheme = scheme;
        info.entry_points = mldsa_evm::verifier_entry_points();
        out.push_back(std::move(info));
    }
    return out;
}

std::optional<ContractInfo> find_contract(std::string_view contract) {
    for (auto& info : list_contracts()) {
        if (info.name == contract) return info;
    }
    return std::nullopt;
}

Result<Contract> build_contract(std::string_view contract, evm::Fork fork) {
    const auto info = find_contract(contract);
    if (!info) {
        std::string known;
        for (const auto& i : list_contracts()) known += (known.empty() ? "" : ", ") + i.name;
        return Error{"unknown contract '" + std::string(contract) + "' (known: " + known + ")"};
    }
    if (fork < evm::Fork::cancun) return Error{"contract '" + info->name + "' needs MCOPY: fork cancun or later"};
    Contract out;
    out.info = *info;
    out.fork = fork;
    try {
        const auto plan = mldsa_evm::make_plan(*mldsa::find_scheme(info->scheme));
        Kernel kernel(info->name);
        mldsa_evm::emit_verifier(kernel, plan);
        codegen::AssembleOptions options;
        options.fork = fork;
        options.max_code_size = evm::limits(fork).code_size;
        codegen::Program program = codegen::lower(kernel).assemble(options);
        out.listing = program.listing();
        out.runtime = std::move(program.code);
        out.regions = std::move(program.regions);
    } catch (const std::exception& e) {
        return Error{"contract '" + info->name + "' cannot be generated: " + e.what()};
    }
    out.init = creation_code(out.runtime);
    out.abi_json = codegen::abi_json(abi());
    return out;
}

Result<KeyBlob> expand_key(std::string_view scheme, ByteView public_key, KeyForm form) {
    const mldsa::Scheme* s = mldsa::find_scheme(scheme);
    if (s == nullptr) return Error{"unknown scheme '" + std::string(scheme) + "'"};
    if (form != KeyForm::expanded) return Error{"key form '" + std::string(name(form)) + "' is not available for " + std::string(scheme)};
    const auto key = mldsa::PublicKey::decode(*s, public_key);
    if (!key) return key.error();
    return mldsa_evm::make_blob(mldsa_evm::make_plan(*s), *key);
}

}  // namespace postern::contracts
