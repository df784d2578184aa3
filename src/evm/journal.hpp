#pragma once

#include <unordered_map>
#include <vector>

#include "evm/state_impl.hpp"

namespace postern::evm {

/// One transaction's view of a state: every change is made in place and can be undone back to any checkpoint; what lives for
/// the transaction only (warm sets, original values, transient storage, refunds, logs) is here.
class Journal {
  public:
    explicit Journal(State::Impl& state) : state_(state) {}

    struct Checkpoint {
        std::size_t undo;
        std::size_t logs;
        std::int64_t refund;
    };
    Checkpoint checkpoint() const { return {undo_.size(), logs.size(), refund}; }
    void revert_to(const Checkpoint& c);

    const Account* find(const Address& a) const { return state_.find(a); }
    /// Absent or empty (EIP-161).
    bool dead(const Address& a) const {
        const Account* account = find(a);
        return account == nullptr || account->empty();
    }
    std::shared_ptr<const Code> code(const Address& a) const;
    U256 balance(const Address& a) const;
    std::uint64_t nonce(const Address& a) const;

    void set_balance(const Address& a, const U256& v);
    void add_balance(const Address& a, const U256& v) { set_balance(a, balance(a) + v); }
    void sub_balance(const Address& a, const U256& v) { set_balance(a, balance(a) - v); }
    void set_nonce(const Address& a, std::uint64_t v);
    void set_code(const Address& a, std::shared_ptr<const Code> code);
    /// Marks for removal at the end should it be empty then.
    void touch(const Address& a);

    /// True if it was cold (EIP-2929).
    bool warm_account(const Address& a);
    bool is_warm(const Address& a) const;
    bool warm_slot(const Address& a, const U256& key);

    struct Slot {
        U256 original;  // at the start of the transaction
        U256 current;
    };
    U256 storage(const Address& a, const U256& key) const;
    Slot slot(const Address& a, const U256& key) const;
    void set_storage(const Address& a, const U256& key, const U256& value);

    U256 transient(const Address& a, const U256& key) const;
    void set_transient(const Address& a, const U256& key, const U256& value);

    void mark_created(const Address& a);
    bool created(const Address& a) const;
    /// False if it was marked before.
    bool mark_destroyed(const Address& a);

    /// End of transaction: destroyed accounts go, and touched ones that are empty (not under Frontier rules).
    void finalize(bool clear_empty);

    std::vector<Log> logs;
    std::int64_t refund = 0;

  private:
    enum class Kind : std::uint8_t {
        balance,
        nonce,
        code,
        storage,
        new_account,
        warm_account,
        warm_slot,
        transient,
        created,
        destroyed,
        touched,
        original
    };
    struct Undo {
        Kind kind;
        Address address;
        U256 key;
        U256 value;
        std::shared_ptr<const Code> code;
    };
    struct TxSlot {
        bool warm = false;
        std::optional<U256> original;  // set at the first write
    };
    struct TxAccount {
        bool warm = false;
        bool created = false;
        bool destroyed = false;
        bool touched = false;
        std::unordered_map<U256, TxSlot, U256Hash> slots;
        std::unordered_map<U256, U256, U256Hash> transient;
    };
    Account& account(const Address& a);
    const TxAccount* tx(const Address& a) const;
    void push(Kind kind, const Address& a, const U256& key = {}, const U256& value = {}, std::shared_ptr<const Code> code = nullptr) {
        undo_.push_back({kind, a, key, value, std::move(code)});
    }
    void undo(const Undo& u);

    State::Impl& state_;
    std::unordered_map<Address, TxAccount, AddressHash> tx_;
    std::vector<Undo> undo_;
};

}  // namespace postern::evm
