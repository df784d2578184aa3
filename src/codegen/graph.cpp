#include "codegen/graph.hpp"

#include <algorithm>

namespace postern::codegen {

bool conflict(const Access& a, const Access& b) {
    if (!a.write && !b.write) return false;
    if (a.external || b.external) return a.external && b.external;
    if (a.base != kNone && a.base == b.base)
        return a.offset < b.offset + static_cast<std::int64_t>(b.length) && b.offset < a.offset + static_cast<std::int64_t>(a.length);
    return a.lo < b.hi && b.lo < a.hi;
}

bool commutative(Op op) {
    switch (op) {
        case Op::ADD:
        case Op::MUL:
        case Op::AND:
        case Op::OR:
        case Op::XOR:
        case Op::EQ:
        case Op::ADDMOD:
        case Op::MULMOD:
            return true;
        default:
            return false;
    }
}

void Graph::refuse(const std::string& what) const { throw BoundError("kernel " + name + ": " + what); }

std::uint32_t Graph::resolve(std::uint32_t id) const {
    while (nodes[id].kind == Kind::alias) id = nodes[id].args[0];
    return id;
}

std::optional<U256> Graph::known_value(std::uint32_t id) const {
    const Node& n = nodes[resolve(id)];
    if (n.known) return n.value;
    return std::nullopt;
}

std::uint32_t Graph::add_node(Node n) {
    n.note = note;
    const auto id = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(std::move(n));
    return id;
}

std::uint32_t Graph::constant(const U256& v) {
    for (const std::uint32_t r : residents) {
        if (nodes[r].known && nodes[r].value == v) return r;
    }
    const std::string key = "c" + to_hex_0x(v);
    if (const auto it = shared.find(key); it != shared.end()) return it->second;
    Node n;
    n.kind = Kind::constant;
    n.value = v;
    n.known = true;
    n.support = v;
    return shared[key] = add_node(std::move(n));
}

std::uint32_t Graph::alias(std::uint32_t id, LaneBounds bounds) {
    Node n;
    n.kind = Kind::alias;
    n.args = {id};
    n.support = nodes[id].support;
    if (bounds.clean()) n.support &= bounds.support();
    n.lanes = std::make_shared<const LaneBounds>(std::move(bounds));
    return add_node(std::move(n));
}

std::uint32_t Graph::operation(Op op, std::vector<std::uint32_t> args) {
    bool shifted = false;
    const auto lanes = lanes_of(*this, op, args, shifted);
    const auto with_lanes = [&](std::uint32_t id) {
        if (!lanes || nodes[id].lanes || nodes[resolve(id)].known) return id;
        return alias(id, *lanes);
    };
    for (const Rewrite& rule : rewrites()) {
        if (const auto r = rule.apply(*this, op, args)) return with_lanes(*r);
    }
    // One form for a commutative operator: constant first, then the older operand.
    if (commutative(op)) {
        const bool known0 = nodes[resolve(args[0])].known;
        const bool known1 = nodes[resolve(args[1])].known;
        if (known0 != known1 ? known1 : args[1] < args[0]) std::swap(args[0], args[1]);
    }
    std::string key = "o" + std::to_string(static_cast<unsigned>(op));
    for (const std::uint32_t a : args) key += "," + std::to_string(a);
    if (const auto it = shared.find(key); it != shared.end()) return it->second;
    Node n;
    n.op = op;
    n.support = support_of(*this, op, args);
    if (lanes && lanes->clean()) n.support &= lanes->support();
    n.lanes = lanes;
    n.shifted_lanes = shifted;
    n.args = std::move(args);
    return shared[key] = add_node(std::move(n));
}

void Graph::order(std::uint32_t id) {
    Node& n = nodes[id];
    if (barrier != kNone) n.after.push_back(barrier);
    bool computed = false;
    for (const Access& a : n.accesses) computed = computed || a.base != kNone;
    if (computed && last_reject != kNone) n.after.push_back(last_reject);
    for (const std::uint32_t earlier : ordered) {
        const Node& e = nodes[earlier];
        const bool meets = std::any_of(n.accesses.begin(), n.accesses.end(), [&](const Access& a) {
            return std::any_of(e.accesses.begin(), e.accesses.end(), [&](const Access& b) { return conflict(a, b); });
        });
        if (meets) n.after.push_back(earlier);
    }
    std::sort(n.after.begin(), n.after.end());
    n.after.erase(std::unique(n.after.begin(), n.after.end()), n.after.end());
    ordered.push_back(id);
}

}  // namespace postern::codegen
