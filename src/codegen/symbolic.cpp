#include "codegen/symbolic.hpp"

#include <algorithm>

#include "codegen/graph.hpp"

namespace postern::codegen {

Bit BitAlgebra::input(std::uint32_t name) {
    const auto [it, fresh] = inputs_.emplace(name, next_);
    if (fresh) ++next_;
    return 2 * it->second;
}

Bit BitAlgebra::and_of(Bit a, Bit b) {
    if (a == kBitZero || b == kBitZero) return kBitZero;
    if (a == kBitJunk || b == kBitJunk) return kBitJunk;
    if (a == kBitOne || a == b) return b;
    if (b == kBitOne) return a;
    if (a == (b ^ 1U)) return kBitZero;
    if (a > b) std::swap(a, b);
    const auto [it, fresh] = products_.emplace(std::pair{a, b}, next_);
    if (fresh) ++next_;
    return 2 * it->second;
}

Bit BitAlgebra::sum(std::vector<std::uint32_t> terms, bool negated) {
    const Bit sign = negated ? 1 : 0;
    if (terms.empty()) return kBitZero ^ sign;
    if (terms.size() == 1) return (2 * terms[0]) ^ sign;
    const auto [it, fresh] = sums_.emplace(std::move(terms), next_);
    if (fresh) terms_[next_++] = it->first;
    return (2 * it->second) ^ sign;
}

Bit BitAlgebra::xor_of(Bit a, Bit b) {
    if (a == kBitJunk || b == kBitJunk) return kBitJunk;
    const auto terms = [&](Bit v) -> std::vector<std::uint32_t> {
        const std::uint32_t id = v >> 1;
        if (id == 0) return {};
        if (const auto it = terms_.find(id); it != terms_.end()) return it->second;
        return {id};
    };
    const auto x = terms(a);
    const auto y = terms(b);
    std::vector<std::uint32_t> all;
    std::set_symmetric_difference(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(all));
    return sum(std::move(all), ((a ^ b) & 1U) != 0);
}

void SymbolicRun::set_memory(std::uint64_t address, const SymbolicWord& word) {
    for (unsigned byte = 0; byte < 32; ++byte) {
        auto& cell = memory_[address + byte];
        for (unsigned k = 0; k < 8; ++k) cell[k] = word[8 * (31 - byte) + k];
    }
}

void SymbolicRun::set_zero(std::uint64_t address, std::uint64_t size) {
    for (std::uint64_t a = address; a < address + size; ++a) memory_[a] = {};
    gaps_.emplace_back(address, address + size);
}

SymbolicWord SymbolicRun::memory(std::uint64_t address) const {
    SymbolicWord word;
    word.fill(kBitJunk);
    for (unsigned byte = 0; byte < 32; ++byte) {
        const auto it = memory_.find(address + byte);
        if (it == memory_.end()) continue;
        for (unsigned k = 0; k < 8; ++k) word[8 * (31 - byte) + k] = it->second[k];
    }
    return word;
}

SymbolicWord SymbolicRun::copies(const Graph& g, const SymbolicWord& v, const U256& factor, std::uint32_t id) {
    SymbolicWord r{};
    for (unsigned shift = 0; shift < 256; ++shift) {
        if (!factor.bit(shift)) continue;
        for (unsigned i = 0; i + shift < 256; ++i) {
            if (v[i] == kBitZero) continue;
            if (r[i + shift] != kBitZero)
                g.refuse("MUL by " + to_hex_0x(factor) + " (value " + std::to_string(id) + "): two copies meet at bit " +
                         std::to_string(i + shift));
            r[i + shift] = v[i];
        }
    }
    return r;
}

SymbolicWord SymbolicRun::operation(const Graph& g, std::uint32_t id) {
    const Node& n = g.at(id);
    const auto arg = [&](std::size_t i) -> const SymbolicWord& { return words_.at(g.resolve(n.args[i])); };
    const auto known = [&](std::size_t i) { return g.known_value(n.args[i]); };
    const auto bitwise = [&](auto f) {
        SymbolicWord r;
        for (std::size_t i = 0; i < 256; ++i) r[i] = f(arg(0)[i], arg(1)[i]);
        return r;
    };
    switch (n.op) {
        case Op::AND:
            return bitwise([&](Bit a, Bit b) { return bits_.and_of(a, b); });
        case Op::OR:
            return bitwise([&](Bit a, Bit b) { return bits_.or_of(a, b); });
        case Op::XOR:
            return bitwise([&](Bit a, Bit b) { return bits_.xor_of(a, b); });
        case Op::NOT: {
            SymbolicWord r;
            for (std::size_t i = 0; i < 256; ++i) r[i] = bits_.not_of(arg(0)[i]);
            return r;
        }
        case Op::ADD:
            return bitwise([&](Bit a, Bit b) {
                if (a != kBitZero && b != kBitZero) g.refuse("ADD (value " + std::to_string(id) + "): two bits meet");
                return a == kBitZero ? b : a;
            });
        case Op::MUL:
            if (known(0)) return copies(g, arg(1), *known(0), id);
            break;
        case Op::SHL:
        case Op::SHR:
            if (known(0)) {
                const U256 count = *known(0);
                SymbolicWord r{};
                if (!count.fits_u64() || count.low64() >= 256) return r;
                const auto s = static_cast<std::size_t>(count.low64());
                for (std::size_t i = 0; i + s < 256; ++i) {
                    if (n.op == Op::SHL)
                        r[i + s] = arg(1)[i];
                    else
                        r[i] = arg(1)[i + s];
                }
                return r;
            }
            break;
        case Op::MLOAD:
            if (known(0)) return memory(known(0)->low64());
            break;
        default:
            break;
    }
    g.refuse("symbolic execution cannot follow " + std::string(evm::name(n.op)) + " (value " + std::to_string(id) + ")");
}

void SymbolicRun::run(Block& block) {
    const Graph& g = block.graph();
    words_.clear();
    for (std::uint32_t id = 0; id < g.nodes.size(); ++id) {
        const Node& n = g.at(id);
        if (const auto it = assumed_.find(id); it != assumed_.end()) {
            words_[id] = it->second;
        } else if (n.known) {
            SymbolicWord w{};
            for (unsigned i = 0; i < 256; ++i) w[i] = n.value.bit(i) ? kBitOne : kBitZero;
            words_[id] = w;
        } else if (n.kind == Kind::entry || n.kind == Kind::environment || n.kind == Kind::label) {
            words_[id].fill(kBitJunk);
        } else if (n.kind == Kind::alias || n.kind == Kind::phase) {
            continue;
        } else if (n.kind == Kind::operation && n.op == Op::MSTORE) {
            const auto address = g.known_value(n.args[0]);
            if (!address) g.refuse("symbolic execution: store to a computed address");
            const std::uint64_t at = address->low64();
            for (const auto& [lo, hi] : gaps_) {
                if (at < hi && lo < at + 32) g.refuse("store at " + std::to_string(at) + " touches the zero gap at " + std::to_string(lo));
            }
            set_memory(at, words_.at(g.resolve(n.args[1])));
        } else if (n.kind == Kind::operation) {
            // Address arithmetic is the business of whoever assumed the load.
            const bool pointer = n.op == Op::ADD && g.at(g.resolve(n.args[1])).kind == Kind::entry;
            if (pointer)
                words_[id].fill(kBitJunk);
            else
                words_[id] = operation(g, id);
        } else {
            g.refuse("symbolic execution cannot follow " + n.name);
        }
    }
}

}  // namespace postern::codegen
