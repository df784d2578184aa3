#include <algorithm>
#include <limits>
#include <optional>

#include "evm/machine.hpp"
#include "evm/observer.hpp"
#include "evm/profile_impl.hpp"
#include "evm/run_observed.hpp"

namespace postern::evm {

void describe(ExecutionResult& result, const CallOutcome& outcome) {
    result.status = outcome.status;
    result.halt = outcome.halt;
    result.reason = std::string(name(outcome.status));
    if (outcome.halt != Halt::none) result.reason += ": " + std::string(name(outcome.halt));
    result.output = outcome.output;
}

CallOutcome run_observed(Machine& machine, const CallRequest& request) {
    const Options& options = machine.options;
    std::optional<Observer> observer;
    if (options.profile != nullptr || options.tracer != nullptr) {
        observer.emplace(options.profile == nullptr ? nullptr : &options.profile->impl(), options.tracer, machine.journal.refund);
        machine.observer = &*observer;
    }
    const std::uint64_t steps = machine.steps;
    CallOutcome outcome = machine.run(request);
    if (observer && machine.steps == steps) observer->extra(request.precompile ? "(precompile)" : "(entry)", outcome.burned);
    machine.observer = nullptr;
    return outcome;
}

ExecutionResult call(State& state, const Message& message, const Options& options) {
    Machine machine(state.impl(), options, message.origin.value_or(message.from), to_u256(message.gas_price));
    machine.warm_up(message.from, message.to, message.access_list);
    const Journal::Checkpoint start = machine.journal.checkpoint();

    CallRequest r;
    r.caller = message.from;
    r.value = to_u256(message.value);
    r.transfers = !r.value.is_zero();
    r.is_static = message.is_static;
    r.gas = static_cast<Gas>(std::min<std::uint64_t>(message.gas, std::numeric_limits<Gas>::max() / 2));
    if (message.to) {
        r.self = r.code_address = *message.to;
        r.input = message.data;
        machine.resolve_code(r);
    } else {
        r.kind = Op::CREATE;
        const std::uint64_t nonce = machine.journal.nonce(message.from);
        r.self = r.code_address = Machine::create_address(message.from, nonce);
        machine.journal.set_nonce(message.from, nonce + 1);
        r.code = std::make_shared<const Code>(message.data);
        machine.journal.warm_account(r.self);
    }
    const Gas given = r.gas;
    machine.reservoir = static_cast<Gas>(options.state_gas_reservoir);
    const Gas reservoir = machine.reservoir;

    CallOutcome outcome = run_observed(machine, r);

    ExecutionResult result;
    describe(result, outcome);
    result.steps = machine.steps;
    result.exec_gas = static_cast<std::uint64_t>(given - outcome.gas_left + reservoir - machine.reservoir);
    result.gas_used = result.exec_gas;
    result.state_gas = static_cast<std::uint64_t>(machine.state_gas_used);
    if (options.profile != nullptr && machine.state_gas_used != 0) options.profile->impl().add_extra("(state growth)", result.state_gas);
    result.refund = static_cast<std::uint64_t>(std::max<Gas>(0, machine.journal.refund));
    if (!message.to && result.success()) result.created = r.self;
    result.logs = machine.journal.logs;
    if (options.keep_changes) {
        machine.journal.finalize(machine.schedule.access_sets);
    } else {
        machine.journal.revert_to(start);
    }
    return result;
}

}  // namespace postern::evm
