#include <algorithm>

#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

void push_reversal_masks(Kernel& k) {
    k.push(splat(0xffffffffULL));
    k.push(splat(0x0000ffff0000ffffULL));
    k.push(splat(0x00ff00ff00ff00ffULL));
}

/// Where SampleInBall's stream stands: rate lanes as big-endian integers, then a byte that no draw accepts.
std::uint64_t stream_at(const Plan& plan) { return plan.map.e; }

/// Two words that the message needs until mu is made. With a pair of states the stream has two lengths: the lanes squeezed from the
/// pair at first, whole blocks of the sponge later.
constexpr std::uint64_t kStreamEnd = vars.message, kStreamStart = vars.message_size;
unsigned first_lanes(const Plan& plan) { return 4 * plan.stream_blocks; }

/// Lanes 0 .. n-1 of the state to memory; up to three lanes more are written behind.
void emit_squeeze(Kernel& k, const SpongeCode& sponge, unsigned n, std::uint64_t to) {
    k.push(U256::mask(64));  // what most lanes are masked or complemented with
    for (unsigned i = 0; i < n; i += 4) {
        sponge.lanes4(k, i);
        k.mstore(to + 8 * i);
    }
    k.pop();
}

}  // namespace

std::uint64_t message_buffer(const Plan& plan) { return plan.map.arrays + 64; }
std::uint64_t c_tilde_lanes(const Plan&) { return 0x200; }  // behind the variables, 64 bytes before the sponge

void emit_blank_challenge(Kernel& k, const Plan& plan) {
    k.push(splat(1));
    k.mstore(plan.map.work);
    for (unsigned n = 32; n < 2048; n *= 2) {
        k.push(n);
        k.push(plan.map.work);
        k.push(plan.map.work + n);
        k.op(Op::MCOPY);
    }
}

HashCode::HashCode(Kernel& k, const Plan& plan)
    : plan_(plan), sponge_(plan.map.sponge, 17, plan.rounds), pair_(plan.map.array(1), plan.rounds) {
    sponge_.allocate(k);
    pair_.allocate(k);
    absorb_challenge_ = k.label();
    squeeze_ = k.label();
    refill_ = k.label();
}

