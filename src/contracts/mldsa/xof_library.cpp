#include "contracts/mldsa/xof_library.hpp"

#include "contracts/sponge_quad.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

/// Rounds in the loop's body of the permutation of four states: what pays in a contract with room.
constexpr unsigned kUnroll = 4;

void push_lane_masks(Kernel& k) {
    k.push(splat(0xffffffffULL));
    k.push(splat(0x0000ffff0000ffffULL));
    k.push(splat(0x00ff00ff00ff00ffULL));
}

void emit_expand(Kernel& k, unsigned rounds, Label bad, const SpongeQuad& quad) {
    k.rename("expand four");
    k.begin_region("expand");
    k.op(Op::CALLDATASIZE);
    k.with(Op::XOR, kXofExpandInput);
    k.jumpi(bad);
    const std::uint64_t out = SpongeQuad::size(rounds);
    quad.prepare(k);
    // rho's four lanes in all states; complemented lanes are stored complemented.
    const auto store = [&](unsigned lane) {
        if (SpongeQuad::complemented(lane)) k.op(Op::NOT);
        k.mstore(quad.slot(lane));
    };
    k.push(1);
    k.op(Op::CALLDATALOAD);
    reverse_lane_bytes(k);
    for (unsigned lane = 0; lane < 4; ++lane) {
        if (lane != 3) {
            k.dup(k.top());
            k.with(Op::SHR, 64 * (3 - lane));
        }
        k.with(Op::AND, U256::mask(64));
        SpongeQuad::repeat(k);
        store(lane);
    }
    // s + 2^8 r + 2^16 domain: the first pair becomes the state in the highest bits.
    k.push(33);
    k.op(Op::CALLDATALOAD);
    k.with(Op::SHR, 192);
    k.with(Op::MUL, U256{1} | U256::pow2(96));
    k.with(Op::AND, U256::mask(32) | (U256::mask(32) << 128));
    k.with(Op::MUL, U256{1} | U256::pow2(48));
    k.with(Op::AND, splat(0xffff));
    k.dup(k.top());
    k.with(Op::SHR, 8);
    k.with(Op::AND, splat(0xff));
    k.swap(1);
    k.with(Op::AND, splat(0xff));
    k.with(Op::SHL, 8);
    k.op(Op::OR);
    k.with(Op::OR, splat(0x1f0000));
    SpongeQuad::interleave(k);
    store(4);
    for (unsigned lane = 5; lane < 25; ++lane) {
        k.push(lane == 20 ? SpongeQuad::repeated(0x8000000000000000ULL) : U256{});
        store(lane);
    }
    // Five blocks; lanes go down in memory, and what a store spills in front of its lane is overwritten by the next ones.
    SpongeQuad::push_masks(k);
    V to = k.forget(k.push(out + kXofStream - 32));
    const Label block = k.label();
    k.bind(block);
    quad.permute(k);
    for (unsigned lane = 0; lane < 21; ++lane) {
        k.mload(quad.slot(lane));
        if (SpongeQuad::complemented(lane)) k.op(Op::NOT);
        SpongeQuad::separate(k);
        for (unsigned stream = 0; stream < 4; ++stream) {
            if (stream != 3) {
                k.dup(k.top());
                k.with(Op::SHR, 64 * (3 - stream));
            }
            k.dup(to);
            if (kXofStream * stream >= 8 * lane) {
                if (kXofStream * stream != 8 * lane) k.with(Op::ADD, kXofStream * stream - 8 * lane);
            } else {
                k.push(8 * lane);
                k.swap(1);
                k.op(Op::SUB);
            }
            k.op(Op::MSTORE);
        }
    }
    k.push(168);
    k.swap(1);
    to = k.op(Op::SUB);
    k.dup(to);
    k.with(Op::XOR, out + kXofStream - 32 - kXofStreamBytes);
    k.jumpi(block);
    // A stream from which fields are taken out is filled up with the zeros in front of it.
    for (unsigned stream = 0; stream < 4; ++stream) {
        k.mload(out + kXofStream * stream);
        k.with(Op::AND, U256::mask(64));
        k.mstore(out + kXofStream * stream);
    }
    k.push(4 * kXofStream);
    k.push(out);
    k.terminate(Op::RETURN);
    k.end_region();
}

