// The ML-DSA verifiers with a registered, expanded key: one for each scheme.

#include <stdexcept>

#include "contracts/catalogue.hpp"
#include "contracts/mldsa/verifier.hpp"

namespace postern::contracts {

namespace {

codegen::Program generate(const Row& row, const codegen::AssembleOptions& options) {
    const mldsa::Scheme* scheme = mldsa::find_scheme(row.scheme);
    if (scheme == nullptr) throw std::logic_error("no native scheme '" + row.scheme + "'");
    const auto plan = mldsa_evm::make_plan(*scheme);
    Kernel kernel(row.name);
    mldsa_evm::emit_verifier(kernel, plan);
    return codegen::lower(kernel).assemble(options);
}

}  // namespace

const std::vector<Row>& mldsa_registered_rows() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> out;
        for (const char* scheme : {"ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "turbo-ml-dsa-44", "turbo-ml-dsa-65", "turbo-ml-dsa-87",
                                   "keccak-ml-dsa-44", "keccak-ml-dsa-65", "keccak-ml-dsa-87", "eth-ml-dsa-44"})
            out.push_back({scheme, scheme, KeyForm::expanded, mldsa_evm::kDoors, generate, {}});
        return out;
    }();
    return rows;
}

}  // namespace postern::contracts
