// The ML-DSA verifiers with a registered, expanded key, and the registries that make those keys: one of each for each scheme.

#include <stdexcept>

#include "contracts/catalogue.hpp"
#include "contracts/mldsa/registry.hpp"
#include "contracts/mldsa/verifier.hpp"

namespace postern::contracts {

namespace {

mldsa_evm::Plan plan_of(const Row& row) {
    const mldsa::Scheme* scheme = mldsa::find_scheme(row.scheme);
    if (scheme == nullptr) throw std::logic_error("no native scheme '" + row.scheme + "'");
    return mldsa_evm::make_plan(*scheme);
}

codegen::Program generate(const Row& row, const codegen::AssembleOptions& options) {
    Kernel kernel(row.name);
    mldsa_evm::emit_verifier(kernel, plan_of(row));
    return codegen::lower(kernel).assemble(options);
}

codegen::Program generate_registry(const Row& row, const codegen::AssembleOptions& options) {
    Kernel kernel(row.name);
    mldsa_evm::emit_registry(kernel, plan_of(row));
    codegen::AssembleOptions allowed = options;
    allowed.lint_allow = registry_opcodes();
    return codegen::lower(kernel).assemble(allowed);
}

BlobShape registry_blob(const Row& row) { return mldsa_evm::blob_shape(plan_of(row)); }

const std::vector<const char*> kSchemes{"ml-dsa-44",       "ml-dsa-65",        "ml-dsa-87",        "turbo-ml-dsa-44",  "turbo-ml-dsa-65",
                                        "turbo-ml-dsa-87", "keccak-ml-dsa-44", "keccak-ml-dsa-65", "keccak-ml-dsa-87", "eth-ml-dsa-44"};

}  // namespace

const std::vector<Row>& mldsa_registered_rows() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> out;
        for (const std::string scheme : kSchemes) {
            Row verifier{scheme, scheme, KeyForm::expanded, mldsa_evm::kDoors, generate, {}};
            verifier.registry = scheme + "-registry";
            out.push_back(std::move(verifier));
        }
        for (const std::string scheme : kSchemes) {
            Row registry{scheme + "-registry", scheme, KeyForm::expanded, {}, generate_registry, RegistryShell::functions()};
            registry.blob = registry_blob;
            out.push_back(std::move(registry));
        }
        return out;
    }();
    return rows;
}

}  // namespace postern::contracts
