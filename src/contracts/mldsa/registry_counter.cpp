// ExpandA and tr in a registry, for the families whose XOFs are keccak256 with a counter: streams are bytes in their order.

#include "contracts/mldsa/registry_kernels.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

constexpr std::uint64_t kMask24 = 0xffffff;
constexpr unsigned kBlocks = 3;  // made at a time: 96 bytes, four groups of eight candidates

}  // namespace

/// keccak256(state || counter) on top.
void ExpandCounter::hash_block(Kernel& k, V state, V counter) const {
    k.dup(counter);
    k.mstore(map_.block + plan_.counter_bytes);
    k.dup(state);
    k.mstore(map_.block);
    k.push(32 + plan_.counter_bytes);
    k.push(map_.block);
    k.op(Op::KECCAK256);
}

void ExpandCounter::emit_matrix(Kernel& k) const {
    k.rename("ExpandA");
    k.begin_region("expand_a");
    emit_polynomials(k, plan_, map_, 0, kDescending, [&] { emit_sample(k); });
    k.end_region();
}

void ExpandCounter::emit_sample(Kernel& k) const {
    k.begin_region("sample");
    const std::uint64_t seed = map_.block, stream = map_.block + 64;
    k.mload(map_.key);
    k.mstore(seed);
    k.mload(map_.nonce);
    k.dup(k.top());
    k.push(seed + 32);
    k.op(Op::MSTORE8);
    k.with(Op::SHR, 8);
    k.push(seed + 33);
    k.op(Op::MSTORE8);
    const U256 field_mask = eight_fields(0x7fffff), excess = eight_fields((std::uint64_t{1} << 23) - q);
    const U256 top_bit = eight_fields(0x800000), low_bytes = eight_fields(0xff);
    k.push(low_bytes);
    k.push(top_bit);
    k.push(excess);
    k.push(field_mask);
    k.push(34);
    k.push(seed);
    const V state = k.op(Op::KECCAK256);
    V counter = k.forget(k.push(0));
    V to = k.forget(k.push(map_.sample));
    const Label more = k.label();
    k.bind(more);
    for (unsigned b = 0; b < kBlocks; ++b) {
        hash_block(k, state, counter);
        k.mstore(stream + 32 * b);
        k.swap(1);
        counter = k.with(Op::ADD, 1);
        k.swap(1);
    }
    for (unsigned g = 0; g < 4 * kBlocks / 3; ++g) {
        k.mload(stream + 24 * g);
        // Little-endian fields: the outer bytes of every three change places.
        k.with(Op::SHR, 64);
        k.dup(k.top());
        k.dup(k.top());
        k.with(Op::SHR, 16);
        k.op(Op::XOR);
        k.with(Op::AND, low_bytes);
        k.with(Op::MUL, 65537);
        k.op(Op::XOR);
        const V candidates = k.with(Op::AND, field_mask);
        k.dup(candidates);
        k.with(Op::ADD, excess);
        k.with(Op::AND, top_bit);
        k.op(Op::ISZERO);
        const Label all = k.label(), next = k.label();
        k.jumpi(all);
        const std::vector<V> before = k.stack();
        k.call(slow_, 2, 1);
        k.jump(next);
        k.set_stack(before);
        k.bind(all);
        k.with(Op::SHL, 64);
        k.dup(to);
        k.op(Op::MSTORE);
        k.with(Op::ADD, 24);
        k.bind(next);
        to = k.forget(k.top());
    }
    k.push(map_.sample + 768);
    k.dup(to);
    k.op(Op::LT);
    k.jumpi(more);
    for (int i = 0; i < 7; ++i) k.pop();
    k.end_region();
}

/// tr = H(pk): the state of that stream is the key's hash.
void ExpandCounter::emit_tr(Kernel& k, std::uint64_t to) const {
    k.rename("tr");
    k.begin_region("tr");
    const V state = k.mload(RegistryShell::kKeyHash);
    for (unsigned b = 0; b < 2; ++b) {
        hash_block(k, state, k.push(b));
        k.mstore(to + 32 * b);
        k.pop();
    }
    k.pop();
    k.end_region();
}

void ExpandCounter::emit_routines(Kernel& k) {
    // [to, candidates] -> [to]: one after the other, each written over the one before if that was too large.
    k.rename("rejection sampling, one by one");
    k.set_stack({});
    V to = k.argument();
    const V candidates = k.argument();
    k.argument();
    k.bind(slow_);
    k.begin_region("reject");
    k.raise(to);  // [back, candidates, to]
    for (unsigned i = 0; i < 8; ++i) {
        k.dup(candidates);
        if (i != 7) k.with(Op::SHR, 24 * (7 - i));
        const V v = k.with(Op::AND, kMask24);
        k.dup(v);
        k.with(Op::SHL, 256 - 24);
        k.dup(to);
        k.op(Op::MSTORE);
        k.push(q);
        k.raise(v);
        k.op(Op::LT);
        k.with(Op::MUL, 3);
        to = k.op(Op::ADD);
    }
    k.swap(1);
    k.pop();
    k.swap(1);
    k.jump_dynamic();
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
