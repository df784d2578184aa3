#include <algorithm>
#include <cstdlib>

#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

struct PassA {
    std::uint64_t u = 0, v = 0;         // w_1 = u / v
    std::uint64_t field = 0;            // largest field value, 2^z_bits - 1
    std::uint64_t s_max = 0;            // largest subtrahend
    std::uint64_t plus = 0, minus = 0;  // minuends
};

PassA pass_a(const Plan& plan) {
    PassA a;
    a.u = static_cast<std::uint64_t>(plan.w1.u);
    a.v = static_cast<std::uint64_t>(plan.w1.v);
    a.field = (std::uint64_t{1} << plan.p.z_bits) - 1;
    a.s_max = (a.u + a.v) * a.field;
    // Five layers follow; each takes at most q (1 + x / 2^32) from a carrier.
    const std::uint64_t growth =
        q + (a.s_max + 14 * q) / (std::uint64_t{1} << 32) * q + (a.s_max + 14 * q) % (std::uint64_t{1} << 32) / 512;
    const std::uint64_t offset = plan.overrides.forward_offset ? *plan.overrides.forward_offset * q : 5 * growth + q / 10;
    const std::uint64_t gamma = plan.p.gamma1 + plan.p.beta;  // z = gamma - h
    const auto representative = [&](std::uint64_t residue) {
        const std::uint64_t least = a.s_max + offset;
        return least + sub_q(residue % q, least % q);
    };
    a.plus = representative((a.v + a.u) * gamma);
    a.minus = representative(sub_q(a.v * gamma % q, a.u * gamma % q) + a.u * a.field);
    return a;
}

/// Does the spread put every bit of four packed fields where the lanes expect it (and nowhere else)?
bool spread_is_right(const Spread& s, unsigned z_bits) {
    for (unsigned bit = 0; bit < 8 * s.bytes; ++bit) {
        const U256 x = (U256::pow2(bit) * (U256{1} | U256::pow2(s.first))) & s.first_mask;
        const U256 got = (x * (U256{1} | U256::pow2(s.second))) & s.second_mask;
        U256 expected;
        const unsigned byte = s.bytes - 1 - bit / 8;  // 0 = first in calldata
        for (unsigned lane = 0; lane < 4; ++lane) {
            const unsigned first = z_bits * (3 - lane) / 8;
            if (byte >= first && byte < first + 3) expected |= U256::pow2(s.triple[lane] + 8 * (2 - (byte - first)) + bit % 8);
        }
        if (got != expected) return false;
    }
    return true;
}

/// One group of four fields on top of the stack (as V): spread to 24-bit triples.
void emit_spread(Kernel& k, const Spread& s, unsigned shift) {
    k.with(Op::MUL, (U256{1} | U256::pow2(s.first)) << shift);
    k.with(Op::AND, s.first_mask << shift);
    k.with(Op::MUL, U256{1} | U256::pow2(s.second));
    k.with(Op::AND, s.second_mask << shift);
    k.check(k.support(k.top()) == s.second_mask << shift, "spread does not fill the fields");
}

}  // namespace

void or_bad(Kernel& k) {
    k.mload(vars.bad);
    k.op(Op::OR);
    k.mstore(vars.bad);
}

Bounds pass_a_bounds(const Plan& plan) {
    const PassA a = pass_a(plan);
    Bounds b{static_cast<Int>(std::min(a.plus, a.minus) - a.s_max), static_cast<Int>(std::max(a.plus, a.minus))};
    for (int layer = 0; layer < 2; ++layer) {
        const Int t = (b.hi * static_cast<Int>(q - 1) + ((Int{1} << 32) - 1) * static_cast<Int>(q)) >> 32;
        b = {b.lo - t, b.hi + t};
    }
    return b;
}

