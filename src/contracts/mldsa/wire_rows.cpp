// The ML-DSA verifiers that take the standard public key in calldata.

#include <stdexcept>

#include "contracts/catalogue.hpp"
#include "contracts/mldsa/verifier.hpp"
#include "contracts/mldsa/wire.hpp"
#include "contracts/mldsa/xof_library.hpp"
#include "core/u256.hpp"
#include "hash/sha3.hpp"

namespace postern::contracts {

namespace {

const mldsa::Scheme& scheme_of(const Row& row) {
    const mldsa::Scheme* scheme = mldsa::find_scheme(row.scheme);
    if (scheme == nullptr) throw std::logic_error("no native scheme '" + row.scheme + "'");
    return *scheme;
}

codegen::Program generate(const Row& row, const codegen::AssembleOptions& options) {
    auto wire = mldsa_evm::make_wire_plan(scheme_of(row));
    for (const std::string& name : row.calls) {
        const auto library = build_called(name, options.fork).value();
        const auto address = deterministic_address(library.init);
        wire.library = load_be(address);
        wire.library_hash = load_be(hash::keccak256(library.runtime));
    }
    Kernel kernel(row.name);
    mldsa_evm::emit_wire_verifier(kernel, wire);
    return codegen::lower(kernel).assemble(options);
}

constexpr const char* kShake = "shake-library";
constexpr const char* kTurboShake = "turbo-shake-library";

codegen::Program generate_library(const Row& row, const codegen::AssembleOptions& options) {
    Kernel kernel(row.name);
    mldsa_evm::emit_xof_library(kernel, row.name == kShake ? 24 : 12);
    return codegen::lower(kernel).assemble(options);
}

}  // namespace

const std::vector<Row>& mldsa_wire_rows() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> out;
        for (const std::string family : {"", "turbo-", "keccak-"}) {
            for (const char* set : {"ml-dsa-44", "ml-dsa-65", "ml-dsa-87"}) {
                const std::string scheme = family + set;
                out.push_back({scheme + "-wire", scheme, KeyForm::wire, mldsa_evm::kWireDoors, generate, {}});
                if (family.empty()) out.back().calls = {kShake};
                if (family == "turbo-") out.back().calls = {kTurboShake};
            }
        }
        for (const char* name : {kShake, kTurboShake}) out.push_back({name, "", KeyForm::none, {}, generate_library, {}});
        return out;
    }();
    return rows;
}

}  // namespace postern::contracts
