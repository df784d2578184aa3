#include "contracts/mldsa/verifier.hpp"

#include "contracts/mldsa/doors.hpp"
#include "contracts/mldsa/registry.hpp"
#include "contracts/registry_pins.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

Provenance plan_provenance(const Plan& plan) {
    return provenance_of(blob_shape(plan), registry_pin(std::string(plan.p.scheme->name) + "-registry").address());
}

/// Part 0 stands where the registry creates it for the key that its header names, and every part has exactly its size and a zero first
/// byte. The header comes to message_buffer() - 33, tr at message_buffer(); 96 bytes in the middle of map.work are left dirty (the hints
/// need its beginning zero).
void emit_key_checks(Kernel& k, const Plan& plan, const Labels& l) {
    k.begin_region("key_check");
    const std::uint64_t buffer = message_buffer(plan), header = buffer - 33;
    const auto size_is = [&](unsigned part) {
        k.op(Op::EXTCODESIZE);
        k.with(Op::XOR, plan.part_bytes(part));
        k.jumpi(l.reject);
    };
    k.mload(vars.parts);
    size_is(0);
    k.push(plan.header_bytes());
    k.push(0);
    k.push(header);
    k.mload(vars.parts);
    k.op(Op::EXTCODECOPY);
    k.mload(header);
    k.with(Op::BYTE, 0);
    k.jumpi(l.reject);
    emit_part0_address(k, plan_provenance(plan), header + 1, plan.map.work + 1024);
    k.mload(vars.parts);
    k.op(Op::XOR);
    k.with(Op::SHL, 96);
    k.jumpi(l.reject);
    for (unsigned part = 1; part < plan.parts; ++part) {
        k.mload(buffer + 64 + 20 * (part - 1));
        const V address = k.with(Op::SHR, 96);
        k.dup(address);
        size_is(part);
        k.push(1);
        k.push(0);
        k.push(vars.scratch);
        k.dup(address);
        k.op(Op::EXTCODECOPY);
        k.mstore(vars.parts + 32 * part);
        k.mload(vars.scratch);
        k.jumpi(l.reject);
    }
    for (unsigned at = 0; at < 20 * (plan.parts - 1); at += 32) {
        k.push(0);
        k.mstore(buffer + 64 + at);
    }
    k.end_region();
}

template <class Hash>
void emit_with(Kernel& k, const Plan& plan) {
    const Labels l{k.exit_label(), k.exit_label(), k.label(), k.label(), k.label(), k.label()};
    Hash hash(k, plan);
    emit_doors(k, plan, l, {kDoors, 0});
    k.mload(vars.bad);
    k.jumpi(l.reject);
    emit_key_checks(k, plan, l);
    hash.emit_mu(k);
    emit_hints(k, plan);
    emit_z(k, plan, l.pass_b);
    hash.emit_draws(k);
    emit_challenge_transform(k, plan, l.pass_b);
    const std::vector<Bounds> producers{challenge_bounds(plan), pass_a_bounds(plan)};
    Kernel bounds_only("bounds");
    const auto exits = emit_pass_b(bounds_only, plan, bounds_only.label(), producers);
    const Bounds row = emit_matrix(k, plan, l.theta, exits[1], exits[0]);
    emit_rows(k, plan, row);
    hash.emit_final(k);

    emit_answer(k, l);

    emit_parse(k, l);
    emit_pass_b(k, plan, l.pass_b, producers);
    hash.emit_routines(k);
    k.data(l.theta, theta_table(plan));
}

}  // namespace

void emit_verifier(Kernel& k, const Plan& plan) {
    if (plan.byte_order())
        emit_with<CounterHash>(k, plan);
    else
        emit_with<HashCode>(k, plan);
}

}  // namespace postern::contracts::mldsa_evm
