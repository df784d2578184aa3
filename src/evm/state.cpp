#include <algorithm>

#include "core/hex.hpp"
#include "evm/state_impl.hpp"

namespace postern::evm {

Word word(std::uint64_t value) { return to_word(U256{value}); }

Result<Address> parse_address(std::string_view hex) {
    const Result<Bytes> bytes = from_hex(hex);
    if (!bytes) return Error{"address: " + bytes.error().message};
    if (bytes->size() != 20) return Error{"address has " + std::to_string(bytes->size()) + " bytes, expected 20"};
    Address a;
    std::copy_n(bytes->begin(), 20, a.begin());
    return a;
}

State::State() : impl_(std::make_unique<Impl>()) {}
State::~State() = default;
State::State(const State& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
State::State(State&& other) noexcept = default;
State& State::operator=(const State& other) {
    if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}
State& State::operator=(State&& other) noexcept = default;

void State::set_code(const Address& address, Bytes code) { impl_->accounts[address].code = std::make_shared<const Code>(code); }
void State::set_balance(const Address& address, const Word& wei) { impl_->accounts[address].balance = to_u256(wei); }
void State::set_nonce(const Address& address, std::uint64_t nonce) { impl_->accounts[address].nonce = nonce; }

void State::set_storage(const Address& address, const Word& key, const Word& value) {
    auto& storage = impl_->accounts[address].storage;
    const U256 v = to_u256(value);
    if (v.is_zero()) {
        storage.erase(to_u256(key));
    } else {
        storage[to_u256(key)] = v;
    }
}

void State::erase(const Address& address) { impl_->accounts.erase(address); }

bool State::exists(const Address& address) const { return impl_->find(address) != nullptr; }

ByteView State::code(const Address& address) const {
    const Account* a = impl_->find(address);
    return a == nullptr ? ByteView{} : a->code->bytes();
}

Word State::balance(const Address& address) const {
    const Account* a = impl_->find(address);
    return a == nullptr ? Word{} : to_word(a->balance);
}

std::uint64_t State::nonce(const Address& address) const {
    const Account* a = impl_->find(address);
    return a == nullptr ? 0 : a->nonce;
}

Word State::storage(const Address& address, const Word& key) const {
    const Account* a = impl_->find(address);
    if (a == nullptr) return Word{};
    const auto it = a->storage.find(to_u256(key));
    return it == a->storage.end() ? Word{} : to_word(it->second);
}

std::map<Word, Word> State::storage(const Address& address) const {
    std::map<Word, Word> out;
    if (const Account* a = impl_->find(address)) {
        for (const auto& [key, value] : a->storage) out.emplace(to_word(key), to_word(value));
    }
    return out;
}

std::vector<Address> State::addresses() const {
    std::vector<Address> out;
    out.reserve(impl_->accounts.size());
    for (const auto& entry : impl_->accounts) out.push_back(entry.first);
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace postern::evm
