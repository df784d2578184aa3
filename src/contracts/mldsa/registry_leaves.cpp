// Leaves of the key from polynomials: of A, which ExpandA samples in the standard's transformed domain, and of t1, which stands in the wire
// key. Algebra: docs/ml-dsa-evm.md, "Registries".

#include "contracts/mldsa/registry_kernels.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

constexpr std::uint64_t kMask24 = 0xffffff;

std::uint64_t root_of_leaf(unsigned leaf) { return pow_q(static_cast<std::uint64_t>(mldsa::zeta), 2 * reverse6(leaf) + 1); }
std::uint64_t root_of_minus_one() { return pow_q(static_cast<std::uint64_t>(mldsa::zeta), 128); }

}  // namespace

std::uint64_t leaf_scale(const Plan& plan) {
    const std::uint64_t common = mul_q((std::uint64_t{1} << 32) % q, inv_q(64));
    return mul_q(mul_q(common, inv_q(static_cast<std::uint64_t>(plan.w1.v))), inv_q(4));
}

std::vector<std::uint8_t> leaf_table(const Plan& plan) {
    std::vector<std::uint8_t> out;
    const std::uint64_t common = mul_q((std::uint64_t{1} << 32) % q, inv_q(64));
    for (unsigned p = 0; p < 64; ++p) {
        const std::uint64_t r = root_of_leaf(p), m = leaf_scale(plan);
        const std::uint64_t t = sub_q(0, mul_q(common, inv_q(plan.challenge_scale(p))));
        const std::uint64_t row[] = {mul_q(pow_q(r, 3), m), mul_q(pow_q(r, 2), m), mul_q(r, m), mul_q(plan.zeta[p], t), t};
        for (const auto v : row)
            for (int shift = 16; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(v >> shift));
    }
    return out;
}

namespace {

/// Entry i of the leaf's row in the table word, 0 = last.
void table_entry(Kernel& k, V row, unsigned i) {
    k.dup(row);
    if (i != 0) k.with(Op::SHR, 24 * i);
    k.with(Op::AND, kMask24);
}

/// [.. dest, table, source] at the loop's end: the next leaf, or out.
void next_leaf(Kernel& k, const Plan& plan, const RegistryMap& map, Label loop, unsigned source_step, bool down) {
    if (down) {
        k.push(source_step);
        k.swap(1);
        k.op(Op::SUB);
    } else {
        k.with(Op::ADD, source_step);
    }
    k.swap(2);
    k.with(Op::ADD, 32 * plan.words_per_leaf());
    k.swap(2);
    k.swap(1);
    k.with(Op::ADD, kLeafBytes);
    k.swap(1);
    k.mload(map.table1);
    k.dup_at(2);
    k.op(Op::XOR);
    k.jumpi(loop);
    for (int i = 0; i < 3; ++i) k.pop();
}

}  // namespace

void emit_sampled_leaves(Kernel& k, const Plan& plan, const RegistryMap& map, bool descending) {
    k.rename("leaves of a sampled polynomial");
    k.begin_region("leaves");
    const std::size_t floor = k.height();
    k.mload(map.dest);
    k.mload(map.table0);
    k.mload(map.sample0);
    const Label loop = k.label();
    k.bind(loop);
    const V dest = k.at(2), table = k.at(1), source = k.at(0);
    k.dup(source);
    const V w = k.op(Op::MLOAD);
    k.dup(table);
    const V row = k.op(Op::MLOAD);
    const auto value = [&](unsigned i) {
        const unsigned field = descending ? i : 3 - i;
        k.dup(w);
        if (field != 0) k.with(Op::SHR, 24 * field);
        return k.with(Op::AND, kMask24);
    };
    k.push(q);
    const V modulus = k.top();
    const V v0 = value(0), v1 = value(1), v2 = value(2), v3 = value(3);
    // s = v0 + v1, t = v2 + v3, d = v0 - v1, e = I (v2 - v3), none negative
    k.dup(v2);
    k.dup(v3);
    const V t = k.op(Op::ADD);
    k.dup(modulus);
    k.push(root_of_minus_one());
    k.dup(v3);
    k.dup(v2);
    k.dup(modulus);
    k.op(Op::ADD);
    k.op(Op::SUB);
    const V e = k.op(Op::MULMOD);
    k.dup(v0);
    k.dup(v1);
    const V s = k.op(Op::ADD);
    k.dup(v1);
    k.dup(v0);
    k.dup(modulus);
    k.op(Op::ADD);
    const V d = k.op(Op::SUB);
    // zeta k_1, zeta k_2, zeta k_3, k_0 from the top lane down
    const auto lane = [&](unsigned shift, const auto& sum, const auto& factor) {
        k.dup(modulus);
        factor();
        sum();
        k.op(Op::MULMOD);
        if (shift != 0) k.with(Op::SHL, shift);
        if (shift != 192) k.op(Op::OR);
    };
    lane(
        192,
        [&] {  // d - e
            k.dup(e);
            k.dup(d);
            k.dup(modulus);
            k.op(Op::ADD);
            k.op(Op::SUB);
        },
        [&] { table_entry(k, row, 4); });
    lane(
        128,
        [&] {  // s - t
            k.dup(t);
            k.dup(s);
            k.with(Op::ADD, 2 * q);
            k.op(Op::SUB);
        },
        [&] { table_entry(k, row, 3); });
    lane(
        64,
        [&] {
            k.dup(d);
            k.dup(e);
            k.op(Op::ADD);
        },
        [&] { table_entry(k, row, 2); });
    lane(
        0,
        [&] {
            k.dup(s);
            k.dup(t);
            k.op(Op::ADD);
        },
        [&] { k.push(leaf_scale(plan)); });
    k.dup(dest);
    k.op(Op::MSTORE);
    while (k.top() != source) k.pop();
    next_leaf(k, plan, map, loop, 12, descending);
    k.check(k.height() == floor, "leaves leave something behind");
    k.end_region();
}

