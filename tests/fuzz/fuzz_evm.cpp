// Any bytes as EVM code. First byte: fork, and whether the call is static; rest: code, its own calldata too.

#include <postern/evm.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace postern;
    if (size == 0) return 0;
    constexpr evm::Fork forks[] = {evm::Fork::frontier, evm::Fork::shanghai, evm::Fork::cancun,
                                   evm::Fork::prague,   evm::Fork::osaka,    evm::Fork::amsterdam};
    evm::Address contract{};
    contract[19] = 0x77;
    evm::State state;
    state.set_code(contract, Bytes(data + 1, data + size));
    evm::Message message;
    message.to = contract;
    message.data.assign(data + 1, data + size);
    message.gas = 200'000;
    message.is_static = (data[0] & 0x80) != 0 && data[0] % 6 != 0;
    evm::Options options;
    options.fork = forks[(data[0] & 0x7f) % 6];
    evm::Profile profile;
    options.profile = &profile;
    const auto result = evm::call(state, message, options);
    require(result.status == evm::Status::success || result.status == evm::Status::revert || result.status == evm::Status::halt,
            "a status");
    // A precompile that is not implemented ends the execution without a gas figure.
    if (result.halt != evm::Halt::not_implemented) require(profile.total_gas() == result.exec_gas, "the profile sums to the gas used");
    if (options.fork != evm::Fork::amsterdam) require(result.exec_gas <= message.gas, "no more gas than there was");
    return 0;
}
