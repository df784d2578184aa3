#include "evm/observer.hpp"

#include <algorithm>

#include "evm/profile_impl.hpp"

namespace postern::evm {

void Observer::enter(Frame& f, const Frame* caller) {
    f.step_open = false;
    f.callee_burned = 0;
    if (profile_ == nullptr) return;
    std::size_t region = 0;
    std::size_t parent = Profile::Impl::kNoNode;
    if (caller != nullptr) {
        parent = caller->profile_node;
        region = profile_->region_of(parent, caller->step_pc);
    }
    f.profile_node =
        profile_->enter(parent, region, f.call.creates() ? f.call.self : f.call.code_address, f.call.creates(), f.code->size());
}

void Observer::before_step(Frame& f, std::size_t pc, std::size_t stack_size) {
    const Gas now = f.gas + f.state_gas_from_gas;
    if (f.step_open) close_step(f, now, Halt::none);
    f.step_open = true;
    f.step_traced = false;
    f.step_pc = pc;
    f.step_op = f.code->data()[pc];
    f.step_gas = now;
    f.callee_burned = 0;
    if (tracer_ == nullptr) return;
    const U256* top = f.stack.get() + stack_size;
    step_ = {.pc = pc,
             .op = f.step_op,
             .gas = static_cast<std::uint64_t>(f.gas),
             .gas_cost = 0,
             .depth = f.depth + 1,
             .refund = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *refund_)),
             .stack_size = stack_size,
             .memory_size = f.memory.size(),
             .code_address = f.call.code_address,
             .stack = [top](std::size_t i) { return to_word(*(top - i)); }};
    tracer_->before_step(step_);
}

void Observer::report(Frame& f, Gas cost, Halt halt) {
    if (tracer_ == nullptr || f.step_traced) return;
    f.step_traced = true;
    step_.gas_cost = static_cast<std::uint64_t>(cost);
    tracer_->after_step(step_, halt);
}

void Observer::close_step(Frame& f, Gas left, Halt halt) {
    f.step_open = false;
    const Gas cost = f.step_gas - left;
    report(f, cost, halt);
    if (profile_ != nullptr) {
        profile_->add(f.profile_node, f.step_pc, f.step_op, static_cast<std::uint64_t>(cost - f.callee_burned));
    }
}

void Observer::suspend(Frame& f) { report(f, f.step_gas - f.gas - f.state_gas_from_gas, Halt::none); }

void Observer::end(Frame& f, Gas left, Halt halt) {
    if (f.step_open) close_step(f, left, halt);
}

void Observer::extra(const char* what, Gas gas) {
    if (profile_ != nullptr && gas != 0) profile_->add_extra(what, static_cast<std::uint64_t>(gas));
}

}  // namespace postern::evm