namespace {

/// Multiples of q in front of the transform, so that nothing becomes negative in six layers.
constexpr std::uint64_t kOffset = 7;

/// [row's first byte in the key] -> []: 64 words of four lanes 2^13 t + offset in upper form; jumps away if the row is weak.
void emit_unpack(Kernel& k, const Plan& plan, const RegistryMap& map, Label degenerate) {
    const unsigned half = weak_half_width(plan.p);
    V source = k.forget(k.top());
    V strong = k.forget(k.push(0));
    V to = k.forget(k.push(map.work));
    const Label loop = k.label();
    k.bind(loop);
    // Five bytes, four little-endian fields of ten bits.
    k.dup(source);
    const V bytes = k.op(Op::MLOAD);
    for (unsigned i = 0; i < 5; ++i) {
        k.dup(bytes);
        k.with(Op::BYTE, i);
        if (i != 0) k.with(Op::SHL, 8 * i);
        if (i != 0) k.op(Op::OR);
    }
    k.raise(bytes);
    k.pop();
    k.declare_bits(k.top(), U256::mask(40));
    // Field j from bit 10 j to bit 30 + 64 (3 - j).
    k.with(Op::MUL, U256{1} | U256::pow2(74) | U256::pow2(148) | U256::pow2(222));
    k.with(Op::SHR, 30);
    const V fields = k.with(Op::AND, splat(1023));
    k.declare(fields, lower(0, 1023));
    // Bit 9 of ((t + half) mod 512) + 512 - 2 half is set iff t is not weak; every lane counts its own.
    k.dup(fields);
    k.with(Op::ADD, splat(half));
    k.with(Op::AND, splat(511));
    k.with(Op::ADD, splat(512 - 2 * half));
    k.with(Op::SHR, 9);
    k.with(Op::AND, splat(1));
    k.dup(strong);
    const V counted = k.op(Op::ADD);
    k.raise(strong);
    k.pop();
    strong = counted;
    // [.. source, strong, to, fields] again
    k.with(Op::SHL, 13 + 32);
    k.with(Op::ADD, splat((kOffset * q) << 32));
    const Lanes word = k.require_known(k.top(), "unpacked t1");
    k.check(word.lo == static_cast<Int>(kOffset * q) << 32 && word.contained(), "unpacked t1: " + to_string(word));
    k.dup(to);
    k.op(Op::MSTORE);
    to = k.with(Op::ADD, 32);
    const unsigned depth = k.depth_of(source);
    k.swap(depth);
    source = k.with(Op::ADD, 5);
    k.swap(depth);
    k.dup(to);
    k.with(Op::XOR, map.work + 2048);
    k.jumpi(loop);
    k.pop();
    k.raise(source);
    k.pop();
    k.with(Op::MUL, splat(1));
    k.with(Op::SHR, 192);
    k.push(256 - kWeakLimit + 1);
    k.swap(1);
    k.op(Op::LT);
    k.jumpi(degenerate);
}

Bounds unpacked_bounds() { return {static_cast<Int>(kOffset * q), static_cast<Int>(kOffset * q + 1023 * 8192)}; }

Bounds after_three_layers() {
    Bounds b = unpacked_bounds();
    for (int layer = 0; layer < 3; ++layer) {
        const Int t = (b.hi * static_cast<Int>(q - 1) + ((Int{1} << 32) - 1) * static_cast<Int>(q)) >> 32;
        b = {b.lo - t, b.hi + t};
    }
    return b;
}

/// The verifier's transform works on map.work of its plan.
Plan with_work(const Plan& plan, std::uint64_t work) {
    Plan moved = plan;
    moved.map.work = work;
    return moved;
}

/// Layers 1 to 3 on words i, i + 8, ..., i + 56 for every i.
void emit_first_layers(Kernel& k, const Plan& plan, const RegistryMap& map) {
    k.rename("t1, layers 1 to 3");
    k.begin_region("layers 1-3");
    k.push(mask32());
    V ptr = k.forget(k.push(map.work));
    const Label loop = k.label();
    k.bind(loop);
    const Bounds in = unpacked_bounds(), out = after_three_layers();
    OctetTask task;
    task.strides = {4, 2, 1};
    task.load = [ptr, in](Kernel& x, unsigned p) {
        const bool read_lower = p >= 4;  // the multiplied half: upper words read four bytes early
        x.dup(ptr);
        if (p != 0) x.with(Op::ADD, 256 * p - (read_lower ? 4 : 0));
        x.declare(x.op(Op::MLOAD), read_lower ? lower(in.lo, in.hi) : upper(in.lo, in.hi));
    };
    task.multiply = [&plan](Kernel& x, unsigned layer, unsigned a) {
        if (layer != 0) to_lower(x);
        montgomery_mul(x, plan.w[layer == 0 ? 1 : layer == 1 ? 2 + a / 4 : 4 + a / 2]);
    };
    task.finish = [ptr, out](Kernel& x, unsigned p) {
        x.require(x.top(), upper(out.lo, out.hi), "t1 after three layers");
        x.check(out.lo >= 0 && out.hi < (Int{1} << 32), "t1 leaves its lane");
        x.dup(ptr);
        if (p != 0) x.with(Op::ADD, 256 * p);
        x.op(Op::MSTORE);
    };
    emit_octet(k, task, best_order(k, task));
    ptr = k.with(Op::ADD, 32);
    k.dup(ptr);
    k.with(Op::XOR, map.work + 256);
    k.jumpi(loop);
    k.pop();
    k.pop();
    k.end_region();
}

void emit_transformed_leaves(Kernel& k, const Plan& plan, const RegistryMap& map) {
    k.rename("leaves of t1");
    k.begin_region("leaves");
    k.mload(map.dest);
    k.mload(map.table0);
    k.mload(map.work0);
    const Label loop = k.label();
    k.bind(loop);
    const V dest = k.at(2), table = k.at(1), source = k.at(0);
    k.dup(source);
    const V w = k.op(Op::MLOAD);
    k.dup(table);
    const V row = k.op(Op::MLOAD);
    k.push(q);
    const V modulus = k.top();
    const unsigned from[] = {0, 64, 128, 192};  // k_3, k_2, k_1, k_0 to lanes 1, 2, 3, 0
    for (unsigned i = 0; i < 4; ++i) {
        k.dup(modulus);
        table_entry(k, row, i == 3 ? 0 : 1);
        k.dup(w);
        if (from[i] != 0) k.with(Op::SHR, from[i]);
        if (from[i] != 192) k.with(Op::AND, U256::mask(64));
        k.op(Op::MULMOD);
        if (i != 3) k.with(Op::SHL, 64 * (i + 1));
        if (i != 0) k.op(Op::OR);
    }
    k.dup(dest);
    k.op(Op::MSTORE);
    while (k.top() != source) k.pop();
    next_leaf(k, plan, map, loop, 32, false);
    k.end_region();
}

}  // namespace

