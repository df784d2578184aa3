#include "contracts/kernel_bench.hpp"

#include <algorithm>
#include <stdexcept>

namespace postern::test {

using namespace contracts;

namespace {
constexpr std::size_t kSlack = 0x1000;  // messages may lie behind the map
}

KernelBench::KernelBench(const mldsa_evm::Plan& plan, const std::function<void(Kernel&)>& body, const std::function<void(Kernel&)>& tail)
    : size_(plan.map.end + kSlack) {
    Kernel k("bench");
    // The whole memory comes at the end of calldata.
    k.push(size_);
    k.push(size_);
    k.op(Op::CALLDATASIZE);
    k.op(Op::SUB);
    k.push(0);
    k.op(Op::CALLDATACOPY);
    k.begin_region("kernel");
    body(k);
    k.end_region();
    k.push(size_);
    k.push(0);
    k.terminate(Op::RETURN);
    if (tail) {
        k.begin_region("kernel");
        tail(k);
        k.end_region();
    }
    codegen::AssembleOptions options;
    options.max_code_size = 0xffff;
    program_ = codegen::lower(k).assemble(options);
}

KernelRun KernelBench::run(const Bytes& calldata, const std::map<std::uint64_t, Bytes>& memory,
                           const std::map<evm::Address, Bytes>& accounts) const {
    Bytes data(calldata.size() + size_);
    std::copy(calldata.begin(), calldata.end(), data.begin());
    for (const auto& [at, bytes] : memory) {
        if (at + bytes.size() > size_) throw std::invalid_argument("initial memory behind the map");
        std::copy(bytes.begin(), bytes.end(), data.begin() + static_cast<std::ptrdiff_t>(calldata.size() + at));
    }
    evm::State state;
    evm::Address self{};
    self[19] = 0x77;
    state.set_code(self, program_.code);
    for (const auto& [address, bytes] : accounts) state.set_code(address, bytes);
    evm::Message message;
    message.to = self;
    message.data = data;
    evm::Profile profile;
    profile.set_regions(self, "bench", evm::RegionMap(program_.regions));
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

KernelRun run_kernel(const mldsa_evm::Plan& plan, const Bytes& calldata, const std::map<std::uint64_t, Bytes>& memory,
                     const std::function<void(Kernel&)>& body, const std::function<void(Kernel&)>& tail,
                     const std::map<evm::Address, Bytes>& accounts) {
    return KernelBench(plan, body, tail).run(calldata, memory, accounts);
}

}  // namespace postern::test
