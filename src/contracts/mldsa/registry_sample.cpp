// ExpandA and tr in a registry, for the families whose XOFs are Keccak sponges.

#include "contracts/keccak_layout.hpp"
#include "contracts/mldsa/registry_kernels.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

constexpr std::uint64_t kMask24 = 0xffffff;
constexpr unsigned kGroups = 7;  // of 24 bytes, eight candidates, in a block of 168 bytes

std::uint64_t first_nonce() { return 0x1f0000; }  // bytes j, i and the padding of a 34-byte message

}  // namespace

U256 eight_fields(std::uint64_t value) {
    U256 v;
    for (unsigned i = 0; i < 8; ++i) v |= U256{value} << (24 * i);
    return v;
}

ExpandSponge::ExpandSponge(Kernel& k, const Plan& plan, const RegistryMap& map)
    : plan_(plan), map_(map), sponge_(map.sponge, 17, plan.rounds), slow_(k.label()) {
    sponge_.allocate(k);
}

void ExpandSponge::emit_matrix(Kernel& k) const {
    k.rename("ExpandA");
    k.begin_region("expand_a");
    // rho as four lanes; the fifth has the nonce, the rest of the rate is zero up to the last bit.
    k.mload(map_.key);
    reverse_lane_bytes(k);
    k.mstore(map_.block);
    sponge_.prepare(k);
    emit_polynomials(k, plan_, map_, first_nonce(), kDescending, [&] { emit_sample(k); });
    k.end_region();
}

void ExpandSponge::emit_sample(Kernel& k) const {
    k.begin_region("sample");
    sponge_.reset(k);
    // The last bit of the padding at rate 168: the top bit of lane 20, which the routine for rate 136 does not reach.
    const keccak::Place place = keccak::place(keccak::kOuter, 4);
    k.check(place.high && place.group != 2, "lane 20 is not where it is expected");
    const std::uint64_t slot = map_.sponge.slot(0, place.group, 0);
    k.mload(slot);
    k.with(Op::XOR, U256::pow2(255) | U256::pow2(191));
    k.mstore(slot);
    k.mload(map_.nonce);
    k.with(Op::SHL, 192);
    k.mstore(map_.block + 32);
    k.push(map_.block);
    sponge_.absorb_block(k);
    k.pop();
    const U256 field_mask = eight_fields(0x7fffff), excess = eight_fields((std::uint64_t{1} << 23) - q), top_bit = eight_fields(0x800000);
    k.push(top_bit);
    k.push(excess);
    k.push(field_mask);
    V to = k.forget(k.push(map_.sample - 32));
    const Label block = k.label(), done = k.label();
    k.bind(block);
    for (unsigned g = 0; g < kGroups; ++g) {
        for (unsigned j = 0; j < 3; ++j) {
            sponge_.lane(k, 3 * g + j);
            if (j != 0) k.with(Op::SHL, 64 * j);
            if (j != 0) k.op(Op::OR);
        }
        // Eight candidates; as a rule all of them are below q.
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
        k.dup(to);
        k.op(Op::MSTORE);
        k.push(24);
        k.swap(1);
        k.op(Op::SUB);
        k.bind(next);
        to = k.forget(k.top());
    }
    k.push(map_.sample - 32 - 768);
    k.dup(to);
    k.op(Op::GT);
    k.op(Op::ISZERO);
    k.jumpi(done);
    sponge_.permute(k);
    k.jump(block);
    k.set_stack({k.stack().begin(), k.stack().end()});
    k.bind(done);
    for (int i = 0; i < 4; ++i) k.pop();
    k.end_region();
}

void ExpandSponge::emit_tr(Kernel& k, std::uint64_t to) const {
    k.rename("tr");
    k.begin_region("tr");
    const auto size = static_cast<unsigned>(plan_.p.scheme->public_key_bytes);
    const unsigned rate = 8 * sponge_.rate();
    const unsigned padded = (size / rate + 1) * rate;
    k.check(padded - size > 1, "padding in one byte");
    k.push(size);
    k.push(map_.key);
    k.push(map_.hashed);
    k.op(Op::MCOPY);
    k.push(0x1f);
    k.push(map_.hashed + size);
    k.op(Op::MSTORE8);
    k.push(0x80);
    k.push(map_.hashed + padded - 1);
    k.op(Op::MSTORE8);
    V at = k.forget(k.push(map_.hashed));
    const Label reverse = k.label(), absorb = k.label();
    k.bind(reverse);
    k.dup(at);
    k.op(Op::MLOAD);
    reverse_lane_bytes(k);
    k.dup(at);
    k.op(Op::MSTORE);
    at = k.with(Op::ADD, 32);
    k.push(map_.hashed + padded);
    k.dup(at);
    k.op(Op::LT);
    k.jumpi(reverse);
    k.pop();
    sponge_.reset(k);
    k.forget(k.push(map_.hashed));
    k.bind(absorb);
    sponge_.absorb_block(k);
    k.with(Op::ADD, rate);
    k.dup(k.top());
    k.with(Op::XOR, map_.hashed + padded);
    k.jumpi(absorb);
    k.pop();
    for (const unsigned lane : {0U, 4U}) {
        sponge_.lanes4(k, lane);
        reverse_lane_bytes(k);
        k.mstore(to + 8 * lane);
    }
    k.end_region();
}

void ExpandSponge::emit_routines(Kernel& k) {
    // [to, candidates] -> [to]: one after the other, each written over the one before if that was too large.
    k.rename("rejection sampling, one by one");
    k.set_stack({});
    V to = k.argument(), candidates = k.argument();
    const V back = k.argument();
    (void)back;
    k.bind(slow_);
    k.begin_region("reject");
    k.raise(to);  // [back, candidates, to]
    for (unsigned i = 0; i < 8; ++i) {
        k.dup(candidates);
        const V v = k.with(Op::AND, kMask24);
        k.dup(v);
        k.dup(to);
        k.op(Op::MSTORE);
        k.push(q);
        k.raise(v);
        k.op(Op::LT);
        k.with(Op::MUL, 3);
        k.swap(1);
        to = k.op(Op::SUB);
        k.swap(1);
        candidates = k.with(Op::SHR, 24);
        k.swap(1);
    }
    k.swap(1);
    k.pop();
    k.swap(1);
    k.jump_dynamic();
    k.end_region();
    sponge_.emit_routines(k);
}

}  // namespace postern::contracts::mldsa_evm
