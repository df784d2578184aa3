#include "contracts/registry_harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "hash/sha3.hpp"

namespace postern::test {

Bytes address_word(const evm::Address& address) {
    Bytes word(32);
    std::copy(address.begin(), address.end(), word.begin() + 12);
    return word;
}

RegistryHarness::RegistryHarness(const std::string& scheme)
    : scheme_(mldsa::find_scheme(scheme)), registry_(contracts::find_registry(scheme).value()) {
    static std::map<std::string, contracts::Contract> built;
    auto it = built.find(scheme);
    if (it == built.end()) it = built.emplace(scheme, contracts::build_contract(registry_.contract).value()).first;
    contract_ = &it->second;
    state_.set_code(registry_.address, contract_->runtime);
}

std::vector<evm::Address> RegistryHarness::addresses(ByteView key) const {
    return contracts::key_addresses(registry_, hash::keccak256(key));
}

evm::ExecutionResult RegistryHarness::send(evm::State& state, Bytes data, std::uint64_t gas, std::uint64_t value) const {
    evm::Transaction transaction;
    transaction.from[19] = 0xca;
    state.set_balance(transaction.from, evm::word(value));
    transaction.to = registry_.address;
    transaction.value = evm::word(value);
    transaction.data = std::move(data);
    transaction.gas_limit = gas;
    return evm::execute(state, transaction);
}

evm::ExecutionResult RegistryHarness::enroll(evm::State& state, ByteView key, std::size_t part, std::uint64_t gas) const {
    return send(state, contracts::encode_register(key, part), gas);
}

evm::Address RegistryHarness::enroll_all(evm::State& state, ByteView key) const {
    for (const std::size_t part : contracts::registration_order(registry_)) {
        const auto result = enroll(state, key, part);
        EXPECT_TRUE(result.success()) << result.reason;
    }
    return addresses(key).front();
}

evm::Address RegistryHarness::blob_of(const evm::State& state, ByteView key) const {
    evm::State copy = state;
    evm::Message message;
    message.to = registry_.address;
    const auto selector = hash::keccak256("blob(bytes32)");
    const auto hash = hash::keccak256(key);
    message.data.assign(selector.begin(), selector.begin() + 4);
    message.data.insert(message.data.end(), hash.begin(), hash.end());
    message.is_static = true;
    const auto result = evm::call(copy, message);
    EXPECT_TRUE(result.success()) << result.reason;
    evm::Address out{};
    if (result.output.size() == 32) std::copy(result.output.begin() + 12, result.output.end(), out.begin());
    return out;
}

}  // namespace postern::test
