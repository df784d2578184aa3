#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "evm/authorization.hpp"
#include "evm/profile_impl.hpp"
#include "evm/run_observed.hpp"

namespace postern::evm {

namespace {

/// a * b, the largest value where it does not fit.
U256 saturating_product(const U256& a, std::uint64_t b) {
    if (b != 0 && a > U256::max() / U256{b}) return U256::max();
    return a * U256{b};
}

struct Fees {
    U256 most;       // what the sender must be able to pay for a unit of gas
    U256 effective;  // what it pays
};

/// EIP-1559.
Result<Fees> fees_of(const Transaction& tx, const Block& block) {
    const U256 base = to_u256(block.base_fee);
    if (!tx.max_fee_per_gas) {
        const U256 price = to_u256(tx.gas_price);
        if (price < base) return Error{"gas price below the base fee"};
        return Fees{price, price};
    }
    const U256 most = to_u256(*tx.max_fee_per_gas);
    const U256 tip = to_u256(tx.max_priority_fee_per_gas.value_or(Word{}));
    if (tip > most) return Error{"priority fee above the maximum fee"};
    if (most < base) return Error{"maximum fee below the base fee"};
    return Fees{most, most - base < tip ? most : base + tip};
}

/// Why a transaction cannot be in a block, before it runs.
postern::Status validate(const State::Impl& state, const Transaction& tx, const Options& options, const IntrinsicGas& gas,
                         const U256& most_per_gas) {
    const Fork fork = options.fork;
    const Limits limit = limits(fork);
    const Account* sender = state.find(tx.from);
    const std::uint64_t nonce = sender == nullptr ? 0 : sender->nonce;
    if (sender != nullptr && sender->code->size() != 0 && !(fork >= Fork::prague && sender->code->delegation())) {
        return Error{"sender is a contract (EIP-3607)"};
    }
    if (tx.nonce && *tx.nonce != nonce) {
        return Error{fmt::format("nonce too {}: {}, the account is at {}", *tx.nonce < nonce ? "low" : "high", *tx.nonce, nonce)};
    }
    if (nonce == ~0ULL) return Error{"nonce at its maximum (EIP-2681)"};
    if (tx.gas_limit > options.block.gas_limit) {
        return Error{fmt::format("gas limit {} above the block's {}", tx.gas_limit, options.block.gas_limit)};
    }
    const std::uint64_t least = std::max(gas.intrinsic, gas.floor);
    if (tx.gas_limit < least) return Error{fmt::format("gas limit {} below the intrinsic gas {}", tx.gas_limit, least)};
    // EIP-7825; EIP-8037 caps the part that cannot pay for state.
    const std::uint64_t capped = fork == Fork::amsterdam ? least : tx.gas_limit;
    if (capped > limit.transaction_gas) return Error{fmt::format("gas limit {} above {} (EIP-7825)", capped, limit.transaction_gas)};
    if (!tx.to && tx.data.size() > limit.initcode_size) {
        return Error{fmt::format("init code of {} bytes above {} (EIP-3860)", tx.data.size(), limit.initcode_size)};
    }
    if (!tx.blob_hashes.empty()) {
        if (fork < Fork::cancun) return Error{"blob transactions start with Cancun"};
        if (!tx.to) return Error{"a blob transaction cannot create a contract"};
    }
    if (tx.authorization_list) {
        if (fork < Fork::prague) return Error{"set-code transactions start with Prague"};
        if (!tx.to) return Error{"a set-code transaction cannot create a contract"};
        if (tx.authorization_list->empty()) return Error{"empty authorization list"};
    }
    const U256 cost = saturating_product(most_per_gas, tx.gas_limit);
    const U256 value = to_u256(tx.value);
    const U256 balance = sender == nullptr ? U256{} : sender->balance;
    if (balance < cost || balance - cost < value) return Error{"insufficient balance for gas and value"};
    return ok();
}

ExecutionResult invalid(const std::string& why) {
    ExecutionResult r;
    r.reason = "invalid transaction: " + why;
    return r;
}

/// EIP-2780: charges that depend on the state, taken before the first frame. False if they cannot be paid.
bool pay_entry(Machine& m, const Transaction& tx, CallRequest& r, GasMeter& meter) {
    if (r.creates() || *tx.to != tx.from) {
        if ((r.creates() || !r.value.is_zero()) && m.journal.dead(r.self)) {
            if (!m.charge_state_gas(meter, m.schedule.state_new_account)) return false;
            r.state_gas_charged = m.schedule.state_new_account;
        }
    }
    if (!r.creates()) {
        if (const auto target = m.journal.code(*tx.to)->delegation()) {
            const bool cold = m.journal.warm_account(*target);
            if (!meter.pay(m.schedule.warm + (cold ? m.schedule.cold_account : 0))) return false;
        }
    }
    return true;
}

}  // namespace

ExecutionResult execute(State& state, const Transaction& tx, const Options& options) {
    if (options.fork == Fork::frontier) throw std::invalid_argument("transactions are not offered under Frontier rules");
    const Result<Fees> fees = fees_of(tx, options.block);
    if (!fees) return invalid(fees.error().message);
    const IntrinsicGas gas = intrinsic_gas(options.fork, tx);
    if (const auto ok = validate(state.impl(), tx, options, gas, fees->most); !ok) return invalid(ok.error().message);
    const bool amsterdam = options.fork == Fork::amsterdam;

    Machine m(state.impl(), options, tx.from, fees->effective);
    for (const Word& h : tx.blob_hashes) m.blob_hashes.push_back(to_u256(h));
    const Journal::Checkpoint untouched = m.journal.checkpoint();
    m.warm_up(tx.from, tx.to, tx.access_list);
    const std::uint64_t nonce = m.journal.nonce(tx.from);
    m.journal.set_nonce(tx.from, nonce + 1);
    m.journal.sub_balance(tx.from, fees->effective * U256{tx.gas_limit});

    GasMeter meter;
    meter.gas = static_cast<Gas>(tx.gas_limit - gas.intrinsic);
    if (amsterdam) {
        meter.gas = std::min(meter.gas, static_cast<Gas>(limits(options.fork).transaction_gas - gas.intrinsic));
        m.reservoir = static_cast<Gas>(tx.gas_limit - gas.intrinsic) - meter.gas;
    }
    const Gas reservoir = m.reservoir;
    const Journal::Checkpoint entry = m.journal.checkpoint();

    CallRequest r;
    r.caller = tx.from;
    r.value = to_u256(tx.value);
    r.transfers = !r.value.is_zero();
    bool entered = !tx.authorization_list || apply_authorizations(m, tx, meter);
    if (tx.to) {
        r.self = r.code_address = *tx.to;
        r.input = tx.data;
        m.resolve_code(r);
        if (!amsterdam && options.fork >= Fork::prague) {
            if (const auto target = m.journal.code(*tx.to)->delegation()) m.journal.warm_account(*target);
        }
    } else {
        r.kind = Op::CREATE;
        r.self = r.code_address = Machine::create_address(tx.from, nonce);
        r.code = std::make_shared<const Code>(tx.data);
        m.journal.warm_account(r.self);
    }
    if (amsterdam) entered = entered && pay_entry(m, tx, r, meter);

    CallOutcome outcome;
    if (entered) {
        r.gas = meter.gas;
        outcome = run_observed(m, r);
        meter.gas = outcome.gas_left;
        meter.state_gas_from_gas += outcome.state_gas_from_gas;
        if (outcome.status != Status::success && r.state_gas_charged != 0) m.refill_state_gas(meter, r.state_gas_charged);
        if (outcome.status == Status::halt) meter.gas = 0;  // what the refill brought back included
    } else {
        m.journal.revert_to(entry);
        m.reservoir = reservoir;
        m.state_gas_used = 0;
        meter = {};
        outcome.status = Status::halt;
        outcome.halt = Halt::out_of_gas;
    }

    ExecutionResult result;
    describe(result, outcome);
    result.intrinsic_gas = gas.intrinsic;
    result.floor_gas = gas.floor;
    result.steps = m.steps;
    result.state_gas = static_cast<std::uint64_t>(m.state_gas_used);
    const auto used = tx.gas_limit - static_cast<std::uint64_t>(meter.gas + m.reservoir);
    result.exec_gas = used - gas.intrinsic;
    if (options.profile != nullptr) {
        // What neither the frames nor new state took: charges before the first frame.
        const Gas entry_burned = static_cast<Gas>(result.exec_gas) - outcome.burned - m.state_gas_used;
        if (entry_burned != 0) options.profile->impl().add_extra("(entry)", static_cast<std::uint64_t>(entry_burned));
        if (m.state_gas_used != 0) options.profile->impl().add_extra("(state growth)", result.state_gas);
    }
    // EIP-3529: at most a fifth.
    const auto counter = static_cast<std::uint64_t>(std::max<Gas>(0, m.journal.refund));
    result.refund = std::min(counter, used / static_cast<std::uint64_t>(m.schedule.refund_divisor));
    result.gas_used = std::max(used - result.refund, gas.floor);
    result.logs = m.journal.logs;
    if (!tx.to && result.success()) result.created = r.self;

    m.journal.add_balance(tx.from, fees->effective * U256{tx.gas_limit - result.gas_used});
    m.journal.add_balance(options.block.coinbase, (fees->effective - to_u256(options.block.base_fee)) * U256{result.gas_used});
    if (options.keep_changes) {
        m.journal.finalize(true);
    } else {
        m.journal.revert_to(untouched);
    }
    return result;
}

}  // namespace postern::evm
