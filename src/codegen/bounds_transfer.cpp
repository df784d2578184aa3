// What is known about an operator's result: bits that may be 1, and lane intervals.

#include <algorithm>

#include "codegen/block.hpp"
#include "codegen/graph.hpp"

namespace postern::codegen {
namespace {

unsigned trailing_zeros(const U256& v) {
    for (unsigned i = 0; i < 256; ++i) {
        if (v.bit(i)) return i;
    }
    return 256;
}

/// Everything from the lowest to the highest possible bit of a sum or product.
U256 span_mask(unsigned low, unsigned high) {
    if (low >= 256) return {};
    return U256::mask(std::min(high, 256U)) & ~U256::mask(low);
}

U256 product_support(const U256& a, const U256& b, bool b_constant) {
    if (b_constant) {
        U256 sum;
        bool disjoint = true;
        for (unsigned i = 0; i < 256 && disjoint; ++i) {
            if (!b.bit(i)) continue;
            const U256 shifted = a << i;
            disjoint = (sum & shifted).is_zero();
            sum |= shifted;
        }
        if (disjoint) return sum;
    }
    if (a.is_zero() || b.is_zero()) return {};
    return span_mask(trailing_zeros(a) + trailing_zeros(b), a.bit_length() + b.bit_length());
}

std::string op_name(Op op) { return std::string(evm::name(op)); }

/// A constant as a signed factor of moderate size.
std::optional<Int> signed_factor(const U256& v) {
    if (v.bit_length() <= 120) return static_cast<Int>(v.limb[1]) << 64 | static_cast<Int>(v.limb[0]);
    const U256 n = -v;
    if (n.bit_length() <= 120) return -(static_cast<Int>(n.limb[1]) << 64 | static_cast<Int>(n.limb[0]));
    return std::nullopt;
}

Int to_int(const U256& v) { return static_cast<Int>(v.limb[1]) << 64 | static_cast<Int>(v.limb[0]); }

Interval multiply(const Interval& a, const Interval& b) {
    Int v[4];
    if (__builtin_mul_overflow(a.lo, b.lo, &v[0]) || __builtin_mul_overflow(a.lo, b.hi, &v[1]) ||
        __builtin_mul_overflow(a.hi, b.lo, &v[2]) || __builtin_mul_overflow(a.hi, b.hi, &v[3]))
        throw BoundError("interval of a lane product does not fit 127 bits");
    return {*std::min_element(v, v + 4), *std::max_element(v, v + 4)};
}

/// All 2n-1 coefficients of the product of two lane words.
std::vector<Interval> convolution(const LaneBounds& a, const LaneBounds& b) {
    std::vector<Interval> p(2 * a.lane.size() - 1);
    for (std::size_t i = 0; i < a.lane.size(); ++i) {
        for (std::size_t j = 0; j < b.lane.size(); ++j) {
            const Interval t = multiply(a.lane[i], b.lane[j]);
            if (__builtin_add_overflow(p[i + j].lo, t.lo, &p[i + j].lo) || __builtin_add_overflow(p[i + j].hi, t.hi, &p[i + j].hi))
                throw BoundError("interval of a lane product does not fit 127 bits");
        }
    }
    return p;
}

Int fill_ones(Int v) {
    Int r = 0;
    while (r < v) r = 2 * r + 1;
    return r;
}

Interval and_interval(const Interval& v, Int mask) {
    const bool low_mask = (mask & (mask + 1)) == 0;
    if (low_mask && v.hi <= mask) return v;
    return {0, std::min(v.hi, mask)};
}

LaneBounds mask_lanes(const LaneBounds& a, const U256& mask) {
    LaneBounds r = a;
    unsigned zeros = 256;
    for (std::size_t i = 0; i < r.lane.size(); ++i) {
        const U256 m = (mask >> static_cast<unsigned>(a.bits * i)) & U256::mask(a.bits);
        r.lane[i] = and_interval(a.lane[i], to_int(m));
        if (!m.is_zero()) zeros = std::min(zeros, trailing_zeros(m));
    }
    r.zeros = zeros == 256 ? a.zeros : std::max(a.zeros, zeros);
    return r;
}

}  // namespace

U256 support_of(const Graph& g, Op op, const std::vector<std::uint32_t>& args) {
    const auto s = [&](std::size_t i) { return g.at(args[i]).support; };
    const auto c = [&](std::size_t i) { return g.known_value(args[i]); };
    switch (op) {
        case Op::AND:
            return s(0) & s(1);
        case Op::OR:
        case Op::XOR:
            return s(0) | s(1);
        case Op::ADD: {
            if ((s(0) & s(1)).is_zero()) return s(0) | s(1);
            return span_mask(std::min(trailing_zeros(s(0)), trailing_zeros(s(1))), std::max(s(0).bit_length(), s(1).bit_length()) + 1);
        }
        case Op::SUB:
            return span_mask(std::min(trailing_zeros(s(0)), trailing_zeros(s(1))), 256);
        case Op::MUL:
            if (c(0)) return product_support(s(1), *c(0), true);
            return product_support(s(0), s(1), c(1).has_value());
        case Op::SHL:
            return c(0) ? (c(0)->fits_u64() && c(0)->low64() < 256 ? s(1) << static_cast<unsigned>(c(0)->low64()) : U256{}) : U256::max();
        case Op::SHR:
            if (c(0)) return c(0)->fits_u64() && c(0)->low64() < 256 ? s(1) >> static_cast<unsigned>(c(0)->low64()) : U256{};
            return U256::mask(s(1).bit_length());
        case Op::DIV:
            return U256::mask(s(0).bit_length());
        case Op::MOD:
            if (c(1) && !c(1)->is_zero()) return U256::mask(std::min((*c(1) - 1).bit_length(), s(0).bit_length()));
            return U256::mask(std::min(s(0).bit_length(), s(1).bit_length()));
        case Op::ADDMOD:
        case Op::MULMOD:
            return U256::mask(s(2).bit_length());
        case Op::BYTE:
            return U256::mask(8);
        case Op::CLZ:
            return U256::mask(9);
        case Op::LT:
        case Op::GT:
        case Op::SLT:
        case Op::SGT:
        case Op::EQ:
        case Op::ISZERO:
            return U256{1};
        default:
            return U256::max();
    }
}

void demand_clean(const Graph& g, std::uint32_t id, const std::string& op) {
    const Node& n = g.at(id);
    if (n.shifted_lanes) g.refuse(op + " sees bits that a right shift moved in from the neighbouring lane; mask them first");
    if (n.lanes && !n.lanes->clean())
        g.refuse(op + " needs lanes in [0, 2^" + std::to_string(n.lanes->bits) + "), but the operand is " + to_string(*n.lanes));
}

LaneBounds view_as(const Graph& g, std::uint32_t id, unsigned bits, std::size_t count, const char* op) {
    const Node& n = g.at(id);
    if (n.lanes) {
        if (n.lanes->bits == bits && n.lanes->lane.size() == count) return *n.lanes;
        demand_clean(g, id, op);
    }
    if (n.shifted_lanes) demand_clean(g, id, op);
    if (bits * count < 256 && !(n.support >> static_cast<unsigned>(bits * count)).is_zero())
        g.refuse(std::string(op) + ": operand has bits above its " + std::to_string(count) + " lanes");
    LaneBounds r;
    r.bits = bits;
    r.zeros = 256;
    const auto value = g.known_value(id);
    for (std::size_t i = 0; i < count; ++i) {
        const U256 part = ((value ? *value : n.support) >> static_cast<unsigned>(bits * i)) & U256::mask(bits);
        const Int hi = to_int(part);
        r.lane.push_back({value ? hi : 0, hi});
        if (!part.is_zero()) r.zeros = std::min(r.zeros, trailing_zeros(part));
    }
    if (r.zeros == 256) r.zeros = 0;
    return r;
}

std::shared_ptr<const LaneBounds> lanes_of(const Graph& g, Op op, const std::vector<std::uint32_t>& args, bool& shifted) {
    shifted = false;
    const LaneBounds* shape = nullptr;
    bool any_shifted = false;
    for (const std::uint32_t a : args) {
        if (g.at(a).lanes && shape == nullptr) shape = g.at(a).lanes.get();
        any_shifted = any_shifted || g.at(a).shifted_lanes;
    }
    const std::string name = op_name(op);
    if (shape == nullptr && !any_shifted) return nullptr;

    // (v >> n) & mask
    if (any_shifted) {
        if (op != Op::AND) {
            for (const std::uint32_t a : args) demand_clean(g, a, name);
        }
        const std::size_t which = g.at(args[0]).shifted_lanes ? 0 : 1;
        const auto mask = g.known_value(args[1 - which]);
        if (!mask) g.refuse("AND after a lane shift needs a constant mask");
        const Node& shift = g.at(g.resolve(args[which]));
        const auto n = static_cast<unsigned>(g.known_value(shift.args[0])->low64());
        LaneBounds b = *g.at(shift.args[1]).lanes;
        for (std::size_t i = 0; i < b.lane.size(); ++i) {
            const U256 m = (*mask >> static_cast<unsigned>(b.bits * i)) & U256::mask(b.bits);
            if (m.bit_length() > b.bits - n) g.refuse("mask after >> " + std::to_string(n) + " lets bits of the neighbouring lane through");
            b.lane[i] = {b.lane[i].lo >> n, b.lane[i].hi >> n};
        }
        b.zeros = 0;
        return std::make_shared<LaneBounds>(mask_lanes(b, *mask));
    }

    const unsigned bits = shape->bits;
    const std::size_t count = shape->lane.size();
    const auto view = [&](std::size_t i) { return view_as(g, args[i], bits, count, name.c_str()); };
    const auto done = [](LaneBounds b) { return std::make_shared<const LaneBounds>(std::move(b)); };
    switch (op) {
        case Op::ADD:
            return done(add(view(0), view(1)));
        case Op::SUB:
            return done(sub(view(0), view(1)));
        case Op::MUL: {
            for (std::size_t i = 0; i < 2; ++i) {
                const auto c = g.known_value(args[i]);
                if (!c) continue;
                const auto f = signed_factor(*c);
                if (f && (*f < 0 || c->bit_length() <= bits)) return done(scale(view(1 - i), *f));
            }
            // An identity of integer sums mod 2^256, whatever the lanes are.
            if (bits * count != 256) g.refuse("product of lane words whose lanes do not fill the word");
            const auto p = convolution(view(0), view(1));
            LaneBounds r = *shape;
            r.zeros = 0;
            for (std::size_t i = 0; i < count; ++i) r.lane[i] = p[i];
            return done(r);
        }
        case Op::MULMOD: {
            const auto modulus = g.known_value(args[2]);
            for (std::size_t i = 0; i < 2; ++i) demand_clean(g, args[i], name);
            if (!modulus || *modulus != U256::max() || bits * count != 256) return nullptr;
            const auto p = convolution(view(0), view(1));
            LaneBounds r = *shape;
            r.zeros = 0;
            for (std::size_t i = 0; i < count; ++i) {
                r.lane[i] = p[i];
                if (i + count < p.size()) r.lane[i] = {p[i].lo + p[i + count].lo, p[i].hi + p[i + count].hi};
            }
            // The sum must stay below 2^256 - 1, or the remainder is another number.
            if (!r.clean() || r.lane.back().hi >= (Int{1} << bits) - 1)
                g.refuse("MULMOD 2^256-1: folded product lanes " + to_string(r) + " could carry");
            return done(r);
        }
        case Op::SHL: {
            const auto n = g.known_value(args[0]);
            if (!n || !n->fits_u64() || n->low64() >= 256 || bits * count != 256) {
                if (n && n->fits_u64() && n->low64() < 120) return done(scale(view(1), Int{1} << n->low64()));
                demand_clean(g, args[1], name);
                return nullptr;
            }
            const LaneBounds from = scale(view(1), Int{1} << (n->low64() % bits));
            LaneBounds r = from;
            const auto lanes_up = static_cast<std::size_t>(n->low64() / bits);
            for (std::size_t i = 0; i < count; ++i) r.lane[i] = i < lanes_up ? Interval{} : from.lane[i - lanes_up];
            return done(r);
        }
        case Op::SHR: {
            demand_clean(g, args[1], name);
            const auto n = g.known_value(args[0]);
            if (!n || !n->fits_u64() || n->low64() >= bits) return nullptr;
            LaneBounds r = view(1);
            const auto k = static_cast<unsigned>(n->low64());
            if (r.zeros < k) {
                shifted = true;
                return nullptr;
            }
            r.zeros -= k;
            for (Interval& i : r.lane) i = {i.lo >> k, i.hi >> k};
            return done(r);
        }
        case Op::AND: {
            demand_clean(g, args[0], name);
            demand_clean(g, args[1], name);
            for (std::size_t i = 0; i < 2; ++i) {
                if (const auto mask = g.known_value(args[i])) return done(mask_lanes(view(1 - i), *mask));
            }
            LaneBounds r = view(0);
            const LaneBounds b = view(1);
            r.zeros = std::max(r.zeros, b.zeros);
            for (std::size_t i = 0; i < count; ++i) r.lane[i] = {0, std::min(r.lane[i].hi, b.lane[i].hi)};
            return done(r);
        }
        case Op::OR:
        case Op::XOR: {
            demand_clean(g, args[0], name);
            demand_clean(g, args[1], name);
            LaneBounds r = view(0);
            const LaneBounds b = view(1);
            r.zeros = std::min(r.zeros, b.zeros);
            const U256 overlap = g.at(args[0]).support & g.at(args[1]).support;
            if (overlap.is_zero()) return done(add(view(0), view(1)));
            for (std::size_t i = 0; i < count; ++i)
                r.lane[i] = {op == Op::OR ? std::max(r.lane[i].lo, b.lane[i].lo) : 0, fill_ones(std::max(r.lane[i].hi, b.lane[i].hi))};
            return done(r);
        }
        case Op::NOT: {
            demand_clean(g, args[0], name);
            if (bits * count != 256) return nullptr;
            LaneBounds r = view(0);
            r.zeros = 0;
            const Int top = (Int{1} << bits) - 1;
            for (Interval& i : r.lane) i = {top - i.hi, top - i.lo};
            return done(r);
        }
        default:
            for (const std::uint32_t a : args) demand_clean(g, a, name);
            return nullptr;
    }
}

}  // namespace postern::codegen
