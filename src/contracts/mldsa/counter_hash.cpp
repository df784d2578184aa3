// The hashing steps for the XOFs made of keccak256: everything is bytes in their order, and a block costs one SHA3 instruction.

#include "contracts/mldsa/doors.hpp"
#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

CounterHash::CounterHash(Kernel& k, const Plan& plan) : plan_(plan), refill_(k.label()) {}

/// The counters that a verifier sets itself are below 256: one byte.
void CounterHash::set_counter(Kernel& k, unsigned value) const {
    k.check(value < 256, "counter does not fit a byte");
    k.push(value);
    k.push(plan_.map.counter + 32 + plan_.counter_bytes - 1);
    k.op(Op::MSTORE8);
}

void CounterHash::hash_block(Kernel& k) const {
    k.push(32 + plan_.counter_bytes);
    k.push(plan_.map.counter);
    k.op(Op::KECCAK256);
}

void CounterHash::emit_mu(Kernel& k) const {
    k.rename("mu");
    k.begin_region("mu");
    const std::uint64_t buffer = message_buffer(plan_);
    emit_context_and_message(k, buffer);
    k.with(Op::ADD, 66);
    k.push(buffer);
    k.op(Op::KECCAK256);
    k.mstore(plan_.map.counter);
    for (unsigned block = 0; block < 2; ++block) {
        if (block != 0) set_counter(k, block);
        hash_block(k);
        k.mstore(plan_.map.lanes + 32ULL * block);
    }
    k.end_region();
    k.begin_region("sample_in_ball");
    k.push(plan_.p.c_tilde);
    k.mload(vars.signature);
    k.push(stream());
    k.op(Op::CALLDATACOPY);
    k.push(plan_.p.c_tilde);
    k.push(stream());
    k.op(Op::KECCAK256);
    k.mstore(plan_.map.counter);
    for (unsigned block = 0; block < plan_.stream_blocks; ++block) {
        set_counter(k, block);
        hash_block(k);
        k.mstore(stream() + 32ULL * block);
    }
    k.end_region();
}

// Draw number d reads the byte at t + d, so that t moves only when a byte is refused; the code of every draw knows its own i.
void CounterHash::emit_draws(Kernel& k) const {
    k.rename("SampleInBall");
    k.begin_region("sample_in_ball");
    const std::uint64_t end = stream() + stream_bytes();
    k.push(0xff);  // behind the stream: no draw below i = 255 takes it
    k.push(end);
    k.op(Op::MSTORE8);
    emit_blank_challenge(k, plan_);
    const std::vector<V> floor = k.stack();
    k.mload(stream());
    const V signs = k.op(Op::NOT);  // byte b of the stream is byte 31 - b of the integer
    k.forget(k.push(stream() + plan_.overrides.first_draw.value_or(8)));
    struct Refusal {
        Label at, again;
        std::vector<V> frame;
        unsigned draw;
    };
    std::vector<Refusal> refusals;
    const Label refused = k.label(), done = k.label();
    for (unsigned draw = 0; draw < plan_.p.tau; ++draw) {
        const unsigned i = 256 - plan_.p.tau + draw;
        const std::uint64_t place_i = plan_.map.work + 8 * i + 7;
        Refusal r{k.label(), k.label(), {}, draw};
        if (i == 255) {
            // Every byte is accepted, so the end of the stream is looked for first.
            k.dup_at(0);
            k.with(Op::XOR, end - draw);
            k.jumpi(r.again);
            k.push(draw);
            k.push_label(r.again);
            k.jump_routine(refused);
            k.set_stack({k.stack().begin(), k.stack().begin() + static_cast<std::ptrdiff_t>(k.stack().size() - 2)});
        }
        k.bind(r.again);
        k.dup_at(0);
        if (draw != 0) k.with(Op::ADD, draw);
        k.op(Op::MLOAD);
        const V j = k.with(Op::BYTE, 0);
        if (i != 255) {
            k.dup(j);
            k.push(i);
            k.op(Op::LT);
            k.jumpi(r.at);
            r.frame = k.stack();
            refusals.push_back(r);
        }
        k.with(Op::SHL, 3);
        const V place_j = k.with(Op::ADD, plan_.map.work + 7);
        k.push(1);
        k.dup(place_j);
        k.push(place_i);
        k.op(Op::MCOPY);
        k.dup(signs);
        const unsigned bit = 8 * (31 - draw / 8) + draw % 8;
        k.with(Op::SHR, bit - 1);
        k.with(Op::AND, 2);  // c = 1 - 2 sign as a byte c + 1 = 2 - 2 sign
        k.swap(1);
        k.op(Op::MSTORE8);
    }
    k.pop();
    k.pop();
    k.jump(done);
    for (const Refusal& r : refusals) {
        k.set_stack(r.frame);
        k.bind(r.at);
        k.pop();
        k.push(r.draw);
        k.push_label(r.again);
        k.jump_routine(refused);
    }
    // [signs, t, draw, again]: the next byte, or the next blocks if that was the byte behind them.
    k.set_stack({});
    for (int n = 0; n < 4; ++n) k.argument();
    k.bind(refused);
    const Label more = k.label();
    k.dup_at(1);
    k.dup_at(3);
    k.op(Op::ADD);
    k.with(Op::XOR, end);
    k.op(Op::ISZERO);
    k.jumpi(more);
    k.swap(2);
    k.with(Op::ADD, 1);
    k.swap(2);
    k.swap(1);
    k.pop();
    const std::vector<V> next = k.stack();
    k.jump_dynamic();
    k.set_stack(next);
    k.argument();
    k.bind(more);
    k.call(refill_, 0, 0);
    k.swap(1);
    k.push(stream());
    k.op(Op::SUB);  // t with t + draw = stream
    k.swap(2);
    k.pop();
    k.jump_dynamic();
    k.set_stack(floor);
    k.bind(done);
    k.end_region();
}

