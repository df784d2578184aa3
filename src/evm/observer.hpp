#pragma once

#include <postern/evm.hpp>

#include "evm/frame.hpp"

namespace postern::evm {

/// Turns the interpreter's steps into profile entries and tracer callbacks. The cost of a step is known when the next one in its
/// frame begins or the frame ends; gas that paid for state growth and gas burned by callees is not part of it.
class Observer {
  public:
    /// `refund`: the transaction's refund counter, read at every traced step.
    Observer(Profile::Impl* profile, Tracer* tracer, const std::int64_t& refund) : profile_(profile), tracer_(tracer), refund_(&refund) {}

    void enter(Frame& f, const Frame* caller);
    void before_step(Frame& f, std::size_t pc, std::size_t stack_size);
    /// The frame has handed control to a callee or a precompile.
    void suspend(Frame& f);
    /// The frame has ended with this much of its gas left.
    void end(Frame& f, Gas left, Halt halt);
    /// Gas burned outside any instruction.
    void extra(const char* what, Gas gas);

  private:
    void close_step(Frame& f, Gas left, Halt halt);
    void report(Frame& f, Gas cost, Halt halt);

    Profile::Impl* profile_;
    Tracer* tracer_;
    const std::int64_t* refund_;
    Step step_;
};

}  // namespace postern::evm
