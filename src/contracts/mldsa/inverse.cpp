#include <algorithm>

#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

constexpr Int iq = static_cast<Int>(q);

/// floor(P / gamma2) as a multiplication and a shift, exact for all P <= q + gamma2 - 2.
struct Quotient {
    unsigned shift = 0;
    std::uint64_t factor = 0;
};
Quotient quotient_of(std::uint64_t gamma2) {
    // factor = ceil(2^shift / gamma2) is exact while (factor gamma2 - 2^shift) P < 2^shift.
    for (unsigned shift = 32; shift < 48; ++shift) {
        const std::uint64_t power = std::uint64_t{1} << shift;
        const std::uint64_t factor = (power + gamma2 - 1) / gamma2;
        const Unsigned error = static_cast<Unsigned>(factor * gamma2 - power) * (q + gamma2 - 2);
        if (error < power) return {shift, factor};
    }
    throw BoundError("no multiplier for the decomposition");
}

struct Twiddles {
    std::uint64_t omega_inverse, g_inverse;
};

}  // namespace

void emit_inverse(Kernel& k, const Plan& plan, const Bounds& row, const std::function<void(Kernel&, unsigned)>& merge) {
    k.rename("inverse transform");
    const Map& m = plan.map;
    const std::uint64_t g = pow_q(static_cast<std::uint64_t>(mldsa::zeta), 4);
    const Twiddles tw{inv_q(mul_q(g, g)), inv_q(g)};
    const unsigned precision1 = plan.overrides.inverse_k.value_or(35);
    const unsigned precision2 = plan.overrides.final_k.value_or(35);
    const std::size_t floor = k.height();

    // One offset for everything that is subtracted later: what the subtrahend can be, and one reduced product a layer.
    const auto offset_for = [&plan](unsigned layer, const Lanes& subtrahend, Int product) {
        if (layer < 3 && plan.overrides.inverse_offsets) return (*plan.overrides.inverse_offsets)[layer];
        const Int need = subtrahend.hi + static_cast<Int>(5 - layer) * product;
        return static_cast<std::uint64_t>((need + iq - 1) / iq);
    };
    // Bound of a reduced product, for offsets only; the real bounds are tracked.
    const Int product1 = iq + iq / 16, product2 = product1;

    // Five columns and more leave rows that would outgrow pass 2; four do not.
    const bool trim_entry = plan.overrides.trim_entry.value_or(row.hi > 6 * iq);
    const unsigned trims = plan.overrides.trim_positions.value_or(trim_entry ? 0 : 1);

    // ---- pass 1: layers of half size 1, 2, 4 on eight consecutive words, upper words read as lower.
    k.begin_region("inverse pass 1");
    std::array<Bounds, 8> middle;
    middle.fill({Int{1} << 60, 0});
    OctetOrder order{};
    for (unsigned b = 8; b-- > 0;) {
        OctetTask task;
        task.strides = {1, 2, 4};
        task.load = [&m, &row, b, trim_entry](Kernel& x, unsigned p) {
            x.mload(m.work + 32ULL * (8 * b + p) - 4, lower(row.lo, row.hi));
            if (trim_entry) trim23(x);
        };
        task.trivial = [](unsigned layer, unsigned a) { return a % (1U << layer) == 0; };
        task.trivial_offset = [&](unsigned layer, const Lanes& l) { return offset_for(layer, l, product1); };
        task.multiply = [&](Kernel& x, unsigned layer, unsigned a) {
            const unsigned h = 1U << layer;
            shoup_mul(x, pow_q(tw.omega_inverse, (32 / h) * (a % h)), precision1);
        };
        task.finish = [&, b](Kernel& x, unsigned p) {
            const Lanes l = x.require_known(x.top(), "exit of inverse pass 1");
            x.check(l.lo >= 0 && l.contained(), "exit of inverse pass 1, position " + std::to_string(p) + ": " + to_string(l));
            middle[p] = {std::min(middle[p].lo, l.lo), std::max(middle[p].hi, l.hi)};
            x.mstore(m.work + 32ULL * (8 * b + p));
        };
        if (b == 7) {
            // A rehearsal tells the offsets; they stay on the stack, below the masks that are used more often.
            std::vector<U256> offsets;
            OctetTask listen = task;
            listen.trivial_offset = [&](unsigned layer, const Lanes& l) {
                const std::uint64_t m_q = offset_for(layer, l, product1);
                const U256 word = splat(m_q * q);
                if (std::find(offsets.begin(), offsets.end(), word) == offsets.end()) offsets.push_back(word);
                return m_q;
            };
            Kernel rehearsal = k.rehearsal();
            OctetOrder plain;
            plain.fill({0, 1, 2, 3});
            emit_octet(rehearsal, listen, plain);
            middle.fill({Int{1} << 60, 0});
            if (plan.tight) k.push(splat(1));
            for (const U256& word : offsets) push_resident(k, plan, word);
            push_resident(k, plan, -U256{q});
            push_resident(k, plan, splat((std::uint64_t{1} << (64 - precision1)) - 1));
            order = best_order(k, task);
            middle.fill({Int{1} << 60, 0});
        }
        emit_octet(k, task, order);
    }
    while (k.height() > floor) k.pop();
    k.end_region();

    // ---- pass 2: half sizes 8, 16, 32 on words i + 8e, then twist, reduction and decomposition in registers.
    k.begin_region("inverse pass 2+decompose");
    const Quotient quotient = quotient_of(plan.p.gamma2);
    const unsigned field = plan.p.gamma2 == (q - 1) / 88 ? 7 : 6;
    const std::uint64_t field_mask = ((std::uint64_t{1} << field) - 1) << quotient.shift;
    U256 gather;
    for (unsigned lane = 0; lane < 4; ++lane) gather |= U256::pow2(224 + 8 * lane - 64 * lane - quotient.shift);
    if (plan.tight) k.push(splat(1));
    push_resident(k, plan, splat((plan.p.gamma2 - 1) * quotient.factor));
    k.push(gather);
    push_resident(k, plan, splat(field_mask));
    push_resident(k, plan, -(U256{q} * U256{quotient.factor}));
    push_resident(k, plan, -U256{q});
    if (trims != 0) push_resident(k, plan, splat((std::uint64_t{1} << 41) - 1));
    push_resident(k, plan, splat((std::uint64_t{1} << (64 - precision2)) - 1));
    for (unsigned step = 0; step < 8; ++step) {
        // Every store of four bytes spills over what stands behind them: the E words are filled upwards.
        const unsigned i = step ^ plan.place_flip() / 4;
        OctetTask task;
        task.strides = {1, 2, 4};
        task.load = [&, i](Kernel& x, unsigned p) {
            x.mload(m.work + 32ULL * (i + 8 * p), lower(middle[i].lo, middle[i].hi));
            if (((trims >> i) & 1U) != 0) trim23(x);
        };
        task.trivial = [i](unsigned layer, unsigned a) { return i == 0 && a % (1U << layer) == 0; };
        task.trivial_offset = [&](unsigned layer, const Lanes& l) { return offset_for(layer + 3, l, product2); };
        task.multiply = [&, i](Kernel& x, unsigned layer, unsigned a) {
            const unsigned h = 8U << layer;
            const unsigned j = i + 8 * (a % (1U << layer));
            shoup_mul(x, pow_q(tw.omega_inverse, (32 / h) * j), precision2);
        };
        task.finish = [&, i, step](Kernel& x, unsigned p) {
            const unsigned n = i + 8 * p;
            if (merge) merge(x, n);
            const Lanes l = x.require_known(x.top(), "entry of the final reduction");
            const std::uint64_t s = pow_q(tw.g_inverse, n);
            const auto factor = static_cast<std::uint64_t>((static_cast<Unsigned>(s) << precision2) / q) + 1;
            x.check(l.lo >= 0 && l.hi * static_cast<Int>(factor) < (Int{1} << 64),
                    "final reduction: product leaves its lane: " + to_string(l));
            x.check(((iq * l.hi) >> precision2) + 1 < static_cast<Int>(plan.p.gamma2) - 1, "final reduction too coarse: " + to_string(l));
            x.dup(x.top());
            x.with(Op::MUL, factor);
            x.with(Op::SHR, precision2);
            x.with(Op::AND, splat((std::uint64_t{1} << (64 - precision2)) - 1));
            x.with(Op::MUL, -(U256{q} * U256{quotient.factor}));
            x.swap(1);
            x.with(Op::MUL, U256{s} * U256{quotient.factor});
            x.op(Op::ADD);
            const V pm = x.with(Op::ADD, splat((plan.p.gamma2 - 1) * quotient.factor));
            // P = t + gamma2 - 1 with t in (-gamma2 + 1, q - 1]
            const Int p_max = static_cast<Int>(q + plan.p.gamma2 - 2) * static_cast<Int>(quotient.factor);
            x.check(p_max < (Int{1} << 63) && (p_max >> (quotient.shift + field)) == 0, "quotient leaves its field");
            x.declare(pm, lower(0, p_max));
            x.with(Op::AND, splat(field_mask));
            x.with(Op::MUL, gather);
            x.mstore(m.e + 64ULL * p + 4 * step);
        };
        emit_octet(k, task, best_order(k, task, 200));
    }
    while (k.height() > floor) k.pop();
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