void HashCode::emit_mu(Kernel& k) const {
    k.rename("mu");
    k.begin_region("mu");
    const std::uint64_t buffer = message_buffer(plan_);
    const unsigned block = 8 * sponge_.rate();
    sponge_.prepare(k);
    // tr stands there; then 0, |ctx|, ctx, M exactly, and the padding; everything behind is zero.
    k.mload(vars.context_size);
    const V context_size = k.top();
    k.dup(context_size);
    k.with(Op::ADD, buffer + 66);
    const V message_to = k.top();
    k.dup(context_size);
    k.push(buffer + 65);
    k.op(Op::MSTORE8);
    k.dup(context_size);
    k.mload(vars.context);
    k.push(buffer + 66);
    k.op(Op::CALLDATACOPY);
    k.mload(vars.message_size);
    k.mload(vars.message);
    k.dup(message_to);
    k.op(Op::CALLDATACOPY);
    k.mload(vars.message_size);
    k.op(Op::ADD);
    const V end = k.top();  // address behind the message; [context_size, end]
    k.push(0x1f);
    k.dup(end);
    k.op(Op::MSTORE8);
    // Behind the last block: buffer + block (floor((end - buffer) / block) + 1)
    k.push(block);
    k.dup(k.top());
    k.push(buffer);
    k.dup(end);
    k.op(Op::SUB);
    k.op(Op::DIV);
    k.op(Op::MUL);
    V limit = k.with(Op::ADD, buffer + block);
    // The last byte takes the final bit of the padding.
    k.push(1);
    k.dup(limit);
    k.op(Op::SUB);
    const V last = k.top();
    k.push(31);
    k.dup(last);
    k.op(Op::SUB);
    k.op(Op::MLOAD);
    k.with(Op::OR, 0x80);
    k.raise(last);
    k.op(Op::MSTORE8);
    // Lanes as integers. [context_size, end, limit]
    k.raise(context_size);
    k.pop();
    k.pop();
    limit = k.top();
    push_reversal_masks(k);
    V at = k.forget(k.push(buffer));
    const Label reverse = k.label();
    k.bind(reverse);
    k.dup(at);
    k.op(Op::MLOAD);
    reverse_lane_bytes(k);
    k.dup(at);
    k.op(Op::MSTORE);
    at = k.with(Op::ADD, 32);
    k.dup(limit);
    k.dup(at);
    k.op(Op::LT);
    k.jumpi(reverse);
    k.pop();
    for (unsigned w = 0; 32 * w < plan_.p.c_tilde; ++w) {
        k.mload(vars.signature);
        if (w != 0) k.with(Op::ADD, 32 * w);
        k.op(Op::CALLDATALOAD);
        if (plan_.p.c_tilde < 32 * (w + 1)) {
            k.with(Op::SHR, 8 * (32 * (w + 1) - plan_.p.c_tilde));
            k.with(Op::SHL, 8 * (32 * (w + 1) - plan_.p.c_tilde));
        }
        reverse_lane_bytes(k);
        k.mstore(c_tilde_lanes(plan_) + 32 * w);
    }
    for (int i = 0; i < 3; ++i) k.pop();
    const Label together = k.label(), done = k.label();
    if (plan_.pair_hash) {
        k.dup(limit);
        k.with(Op::XOR, buffer + block);
        k.op(Op::ISZERO);
        k.jumpi(together);
    }
    const std::vector<V> frame = k.stack();
    sponge_.reset(k);
    at = k.forget(k.push(buffer));
    const Label absorb = k.label();
    k.bind(absorb);
    sponge_.absorb_block(k);
    k.with(Op::ADD, block);
    k.dup_at(1);
    k.dup_at(1);
    k.op(Op::LT);
    k.jumpi(absorb);
    k.pop();
    emit_squeeze(k, sponge_, 8, plan_.map.lanes);
    k.call(absorb_challenge_, 0, 0);
    k.call(squeeze_, 0, 0);
    if (plan_.pair_hash) {
        k.jump(done);
        // The message fits one block: mu and SampleInBall share a permutation.
        k.set_stack(frame);
        k.bind(together);
        k.begin_region("pair");
        pair_.prepare(k);
        pair_.absorb(k, 0, buffer, 18);  // the lane behind the rate is zero
        pair_.absorb(k, 1, c_tilde_lanes(plan_), plan_.p.c_tilde / 8);
        pair_.absorb_constant(k, 1, plan_.p.c_tilde / 8, 0x1f);
        pair_.absorb_constant(k, 1, sponge_.rate() - 1, 0x8000000000000000ULL);
        pair_.permute(k);
        pair_.squeeze(k, 0, plan_.map.lanes, 8);
        // As much as the draws take, but for less than one signature in a million; a refill starts from c_tilde again.
        pair_.squeeze(k, 1, stream_at(plan_), first_lanes(plan_));
        pair_.finish(k);
        emit_sentinel(k, 8 * first_lanes(plan_));
        k.end_region();
        k.bind(done);
    }
    k.pop();
    k.end_region();
}

void HashCode::emit_sentinel(Kernel& k, unsigned bytes) const {
    k.push(0xff);
    k.push(stream_at(plan_) + (bytes ^ 7U));  // the byte behind the stream: no draw below i = 255 takes it
    k.op(Op::MSTORE8);
    if (!plan_.pair_hash) return;
    k.push(stream_at(plan_) + bytes);
    k.mstore(kStreamEnd);
}

/// Replaces [t] by where the next draw is after a refill.
void HashCode::emit_restart(Kernel& k) const {
    k.pop();
    if (plan_.pair_hash)
        k.mload(kStreamStart);
    else
        k.push(stream_at(plan_));
    k.forget(k.top());
}

/// [t] -> [not zero if t is not the end of the stream]
void HashCode::emit_before_end(Kernel& k) const {
    if (plan_.pair_hash)
        k.mload(kStreamEnd);
    else
        k.push(stream_at(plan_) + 8ULL * sponge_.rate());
    k.op(Op::XOR);
}

