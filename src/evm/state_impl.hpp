#pragma once

#include <memory>
#include <unordered_map>

#include "evm/code.hpp"
#include "evm/words.hpp"

namespace postern::evm {

struct Account {
    U256 balance;
    std::uint64_t nonce = 0;
    std::shared_ptr<const Code> code = Code::empty();
    std::unordered_map<U256, U256, U256Hash> storage;  // no zero values

    /// EIP-161; storage does not count.
    bool empty() const { return nonce == 0 && balance.is_zero() && code->size() == 0; }
};

struct State::Impl {
    std::unordered_map<Address, Account, AddressHash> accounts;

    const Account* find(const Address& a) const {
        const auto it = accounts.find(a);
        return it == accounts.end() ? nullptr : &it->second;
    }
};

}  // namespace postern::evm
