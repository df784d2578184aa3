// The Falcon verifiers.

#include "contracts/catalogue.hpp"
#include "contracts/falcon/verifier.hpp"

namespace postern::contracts {

namespace {

template <void (*emit)(codegen::Assembler&)>
codegen::Program generate(const Row& row, const codegen::AssembleOptions& options) {
    codegen::Assembler assembler(row.name);
    emit(assembler);
    return assembler.assemble(options);
}

}  // namespace

const std::vector<Row>& falcon_rows() {
    static const std::vector<Row> rows{
        {"ethfalcon-512",
         "ethfalcon-512",
         KeyForm::expanded,
         {Door::erc7913, Door::message},
         generate<falcon_evm::emit_ethfalcon512>,
         {},
         evm::Fork::cancun,
         nullptr,
         {},
         {},
         "native"},
    };
    return rows;
}

}  // namespace postern::contracts
