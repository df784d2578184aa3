#pragma once

// Runs generated code in the embedded EVM.

#include <postern/evm.hpp>

#include "codegen/assembler.hpp"
#include "core/u256.hpp"

namespace postern::test {

inline const evm::Address kContract = {0x11};

/// The code as a contract, called with this data under Osaka rules.
inline evm::ExecutionResult run(const Bytes& code, const Bytes& calldata = {}, evm::Profile* profile = nullptr) {
    evm::State state;
    state.set_code(kContract, code);
    evm::Message m;
    m.to = kContract;
    m.data = calldata;
    evm::Options o;
    o.profile = profile;
    return evm::call(state, m, o);
}

inline U256 word_at(const Bytes& b, std::size_t index) { return load_be(ByteView(b).subspan(32 * index, 32)); }

}  // namespace postern::test
