#include "contracts/mldsa/wire.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

/// 256 fields of three bytes: what a stream must hold, and what is made of it at first.
constexpr unsigned kNeeded = 768;

}  // namespace

// Algorithm 30 for the keccak256 counter XOF: state = keccak256(rho || s || r), block i = keccak256(state || i). 24 blocks are exactly 256
// fields; every refused one costs a stream three bytes, and the first of them one block more.
void emit_counter_streams(Kernel& k, const WirePlan& wire) {
    k.rename("streams of a row");
    k.begin_region("streams");
    const std::uint64_t seed = wire.map.seed, counter = seed + 64;
    const unsigned input = 32 + wire.plan.counter_bytes;
    const std::size_t floor = k.height();
    k.dup(k.top());
    k.push(seed + 33);
    k.op(Op::MSTORE8);
    V state = k.forget(k.push(wire.map.states));
    V to = k.forget(k.push(wire.map.streams));
    const Label loop = k.label();
    k.bind(loop);
    k.push(wire.map.states);
    k.dup(state);
    k.op(Op::SUB);
    k.with(Op::SHR, 6);
    k.push(seed + 32);
    k.op(Op::MSTORE8);
    k.push(34);
    k.push(seed);
    k.op(Op::KECCAK256);
    k.dup(k.top());
    k.mstore(counter);
    k.dup(state);
    k.op(Op::MSTORE);
    for (unsigned block = 0; 32 * block < kNeeded; ++block) {
        k.push(block);
        k.push(counter + 32 + wire.plan.counter_bytes - 1);
        k.op(Op::MSTORE8);
        k.push(input);
        k.push(counter);
        k.op(Op::KECCAK256);
        k.dup(to);
        if (block != 0) k.with(Op::ADD, 32 * block);
        k.op(Op::MSTORE);
    }
    // Zeros behind the stream are no fields to refuse.
    for (const unsigned at : {kNeeded, kNeeded + 32}) {
        k.push(0);
        k.dup(to);
        k.with(Op::ADD, at);
        k.op(Op::MSTORE);
    }
    k.push(std::uint64_t{kNeeded / 32} << 16 | kNeeded);
    k.dup(state);
    k.with(Op::ADD, 32);
    k.op(Op::MSTORE);
    to = k.with(Op::ADD, wire.stream_pitch);
    k.swap(1);
    state = k.with(Op::ADD, 64);
    k.swap(1);
    k.dup(state);
    k.with(Op::XOR, wire.map.states + 64ULL * wire.plan.p.l);
    k.jumpi(loop);
    while (k.height() > floor) k.pop();
    k.end_region();
}

void emit_counter_refill(Kernel& k, const WirePlan& wire) {
    const std::uint64_t counter = wire.map.seed + 64;
    const V state = k.top();
    k.dup(state);
    k.op(Op::MLOAD);
    k.mstore(counter);
    k.dup(state);
    k.with(Op::ADD, 32);
    k.op(Op::MLOAD);
    const V meta = k.top();
    // The counter right-aligned in its bytes: everything behind it is junk that is not hashed.
    k.dup(meta);
    k.with(Op::SHR, 16);
    if (wire.plan.counter_bytes != 32) k.with(Op::SHL, 256 - 8 * wire.plan.counter_bytes);
    k.mstore(counter + 32);
    k.push(32 + wire.plan.counter_bytes);
    k.push(counter);
    k.op(Op::KECCAK256);
    k.push(wire.map.states);
    k.dup(state);
    k.op(Op::SUB);
    k.with(Op::SHR, 6);
    times(k, wire.stream_pitch);
    k.dup(meta);
    k.with(Op::AND, 0xffff);
    k.op(Op::ADD);
    k.with(Op::ADD, wire.map.streams);
    k.op(Op::MSTORE);
    k.with(Op::ADD, (1U << 16) + 32);
    k.dup(state);
    k.with(Op::ADD, 32);
    k.op(Op::MSTORE);
    // Counters of later streams have one byte again.
    k.push(0);
    k.mstore(counter + 32);
}

}  // namespace postern::contracts::mldsa_evm