void emit_polynomials(Kernel& k, const Plan& plan, const RegistryMap& map, std::uint64_t first_nonce, bool descending,
                      const std::function<void()>& sample) {
    k.push(first_nonce);
    k.mstore(map.nonce);
    k.mload(map.first);
    k.mstore(map.dest);
    const Label poly = k.label(), same_row = k.label();
    k.bind(poly);
    sample();
    emit_sampled_leaves(k, plan, map, descending);
    k.mload(map.dest);
    k.with(Op::ADD, 32);
    k.mstore(map.dest);
    k.mload(map.nonce);
    const V nonce = k.with(Op::ADD, 1);
    k.dup(nonce);
    k.with(Op::AND, 0xff);
    k.with(Op::XOR, plan.p.l);
    k.jumpi(same_row);
    k.with(Op::ADD, 256 - plan.p.l);
    k.mload(map.dest);  // the column of t1
    k.with(Op::ADD, 32);
    k.mstore(map.dest);
    k.bind(same_row);
    k.dup(k.top());
    k.mstore(map.nonce);
    k.with(Op::XOR, first_nonce + 256 * plan.p.k);
    k.jumpi(poly);
}

void emit_t1(Kernel& k, const Plan& plan, const RegistryMap& map, Label pass_b, Label degenerate) {
    k.rename("t1");
    k.begin_region("t1");
    k.mload(map.first);
    k.with(Op::ADD, 32 * plan.p.l);
    k.mstore(map.dest);
    k.push(map.key + 32);
    const Label row = k.label();
    k.forget(k.top());
    k.bind(row);
    k.dup(k.top());
    emit_unpack(k, plan, map, degenerate);
    emit_first_layers(k, plan, map);
    k.call(pass_b, 0, 0);
    emit_transformed_leaves(k, plan, map);
    k.mload(map.dest);
    k.with(Op::ADD, 32 * (plan.p.l + 1));
    k.mstore(map.dest);
    k.with(Op::ADD, 320);
    k.dup(k.top());
    k.with(Op::XOR, map.key + 32 + 320 * plan.p.k);
    k.jumpi(row);
    k.pop();
    k.end_region();
}

void emit_t1_routines(Kernel& k, const Plan& plan, const RegistryMap& map, Label pass_b) {
    const auto exits = emit_pass_b(k, with_work(plan, map.work), pass_b, {after_three_layers()});
    k.check(exits.front().hi < (Int{1} << 32), "transformed t1 leaves its lane");
}

}  // namespace postern::contracts::mldsa_evm
