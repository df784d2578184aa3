#include "evm/journal.hpp"

namespace postern::evm {

namespace {
U256 lookup(const std::unordered_map<U256, U256, U256Hash>& map, const U256& key) {
    const auto it = map.find(key);
    return it == map.end() ? U256{} : it->second;
}
void assign(std::unordered_map<U256, U256, U256Hash>& map, const U256& key, const U256& value) {
    if (value.is_zero()) {
        map.erase(key);
    } else {
        map[key] = value;
    }
}
}  // namespace

Account& Journal::account(const Address& a) {
    const auto [it, inserted] = state_.accounts.try_emplace(a);
    if (inserted) push(Kind::new_account, a);
    return it->second;
}

const Journal::TxAccount* Journal::tx(const Address& a) const {
    const auto it = tx_.find(a);
    return it == tx_.end() ? nullptr : &it->second;
}

std::shared_ptr<const Code> Journal::code(const Address& a) const {
    const Account* account = find(a);
    return account == nullptr ? Code::empty() : account->code;
}
U256 Journal::balance(const Address& a) const {
    const Account* account = find(a);
    return account == nullptr ? U256{} : account->balance;
}
std::uint64_t Journal::nonce(const Address& a) const {
    const Account* account = find(a);
    return account == nullptr ? 0 : account->nonce;
}

void Journal::set_balance(const Address& a, const U256& v) {
    touch(a);
    if (v == balance(a)) return;
    Account& acc = account(a);
    push(Kind::balance, a, {}, acc.balance);
    acc.balance = v;
}

void Journal::set_nonce(const Address& a, std::uint64_t v) {
    touch(a);
    Account& acc = account(a);
    push(Kind::nonce, a, {}, U256{acc.nonce});
    acc.nonce = v;
}

void Journal::set_code(const Address& a, std::shared_ptr<const Code> code) {
    touch(a);
    Account& acc = account(a);
    push(Kind::code, a, {}, {}, std::move(acc.code));
    acc.code = std::move(code);
}

void Journal::touch(const Address& a) {
    TxAccount& t = tx_[a];
    if (t.touched) return;
    t.touched = true;
    push(Kind::touched, a);
}

bool Journal::warm_account(const Address& a) {
    TxAccount& t = tx_[a];
    if (t.warm) return false;
    t.warm = true;
    push(Kind::warm_account, a);
    return true;
}

bool Journal::is_warm(const Address& a) const {
    const TxAccount* t = tx(a);
    return t != nullptr && t->warm;
}

bool Journal::warm_slot(const Address& a, const U256& key) {
    TxSlot& s = tx_[a].slots[key];
    if (s.warm) return false;
    s.warm = true;
    push(Kind::warm_slot, a, key);
    return true;
}

U256 Journal::storage(const Address& a, const U256& key) const {
    const Account* account = find(a);
    return account == nullptr ? U256{} : lookup(account->storage, key);
}

Journal::Slot Journal::slot(const Address& a, const U256& key) const {
    Slot s{{}, storage(a, key)};
    s.original = s.current;
    if (const TxAccount* t = tx(a)) {
        const auto it = t->slots.find(key);
        if (it != t->slots.end() && it->second.original) s.original = *it->second.original;
    }
    return s;
}

void Journal::set_storage(const Address& a, const U256& key, const U256& value) {
    Account& acc = account(a);
    const U256 current = lookup(acc.storage, key);
    if (current == value) return;
    TxSlot& s = tx_[a].slots[key];
    if (!s.original) {
        s.original = current;
        push(Kind::original, a, key);
    }
    push(Kind::storage, a, key, current);
    assign(acc.storage, key, value);
}

U256 Journal::transient(const Address& a, const U256& key) const {
    const TxAccount* t = tx(a);
    return t == nullptr ? U256{} : lookup(t->transient, key);
}

void Journal::set_transient(const Address& a, const U256& key, const U256& value) {
    auto& map = tx_[a].transient;
    push(Kind::transient, a, key, lookup(map, key));
    assign(map, key, value);
}

void Journal::mark_created(const Address& a) {
    TxAccount& t = tx_[a];
    if (t.created) return;
    t.created = true;
    push(Kind::created, a);
}

bool Journal::created(const Address& a) const {
    const TxAccount* t = tx(a);
    return t != nullptr && t->created;
}

bool Journal::mark_destroyed(const Address& a) {
    TxAccount& t = tx_[a];
    if (t.destroyed) return false;
    t.destroyed = true;
    push(Kind::destroyed, a);
    return true;
}

void Journal::undo(const Undo& u) {
    if (u.kind == Kind::new_account) {
        state_.accounts.erase(u.address);
        return;
    }
    switch (u.kind) {
        case Kind::balance:
            state_.accounts[u.address].balance = u.value;
            break;
        case Kind::nonce:
            state_.accounts[u.address].nonce = u.value.low64();
            break;
        case Kind::code:
            state_.accounts[u.address].code = u.code;
            break;
        case Kind::storage:
            assign(state_.accounts[u.address].storage, u.key, u.value);
            break;
        case Kind::transient:
            assign(tx_[u.address].transient, u.key, u.value);
            break;
        case Kind::warm_account:
            tx_[u.address].warm = false;
            break;
        case Kind::warm_slot:
            tx_[u.address].slots[u.key].warm = false;
            break;
        case Kind::original:
            tx_[u.address].slots[u.key].original.reset();
            break;
        case Kind::created:
            tx_[u.address].created = false;
            break;
        case Kind::destroyed:
            tx_[u.address].destroyed = false;
            break;
        case Kind::touched:
            tx_[u.address].touched = false;
            break;
        case Kind::new_account:
            break;
    }
}

void Journal::revert_to(const Checkpoint& c) {
    while (undo_.size() > c.undo) {
        undo(undo_.back());
        undo_.pop_back();
    }
    logs.resize(c.logs);
    refund = c.refund;
}

void Journal::finalize(bool clear_empty) {
    for (const auto& [address, t] : tx_) {
        if (t.destroyed || (clear_empty && t.touched && dead(address))) state_.accounts.erase(address);
    }
    undo_.clear();
}

}  // namespace postern::evm
