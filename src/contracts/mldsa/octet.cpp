#include "contracts/mldsa/octet.hpp"

#include <algorithm>

namespace postern::contracts::mldsa_evm {

namespace {

std::array<unsigned, 4> first_positions(unsigned stride) {
    std::array<unsigned, 4> a{};
    unsigned n = 0;
    for (unsigned p = 0; p < 8; ++p) {
        if ((p & stride) == 0) a[n++] = p;
    }
    return a;
}

void drop_dead(Kernel& k, std::vector<V>& dead) {
    for (auto it = std::find(dead.begin(), dead.end(), k.top()); it != dead.end(); it = std::find(dead.begin(), dead.end(), k.top())) {
        dead.erase(it);
        k.pop();
    }
}

}  // namespace

void emit_octet(Kernel& k, const OctetTask& task, const OctetOrder& order) {
    std::array<V, 8> word = task.words;
    std::vector<V> dead;
    for (unsigned layer = 0; layer < task.strides.size(); ++layer) {
        const unsigned stride = task.strides[layer];
        const bool last = layer + 1 == task.strides.size();
        const auto positions = first_positions(stride);
        for (const unsigned index : order[layer]) {
            const unsigned a = positions[index], b = a + stride;
            if (layer == 0 && task.load) {
                task.load(k, a);
                word[a] = k.top();
                task.load(k, b);
                word[b] = k.top();
            } else {
                drop_dead(k, dead);
                k.raise(word[b]);
            }
            const bool trivial = task.trivial(layer, a);
            U256 offset;
            if (trivial) {
                const Lanes l = k.require_known(k.top(), "butterfly operand");
                offset = splat(task.trivial_offset(layer, l) * q);
            } else {
                task.multiply(k, layer, a);
            }
            const V t = k.top();
            const auto difference = [&] {
                k.op(Op::SUB);
                if (trivial) k.with(Op::ADD, offset);
            };
            if (!last) {
                k.dup(t);
                k.dup(word[a]);
                const V s = k.op(Op::ADD);
                k.raise(word[a]);
                difference();
                word[a] = s;
                word[b] = k.top();
            } else {
                k.dup(t);
                k.dup(word[a]);
                difference();
                task.finish(k, b);
                if (k.depth_of(word[a]) == 1) {
                    k.op(Op::ADD);
                } else {
                    k.dup(word[a]);
                    k.op(Op::ADD);
                    dead.push_back(word[a]);
                }
                task.finish(k, a);
            }
        }
    }
    if (!dead.empty()) drop_dead(k, dead);
    k.check(dead.empty(), "octet leaves dead words behind");
}

OctetOrder best_order(const Kernel& k, const OctetTask& task, unsigned tries) {
    OctetOrder best{};
    for (auto& layer : best) layer = {0, 1, 2, 3};
    const auto cost = [&](const OctetOrder& order) {
        Kernel r = k.rehearsal();
        emit_octet(r, task, order);
        return r.gas() * 100000 + r.bytes();
    };
    std::uint64_t best_cost = cost(best);
    std::uint64_t seed = 0x9e3779b97f4a7c15ULL;
    const auto next = [&seed](std::uint64_t bound) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        return static_cast<std::size_t>(seed % bound);
    };
    for (unsigned t = 0; t < tries; ++t) {
        OctetOrder candidate = best;
        const std::size_t swaps = 1 + next(3);
        for (std::size_t s = 0; s < swaps; ++s) {
            auto& layer = candidate[next(task.strides.size())];
            std::swap(layer[next(4)], layer[next(4)]);
        }
        if (candidate == best) continue;
        const std::uint64_t c = cost(candidate);
        if (c <= best_cost) best_cost = c, best = candidate;
    }
    return best;
}

}  // namespace postern::contracts::mldsa_evm
