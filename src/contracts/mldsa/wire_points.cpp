#include <algorithm>

#include "contracts/mldsa/wire.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

constexpr Int iq = static_cast<Int>(q);

/// Products of lanes of fewer bits than this stay apart (docs: 64 bits between the diagonal lanes, 56 to the next above).
constexpr unsigned kLaneBits = 56;

void copy_table(Kernel& k, Label table, std::size_t size, std::uint64_t to) {
    k.push(size);
    k.push_label(table);
    k.push(to);
    k.op(Op::CODECOPY);
}

}  // namespace

// Leaf p: x^4 = s^2 with s = r^2. Layer 7: k_0 +- s k_2, k_1 +- s k_3. Layer 8: c_0 +- r c_1 and d_0 +- r' d_1, r' = r sqrt(-1). One value
// at a time: a MULMOD by q costs 14 and is exact, a vectorised product 11 a lane and wants its operands in the right lanes.
void emit_points(Kernel& k, const WirePlan& wire, Label table, const Bounds& z) {
    k.rename("points of z");
    k.begin_region("z points");
    const Plan& plan = wire.plan;
    const unsigned columns = plan.p.l;
    const bool reversed = wire.order == StreamOrder::backward;
    const Int most_unreduced = z.hi + 2 * iq;
    const bool reduce = static_cast<Int>(columns) * iq * most_unreduced >= (Int{1} << kLaneBits);
    k.check(z.lo >= 2 * iq, "carriers of z leave no room for two more layers");
    k.check(static_cast<Int>(columns) * iq * (reduce ? 5 * iq : most_unreduced) < (Int{1} << kLaneBits),
            "products of a pair leave their lane");
    copy_table(k, table, points_table(wire).size(), wire.map.points);
    if (reversed) {
        // Nothing is stored into the lowest lane of pairs that have one point only.
        for (unsigned field = 1; field < 5; ++field) {
            for (unsigned j = 0; j < columns; ++j) {
                k.push(0);
                k.mstore(wire.map.pairs + wire.group_bytes() * 25ULL + WireMap::kPitch * (columns * field + j));
            }
        }
    }
    const std::size_t floor = k.height();
    const std::uint64_t first = plan.map.arrays + (reversed ? 63 * 32 : 0);
    V leaf = k.forget(k.push(first));
    V entry_at = k.forget(k.push(wire.map.points));
    k.push(0xffffffffU);
    const V m32 = k.top();
    const Label loop = k.label();
    k.bind(loop);
    k.dup(entry_at);
    const V entry = k.op(Op::MLOAD);
    std::array<V, 4> to{};
    for (unsigned t = 0; t < 4; ++t) {
        k.dup(entry);
        k.with(Op::SHR, 216 - 16 * t);
        to[t] = k.with(Op::AND, 0xffff);
    }
    k.raise(entry);
    const V r = k.with(Op::SHR, 232);
    k.push(q);
    k.dup(r);
    k.push(pow_q(static_cast<std::uint64_t>(mldsa::zeta), 128));
    const V rp = k.op(Op::MULMOD);
    k.push(q);
    k.dup(r);
    k.dup(r);
    const V s = k.op(Op::MULMOD);
    for (unsigned j = 0; j < columns; ++j) {
        k.dup(leaf);
        if (j != 0) k.with(Op::ADD, 2048 * j);
        const V w = k.op(Op::MLOAD);
        const auto lane = [&](unsigned m) {  // of an upper word
            if (m != 0) k.dup(w);
            k.with(Op::SHR, 224 - 64 * m);
            if (m != 0) {
                k.dup(m32);
                k.op(Op::AND);
            }
        };
        const auto store = [&](unsigned t) {
            k.dup(to[t]);
            if (j != 0) k.with(Op::ADD, WireMap::kPitch * j);
            k.op(Op::MSTORE);
        };
        k.push(q);
        lane(2);
        k.dup(s);
        k.op(Op::MULMOD);
        k.push(q);
        lane(3);
        k.dup(s);
        k.op(Op::MULMOD);
        lane(1);
        k.raise(w);  // [u t.. ] the word is used up
        if (reduce) {
            k.with(Op::SHR, 224);
            k.push(q);
            k.swap(1);
            k.op(Op::MOD);
            k.with(Op::ADD, 2 * q);
        } else {
            k.with(Op::SHR, 224);
        }
        // w has gone to k1's place and k1 to w's: [k1, t, u, k0]
        const V k1 = k.at(3), t = k.at(2), u = k.at(1), k0 = k.at(0);
        k.push(q);
        k.dup(k1);
        k.dup(u);
        k.op(Op::ADD);
        k.dup(r);
        const V v = k.op(Op::MULMOD);  // r c1
        k.push(q);
        k.dup(u);
        k.dup(k1);
        k.op(Op::SUB);
        k.dup(rp);
        const V v2 = k.op(Op::MULMOD);  // r' d1
        k.dup(t);
        k.dup(k0);
        const V d0 = k.op(Op::SUB);
        k.dup(v2);
        k.dup(d0);
        k.op(Op::ADD);
        store(2);
        k.op(Op::SUB);
        store(3);
        // [k1, t, u, k0, v]
        k.raise(t);
        k.op(Op::ADD);
        k.swap(1);
        k.pop();
        const V c0 = k.top();
        k.dup(v);
        k.dup(c0);
        k.op(Op::ADD);
        store(0);
        k.op(Op::SUB);
        store(1);
        k.pop();
    }
    while (k.height() > floor + 3) k.pop();
    k.pop();  // m32, taken along anew
    entry_at = k.with(Op::ADD, 11);
    k.swap(1);
    if (reversed) {
        k.push(32);
        k.swap(1);
        leaf = k.op(Op::SUB);
    } else {
        leaf = k.with(Op::ADD, 32);
    }
    k.swap(1);
    k.push(0xffffffffU);
    k.dup_at(1);
    k.with(Op::XOR, wire.map.points + 64 * 11);
    k.jumpi(loop);
    while (k.height() > floor) k.pop();
    k.end_region();
}

