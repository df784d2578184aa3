#include "contracts/kernel_bench.hpp"

#include <stdexcept>

namespace postern::test {

using namespace contracts;

KernelRun run_kernel(const mldsa_evm::Plan& plan, const Bytes& calldata, const std::map<std::uint64_t, Bytes>& memory,
                     const std::function<void(Kernel&)>& body, const std::function<void(Kernel&)>& tail,
                     const std::map<evm::Address, Bytes>& accounts) {
    Kernel k("bench");
    // Initial memory comes at the end of calldata.
    Bytes data = calldata;
    for (const auto& [at, bytes] : memory) {
        k.push(bytes.size());
        k.push(data.size());
        k.push(at);
        k.op(Op::CALLDATACOPY);
        data.insert(data.end(), bytes.begin(), bytes.end());
    }
    k.mload(plan.map.end);  // all memory growth before the measurement
    k.pop();
    k.begin_region("kernel");
    body(k);
    k.end_region();
    k.push(plan.map.end);
    k.push(0);
    k.terminate(Op::RETURN);
    if (tail) {
        k.begin_region("kernel");
        tail(k);
        k.end_region();
    }
    codegen::AssembleOptions options_;
    options_.max_code_size = 0xffff;
    const codegen::Program code = codegen::lower(k).assemble(options_);
    evm::State state;
    evm::Address self{};
    self[19] = 0x77;
    state.set_code(self, code.code);
    for (const auto& [address, bytes] : accounts) state.set_code(address, bytes);
    evm::Message message;
    message.to = self;
    message.data = data;
    evm::Profile profile;
    profile.set_regions(self, "bench", evm::RegionMap(code.regions));
    evm::Options options;
    options.profile = &profile;
    KernelRun run;
    run.result = evm::call(state, message, options);
    if (!run.result.success()) throw std::runtime_error("kernel did not return: " + run.result.reason);
    run.memory = run.result.output;
    for (const auto& row : profile.by_region()) {
        if (row.name.starts_with("kernel")) run.gas += row.gas;
    }
    return run;
}

}  // namespace postern::test
