// The EVM: no bytecode may crash it, whatever the fork, and the profile accounts for every unit of gas.
// Input: one byte of flags (fork, static call, transaction or message, creation), two bytes of gas, one byte of calldata size, calldata,
// code.

#include <algorithm>
#include <postern/evm.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace postern;
    using namespace postern::evm;
    if (size < 4) return 0;
    const auto fork = static_cast<Fork>(data[0] % 6);
    const bool as_transaction = (data[0] & 0x40) != 0 && fork != Fork::frontier;
    const bool creates = (data[0] & 0x80) != 0;
    const std::uint64_t gas = 40'000U + 8U * (data[1] * 256U + data[2]);
    const std::size_t input_size = std::min<std::size_t>(data[3], size - 4);
    const Bytes input(data + 4, data + 4 + input_size);
    const Bytes code(data + 4 + input_size, data + size);

    const Address self{0x11};
    const Address sender{0x22};
    State state;
    state.set_code(self, code);
    state.set_code(Address{0x33}, {0x36, 0x5f, 0x5f, 0x37, 0x36, 0x5f, 0xf3});
    state.set_balance(sender, word(1000));
    state.set_balance(self, word(1000));
    state.set_storage(self, word(1), word(5));

    Profile profile;
    const Options options{.fork = fork, .profile = &profile};
    ExecutionResult result;
    if (as_transaction) {
        Transaction tx;
        tx.from = sender;
        if (!creates) tx.to = self;
        tx.data = creates ? code : input;
        tx.gas_limit = gas + 400'000;
        result = execute(state, tx, options);
        if (result.status == evm::Status::invalid) return 0;
        require(result.gas_used <= tx.gas_limit, "gas within the limit");
        require(result.gas_used >= result.intrinsic_gas - std::min(result.refund, result.intrinsic_gas), "gas above the intrinsic part");
    } else {
        Message m;
        m.from = sender;
        if (!creates) m.to = self;
        m.data = creates ? code : input;
        m.gas = gas;
        m.is_static = !creates && (data[0] & 0x20) != 0;
        result = call(state, m, options);
        require(result.gas_used <= m.gas, "gas within what was given");
    }
    if (result.halt != Halt::not_implemented) require(profile.total_gas() == result.exec_gas, "the profile sums to the gas used");
    std::uint64_t by_region = 0;
    for (const Profile::Row& row : profile.by_region()) by_region += row.gas;
    require(by_region == profile.total_gas(), "regions sum to the total");
    return 0;
}
