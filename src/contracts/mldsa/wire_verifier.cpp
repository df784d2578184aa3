#include "contracts/mldsa/doors.hpp"
#include "contracts/mldsa/verifier.hpp"
#include "contracts/mldsa/wire.hpp"
#include "contracts/mldsa/xof_library.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

/// tr = H(pk, 64) to the message buffer, and a zero byte behind it.
void emit_counter_tr(Kernel& k, const WirePlan& wire) {
    k.rename("tr");
    k.begin_region("tr");
    const std::uint64_t buffer = message_buffer(wire.plan), counter = wire.plan.map.counter;
    k.push(wire.key_bytes);
    k.mload(vars.parts);
    k.push(buffer);
    k.op(Op::CALLDATACOPY);
    k.push(wire.key_bytes);
    k.push(buffer);
    k.op(Op::KECCAK256);
    k.mstore(counter);
    for (unsigned block = 0; block < 3; ++block) {
        // Counter 0 stands there, and stands there again at the end.
        if (block != 0) {
            k.push(block % 2);
            k.push(counter + 32 + wire.plan.counter_bytes - 1);
            k.op(Op::MSTORE8);
        }
        if (block == 2) break;
        k.push(32 + wire.plan.counter_bytes);
        k.push(counter);
        k.op(Op::KECCAK256);
        k.mstore(buffer + 32ULL * block);
    }
    k.push(0);
    k.mstore(buffer + 64);
    k.end_region();
}

/// The streams of the next row stand there already: their lengths, and afterwards where the next ones are.
void emit_row_lengths(Kernel& k, const WirePlan& wire) {
    for (unsigned j = 0; j < wire.plan.p.l; ++j) {
        k.push(kXofStreamBytes);
        k.mstore(wire.map.states + 64ULL * j + 32);
    }
}

void emit_next_row(Kernel& k, const WirePlan& wire) {
    k.mload(wire.row_streams());
    k.with(Op::ADD, wire.stream_pitch * wire.plan.p.l);
    k.mstore(wire.row_streams());
}

void emit_wire_rows(Kernel& k, const WirePlan& wire, Label repair) {
    const Plan& plan = wire.plan;
    const Map& m = plan.map;
    k.begin_region("rows");
    if (wire.calls == 0) {
        k.mload(vars.parts);
        k.op(Op::CALLDATALOAD);
        k.mstore(wire.map.seed);
    }
    k.forget(k.push(0));
    k.forget(k.push(m.packed));
    k.forget(k.push(m.hints));
    const Label loop = k.label();
    k.bind(loop);
    // [row, packed, hints]
    k.dup_at(2);
    if (wire.calls == 0)
        emit_counter_streams(k, wire);
    else
        emit_row_lengths(k, wire);
    emit_products(k, wire, repair);
    if (wire.calls != 0) emit_next_row(k, wire);
    emit_sparse(k, wire);
    k.pop();
    const Bounds row = emit_leaves(k, wire);
    const Int most = static_cast<Int>(plan.p.tau) * 1023;
    const std::uint64_t g = pow_q(static_cast<std::uint64_t>(mldsa::zeta), 4);
    emit_inverse(k, plan, row, [&](Kernel& x, unsigned n) {
        // q + c t1 times -2^13 g^n
        x.mload(wire.map.ct1 + 32ULL * n, lower(static_cast<Int>(q) - most, static_cast<Int>(q) + most));
        shoup_mul(x, sub_q(0, mul_q(1U << 13, pow_q(g, n))), 35);
        x.op(Op::ADD);
    });
    emit_encode(k, plan);
    k.swap(2);
    k.with(Op::ADD, 1);
    k.swap(2);
    k.dup_at(2);
    k.with(Op::XOR, plan.p.k);
    k.jumpi(loop);
    k.pop();
    k.pop();
    k.pop();
    k.end_region();
}

/// Everything but what the two kinds of hashing do differently.
template <class Hash, class Begin, class Streams>
void emit_with(Kernel& k, const WirePlan& wire, const Labels& l, Hash& hash, Begin begin, Streams streams,
               const std::function<void(Kernel&)>& refill) {
    const Plan& plan = wire.plan;
    const Label points = k.label(), leaves = k.label(), repair = k.label();
    emit_doors(k, plan, l, {kWireDoors, wire.key_bytes});
    k.mload(vars.bad);
    k.jumpi(l.reject);
    begin();
    hash.emit_mu(k);
    emit_hints(k, plan);
    emit_z(k, plan, l.pass_b);
    Kernel bounds_only("bounds");
    const auto exits = emit_pass_b(bounds_only, plan, bounds_only.label(), {pass_a_bounds(plan)});
    emit_points(k, wire, points, exits[0]);
    hash.emit_looped_draws(k);
    emit_taps(k, wire);
    k.push(leaf_table(wire).size());
    k.push_label(leaves);
    k.push(wire.map.inverse);
    k.op(Op::CODECOPY);
    streams();
    emit_wire_rows(k, wire, repair);
    hash.emit_final(k);

    emit_answer(k, l);

    emit_parse(k, l);
    emit_pass_b(k, plan, l.pass_b, {pass_a_bounds(plan)});
    emit_repair(k, wire, repair, refill);
    hash.emit_routines(k);
    k.data(points, points_table(wire));
    k.data(leaves, leaf_table(wire));
}

}  // namespace

void emit_wire_verifier(Kernel& k, const WirePlan& wire) {
    const Labels l{k.exit_label(), k.exit_label(), k.label(), k.label(), k.label(), k.label()};
    if (wire.calls == 0) {
        CounterHash hash(k, wire.plan);
        emit_with(
            k, wire, l, hash, [&] { emit_counter_tr(k, wire); }, [] {}, [&wire](Kernel& x) { emit_counter_refill(x, wire); });
        return;
    }
    CallHash hash(k, wire, l.revert);
    const Label pairs = k.label();
    emit_with(
        k, wire, l, hash,
        [&] {
            hash.emit_check(k);
            hash.emit_tr(k);
        },
        [&] { hash.emit_streams(k, pairs); },
        // More than 24 refused fields of 280: no seed is known to lead there (2^-132).
        [&l](Kernel& x) {
            const auto frame = x.stack();
            x.jump(l.revert);
            x.set_stack(frame);
        });
    k.data(pairs, pair_table(wire));
}

}  // namespace postern::contracts::mldsa_evm
