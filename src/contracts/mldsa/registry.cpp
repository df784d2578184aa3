#include "contracts/mldsa/registry.hpp"

#include "contracts/mldsa/registry_kernels.hpp"

namespace postern::contracts::mldsa_evm {

BlobShape blob_shape(const Plan& plan) {
    BlobShape shape;
    shape.scheme = plan.p.scheme->name;
    shape.form = "expanded";
    shape.key_bytes = plan.p.scheme->public_key_bytes;
    for (unsigned part = 0; part < plan.parts; ++part) shape.part_sizes.push_back(plan.part_bytes(part));
    shape.links_offset = 1 + 32 + 64;
    return shape;
}

namespace {

RegistryMap registry_map(const Plan& plan) {
    RegistryMap m;
    std::uint64_t at = RegistryShell::kScheme;
    for (std::uint64_t* variable : {&m.first, &m.table0, &m.table1, &m.sample0, &m.work0, &m.dest, &m.nonce}) *variable = at, at += 32;
    const auto take = [&at](std::uint64_t bytes) {
        const std::uint64_t begin = at;
        at += (bytes + 31) / 32 * 32;
        return begin;
    };
    at = RegistryShell::kKey;
    const std::uint64_t key_bytes = plan.p.scheme->public_key_bytes;
    m.key = take(key_bytes + 32);
    m.hashed = take(key_bytes + 136 + 64);
    m.sponge.base = take(keccak::Memory::size(24) + 32);
    m.block = take(136 + 32);
    // 256 coefficients, those of the last block that are not needed, and the width of a word on either side.
    constexpr std::uint64_t sample_bytes = 1024;
    static_assert(sample_bytes >= 3 * (255 + 56) + 64);
    m.sample = take(sample_bytes) + (plan.byte_order() ? 32 : sample_bytes);
    m.work = take(32 + 2048) + 32;
    m.table = take(32 + 64 * kLeafBytes + 32) + 32;
    m.blob = take(0);
    return m;
}

/// Where the part's leaves begin, in the part and in everything that they are made from.
void emit_places(Kernel& k, const Plan& plan, const RegistryMap& map) {
    const unsigned last = plan.parts - 1;
    k.mload(RegistryShell::kPart);
    const V part = k.top();
    k.dup(part);
    k.op(Op::ISZERO);
    k.with(Op::MUL, plan.header_bytes() - 1);
    k.with(Op::ADD, map.blob + 1);
    k.mstore(map.first);
    k.dup(part);
    const V leaf = k.with(Op::MUL, plan.leaves_per_part);
    k.dup(leaf);
    k.with(Op::MUL, kLeafBytes);
    const V table = k.with(Op::ADD, map.table + kLeafBytes - 32);
    k.dup(table);
    k.mstore(map.table0);
    k.raise(part);  // [table, leaf, part]
    k.with(Op::EQ, last);
    k.with(Op::MUL, kLeafBytes * (plan.leaves_per_part * plan.parts - 64));
    k.push(kLeafBytes * plan.leaves_per_part);
    k.op(Op::SUB);
    k.raise(table);  // [bytes, leaf, table]
    k.swap(1);       // [bytes, table, leaf]
    k.dup(leaf);
    k.with(Op::SHL, 5);
    k.with(Op::ADD, map.work - 4);
    k.mstore(map.work0);
    k.with(Op::MUL, 12);
    if (plan.byte_order()) {
        k.with(Op::ADD, map.sample + 12 - 32);
    } else {
        k.push(map.sample - 32);
        k.op(Op::SUB);
    }
    k.mstore(map.sample0);
    k.op(Op::ADD);
    k.mstore(map.table1);
}

template <class Expand>
void emit_with(Kernel& k, const Plan& plan) {
    const RegistryMap map = registry_map(plan);
    RegistryShell shell(k, blob_shape(plan), map.blob);
    Expand expand(k, plan, map);
    const Label pass_b = k.label(), table = k.label();
    shell.emit([&] {
        k.begin_region("expand");
        emit_places(k, plan, map);
        k.push(64 * kLeafBytes);
        k.push_label(table);
        k.push(map.table);
        k.op(Op::CODECOPY);
        emit_t1(k, plan, map, pass_b, shell.degenerate());
        expand.emit_matrix(k);
        const Label later = k.label();
        k.mload(RegistryShell::kPart);
        k.jumpi(later);
        expand.emit_tr(k, map.blob + 33);
        k.bind(later);
        k.end_region();
    });
    emit_t1_routines(k, plan, map, pass_b);
    expand.emit_routines(k);
    k.data(table, leaf_table(plan));
}

}  // namespace

void emit_registry(Kernel& k, const Plan& plan) {
    if (plan.byte_order())
        emit_with<ExpandCounter>(k, plan);
    else
        emit_with<ExpandSponge>(k, plan);
}

}  // namespace postern::contracts::mldsa_evm
