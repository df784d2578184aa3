// Algebraic identities that save gas. Each has a name and a test of its own (tests/unit/codegen/rewrite_test.cpp).

#include "codegen/graph.hpp"

namespace postern::codegen {
namespace {

using Args = std::vector<std::uint32_t>;
using Result = std::optional<std::uint32_t>;

bool is(const Graph& g, std::uint32_t id, const U256& v) {
    const auto c = g.known_value(id);
    return c && *c == v;
}

std::optional<unsigned> log2_exact(const U256& v) {
    const unsigned n = v.bit_length();
    if (n != 0 && v == U256::pow2(n - 1)) return n - 1;
    return std::nullopt;
}

/// The node behind aliases, if it is this operation.
const Node* operation(const Graph& g, std::uint32_t id, Op op) {
    const Node& n = g.at(g.resolve(id));
    return n.kind == Kind::operation && n.op == op ? &n : nullptr;
}

Result fold_constants(Graph& g, Op op, const Args& args) {
    std::vector<U256> values;
    for (const std::uint32_t a : args) {
        const auto v = g.known_value(a);
        if (!v) return std::nullopt;
        values.push_back(*v);
    }
    const auto v = evaluate(op, values);
    if (!v) return std::nullopt;
    return g.constant(*v);
}

Result neutral_element(Graph& g, Op op, const Args& a) {
    switch (op) {
        case Op::ADD:
        case Op::OR:
        case Op::XOR:
            if (is(g, a[0], 0)) return a[1];
            if (is(g, a[1], 0)) return a[0];
            break;
        case Op::SUB:
            if (is(g, a[1], 0)) return a[0];
            break;
        case Op::MUL:
            if (is(g, a[0], 1)) return a[1];
            if (is(g, a[1], 1)) return a[0];
            break;
        case Op::DIV:
            if (is(g, a[1], 1)) return a[0];
            break;
        case Op::SHL:
        case Op::SHR:
        case Op::SAR:
            if (is(g, a[0], 0)) return a[1];
            break;
        default:
            break;
    }
    return std::nullopt;
}

Result absorbing_element(Graph& g, Op op, const Args& a) {
    if ((op == Op::MUL || op == Op::AND) && (is(g, a[0], 0) || is(g, a[1], 0))) return g.constant(0);
    if (op == Op::OR && (is(g, a[0], U256::max()) || is(g, a[1], U256::max()))) return g.constant(U256::max());
    if ((op == Op::SHL || op == Op::SHR) && g.known_value(a[0]) && *g.known_value(a[0]) >= U256{256}) return g.constant(0);
    return std::nullopt;
}

Result equal_operands(Graph& g, Op op, const Args& a) {
    if (a.size() != 2 || g.resolve(a[0]) != g.resolve(a[1])) return std::nullopt;
    if (op == Op::XOR || op == Op::SUB) return g.constant(0);
    if (op == Op::AND || op == Op::OR) return a[0];
    if (op == Op::EQ) return g.constant(1);
    if (op == Op::LT || op == Op::GT || op == Op::SLT || op == Op::SGT) return g.constant(0);
    return std::nullopt;
}

Result redundant_mask(Graph& g, Op op, const Args& a) {
    if (op != Op::AND) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto mask = g.known_value(a[i]);
        if (mask && (g.at(a[1 - i]).support & ~*mask).is_zero() && !g.at(a[1 - i]).shifted_lanes) return a[1 - i];
    }
    return std::nullopt;
}

Result no_common_bits(Graph& g, Op op, const Args& a) {
    if (op == Op::AND && (g.at(a[0]).support & g.at(a[1]).support).is_zero()) return g.constant(0);
    return std::nullopt;
}

Result double_not(Graph& g, Op op, const Args& a) {
    if (op != Op::NOT) return std::nullopt;
    if (const Node* n = operation(g, a[0], Op::NOT)) return n->args[0];
    return std::nullopt;
}

Result xor_with_all_ones(Graph& g, Op op, const Args& a) {
    if (op != Op::XOR) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        if (is(g, a[i], U256::max())) return g.operation(Op::NOT, {a[1 - i]});
    }
    return std::nullopt;
}

Result subtract_constant(Graph& g, Op op, const Args& a) {
    // A constant operand is pushed last, so it should be the first operand.
    if (op != Op::SUB) return std::nullopt;
    const auto c = g.known_value(a[1]);
    if (!c || g.at(a[0]).lanes) return std::nullopt;
    return g.operation(Op::ADD, {g.constant(-*c), a[0]});
}

Result multiply_by_power_of_two(Graph& g, Op op, const Args& a) {
    if (op != Op::MUL) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto c = g.known_value(a[i]);
        if (!c) continue;
        if (const auto n = log2_exact(*c)) return g.operation(Op::SHL, {g.constant(*n), a[1 - i]});
    }
    return std::nullopt;
}

Result divide_by_power_of_two(Graph& g, Op op, const Args& a) {
    if (op != Op::DIV && op != Op::MOD) return std::nullopt;
    const auto c = g.known_value(a[1]);
    if (!c || g.at(a[0]).lanes) return std::nullopt;
    const auto n = log2_exact(*c);
    if (!n) return std::nullopt;
    if (op == Op::DIV) return g.operation(Op::SHR, {g.constant(*n), a[0]});
    return g.operation(Op::AND, {g.constant(*c - 1), a[0]});
}