void emit_hash(Kernel& k, const SpongeCode& sponge, std::uint64_t buffer) {
    k.rename("hash");
    k.begin_region("hash");
    const unsigned block = 8 * sponge.rate();
    // [blocks]
    sponge.prepare(k);
    k.push(1);
    k.op(Op::CALLDATASIZE);
    k.op(Op::SUB);
    const V size = k.top();
    k.dup(size);
    k.push(1);
    k.push(buffer);
    k.op(Op::CALLDATACOPY);
    k.push(0x1f);
    k.dup(size);
    k.with(Op::ADD, buffer);
    k.op(Op::MSTORE8);
    // Behind the last block: buffer + block (floor(size / block) + 1); its last byte takes the final bit.
    k.push(block);
    k.dup(k.top());
    k.dup(size);
    k.op(Op::DIV);
    k.opaque(Op::MUL);
    const V limit = k.with(Op::ADD, buffer + block);
    k.push(31 + 1);
    k.dup(limit);
    k.op(Op::SUB);
    k.dup(k.top());
    k.op(Op::MLOAD);
    k.with(Op::XOR, 0x80);
    k.swap(1);
    k.op(Op::MSTORE);
    // Lanes as integers.
    push_lane_masks(k);
    k.forget(k.push(buffer));
    const Label reverse = k.label();
    k.bind(reverse);
    k.dup_at(0);
    k.op(Op::MLOAD);
    reverse_lane_bytes(k);
    k.dup_at(1);
    k.op(Op::MSTORE);
    k.with(Op::ADD, 32);
    k.dup(limit);
    k.dup_at(1);
    k.op(Op::LT);
    k.jumpi(reverse);
    for (int n = 0; n < 4; ++n) k.pop();
    sponge.reset(k);
    k.forget(k.push(buffer));
    const Label absorb = k.label();
    k.bind(absorb);
    sponge.absorb_block(k);
    k.with(Op::ADD, block);
    k.dup(limit);
    k.dup_at(1);
    k.op(Op::LT);
    k.jumpi(absorb);
    k.pop();
    k.pop();
    k.pop();
    // [blocks] -> [end of the output]
    k.push(block);
    k.opaque(Op::MUL);
    const V end = k.with(Op::ADD, buffer);
    push_lane_masks(k);
    k.forget(k.push(buffer));
    const Label squeeze = k.label(), more = k.label();
    k.bind(squeeze);
    for (unsigned lane = 0; lane < sponge.rate(); lane += 4) {
        sponge.lanes4(k, lane);
        reverse_lane_bytes(k);
        k.dup_at(1);
        if (lane != 0) k.with(Op::ADD, 8 * lane);
        k.op(Op::MSTORE);
    }
    k.with(Op::ADD, block);
    k.dup(end);
    k.dup_at(1);
    k.op(Op::XOR);
    k.jumpi(more);
    const std::vector<V> frame = k.stack();
    k.push(buffer);
    k.swap(1);
    k.op(Op::SUB);
    k.push(buffer);
    k.terminate(Op::RETURN);
    k.set_stack(frame);
    k.bind(more);
    sponge.permute(k);
    k.jump(squeeze);
    k.end_region();
}

}  // namespace

void emit_xof_library(Kernel& k, unsigned rounds) {
    const Label bad = k.exit_label(), expand = k.label();
    SpongeQuad quad(0, rounds, kUnroll);
    keccak::Memory memory;
    memory.base = 0x20;
    SpongeCode sponge(memory, kXofBlock / 8, rounds);
    quad.allocate(k);
    sponge.allocate(k);
    k.rename("tag");
    k.op(Op::CALLVALUE);
    k.jumpi(bad);
    k.push(0);
    k.op(Op::CALLDATALOAD);
    k.with(Op::BYTE, 0);
    k.dup(k.top());
    k.op(Op::ISZERO);
    k.jumpi(expand);
    const std::vector<V> frame = k.stack();
    emit_hash(k, sponge, (memory.base + keccak::Memory::size(rounds) + 63) / 32 * 32);
    k.set_stack(frame);
    k.bind(expand);
    k.pop();
    emit_expand(k, rounds, bad, quad);
    k.bind(bad);
    k.push(0);
    k.push(0);
    k.terminate(Op::REVERT);
    quad.emit_routines(k);
    sponge.emit_routines(k);
}

}  // namespace postern::contracts::mldsa_evm