void emit_z(Kernel& k, const Plan& plan, Label pass_b) {
    const PassA pa = pass_a(plan);
    const Spread& s = plan.spread;
    const unsigned half = plan.p.z_poly / 2;
    const std::uint64_t h_max = pa.field;
    k.rename("z decode, layers 1 to 3");
    k.check(spread_is_right(s, plan.p.z_bits), "spread puts bits in the wrong place");
    k.begin_region("z");
    const U256 high32 = splat(0xffffffffU) << 32;
    const U256 field_mask = splat(pa.field, 32);
    const std::size_t floor = k.height();
    // Resident constants; the ones used deepest in the octet are nearest to the top.
    if (plan.tight) k.push(splat(1));
    V dest = k.push(plan.map.array(0));
    dest = k.forget(dest);
    push_resident(k, plan, splat(pa.minus << 32));
    push_resident(k, plan, splat(pa.plus << 32));
    push_resident(k, plan, splat(pa.field << 32));
    push_resident(k, plan, splat((pa.field + 1) - (2ULL * plan.p.beta + 1), 32));
    push_resident(k, plan, field_mask);
    U256 outer_bytes;
    for (unsigned l = 0; l < 4; ++l) outer_bytes |= U256{0xff} << s.triple[l];
    outer_bytes |= outer_bytes << 32;
    k.push(outer_bytes);
    push_resident(k, plan, high32);
    k.mload(vars.signature);
    k.with(Op::ADD, plan.p.c_tilde);
    V zptr = k.top();
    V acc = push_resident(k, plan, U256::max());
    acc = k.forget(acc);
    push_resident(k, plan, mask32());

    const Label poly = k.label(), octet = k.label();
    k.bind(poly);
    V wptr = k.push(plan.map.work);
    wptr = k.forget(wptr);
    k.bind(octet);
    k.begin_region("decode+norm+layers 1-3");
    OctetTask task;
    for (unsigned e = 0; e < 4; ++e) {
        for (unsigned group = 0; group < 2; ++group) {
            const unsigned offset = 8 * s.bytes * e + half * group;
            k.dup(zptr);
            if (offset != 0) k.with(Op::ADD, offset);
            k.op(Op::CALLDATALOAD);
            k.with(Op::SHR, 256 - 8 * s.bytes);
            emit_spread(k, s, 32 * group);
        }
        k.check((k.support(k.at(0)) & k.support(k.at(1))).is_zero(), "groups overlap");
        k.op(Op::OR);
        // Big-endian triples to little-endian: swap the outer bytes.
        k.dup(k.top());
        k.with(Op::SHR, 16);
        k.dup_at(1);
        k.op(Op::XOR);
        k.with(Op::AND, outer_bytes);
        k.with(Op::MUL, 65537);
        V x = k.op(Op::XOR);
        k.declare_from_bits(x, 32);
        k.with(Op::ADD, splat(static_cast<std::uint64_t>(plan.p.beta) << s.align, 32));
        k.with(Op::SHR, s.align);
        V h = k.with(Op::AND, field_mask);
        k.require(h, {32, 0, static_cast<Int>(h_max), 0}, "decoded field");
        // Norm: bit z_bits of h + 2^z_bits - (2 beta + 1) is set iff |z| < gamma1 - beta.
        k.dup(h);
        k.with(Op::ADD, splat((pa.field + 1) - (2ULL * plan.p.beta + 1), 32));
        k.check(k.require_known(k.top(), "norm sum").contained(), "norm sum leaves its half-lane");
        k.dup(acc);
        const V joined = k.op(Op::AND);
        k.raise(acc);
        k.pop();
        acc = joined;
        // Layer 1 on words e and e + 4 of the octet: one multiplication by v*2^32 + u per output.
        const U256 cp = (U256{pa.v} << 32) | U256{pa.u};
        k.check(pa.s_max <= 0xffffffffU, "layer 1 leaves its half-lane");
        const auto half_product = [&] {
            k.push(cp);
            k.opaque(Op::MUL);
            k.with(Op::AND, high32);
            k.declare(k.top(), upper(0, static_cast<Int>(pa.s_max)));
        };
        k.dup(h);
        k.push(splat(pa.field << 32));
        k.opaque(Op::XOR);
        half_product();
        k.push(splat(pa.minus << 32));
        task.words[e + 4] = k.op(Op::SUB);
        k.raise(h);
        half_product();
        k.push(splat(pa.plus << 32));
        task.words[e] = k.op(Op::SUB);
        k.check(k.require_known(task.words[e], "layer 1").lo >= 0 && k.lanes(task.words[e + 4])->lo >= 0, "layer 1 borrows");
    }
    task.strides = {2, 1};
    task.multiply = [&plan](Kernel& r, unsigned layer, unsigned a) {
        to_lower(r);
        montgomery_mul(r, plan.w[layer == 0 ? 2 + a / 4 : 4 + a / 2]);
    };
    const Bounds exit = pass_a_bounds(plan);
    task.finish = [wptr, exit](Kernel& r, unsigned p) {
        r.require(r.top(), upper(exit.lo, exit.hi), "exit of pass A");
        r.check(exit.lo >= 0 && exit.hi < (Int{1} << 32), "exit of pass A leaves its lane");
        r.dup(wptr);
        if (p != 0) r.with(Op::ADD, 256 * p);
        r.op(Op::MSTORE);
    };
    emit_octet(k, task, best_order(k, task));
    // Next octet.
    k.with(Op::ADD, 32);
    wptr = k.top();
    k.raise(zptr);
    zptr = k.with(Op::ADD, s.bytes);
    k.raise(wptr);
    k.dup(wptr);
    k.with(Op::XOR, plan.map.work + 256);
    k.jumpi(octet);
    k.end_region();
    k.pop();
    k.call(pass_b, 0, 0);
    k.push(2048);
    k.push(plan.map.work);
    k.dup(dest);
    k.op(Op::MCOPY);
    const unsigned z_depth = k.depth_of(zptr);
    k.swap(z_depth);
    zptr = k.with(Op::ADD, plan.p.z_poly - 8 * s.bytes);
    k.swap(z_depth);
    const unsigned d_depth = k.depth_of(dest);
    k.swap(d_depth);
    dest = k.with(Op::ADD, 2048);
    k.swap(d_depth);
    k.dup(dest);
    k.with(Op::XOR, plan.map.array(plan.p.l));
    k.jumpi(poly);
    // Verdict of the norm: the bit must have survived in all eight half-lanes.
    U256 verdict = splat(pa.field + 1, 32);
    if (plan.overrides.norm_blind) verdict &= ~(U256::mask(32) << (32 * *plan.overrides.norm_blind));
    k.raise(acc);
    k.push(verdict);
    k.op(Op::AND);
    k.push(verdict);
    k.op(Op::XOR);
    or_bad(k);
    while (k.height() > floor) k.pop();
    k.end_region();
}

