#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

std::vector<std::uint8_t> theta_table(const Plan& plan) {
    std::vector<std::uint8_t> bytes;
    for (unsigned p = 0; p < 64; ++p) {
        const std::uint64_t t = mul_q(plan.theta[p], (std::uint64_t{1} << 32) % q);
        for (unsigned b = 4; b-- > 0;) bytes.push_back(static_cast<std::uint8_t>(t >> (8 * b)));
    }
    return bytes;
}

Bounds emit_matrix(Kernel& k, const Plan& plan, Label table, const Bounds& z, const Bounds& c) {
    k.rename("matrix-vector product");
    k.begin_region("matrix");
    const unsigned rows = plan.p.k, columns = plan.p.l + 1, leaves = plan.leaves_per_block;
    const unsigned leaf_words = plan.words_per_leaf();
    const Map& m = plan.map;

    k.push(theta_table(plan).size());
    k.push_label(table);
    k.push(m.theta);
    k.op(Op::CODECOPY);

    const std::size_t floor = k.height();
    V part = k.forget(k.push(vars.parts));                                  // where the address of the current part stands
    V end = k.forget(k.push(m.arrays - 4 + 32ULL * plan.leaves_per_part));  // pointer value where the next part begins
    V offset = k.forget(k.push(plan.header_bytes()));
    k.push(U256::max());
    k.push(mask32());
    V ptr = k.forget(k.push(m.arrays - 4));  // upper words read as lower
    const Label block = k.label();
    k.bind(block);

    const unsigned block_bytes = 32 * leaves * leaf_words;
    k.push(block_bytes);
    k.dup(offset);
    k.push(m.block);
    k.dup(part);
    k.op(Op::MLOAD);
    k.op(Op::EXTCODECOPY);

    // Thetas of the block, four bytes each, in the low end of one word.
    k.dup(ptr);
    k.with(Op::SHR, 3);
    k.with(Op::ADD, m.theta + 4 * leaves - 32 - (m.arrays - 4) / 8);
    const V thetas = k.op(Op::MLOAD);

    const Int key_max = static_cast<Int>(q - 1);
    k.check(z.lo >= 0 && c.lo >= 0, "negative data lanes");
    const Int g_max = 4 * key_max * (static_cast<Int>(plan.p.l) * z.hi + c.hi);
    k.check(g_max < (Int{1} << 63), "leaf products leave their lanes");
    const Int h_max = g_max / 4 * 3;
    Bounds exit;
    for (unsigned leaf = 0; leaf < leaves; ++leaf) {
        k.dup(thetas);
        if (leaf + 1 < leaves) k.with(Op::SHR, 32 * (leaves - 1 - leaf));
        const V theta = k.with(Op::AND, 0xffffffffU);
        std::vector<V> data;
        for (unsigned j = 0; j < columns; ++j) {
            k.dup(ptr);
            if (j != 0 || leaf != 0) k.with(Op::ADD, 2048 * j + 32 * leaf);
            data.push_back(k.op(Op::MLOAD));
        }
        for (unsigned row = 0; row < rows; ++row) {
            const auto key = [&](unsigned j) { return k.mload(m.block + 32ULL * (leaf * leaf_words + row * columns + j)); };
            const auto product_f = [&](unsigned j) {
                k.push(U256::max());
                k.dup(data[j]);
                key(j);
                k.op(Op::MULMOD);
            };
            V g, h;
            if (row + 1 < rows) {
                for (unsigned j = 0; j < columns; ++j) {
                    k.dup(data[j]);
                    key(j);
                    k.op(Op::MUL);
                    if (j != 0) k.op(Op::ADD);
                }
                g = k.top();
                k.dup(g);
                for (unsigned j = 0; j < columns; ++j) {
                    product_f(j);
                    k.op(j == 0 ? Op::SUB : Op::ADD);
                }
                h = k.top();
            } else {
                // The last row consumes its operands.
                for (unsigned j = 0; j < columns; ++j) {
                    product_f(j);
                    if (j != 0) k.op(Op::ADD);
                }
                const V f = k.top();
                k.swap(columns);
                key(0);
                k.op(Op::MUL);
                for (unsigned j = columns; j-- > 1;) {
                    k.swap(1);
                    key(j);
                    k.op(Op::MUL);
                    k.op(Op::ADD);
                }
                g = k.top();
                k.dup(g);
                k.raise(f);
                h = k.op(Op::SUB);
                g = k.at(1);
            }
            k.declare(g, lower(0, g_max));
            k.declare(h, lower(0, h_max));
            montgomery_reduce(k);
            const V h2 = to_lower(k);
            const Lanes h2_lanes = k.require_known(h2, "reduced high half");
            k.dup(theta);
            k.op(Op::MUL);
            k.declare(k.top(), lower(0, h2_lanes.hi * key_max));
            k.op(Op::ADD);
            const V r = montgomery_reduce(k);
            exit = {0, k.require_known(r, "row").hi >> 32};
            k.dup(ptr);
            k.with(Op::ADD, 2048 * row + 32 * leaf + 4);
            k.op(Op::MSTORE);
        }
        k.check(k.top() == theta, "leaf leaves something behind");
        k.pop();
    }
    k.pop();  // thetas
    ptr = k.with(Op::ADD, 32 * leaves);
    const unsigned offset_depth = k.depth_of(offset);
    k.swap(offset_depth);
    offset = k.with(Op::ADD, block_bytes);
    k.swap(offset_depth);
    k.dup(ptr);
    k.dup(end);
    k.op(Op::XOR);
    k.jumpi(block);
    // The end of a part, perhaps the last one's. The words of the next begin behind its zero byte.
    const std::uint64_t last = m.arrays - 4 + 2048;
    const Label done = k.label();
    k.dup(ptr);
    k.with(Op::XOR, last);
    k.op(Op::ISZERO);
    k.jumpi(done);
    const auto replace = [&k](V& v, auto&& change) {
        const unsigned depth = k.depth_of(v);
        k.swap(depth);
        change();
        v = k.top();
        k.swap(depth);
    };
    replace(part, [&] { k.with(Op::ADD, 32); });
    replace(end, [&] {
        const V next = k.with(Op::ADD, 32ULL * plan.leaves_per_part);
        if (plan.parts * plan.leaves_per_part == 64) return;
        // The last part is shorter: the smaller of next and last, which is next + [next > last] (last - next).
        k.dup(next);
        k.push(last);
        k.op(Op::SUB);
        k.dup(next);
        k.with(Op::GT, last);  // last > next
        k.op(Op::ISZERO);
        k.op(Op::MUL);
        k.op(Op::ADD);
    });
    replace(offset, [&] {
        k.pop();
        k.forget(k.push(1));
    });
    k.jump(block);
    k.bind(done);
    while (k.height() > floor) k.pop();
    k.end_region();
    return exit;
}

}  // namespace postern::contracts::mldsa_evm
