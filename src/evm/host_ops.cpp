// The instructions that read or change the state.

#include <algorithm>
#include <cstring>

#include "evm/machine.hpp"

namespace postern::evm {

Halt Machine::account_access(Frame& f, const Address& a) {
    if (schedule.access_sets && journal.warm_account(a) && !f.pay(schedule.cold_account)) return Halt::out_of_gas;
    return Halt::none;
}

Halt Machine::sload(Frame& f, U256* top) {
    if (schedule.access_sets && journal.warm_slot(f.call.self, *top) && !f.pay(schedule.cold_slot)) return Halt::out_of_gas;
    *top = journal.storage(f.call.self, *top);
    return Halt::none;
}

// EIP-2200 as changed by EIP-2929, 3529 and 8038.
Halt Machine::sstore(Frame& f, const U256* top) {
    const U256& key = top[0];
    const U256& value = top[-1];
    const Address& self = f.call.self;
    if (f.call.is_static) return Halt::static_violation;
    if (!schedule.access_sets) {
        const U256 current = journal.storage(self, key);
        if (!f.pay(current.is_zero() && !value.is_zero() ? schedule.sstore_set : schedule.sstore_reset)) return Halt::out_of_gas;
        if (!current.is_zero() && value.is_zero()) journal.refund += schedule.sstore_clear_refund;
        journal.set_storage(self, key, value);
        return Halt::none;
    }
    if (f.gas <= schedule.call_stipend) return Halt::out_of_gas;
    if (journal.warm_slot(self, key) && !f.pay(schedule.cold_slot + schedule.warm * (options.fork == Fork::amsterdam ? 0 : 1))) {
        return Halt::out_of_gas;
    }
    const auto [original, current] = journal.slot(self, key);
    const bool first_change = current == original && value != current;
    const bool amsterdam = options.fork == Fork::amsterdam;
    const Gas write = original.is_zero() ? schedule.sstore_set : schedule.sstore_reset;
    // Before Amsterdam the price of a change includes the warm access.
    const Gas price = amsterdam ? schedule.warm + (first_change ? write : 0) : (first_change ? write : schedule.warm);
    if (!f.pay(price)) return Halt::out_of_gas;

    if (value != current) {
        if (!original.is_zero()) {
            if (current.is_zero()) journal.refund -= schedule.sstore_clear_refund;
            if (value.is_zero()) journal.refund += schedule.sstore_clear_refund;
        }
        if (value == original && !first_change) journal.refund += amsterdam ? write : write - schedule.warm;
        if (schedule.state_new_slot != 0 && original.is_zero()) {
            if (current.is_zero()) {
                if (!charge_state_gas(f, schedule.state_new_slot)) return Halt::out_of_gas;
            } else if (value.is_zero()) {
                refill_state_gas(f, schedule.state_new_slot);
            }
        }
    }
    journal.set_storage(self, key, value);
    return Halt::none;
}

Halt Machine::extcodecopy(Frame& f, const U256* top) {
    const Address a = to_address(top[0]);
    const U256& size = top[-3];
    if (!f.pay(3 * words(size)) || !f.grow(top[-1], size)) return Halt::out_of_gas;
    if (const Halt halt = account_access(f, a); halt != Halt::none) return halt;
    if (size.is_zero()) return Halt::none;
    const std::shared_ptr<const Code> code = journal.code(a);
    std::uint8_t* to = f.memory.data() + top[-1].low64();
    std::uint64_t have = 0;
    if (top[-2].fits_u64() && top[-2].low64() < code->size()) {
        have = std::min<std::uint64_t>(size.low64(), code->size() - top[-2].low64());
        std::memcpy(to, code->data() + top[-2].low64(), have);
    }
    std::memset(to + have, 0, size.low64() - have);
    return Halt::none;
}

Halt Machine::log(Frame& f, unsigned topics, const U256* top) {
    if (f.call.is_static) return Halt::static_violation;
    const U256& size = top[-1];
    if (!f.pay(8 * (size.fits_u64() ? static_cast<Gas>(std::min<std::uint64_t>(size.low64(), 1ULL << 40)) : 1LL << 40)) ||
        !f.grow(top[0], size)) {
        return Halt::out_of_gas;
    }
    Log entry{f.call.self, {}, {}};
    for (unsigned i = 0; i < topics; ++i) entry.topics.push_back(to_word(*(top - 2 - i)));
    if (!size.is_zero()) {
        const std::uint8_t* from = f.memory.data() + top[0].low64();
        entry.data.assign(from, from + size.low64());
    }
    journal.logs.push_back(std::move(entry));
    return Halt::none;
}

// EIP-6780 from Cancun on; EIP-3529 took the refund away.
Halt Machine::selfdestruct(Frame& f, const U256* top) {
    if (f.call.is_static) return Halt::static_violation;
    const Address& self = f.call.self;
    const Address to = to_address(*top);
    if (schedule.access_sets) {
        if (journal.warm_account(to) && !f.pay(schedule.cold_account + schedule.warm)) return Halt::out_of_gas;
        if (journal.dead(to) && !journal.balance(self).is_zero()) {
            if (!f.pay(schedule.selfdestruct_new_account)) return Halt::out_of_gas;
            if (schedule.state_new_account != 0 && !charge_state_gas(f, schedule.state_new_account)) return Halt::out_of_gas;
        }
    }
    const U256 balance = journal.balance(self);
    const bool removes = options.fork < Fork::cancun || journal.created(self);
    if (to != self) {
        journal.add_balance(to, balance);
        journal.set_balance(self, U256{});
    } else if (removes) {
        journal.set_balance(self, U256{});
    }
    if (removes && journal.mark_destroyed(self) && options.fork == Fork::frontier) journal.refund += 24000;
    return Halt::none;
}

U256 Machine::block_hash(const U256& number) const {
    const std::uint64_t current = options.block.number;
    if (!number.fits_u64() || number.low64() >= current || current - number.low64() > 256 || !options.block.block_hash) return {};
    return to_u256(options.block.block_hash(number.low64()));
}

Halt Machine::prepare_call(Frame& f, Op kind, const U256* top) {
    const bool has_value = kind == Op::CALL || kind == Op::CALLCODE;
    const U256 wanted = top[0];
    const Address to = to_address(top[-1]);
    const U256 value = has_value ? top[-2] : U256{};
    const U256* range = top - (has_value ? 3 : 2);  // in offset, in size, out offset, out size
    if (f.call.is_static && kind == Op::CALL && !value.is_zero()) return Halt::static_violation;
    if (!f.grow(range[0], range[-1]) || !f.grow(range[-2], range[-3])) return Halt::out_of_gas;

    CallRequest& r = request;
    r = {};
    r.kind = kind;
    r.code_address = to;
    r.self = kind == Op::CALL || kind == Op::STATICCALL ? to : f.call.self;
    r.caller = kind == Op::DELEGATECALL ? f.call.caller : f.call.self;
    r.value = kind == Op::DELEGATECALL ? f.call.value : value;
    r.transfers = kind == Op::CALL && !value.is_zero();
    r.is_static = f.call.is_static || kind == Op::STATICCALL;
    if (!range[-1].is_zero()) r.input = ByteView{f.memory.data() + range[0].low64(), range[-1].low64()};
    r.return_offset = range[-3].is_zero() ? 0 : range[-2].low64();
    r.return_size = range[-3].low64();

    if (!value.is_zero() && !f.pay(schedule.call_value)) return Halt::out_of_gas;
    if (const Halt halt = account_access(f, to); halt != Halt::none) return halt;
    resolve_code(r);
    if (options.fork >= Fork::prague) {
        if (const auto target = journal.code(to)->delegation()) {  // EIP-7702
            if (!f.pay(schedule.warm)) return Halt::out_of_gas;
            if (const Halt halt = account_access(f, *target); halt != Halt::none) return halt;
        }
    }
    if (kind == Op::CALL) {
        const bool creates = schedule.access_sets ? !value.is_zero() && journal.dead(to) : journal.find(to) == nullptr;
        if (creates && !f.pay(schedule.call_new_account)) return Halt::out_of_gas;
        if (creates && schedule.state_new_account != 0) {
            if (!charge_state_gas(f, schedule.state_new_account)) return Halt::out_of_gas;
            r.state_gas_charged = schedule.state_new_account;
        }
    }
    // EIP-150: at most 63/64 of what is left. Frontier: all that was asked for, or nothing works.
    const Gas available = schedule.access_sets ? f.gas - f.gas / 64 : f.gas;
    const bool enough = wanted.fits_u64() && wanted.low64() <= static_cast<std::uint64_t>(available);
    if (!enough && !schedule.access_sets) return Halt::out_of_gas;
    r.gas = enough ? static_cast<Gas>(wanted.low64()) : available;
    f.gas -= r.gas;
    if (!value.is_zero()) r.gas += schedule.call_stipend;
    return Halt::none;
}

Halt Machine::prepare_create(Frame& f, Op kind, const U256* top, bool& skipped) {
    if (f.call.is_static) return Halt::static_violation;
    const U256 value = top[0];
    const U256& size = top[-2];
    if (schedule.access_sets && size > U256{limits(options.fork).initcode_size}) return Halt::init_code_size_limit;
    const Gas per_word = schedule.initcode_word + (kind == Op::CREATE2 ? 6 : 0);
    if (!f.pay(per_word * words(size)) || !f.grow(top[-1], size) || !f.pay(base_gas(kind, options.fork))) return Halt::out_of_gas;

    const Address self = f.call.self;
    const std::uint64_t nonce = journal.nonce(self);
    if (f.depth >= 1024 || journal.balance(self) < value || nonce == ~0ULL) {
        skipped = true;
        return Halt::none;
    }
    CallRequest& r = request;
    r = {};
    r.kind = kind;
    r.caller = self;
    r.value = value;
    r.transfers = !value.is_zero();
    if (!size.is_zero()) r.input = ByteView{f.memory.data() + top[-1].low64(), size.low64()};
    r.self = kind == Op::CREATE2 ? create2_address(self, top[-3], r.input) : create_address(self, nonce);
    r.code_address = r.self;
    r.code = std::make_shared<const Code>(r.input);
    r.input = {};
    if (schedule.state_new_account != 0 && journal.dead(r.self)) {
        if (!charge_state_gas(f, schedule.state_new_account)) return Halt::out_of_gas;
        r.state_gas_charged = schedule.state_new_account;
    }
    r.gas = schedule.access_sets ? f.gas - f.gas / 64 : f.gas;
    f.gas -= r.gas;
    journal.set_nonce(self, nonce + 1);
    if (schedule.access_sets) journal.warm_account(r.self);
    return Halt::none;
}

}  // namespace postern::evm