// The way back, on sums of products as they are: b_0 = a_0 + a_1, b_1 = (a_0 - a_1) / r, b_2 = a_2 + a_3, b_3 = (a_2 - a_3) / r';
// k_0 = b_0 + b_2, k_1 = b_1 + b_3, k_2 = (b_0 - b_2) / s, k_3 = (b_1 - b_3) / s, each times the scale of the whole transform.
Bounds emit_leaves(Kernel& k, const WirePlan& wire) {
    k.rename("leaves of a row");
    k.begin_region("leaves");
    const std::uint64_t scale = inv_q(mul_q(256, static_cast<std::uint64_t>(wire.plan.w1.v)));
    const std::size_t floor = k.height();
    const U256 offset = U256{q} << 35;  // more than any sum of two
    k.check((static_cast<Unsigned>(q) << 35) > (Unsigned{1} << (kLaneBits + 1)), "offset of a difference too small");
    V from = k.forget(k.push(wire.map.row));
    V entry_at = k.forget(k.push(wire.map.inverse));
    V to = k.forget(k.push(wire.plan.map.work - 4));
    k.push(offset);
    k.push(U256::mask(64));
    const V m64 = k.top();
    const Label loop = k.label();
    k.bind(loop);
    const std::size_t constants = k.height();
    k.dup(entry_at);
    const V entry = k.op(Op::MLOAD);
    k.dup(from);
    const V w = k.op(Op::MLOAD);
    const auto lane = [&](unsigned m) {
        k.dup(w);
        if (m != 3) k.with(Op::SHR, 64 * (3 - m));
        if (m != 0) {
            k.dup(m64);
            k.op(Op::AND);
        }
        return k.top();
    };
    const auto factor = [&](unsigned field) {
        k.dup(entry);
        k.with(Op::SHR, 232 - 24 * field);
        if (field != 0) k.with(Op::AND, 0xffffffU);
    };
    // [a, b] -> [a + b, (a - b) * factor]
    const auto halves = [&](unsigned m, unsigned field) {
        const V a = lane(m), b = lane(m + 1);
        k.push(q);
        k.dup(b);
        k.dup(a);
        k.op(Op::SUB);
        k.with(Op::ADD, offset);
        factor(field);
        const V difference = k.op(Op::MULMOD);
        k.raise(a);
        k.op(Op::ADD);  // [difference, sum]
        k.check(k.at(1) == difference, "leaves: stack");
        return std::array<V, 2>{k.at(0), difference};
    };
    const auto [b0, b1] = halves(0, 2);
    const auto [b2, b3] = halves(2, 3);
    // [b1, b0, b3, b2]
    k.push(q);
    k.dup(b2);
    k.dup(b0);
    k.op(Op::ADD);
    k.push(scale);
    k.op(Op::MULMOD);
    k.with(Op::SHL, 192);
    const V top_lane = k.top();  // k_0
    k.push(q);
    k.dup(b2);
    k.dup(b0);
    k.op(Op::SUB);
    k.with(Op::ADD, offset);
    factor(0);
    k.op(Op::MULMOD);
    k.with(Op::SHL, 64);
    k.op(Op::OR);  // k_2
    k.dup(b3);
    k.dup(b1);
    k.op(Op::ADD);
    k.with(Op::SHL, 128);
    k.op(Op::OR);  // k_1
    k.push(q);
    k.dup(b3);
    k.dup(b1);
    k.op(Op::SUB);
    k.with(Op::ADD, q);
    factor(1);
    k.op(Op::MULMOD);
    k.op(Op::OR);  // k_3
    (void)top_lane;
    k.dup(to);
    k.op(Op::MSTORE);
    while (k.height() > constants) k.pop();
    const auto advance = [&k](V& v, unsigned by) {
        const unsigned depth = k.depth_of(v);
        k.swap(depth);
        v = k.with(Op::ADD, by);
        k.swap(depth);
    };
    advance(from, 32);
    advance(entry_at, 12);
    advance(to, 32);
    k.dup(from);
    k.with(Op::XOR, wire.map.row + 2048);
    k.jumpi(loop);
    while (k.height() > floor) k.pop();
    k.end_region();
    return {0, 2 * iq - 1};
}

}  // namespace postern::contracts::mldsa_evm
