#include "evm/machine.hpp"

#include <algorithm>

#include "evm/observer.hpp"
#include "evm/precompiles.hpp"
#include "hash/sha3.hpp"

namespace postern::evm {

namespace {

constexpr std::size_t kCallDepthLimit = 1024;

template <Fork fork>
constexpr std::array<OpRule, 256> kRules = make_rules(fork);

const OpRule* rules_of(Fork fork) {
    switch (fork) {
        case Fork::frontier:
            return kRules<Fork::frontier>.data();
        case Fork::shanghai:
            return kRules<Fork::shanghai>.data();
        case Fork::cancun:
            return kRules<Fork::cancun>.data();
        case Fork::prague:
            return kRules<Fork::prague>.data();
        case Fork::osaka:
            return kRules<Fork::osaka>.data();
        case Fork::amsterdam:
            return kRules<Fork::amsterdam>.data();
    }
    return nullptr;
}

/// The input without its leading zero bytes, as an RLP string.
void append_rlp_integer(Bytes& out, std::uint64_t v) {
    if (v == 0) {
        out.push_back(0x80);
    } else if (v < 0x80) {
        out.push_back(static_cast<std::uint8_t>(v));
    } else {
        const unsigned n = (71U - static_cast<unsigned>(__builtin_clzll(v))) / 8;
        out.push_back(static_cast<std::uint8_t>(0x80 + n));
        for (unsigned i = n; i-- > 0;) out.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
    }
}

Address low_20_bytes(const hash::Keccak256::Digest& digest) {
    Address a;
    std::copy(digest.begin() + 12, digest.end(), a.begin());
    return a;
}

}  // namespace

Machine::Machine(State::Impl& state, const Options& opts, const Address& tx_origin, const U256& price)
    : schedule(make_schedule(opts.fork)),
      rules(rules_of(opts.fork)),
      options(opts),
      journal(state),
      origin(to_u256(tx_origin)),
      gas_price(price),
      coinbase(to_u256(opts.block.coinbase)),
      base_fee(to_u256(opts.block.base_fee)),
      blob_base_fee(to_u256(opts.block.blob_base_fee)),
      prev_randao(to_u256(opts.block.prev_randao)) {}

Machine::~Machine() = default;

bool Machine::is_precompile(const Address& a) const { return precompile_id(options.fork, a) != 0; }

void Machine::warm_up(const Address& from, const std::optional<Address>& to, const AccessList& access_list) {
    if (!schedule.access_sets) return;
    for (const std::uint16_t id : precompile_ids(options.fork)) journal.warm_account(to_address(U256{id}));
    journal.warm_account(options.block.coinbase);
    journal.warm_account(from);
    if (to) journal.warm_account(*to);
    for (const AccessListEntry& entry : access_list) {
        journal.warm_account(entry.address);
        for (const Word& key : entry.storage_keys) journal.warm_slot(entry.address, to_u256(key));
    }
}

Address Machine::create_address(const Address& creator, std::uint64_t nonce) {
    Bytes payload{0x94};
    payload.insert(payload.end(), creator.begin(), creator.end());
    append_rlp_integer(payload, nonce);
    Bytes list{static_cast<std::uint8_t>(0xc0 + payload.size())};
    list.insert(list.end(), payload.begin(), payload.end());
    return low_20_bytes(hash::keccak256(ByteView(list)));
}

Address Machine::create2_address(const Address& creator, const U256& salt, ByteView init_code) {
    Bytes data{0xff};
    data.insert(data.end(), creator.begin(), creator.end());
    const Word s = to_word(salt);
    data.insert(data.end(), s.begin(), s.end());
    const auto code_hash = hash::keccak256(init_code);
    data.insert(data.end(), code_hash.begin(), code_hash.end());
    return low_20_bytes(hash::keccak256(ByteView(data)));
}

void Machine::resolve_code(CallRequest& r) const {
    r.precompile = is_precompile(r.code_address);
    r.code = journal.code(r.code_address);
    if (options.fork < Fork::prague) return;
    if (const auto target = r.code->delegation()) r.code = is_precompile(*target) ? Code::empty() : journal.code(*target);
}

bool Machine::charge_state_gas(GasMeter& f, Gas amount) {
    const Gas from_reservoir = std::min(reservoir, amount);
    const Gas from_gas = amount - from_reservoir;
    if (f.gas < from_gas) return false;
    reservoir -= from_reservoir;
    f.gas -= from_gas;
    f.state_gas_from_gas += from_gas;
    state_gas_used += amount;
    return true;
}

void Machine::refill_state_gas(GasMeter& f, Gas amount) {
    const Gas to_gas = std::min(f.state_gas_from_gas, amount);
    f.gas += to_gas;
    f.state_gas_from_gas -= to_gas;
    reservoir += amount - to_gas;
    state_gas_used -= amount;
}

CallOutcome Machine::abandon(const CallRequest& top, Halt why) {
    if (active_ != 0) journal.revert_to(frames_[0]->checkpoint);
    active_ = 0;
    return {Status::halt, why, 0, top.gas, 0, {}};
}

CallOutcome Machine::run(const CallRequest& top) {
    if (auto done = enter(top)) return *std::move(done);
    for (;;) {
        Frame& f = *frames_[active_ - 1];
        Halt halt = Halt::none;
        const Exit exit = observer != nullptr ? interpret<true>(*this, f, halt) : interpret<false>(*this, f, halt);
        if (exit == Exit::call) {
            if (observer != nullptr) observer->suspend(f);
            if (auto done = enter(request)) {
                // A contract must not mistake what we cannot compute for an answer.
                if (done->halt == Halt::not_implemented) return abandon(top, done->halt);
                // Nothing ran: `request` is still this call.
                resume(f, request, *std::move(done));
            }
            continue;
        }
        CallOutcome outcome = leave(f, exit, halt);
        if (active_ == 0) return outcome;
        resume(*frames_[active_ - 1], f.call, std::move(outcome));
    }
}

std::optional<CallOutcome> Machine::enter(const CallRequest& r) {
    const auto fail_softly = [&r](Halt why) { return CallOutcome{Status::revert, why, r.gas, 0, 0, {}}; };
    if (active_ > kCallDepthLimit) return fail_softly(Halt::call_depth);
    const bool pays = r.kind != Op::DELEGATECALL && r.kind != Op::STATICCALL;
    if (pays && !r.value.is_zero() && journal.balance(r.caller) < r.value) return fail_softly(Halt::insufficient_balance);

    const Journal::Checkpoint checkpoint = journal.checkpoint();
    if (r.creates()) {
        const Account* there = journal.find(r.self);
        if (there != nullptr && (there->nonce != 0 || there->code->size() != 0 || !there->storage.empty())) {
            return CallOutcome{Status::halt, Halt::create_collision, 0, r.gas, 0, {}};
        }
        journal.mark_created(r.self);
        if (schedule.access_sets) journal.set_nonce(r.self, 1);  // EIP-161
    }
    if (r.kind == Op::CALL || r.kind == Op::STATICCALL) journal.touch(r.self);
    if (r.transfers) {
        journal.sub_balance(r.caller, r.value);
        journal.add_balance(r.self, r.value);
    }
    if (r.precompile) return run_precompile_call(r, checkpoint);
    if (r.code->size() == 0 && !r.creates()) {
        return CallOutcome{Status::success, Halt::none, r.gas, 0, 0, {}};
    }

    if (frames_.size() == active_) frames_.push_back(std::make_unique<Frame>());
    Frame& f = *frames_[active_];
    const Frame* caller = active_ == 0 ? nullptr : frames_[active_ - 1].get();
    f.call = r;
    f.code = r.code;
    f.checkpoint = checkpoint;
    f.depth = static_cast<unsigned>(active_++);
    f.gas = r.gas;
    f.pc = 0;
    f.stack_size = 0;
    f.memory.clear();
    f.return_data.clear();
    f.output_offset = f.output_size = 0;
    f.state_gas_from_gas = 0;
    f.reservoir_at_start = reservoir;
    f.state_gas_used_at_start = state_gas_used;
    if (observer != nullptr) observer->enter(f, caller);
    return std::nullopt;
}

CallOutcome Machine::run_precompile_call(const CallRequest& r, const Journal::Checkpoint& checkpoint) {
    PrecompileResult p = run_precompile(options.fork, r.code_address, r.input, r.gas);
    if (p.halt != Halt::none) {
        journal.revert_to(checkpoint);
        return {Status::halt, p.halt, 0, r.gas, 0, {}};
    }
    return {Status::success, Halt::none, r.gas - p.gas, p.gas, 0, std::move(p.output)};
}

Halt Machine::deposit_code(Frame& f, ByteView code) {
    if (schedule.access_sets) {
        if (code.size() > limits(options.fork).code_size) return Halt::code_size_limit;
        if (!code.empty() && code[0] == 0xef) return Halt::code_first_byte;  // EIP-3541
    }
    const auto size = static_cast<Gas>(code.size());
    const Gas price = size * schedule.code_deposit_byte + (size + 31) / 32 * schedule.code_deposit_word;
    if (f.gas < price) {
        if (!schedule.access_sets) return Halt::none;  // Frontier: the contract stays empty
        return Halt::out_of_gas;
    }
    f.gas -= price;
    if (schedule.state_byte != 0 && !charge_state_gas(f, size * schedule.state_byte)) return Halt::out_of_gas;
    if (observer != nullptr) observer->extra("(code deposit)", price);
    journal.set_code(f.call.self, code.empty() ? Code::empty() : std::make_shared<const Code>(code));
    return Halt::none;
}

CallOutcome Machine::leave(Frame& f, Exit exit, Halt halt) {
    CallOutcome out;
    if (exit != Exit::halt && f.output_size != 0) {
        const auto begin = f.memory.begin() + static_cast<std::ptrdiff_t>(f.output_offset);
        out.output.assign(begin, begin + static_cast<std::ptrdiff_t>(f.output_size));
    }
    if (observer != nullptr && exit != Exit::halt) observer->end(f, f.gas + f.state_gas_from_gas, Halt::none);
    if (exit == Exit::success && f.call.creates()) {
        const Gas before = f.gas + f.state_gas_from_gas;
        halt = deposit_code(f, out.output);
        out.output.clear();
        if (halt != Halt::none) {
            exit = Exit::halt;
            if (observer != nullptr) observer->extra("(code deposit)", before);
        }
    }
    out.halt = halt;
    switch (exit) {
        case Exit::success:
            out.gas_left = f.gas;
            out.state_gas_from_gas = f.state_gas_from_gas;
            break;
        case Exit::revert:
            out.status = Status::revert;
            out.gas_left = f.gas + f.state_gas_from_gas;
            break;
        default:
            out.status = Status::halt;
            out.output.clear();
            if (observer != nullptr) observer->end(f, 0, halt);
            break;
    }
    if (exit != Exit::success) {
        journal.revert_to(f.checkpoint);
        reservoir = f.reservoir_at_start;
        state_gas_used = f.state_gas_used_at_start;
    }
    out.burned = f.call.gas - out.gas_left - out.state_gas_from_gas;
    --active_;
    return out;
}

void Machine::resume(Frame& f, const CallRequest& r, CallOutcome out) {
    U256& result = f.stack[++f.stack_size];
    const bool ok = out.status == Status::success;
    if (r.creates()) {
        result = ok ? to_u256(r.self) : U256{};
        if (ok) out.output.clear();
    } else {
        result = U256{ok};
        const std::size_t n = std::min<std::size_t>(r.return_size, out.output.size());
        std::copy_n(out.output.begin(), n, f.memory.begin() + static_cast<std::ptrdiff_t>(r.return_offset));
    }
    f.return_data = std::move(out.output);
    f.gas += out.gas_left;
    f.state_gas_from_gas += out.state_gas_from_gas;
    if (!ok && r.state_gas_charged != 0) refill_state_gas(f, r.state_gas_charged);
    // A precompile has no frame: its gas counts where the call stands.
    if (!r.precompile && out.halt != Halt::create_collision) f.callee_burned += out.burned;
}

}  // namespace postern::evm