void HashCode::emit_routines(Kernel& k) {
    const std::uint64_t stream = stream_at(plan_);
    const unsigned stream_bytes = 8 * sponge_.rate();
    k.rename("SampleInBall squeeze");
    if (!plan_.overrides.injected_squeeze) {
        k.set_stack({});
        k.argument();
        k.bind(absorb_challenge_);
        k.begin_region("sample_in_ball");
        for (unsigned at = 0; at < stream_bytes; at += 32) {
            if (at < plan_.p.c_tilde)
                k.mload(c_tilde_lanes(plan_) + at);
            else
                k.push(0);
            k.mstore(stream + at);
        }
        k.push(0x1f);
        k.push(stream + (plan_.p.c_tilde ^ 7U));
        k.op(Op::MSTORE8);
        k.push(0x80);
        k.push(stream + stream_bytes - 8);
        k.op(Op::MSTORE8);
        k.push(1);
        k.mstore(vars.scratch);  // from here on the sponge's state is this one
        sponge_.reset(k);
        k.push(stream);
        sponge_.absorb_block(k);
        k.pop();
        k.jump_dynamic();
        k.end_region();
    }
    // The next block of the stream.
    k.set_stack({});
    k.argument();
    k.bind(refill_);
    k.begin_region("sample_in_ball");
    if (!plan_.overrides.injected_squeeze) {
        if (plan_.pair_hash) {
            // The first refill behind a pair: the sponge makes the first block, whose beginning has been used.
            const Label have = k.label();
            k.push(stream);
            k.mstore(kStreamStart);
            k.mload(vars.scratch);
            k.jumpi(have);
            k.push(stream + 8 * first_lanes(plan_));
            k.mstore(kStreamStart);
            k.call(absorb_challenge_, 0, 0);
            k.jump(squeeze_);
            k.set_stack(k.stack());
            k.bind(have);
        }
        sponge_.permute(k);
    } else if (plan_.pair_hash) {
        k.push(stream);
        k.mstore(kStreamStart);
    }
    k.bind(squeeze_);
    if (plan_.overrides.injected_squeeze) {
        // Tests: blocks of the stream from calldata, lanes as integers; the offset is counted in the scratch word.
        k.push(stream_bytes);
        k.mload(vars.scratch);
        k.push(stream);
        k.op(Op::CALLDATACOPY);
        k.mload(vars.scratch);
        k.with(Op::ADD, stream_bytes);
        k.mstore(vars.scratch);
    } else {
        emit_squeeze(k, sponge_, sponge_.rate(), stream);
    }
    emit_sentinel(k, stream_bytes);
    k.jump_dynamic();
    k.end_region();
    sponge_.emit_routines(k);
    if (plan_.pair_hash) pair_.emit_routines(k);
}

