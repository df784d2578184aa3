#pragma once

// A registry in a state, and transactions to it.

#include <postern/contracts.hpp>
#include <postern/mldsa.hpp>
#include <string>

namespace postern::test {

Bytes address_word(const evm::Address& address);

class RegistryHarness {
  public:
    explicit RegistryHarness(const std::string& scheme);

    const contracts::Contract& contract() const { return *contract_; }
    const contracts::Registry& registry() const { return registry_; }
    const mldsa::Scheme& scheme() const { return *scheme_; }
    /// With nothing but the registry in it.
    const evm::State& state() const { return state_; }

    std::vector<evm::Address> addresses(ByteView key) const;
    /// A transaction from nobody in particular.
    evm::ExecutionResult enroll(evm::State& state, ByteView key, std::size_t part, std::uint64_t gas = 16'777'216) const;
    evm::ExecutionResult send(evm::State& state, Bytes data, std::uint64_t gas = 16'777'216, std::uint64_t value = 0) const;
    /// All parts in order; the address of part 0.
    evm::Address enroll_all(evm::State& state, ByteView key) const;
    /// blob(keccak256(key)).
    evm::Address blob_of(const evm::State& state, ByteView key) const;

  private:
    const contracts::Contract* contract_;
    const mldsa::Scheme* scheme_;
    contracts::Registry registry_;
    evm::State state_;
};

}  // namespace postern::test