Result chained_shifts(Graph& g, Op op, const Args& a) {
    if (op != Op::SHL && op != Op::SHR) return std::nullopt;
    const auto outer = g.known_value(a[0]);
    const Node* n = operation(g, a[1], op);
    if (!outer || n == nullptr || g.at(a[1]).lanes || n->shifted_lanes) return std::nullopt;
    const auto inner = g.known_value(n->args[0]);
    if (!inner) return std::nullopt;
    const std::uint32_t rest = n->args[1];  // n does not survive new nodes
    return g.operation(op, {g.constant(*outer + *inner), rest});
}

Result chained_constants(Graph& g, Op op, const Args& a) {
    if (op != Op::ADD && op != Op::XOR && op != Op::AND && op != Op::OR) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto outer = g.known_value(a[i]);
        const Node* n = operation(g, a[1 - i], op);
        if (!outer || n == nullptr || g.at(a[1 - i]).lanes) continue;
        for (std::size_t j = 0; j < 2; ++j) {
            const auto inner = g.known_value(n->args[j]);
            if (!inner || g.known_value(n->args[1 - j])) continue;
            const std::uint32_t rest = n->args[1 - j];
            return g.operation(op, {g.constant(*evaluate(op, {*outer, *inner})), rest});
        }
    }
    return std::nullopt;
}

Result compare_with_zero(Graph& g, Op op, const Args& a) {
    if (op == Op::EQ) {
        if (is(g, a[0], 0)) return g.operation(Op::ISZERO, {a[1]});
        if (is(g, a[1], 0)) return g.operation(Op::ISZERO, {a[0]});
    }
    if (op == Op::GT && is(g, a[1], 0)) return g.operation(Op::ISZERO, {g.operation(Op::ISZERO, {a[0]})});
    return std::nullopt;
}

Result triple_iszero(Graph& g, Op op, const Args& a) {
    if (op != Op::ISZERO) return std::nullopt;
    const Node* n = operation(g, a[0], Op::ISZERO);
    if (n == nullptr) return std::nullopt;
    const std::uint32_t inner = n->args[0];
    if ((g.at(inner).support & ~U256{1}).is_zero() && !g.known_value(inner)) return inner;
    return std::nullopt;
}

Result constant_first(Graph& g, Op op, const Args& a) {
    const auto mirrored = [&]() -> std::optional<Op> {
        switch (op) {
            case Op::LT:
                return Op::GT;
            case Op::GT:
                return Op::LT;
            case Op::SLT:
                return Op::SGT;
            case Op::SGT:
                return Op::SLT;
            default:
                return std::nullopt;
        }
    }();
    if (!mirrored || !g.known_value(a[1]) || g.known_value(a[0])) return std::nullopt;
    return g.operation(*mirrored, {a[1], a[0]});
}

}  // namespace

const std::vector<Rewrite>& rewrites() {
    static const std::vector<Rewrite> table = {
        {"fold constants", fold_constants},
        {"neutral element", neutral_element},
        {"absorbing element", absorbing_element},
        {"equal operands", equal_operands},
        {"mask that removes nothing", redundant_mask},
        {"operands without common bits", no_common_bits},
        {"double NOT", double_not},
        {"XOR with all ones", xor_with_all_ones},
        {"subtract a constant", subtract_constant},
        {"multiply by a power of two", multiply_by_power_of_two},
        {"divide by a power of two", divide_by_power_of_two},
        {"chained shifts", chained_shifts},
        {"chained constants", chained_constants},
        {"compare with zero", compare_with_zero},
        {"ISZERO of ISZERO of a flag", triple_iszero},
        {"constant operand first", constant_first},
    };
    return table;
}

std::optional<U256> evaluate(Op op, const std::vector<U256>& a) {
    const auto count = [&] { return a[0].fits_u64() && a[0].low64() < 256 ? static_cast<unsigned>(a[0].low64()) : 256U; };
    const auto flag = [](bool b) { return U256{b ? 1U : 0U}; };
    switch (op) {
        case Op::ADD:
            return a[0] + a[1];
        case Op::MUL:
            return a[0] * a[1];
        case Op::SUB:
            return a[0] - a[1];
        case Op::DIV:
            return a[0] / a[1];
        case Op::SDIV:
            return sdiv(a[0], a[1]);
        case Op::MOD:
            return a[0] % a[1];
        case Op::SMOD:
            return smod(a[0], a[1]);
        case Op::ADDMOD:
            return add_mod(a[0], a[1], a[2]);
        case Op::MULMOD:
            return mul_mod(a[0], a[1], a[2]);
        case Op::EXP:
            return pow(a[0], a[1]);
        case Op::SIGNEXTEND:
            return sign_extend(a[0], a[1]);
        case Op::LT:
            return flag(a[0] < a[1]);
        case Op::GT:
            return flag(a[0] > a[1]);
        case Op::SLT:
            return flag(slt(a[0], a[1]));
        case Op::SGT:
            return flag(slt(a[1], a[0]));
        case Op::EQ:
            return flag(a[0] == a[1]);
        case Op::ISZERO:
            return flag(a[0].is_zero());
        case Op::AND:
            return a[0] & a[1];
        case Op::OR:
            return a[0] | a[1];
        case Op::XOR:
            return a[0] ^ a[1];
        case Op::NOT:
            return ~a[0];
        case Op::BYTE:
            if (!a[0].fits_u64() || a[0].low64() > 31) return U256{};
            return (a[1] >> static_cast<unsigned>(8 * (31 - a[0].low64()))) & U256{0xff};
        case Op::SHL:
            return a[1] << count();
        case Op::SHR:
            return a[1] >> count();
        case Op::SAR:
            return sar(a[1], count());
        case Op::CLZ:
            return U256{256 - a[0].bit_length()};
        default:
            return std::nullopt;
    }
}

}  // namespace postern::codegen