void HashCode::emit_draws(Kernel& k) const {
    k.rename("SampleInBall");
    k.begin_region("sample_in_ball");
    const std::uint64_t stream = stream_at(plan_), work = plan_.map.work;
    const unsigned stream_bytes = 8 * sponge_.rate();
    if (plan_.overrides.injected_squeeze) k.call(squeeze_, 0, 0);
    emit_blank_challenge(k, plan_);
    // [S, T, I]: signs (bit 1 of S says plus), address of the next stream byte, address of coefficient i.
    k.mload(stream);
    k.with(Op::SHR, 192);
    k.op(Op::NOT);
    k.with(Op::SHL, 1);
    V s = k.top();
    if (!plan_.overrides.skip_first_block)
        k.push(stream + plan_.overrides.first_draw.value_or(8));
    else if (plan_.pair_hash)
        k.mload(kStreamEnd);
    else
        k.push(stream + stream_bytes);
    V t = k.forget(k.top());
    V i = k.forget(k.push(work + 8 * (256 - plan_.p.tau) + 7));
    const Label draw = k.label(), rejected = k.label(), last_draw = k.label(), done = k.label();
    const auto draw_address = [&] {  // of coefficient j
        k.dup(t);
        k.with(Op::XOR, 7);
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
    k.check(stream % 8 == 0, "stream not aligned");
    // Two draws in a round, so that the end of the loop is looked for less often. An odd number of draws before i = 255 begins with the
    // second.
    const Label second = k.label();
    const std::vector<V> frame = k.stack();
    if ((plan_.p.tau - 1) % 2 != 0) {
        k.jump(second);
        k.set_stack(frame);
    }
    k.bind(draw);
    std::vector<std::pair<Label, Label>> refusals;  // where a refused byte leads, and where the draw is repeated
    for (unsigned u = 0; u < 2; ++u) {
        refusals.emplace_back(k.label(), u == 0 ? draw : second);
        if (u != 0) k.bind(refusals[u].second);
        s = k.at(2), t = k.at(1), i = k.at(0);
        const V j = draw_address();
        k.dup(j);
        k.dup(i);
        k.op(Op::LT);
        k.jumpi(refusals[u].first);
        place(j);
        k.with(Op::ADD, 8);  // i
        k.swap(1);
        k.with(Op::ADD, 1);  // t
        k.swap(1);
        k.swap(2);
        k.with(Op::SHR, 1);  // s
        k.swap(2);
    }
    k.dup_at(0);
    k.with(Op::XOR, work + 8 * 255 + 7);
    k.jumpi(draw);
    // i = 255 accepts every byte, so the end of the stream is looked for first.
    s = k.at(2), t = k.at(1), i = k.at(0);
    k.dup(t);
    emit_before_end(k);
    k.jumpi(last_draw);
    k.call(refill_, 0, 0);
    k.swap(1);
    emit_restart(k);
    k.swap(1);
    k.bind(last_draw);
    s = k.at(2), t = k.at(1), i = k.at(0);
    place(draw_address());
    k.jump(done);
    for (const auto& [refused, again] : refusals) {
        k.set_stack(frame);
        k.argument();
        k.bind(refused);
        k.pop();
        k.push_label(again);
        k.jump_routine(rejected);
    }
    // A byte above i, or the end of the stream. [s, t, i, where to go on]
    k.set_stack(frame);
    k.argument();
    k.bind(rejected);
    const Label next = k.label();
    k.dup_at(2);
    emit_before_end(k);
    k.jumpi(next);
    k.call(refill_, 0, 0);
    k.swap(2);
    emit_restart(k);
    k.swap(2);
    const std::vector<V> refilled = k.stack();
    k.jump_dynamic();
    k.set_stack(refilled);
    k.bind(next);
    k.swap(2);
    k.with(Op::ADD, 1);
    k.swap(2);
    k.jump_dynamic();
    k.set_stack(frame);
    k.bind(done);
    for (int n = 0; n < 3; ++n) k.pop();
    k.end_region();
}

void HashCode::emit_final(Kernel& k) const {
    const Plan& plan = plan_;
    const SpongeCode& sponge = sponge_;
    k.rename("final hash");
    k.begin_region("final_hash");
    const unsigned lanes = 8 + plan.p.k * 4 * plan.p.w1_bits;
    const unsigned blocks = lanes / sponge.rate() + 1;
    const std::uint64_t end = plan.map.lanes + 8ULL * sponge.rate() * blocks;
    for (std::uint64_t at = plan.map.lanes + 8ULL * lanes; at < end; at += 32) {
        k.push(0);
        k.mstore(at);
    }
    k.push(0x1f);
    k.push(plan.map.lanes + 8ULL * lanes + 7);
    k.op(Op::MSTORE8);
    k.push(0x80);
    k.push(end - 8);
    k.op(Op::MSTORE8);
    sponge.reset(k);
    k.forget(k.push(plan.map.lanes));
    const Label absorb = k.label();
    k.bind(absorb);
    sponge.absorb_block(k);
    k.with(Op::ADD, 8 * sponge.rate());
    k.dup(k.top());
    k.with(Op::XOR, end);
    k.jumpi(absorb);
    k.pop();
    for (unsigned w = 0; 32 * w < plan.p.c_tilde; ++w) {
        sponge.lanes4(k, 4 * w);
        k.mload(c_tilde_lanes(plan) + 32 * w);
        k.op(Op::XOR);
        const unsigned unused = 32 * (w + 1) > plan.p.c_tilde ? 8 * (32 * (w + 1) - plan.p.c_tilde) : 0;
        if (unused != 0) k.with(Op::SHR, unused);
        or_bad(k);
    }
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
