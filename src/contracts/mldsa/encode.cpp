#include "contracts/mldsa/kernels.hpp"
#include "contracts/mldsa/packing.hpp"

namespace postern::contracts::mldsa_evm {

void emit_encode(Kernel& k, const Plan& plan) {
    k.rename("UseHint and w1Encode");
    k.begin_region("usehint+w1encode");
    const std::uint64_t buckets = plan.p.w1_values;
    const unsigned bits = plan.p.w1_bits;
    const bool power_of_two = (buckets & (buckets - 1)) == 0;
    V ptr = k.at(0), out = k.at(1);
    const std::size_t floor = k.height();
    const unsigned unroll = plan.encode_unroll;  // words a round
    // Resident constants, those of the packing deepest.
    const Packer packer(plan);
    packer.push_constants(k);
    if (!power_of_two) {
        k.push(splat(0x80, 8));
        k.push(splat(128 - buckets, 8));
    } else {
        k.push(splat(buckets - 1, 8));
    }
    k.push(splat(0x7f, 8));
    V e{};
    const Label loop = k.label();
    if (unroll < 8) {
        e = k.forget(k.push(plan.map.e));
        k.bind(loop);
    }
    for (unsigned g = 0; g < unroll; ++g) {
        // r = r1 + (buckets - 1) h - (buckets - 2) [r0 > 0] h, then modulo the number of buckets; bytes stay below 256.
        if (unroll < 8) {
            k.dup(e);
            if (g != 0) k.with(Op::ADD, 64 * g);
            k.op(Op::MLOAD);
        } else {
            k.mload(plan.map.e + 64ULL * g);
        }
        k.dup(k.top());
        k.with(Op::SHR, 1);
        k.with(Op::AND, splat(0x7f, 8));
        k.dup(ptr);
        if (g != 0) k.with(Op::ADD, 32 * g);
        k.op(Op::MLOAD);
        k.swap(2);
        k.dup_at(2);
        k.op(Op::AND);
        k.with(Op::MUL, buckets - 2);
        k.swap(1);
        k.op(Op::SUB);
        k.swap(1);
        k.with(Op::MUL, buckets - 1);
        k.op(Op::ADD);
        if (!power_of_two) {
            k.check(2 * buckets - 1 + 128 - buckets < 256, "modulo by comparison leaves its byte");
            k.dup(k.top());
            k.with(Op::ADD, splat(128 - buckets, 8));
            k.with(Op::AND, splat(0x80, 8));
            k.with(Op::SHR, 7);
            k.with(Op::MUL, buckets);
            k.swap(1);
            k.op(Op::SUB);
        } else {
            k.with(Op::AND, splat(buckets - 1, 8));
        }
        k.declare_bits(k.top(), splat((1U << bits) - 1, 8));
        packer.pack(k);
        k.dup(out);
        if (g != 0) k.with(Op::ADD, 4 * bits * g);
        k.op(Op::MSTORE);
    }
    const auto advance = [&k](V& v, unsigned by) {
        const unsigned depth = k.depth_of(v);
        k.swap(depth);
        v = k.with(Op::ADD, by);
        k.swap(depth);
    };
    if (unroll < 8) {
        advance(ptr, 32 * unroll);
        advance(out, 4 * bits * unroll);
        advance(e, 64 * unroll);
        k.dup(e);
        k.with(Op::XOR, plan.map.e + 512);
        k.jumpi(loop);
    }
    while (k.height() > floor) k.pop();
    if (unroll == 8) {
        advance(ptr, 256);
        advance(out, 32 * bits);
    }
    k.end_region();
}

void emit_rows(Kernel& k, const Plan& plan, const Bounds& row) {
    k.begin_region("rows");
    const Map& m = plan.map;
    k.forget(k.push(m.arrays));
    k.forget(k.push(m.packed));
    k.forget(k.push(m.hints));
    const Label loop = k.label();
    k.bind(loop);
    // [array, packed, hints]
    k.push(2048);
    k.dup_at(3);
    k.push(m.work);
    k.op(Op::MCOPY);
    emit_inverse(k, plan, row);
    emit_encode(k, plan);
    k.swap(2);
    k.with(Op::ADD, 2048);
    k.swap(2);
    k.dup_at(2);
    k.with(Op::XOR, m.array(plan.p.k));
    k.jumpi(loop);
    k.pop();
    k.pop();
    k.pop();
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
