#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

// Algorithm 21 (HintBitUnpack) with every refusal as a bit of `bad`: counters that fall or exceed omega, positions that do not
// rise inside a polynomial, unused positions that are not zero. Nothing is left early; a counter can cost 255 rounds at most.
void emit_hints(Kernel& k, const Plan& plan) {
    k.rename("hints");
    k.begin_region("hints");
    const Map& m = plan.map;
    const std::uint64_t copy = m.work;  // zeroed memory here: the positions, then zeros
    const std::size_t floor = k.height();
    // Positions to memory, counters to the stack.
    k.mload(vars.signature);
    k.with(Op::ADD, plan.p.c_tilde + plan.p.l * plan.p.z_poly);
    const V base = k.top();
    k.push(plan.p.omega);
    k.dup(base);
    k.push(copy);
    k.op(Op::CALLDATACOPY);
    k.with(Op::ADD, plan.p.omega);
    const V counters = k.op(Op::CALLDATALOAD);
    V bad = k.forget(k.push(0));
    V cursor = k.forget(k.push(copy));
    for (unsigned row = 0; row < plan.p.k; ++row) {
        const Label loop = k.label(), check = k.label();
        // end = copy + counter; bad if it lies before the cursor or behind the last position.
        k.dup(counters);
        k.with(Op::BYTE, row);
        const V end = k.with(Op::ADD, copy);
        V least = k.forget(k.push(0));  // the next position must be at least this
        // Stack: [counters, bad, cursor, end, least]
        k.dup(end);
        k.dup(cursor);
        k.op(Op::GT);  // cursor > end
        k.dup(end);
        k.push(copy + plan.p.omega);
        k.op(Op::LT);  // copy + omega < end
        k.op(Op::OR);
        k.dup(bad);
        k.op(Op::OR);
        k.raise(bad);
        k.pop();
        bad = k.stack()[floor + 1];
        k.jump(check);
        k.bind(loop);
        k.dup(cursor);
        k.op(Op::MLOAD);
        const V position = k.with(Op::BYTE, 0);
        k.raise(least);  // [.., position, least]
        k.dup(position);
        k.op(Op::LT);  // position < least
        k.dup(bad);
        k.op(Op::OR);
        k.raise(bad);
        k.pop();
        bad = k.stack()[floor + 1];
        k.push(1);
        k.dup(position);
        if (plan.place_flip() != 0) k.with(Op::XOR, plan.place_flip());
        k.with(Op::ADD, m.hints + 256ULL * row);
        k.op(Op::MSTORE8);
        k.with(Op::ADD, 1);
        least = k.top();
        k.swap(2);
        cursor = k.with(Op::ADD, 1);
        k.swap(2);
        k.bind(check);
        k.dup_at(1);
        k.dup_at(3);
        k.op(Op::LT);  // cursor < end
        k.jumpi(loop);
        // The next polynomial begins where this one ended, also if the counter fell (then bad is set).
        k.pop();
        k.swap(1);
        k.pop();
        cursor = k.top();
    }
    // Everything from the total on is zero.
    for (unsigned at = 0; at < plan.p.omega; at += 32) {
        k.dup(cursor);
        if (at != 0) k.with(Op::ADD, at);
        k.op(Op::MLOAD);
        if (at != 0) k.op(Op::OR);
    }
    k.dup(bad);
    k.op(Op::OR);
    or_bad(k);
    while (k.height() > floor) k.pop();
    // The copy must not be seen by unaligned reads of the work buffer later: it is overwritten before.
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