void emit_looped_draws(Kernel& k, const Plan& plan, std::uint64_t stream, unsigned stream_bytes, Label refill) {
    k.rename("SampleInBall");
    k.begin_region("sample_in_ball");
    const std::uint64_t end = stream + stream_bytes, work = plan.map.work;
    k.push(0xff);
    k.push(end);
    k.op(Op::MSTORE8);
    emit_blank_challenge(k, plan);
    // [S, T, I]: signs (bit 1 of S says plus), address of the next stream byte, address of coefficient i.
    k.mload(stream);
    reverse_lane_bytes(k);
    k.with(Op::SHR, 192);
    k.op(Op::NOT);
    k.with(Op::SHL, 1);
    V s = k.top();
    V t = k.forget(k.push(stream + (plan.overrides.skip_first_block ? stream_bytes : 8)));
    V i = k.forget(k.push(work + 8 * (256 - plan.p.tau) + 7));
    const Label draw = k.label(), rejected = k.label(), next = k.label(), last = k.label(), done = k.label();
    const auto draw_address = [&] {  // of coefficient j
        k.dup(t);
        k.op(Op::MLOAD);
        k.with(Op::BYTE, 0);
        k.with(Op::SHL, 3);
        return k.with(Op::ADD, work + 7);
    };
    const auto place = [&](V j) {
        k.push(1);
        k.dup(j);
        k.dup(i);
        k.op(Op::MCOPY);
        k.dup(s);
        k.with(Op::AND, 2);
        k.swap(1);
        k.op(Op::MSTORE8);
    };
    k.bind(draw);
    const std::vector<V> frame = k.stack();
    const V j = draw_address();
    k.dup(j);
    k.dup(i);
    k.op(Op::LT);
    k.jumpi(rejected);
    const std::vector<V> rejected_frame = k.stack();
    place(j);
    k.with(Op::ADD, 8);
    k.swap(1);
    k.with(Op::ADD, 1);
    k.swap(1);
    k.swap(2);
    k.with(Op::SHR, 1);
    k.swap(2);
    k.dup_at(0);
    k.with(Op::XOR, work + 8 * 255 + 7);
    k.jumpi(draw);
    // i = 255 accepts every byte, so the end of the stream is looked for first.
    const auto refill_at = [&](std::uint64_t address) {
        k.call(refill, 0, 0);
        k.swap(1);
        k.pop();
        k.forget(k.push(address));
        k.swap(1);
    };
    k.dup_at(1);
    k.with(Op::XOR, end);
    k.jumpi(last);
    refill_at(stream);
    k.bind(last);
    s = k.at(2), t = k.at(1), i = k.at(0);
    place(draw_address());
    k.jump(done);
    // A byte above i, or the end of the stream.
    k.set_stack(rejected_frame);
    k.bind(rejected);
    k.pop();
    k.dup_at(1);
    k.with(Op::XOR, end);
    k.jumpi(next);
    refill_at(stream - 1);
    k.bind(next);
    k.swap(1);
    k.with(Op::ADD, 1);
    k.swap(1);
    k.jump(draw);
    k.set_stack(frame);
    k.bind(done);
    for (int n = 0; n < 3; ++n) k.pop();
    k.end_region();
}

void CounterHash::emit_looped_draws(Kernel& k) const { mldsa_evm::emit_looped_draws(k, plan_, stream(), stream_bytes(), refill_); }

void CounterHash::emit_routines(Kernel& k) const {
    // The next blocks of the stream; the state stands at map.counter since mu.
    const std::uint64_t counter = plan_.map.counter + plan_.counter_bytes;  // the word whose low end is the counter
    k.rename("SampleInBall squeeze");
    k.set_stack({});
    k.argument();
    k.bind(refill_);
    k.begin_region("sample_in_ball");
    for (unsigned block = 0; block < plan_.stream_blocks; ++block) {
        k.mload(counter);
        k.with(Op::ADD, 1);
        k.mstore(counter);
        hash_block(k);
        k.mstore(stream() + 32ULL * block);
    }
    k.jump_dynamic();
    k.end_region();
}

void CounterHash::emit_final(Kernel& k) const {
    k.rename("final hash");
    k.begin_region("final_hash");
    k.push(64 + 32ULL * plan_.p.w1_bits * plan_.p.k);
    k.push(plan_.map.lanes);
    k.op(Op::KECCAK256);
    k.mstore(plan_.map.counter);
    k.push(0);
    k.mstore(plan_.map.counter + 32);
    for (unsigned block = 0; 32 * block < plan_.p.c_tilde; ++block) {
        if (block != 0) set_counter(k, block);
        hash_block(k);
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

}  // namespace postern::contracts::mldsa_evm