std::vector<Bounds> emit_pass_b(Kernel& k, const Plan& plan, Label entry, const std::vector<Bounds>& entries) {
    k.rename("layers 4 to 6");
    k.set_stack({});
    k.argument();
    k.bind(entry);
    k.begin_region("layers 4-6");
    k.push(mask32());
    // The code depends on no bound; each producer's bounds are pushed through it, all but the last on a rehearsal.
    std::vector<Bounds> exits;
    for (std::size_t producer = 0; producer < entries.size(); ++producer) {
        Kernel rehearsal = k.rehearsal();
        Kernel& r = producer + 1 < entries.size() ? rehearsal : k;
        Bounds exit{Int{1} << 60, 0};
        OctetOrder order{};
        for (unsigned m = 0; m < 8; ++m) {
            const Bounds in = entries[producer];
            OctetTask task;
            task.strides = {4, 2, 1};
            task.load = [&plan, m, in](Kernel& x, unsigned p) {
                const std::uint64_t at = plan.map.work + 32ULL * (8 * m + p);
                if (p < 4)
                    x.mload(at, upper(in.lo, in.hi));
                else
                    x.mload(at - 4, lower(in.lo, in.hi));  // upper read as lower
            };
            task.multiply = [&plan, m](Kernel& x, unsigned layer, unsigned a) {
                if (layer != 0) to_lower(x);
                const unsigned block = layer == 0 ? 8 + m : layer == 1 ? 16 + 2 * m + a / 4 : 32 + 4 * m + a / 2;
                montgomery_mul(x, plan.w[block]);
            };
            task.finish = [&plan, &exit, m](Kernel& x, unsigned p) {
                const Lanes l = x.require_known(x.top(), "exit of layers 4 to 6");
                x.check(l.lo >= 0 && l.contained() && l.zeros >= 32, "exit of layers 4 to 6: " + to_string(l));
                exit.lo = std::min(exit.lo, l.lo >> 32);
                exit.hi = std::max(exit.hi, l.hi >> 32);
                x.mstore(plan.map.work + 32ULL * (8 * m + p));
            };
            if (m == 0) order = best_order(r, task);
            emit_octet(r, task, order);
        }
        exits.push_back(exit);
    }
    k.pop();
    k.jump_dynamic();
    k.end_region();
    return exits;
}

namespace {

/// Entry of the challenge's layer 3: layers 1 and 2 are rational, |value| <= (u1+v1) max(u2+v2, u3+v3), and the constant that
/// takes off the +1 of the byte coding brings an offset that leaves room for four layers.
Bounds challenge_layer3(const Plan& plan) {
    const auto size = [](const Ratio& r) { return static_cast<Int>(std::abs(r.u) + r.v); };
    const Int most = size(plan.w1) * std::max(size(plan.w2), size(plan.w3));
    const Int offset = static_cast<Int>(plan.overrides.challenge_offset.value_or(6)) * static_cast<Int>(q);
    return {offset - most, offset + static_cast<Int>(q) - 1 + most};
}

U256 signed_word(Int v) { return splat_signed(v, 256); }

}  // namespace

