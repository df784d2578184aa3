#pragma once

// Runs a piece of a verifier on its own: memory in, calldata in, memory out.

#include <functional>
#include <postern/evm.hpp>

#include "contracts/mldsa/kernels.hpp"

namespace postern::test {

struct KernelRun {
    Bytes memory;
    std::uint64_t gas = 0;
    evm::ExecutionResult result;
    U256 word(std::uint64_t at) const { return load_be(ByteView(memory).subspan(at, 32)); }
};

/// The code of a kernel, generated once, to be run many times.
class KernelBench {
  public:
    KernelBench(const contracts::mldsa_evm::Plan& plan, const std::function<void(contracts::Kernel&)>& body,
                const std::function<void(contracts::Kernel&)>& tail = {});
    KernelRun run(const Bytes& calldata, const std::map<std::uint64_t, Bytes>& memory,
                  const std::map<evm::Address, Bytes>& accounts = {}) const;

  private:
    std::size_t size_;
    codegen::Program program_;
};

/// Once. `body` emits the kernel; `tail` emits subroutines and data after it.
KernelRun run_kernel(const contracts::mldsa_evm::Plan& plan, const Bytes& calldata, const std::map<std::uint64_t, Bytes>& memory,
                     const std::function<void(contracts::Kernel&)>& body, const std::function<void(contracts::Kernel&)>& tail = {},
                     const std::map<evm::Address, Bytes>& accounts = {});

}  // namespace postern::test
