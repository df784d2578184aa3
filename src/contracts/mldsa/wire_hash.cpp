#include "contracts/mldsa/doors.hpp"
#include "contracts/mldsa/wire.hpp"
#include "contracts/mldsa/xof_library.hpp"

namespace postern::contracts::mldsa_evm {

CallHash::CallHash(Kernel& k, const WirePlan& wire, Label revert) : wire_(wire), plan_(wire.plan), revert_(revert), refill_(k.label()) {}

void CallHash::emit_check(Kernel& k) const {
    k.rename("library");
    k.begin_region("library");
    k.push(wire_.library);
    k.op(Op::EXTCODEHASH);
    k.push(wire_.library_hash);
    k.op(Op::XOR);
    k.jumpi(revert_);
    k.end_region();
}

void CallHash::call(Kernel& k, std::uint64_t from, std::uint64_t to, unsigned out_size, unsigned returned) const {
    k.push(out_size);
    k.swap(1);
    k.push(to);
    k.swap(1);
    k.push(from);
    k.push(wire_.library);
    k.op(Op::GAS);
    k.op(Op::STATICCALL);
    k.op(Op::ISZERO);
    k.op(Op::RETURNDATASIZE);
    k.with(Op::XOR, returned);
    k.op(Op::OR);
    k.jumpi(revert_);
}

void CallHash::emit_tr(Kernel& k) const {
    k.rename("tr");
    k.begin_region("tr");
    const std::uint64_t buffer = message_buffer(plan_);
    k.push(wire_.key_bytes);
    k.mload(vars.parts);
    k.push(buffer);
    k.op(Op::CALLDATACOPY);
    k.push(1);  // one block of output, for all inputs that stand there
    k.push(buffer - 1);
    k.op(Op::MSTORE8);
    k.push(1 + wire_.key_bytes);
    call(k, buffer - 1, buffer, 64, kXofBlock);
    k.push(0);
    k.mstore(buffer + 64);
    k.end_region();
}

void CallHash::emit_mu(Kernel& k) const {
    k.rename("mu");
    k.begin_region("mu");
    const std::uint64_t buffer = message_buffer(plan_);
    emit_context_and_message(k, buffer);
    k.with(Op::ADD, 67);
    call(k, buffer - 1, plan_.map.lanes, 64, kXofBlock);
    k.end_region();
    k.begin_region("sample_in_ball");
    k.push(plan_.p.c_tilde);
    k.mload(vars.signature);
    k.push(buffer);
    k.op(Op::CALLDATACOPY);
    k.push(1 + plan_.p.c_tilde);
    call(k, buffer - 1, stream(), kXofBlock, kXofBlock);
    k.push(1);
    k.mstore(wire_.row_streams());  // blocks of the stream so far; the rows use the word later
    k.end_region();
}

void CallHash::emit_looped_draws(Kernel& k) const { mldsa_evm::emit_looped_draws(k, plan_, stream(), kXofBlock, refill_); }

void CallHash::emit_streams(Kernel& k, Label pairs) const {
    k.rename("streams");
    k.begin_region("streams");
    const std::uint64_t input = wire_.map.seed;
    k.push(0);
    k.mstore(input);
    k.mload(vars.parts);
    k.op(Op::CALLDATALOAD);
    k.mstore(input + 1);
    k.forget(k.push(0));                  // bytes of pairs used
    k.forget(k.push(wire_.map.streams));  // where four streams go
    const Label loop = k.label();
    k.bind(loop);
    k.push(8);
    k.dup_at(2);
    k.push_label(pairs);
    k.op(Op::ADD);
    k.push(input + 33);
    k.op(Op::CODECOPY);
    k.push(4 * kXofStream);
    k.dup_at(1);
    k.push(kXofExpandInput);
    k.push(input);
    k.push(wire_.library);
    k.op(Op::GAS);
    k.op(Op::STATICCALL);
    k.op(Op::ISZERO);
    k.op(Op::RETURNDATASIZE);
    k.with(Op::XOR, 4 * kXofStream);
    k.op(Op::OR);
    k.jumpi(revert_);
    k.with(Op::ADD, 4 * kXofStream);
    k.swap(1);
    k.with(Op::ADD, 8);
    k.swap(1);
    k.dup_at(0);
    k.with(Op::XOR, wire_.map.streams + 4ULL * kXofStream * wire_.calls);
    k.jumpi(loop);
    k.pop();
    k.pop();
    k.push(wire_.map.streams);
    k.mstore(wire_.row_streams());
    k.end_region();
}

void CallHash::emit_final(Kernel& k) const {
    k.rename("final hash");
    k.begin_region("final_hash");
    k.push(1);
    k.push(plan_.map.lanes - 1);
    k.op(Op::MSTORE8);
    k.push(1 + 64 + 32ULL * plan_.p.w1_bits * plan_.p.k);
    call(k, plan_.map.lanes - 1, stream(), 64, kXofBlock);
    for (unsigned block = 0; 32 * block < plan_.p.c_tilde; ++block) {
        k.mload(stream() + 32ULL * block);
        k.mload(vars.signature);
        if (block != 0) k.with(Op::ADD, 32 * block);
        k.op(Op::CALLDATALOAD);
        k.op(Op::XOR);
        const unsigned unused = 32 * (block + 1) > plan_.p.c_tilde ? 8 * (32 * (block + 1) - plan_.p.c_tilde) : 0;
        if (unused != 0) k.with(Op::SHR, unused);
        or_bad(k);
    }
    k.end_region();
}

void CallHash::emit_routines(Kernel& k) const {
    // All blocks of SampleInBall's stream once more, and the new one of them.
    const std::uint64_t input = wire_.map.taps;
    k.rename("SampleInBall squeeze");
    k.set_stack({});
    k.argument();
    k.bind(refill_);
    k.begin_region("sample_in_ball");
    k.push(plan_.p.c_tilde);
    k.mload(vars.signature);
    k.push(input + 1);
    k.op(Op::CALLDATACOPY);
    k.mload(wire_.row_streams());
    k.dup_at(0);
    k.with(Op::ADD, 1);
    k.dup_at(0);
    k.mstore(wire_.row_streams());
    k.push(input);
    k.op(Op::MSTORE8);
    k.push(0);
    k.push(0);
    k.push(1 + plan_.p.c_tilde);
    k.push(input);
    k.push(wire_.library);
    k.op(Op::GAS);
    k.op(Op::STATICCALL);
    k.op(Op::ISZERO);
    k.jumpi(revert_);
    // [blocks before]
    times(k, kXofBlock);
    k.dup_at(0);
    k.with(Op::ADD, kXofBlock);
    k.op(Op::RETURNDATASIZE);
    k.op(Op::XOR);
    k.jumpi(revert_);
    k.push(kXofBlock);
    k.swap(1);
    k.push(stream());
    k.op(Op::RETURNDATACOPY);
    // The sentinel behind the stream is still there.
    k.jump_dynamic();
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