Bounds challenge_bounds(const Plan& plan) {
    const Bounds b = challenge_layer3(plan);
    const Int t = (b.hi * static_cast<Int>(q - 1) + ((Int{1} << 32) - 1) * static_cast<Int>(q)) >> 32;
    return {b.lo - t, b.hi + t};
}

void emit_challenge_transform(Kernel& k, const Plan& plan, Label pass_b) {
    k.rename("challenge, layers 1 to 3");
    k.begin_region("challenge");
    k.push(mask32());
    V ptr = k.push(plan.map.work);
    ptr = k.forget(ptr);
    const Label octet = k.label();
    k.bind(octet);
    const Bounds entry = challenge_layer3(plan);
    k.check(entry.lo >= 0 && entry.hi < (Int{1} << 32), "challenge offset too small");
    std::array<V, 8> w{};
    // Layer 1 on bytes c + 1: (v a + u b, v a - u b).
    for (unsigned e = 0; e < 4; ++e) {
        for (const unsigned p : {e, e + 4}) {
            k.dup(ptr);
            if (p != 0) k.with(Op::ADD, 256 * p);
            k.declare(k.op(Op::MLOAD), lower(0, 2));
            w[p] = k.with(Op::MUL, signed_word(p == e ? plan.w1.v : plan.w1.u));
        }
        k.dup(w[e + 4]);
        k.dup(w[e]);
        const V d = k.op(Op::SUB);
        k.raise(w[e]);
        w[e] = k.op(Op::ADD);
        w[e + 4] = d;
    }
    // Layer 2, times 2^32 where the word is a carrier of layer 3. Then what layers 1 and 2 make of the ones is taken off.
    for (const unsigned a : {5U, 4U, 1U, 0U}) {
        const unsigned b = a + 2, shift = (a & 1U) == 0 ? 32 : 0;
        const Ratio r = a < 4 ? plan.w2 : plan.w3;
        k.raise(w[b]);
        const V ub = k.with(Op::MUL, signed_word(static_cast<Int>(r.u) << shift));
        k.raise(w[a]);
        const V va = k.with(Op::MUL, signed_word(static_cast<Int>(r.v) << shift));
        k.dup(ub);
        k.dup(va);
        w[b] = k.op(Op::SUB);
        k.raise(ub);
        w[a] = k.op(Op::ADD);
        const Int ones = a < 4 ? plan.w1.v + plan.w1.u : plan.w1.v - plan.w1.u;
        for (const unsigned p : {a, b}) {
            const Int image = ones * (p == a ? r.v + r.u : r.v - r.u);
            const Int residue = ((-image) % static_cast<Int>(q) + static_cast<Int>(q)) % static_cast<Int>(q);
            const Int offset = static_cast<Int>(plan.overrides.challenge_offset.value_or(6)) * static_cast<Int>(q);
            k.raise(w[p]);
            w[p] = k.with(Op::ADD, splat_signed((offset + residue) << shift));
            k.declare(w[p], shift != 0 ? upper(entry.lo, entry.hi) : lower(entry.lo, entry.hi));
        }
    }
    OctetTask task;
    task.words = w;
    task.strides = {1};
    task.multiply = [&plan](Kernel& r, unsigned, unsigned a) { montgomery_mul(r, plan.w[4 + a / 2]); };
    task.finish = [ptr](Kernel& r, unsigned p) {
        const Lanes l = r.require_known(r.top(), "exit of the challenge's layer 3");
        r.check(l.lo >= 0 && l.contained() && l.zeros >= 32, "exit of the challenge's layer 3: " + to_string(l));
        r.dup(ptr);
        if (p != 0) r.with(Op::ADD, 256 * p);
        r.op(Op::MSTORE);
    };
    emit_octet(k, task, best_order(k, task));
    k.with(Op::ADD, 32);
    ptr = k.top();
    k.dup(ptr);
    k.with(Op::XOR, plan.map.work + 256);
    k.jumpi(octet);
    k.pop();
    k.pop();
    k.call(pass_b, 0, 0);
    k.push(2048);
    k.push(plan.map.work);
    k.push(plan.map.array(plan.p.l));
    k.op(Op::MCOPY);
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
