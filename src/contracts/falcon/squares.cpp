#include "contracts/falcon/squares.hpp"

#include "codegen/graph.hpp"

namespace postern::contracts::falcon_evm {

namespace {

constexpr Int kQ = static_cast<Int>(q);
constexpr Int kCentreInt = static_cast<Int>(kCentre);
constexpr std::array<unsigned, 4> kPlaces{0, 1, 4, 5};

U256 at_places(const U256& v) {
    U256 r;
    for (const unsigned p : kPlaces) r |= v << (32 * p);
    return r;
}

LaneBounds empty() { return LaneBounds::uniform(32, 8, {0, 0}); }

}  // namespace

const U256 kSquareLanes16 = at_places(U256{0xffff});
const U256 kSquareLanes32 = at_places(U256{0xffffffffU});
const U256 kDoubleCentre = at_places(U256{2 * kCentre});
const U256 kTotalLanes = U256::mask(32) | U256::mask(32) << 64;

// One word is four products; each puts 2 z^2 in lanes 0, 2, 4 and 6 and 4 z^2 in lanes 1 and 5.
LaneBounds squares2_bounds(unsigned words) {
    LaneBounds r = empty();
    const Int square = Int{4 * 4095} * 4095 * static_cast<Int>(words);
    r.lane[0].hi = r.lane[2].hi = r.lane[4].hi = r.lane[6].hi = 2 * square;
    r.lane[1].hi = r.lane[5].hi = 4 * square;
    return r;
}

Value add_squares2(Block& b, Value squares, Value z) {
    LaneBounds four = empty();
    for (const unsigned p : kPlaces) four.lane[p].hi = 4095;
    for (const unsigned shift : {0U, 16U, 64U, 80U}) {
        const Value s = b.declare_input((shift == 0 ? z : z >> shift) & kSquareLanes16, four, "range of s2");
        const Value square = mulmod(s, s, b.early(U256::max()));
        squares = squares.valid() ? squares + square : square;
    }
    return squares;
}

Value mask_squares(Value squares) { return squares & kTotalLanes; }

// X = c + D - y with D = B modulo q, large enough that no lane is negative. reduce() leaves z in [0, q + 5], so that r = z - B lies in
// [-6150, 6144]: |r| <= 6455 = q - 5834. If the centred representative of s1 is at most 5833 = floor(sqrt(bound)) in magnitude, r equals
// it, because every other representative has 6456 or more; if it is larger, its square alone and r's are both over the bound.
// So the comparison with the bound has the same outcome. (For n = 512 only.)
Value centred_s1(const Word& y, Value c, const Lifts& lifts) {
    Word w = y;
    for (int tries = 0;; ++tries) {
        const LaneBounds& l = w.v.lanes();
        const Int need = w.negated ? -l.min_lo() : l.max_hi();  // D must be at least this
        const Int over = c.lanes().max_hi() + (w.negated ? l.max_hi() : -l.min_lo());
        Int d = kCentreInt;
        while (d < need) d += kQ;
        constexpr Int limit = ((Int{1} << 32) - 1) / 21843;
        for (const unsigned k : lifts.multiples)
            if (kCentreInt + static_cast<Int>(k) * kQ >= need && over + kCentreInt + static_cast<Int>(k) * kQ <= limit) {
                d = kCentreInt + static_cast<Int>(k) * kQ;
                break;
            }
        if (over + d <= limit) {
            const Value base = c + splat32(static_cast<std::uint64_t>(d));
            const Value z = reduce(w.negated ? base + w.v : base - w.v);
            return z.block().expect(z, lanes32(0, kQ - 5834 + kCentreInt), "centred s1");
        }
        if (tries == 1) c.block().graph().refuse("s1 does not fit its reduction");
        w.v = reduce(lifted(w.v, lifts));
    }
}

// z (2B - z) <= B^2, and z_i (2B - z_j) + z_j (2B - z_i) <= 4 B^2 for lanes in [0, 2B]. Lanes 0 and 2 take two squares, 4 and 6 one
// pair, 1 and 5 two pairs; 3 and 7 nothing.
Value add_squares1(Block& b, Value sum, Value z) {
    const Int square = kCentreInt * kCentreInt;
    LaneBounds r = empty();
    r.lane[0].hi = r.lane[2].hi = 2 * square;
    r.lane[4].hi = r.lane[6].hi = 4 * square;
    r.lane[1].hi = r.lane[5].hi = 8 * square;
    (void)b.expect(z, lanes32(0, 2 * kCentreInt), "operand of z (2B - z)");
    const Value clean = b.plain(z);
    LaneBounds four = empty();
    for (const unsigned p : kPlaces) four.lane[p].hi = z.lanes().max_hi();
    for (const unsigned shift : {0U, 64U}) {
        const Value s = b.declare_input((shift == 0 ? clean : clean >> shift) & kSquareLanes32, four, "reduced s1");
        const Value product = b.lemma(mulmod(s, b.constant(kDoubleCentre) - s, b.constant(U256::max())), r, "z (2B - z)");
        sum = sum.valid() ? sum + product : product;
    }
    return sum;
}

Value add_total(Block& b, Value total, Value sum) {
    const Value part = b.plain(sum & kTotalLanes);
    return total + b.lanes(part, 64, 4);
}

LaneBounds total_bounds(unsigned groups) {
    LaneBounds r = LaneBounds::uniform(64, 4, {0, 0});
    r.lane[0].hi = r.lane[1].hi = static_cast<Int>(groups) * ((Int{1} << 32) - 1);
    return r;
}

}  // namespace postern::contracts::falcon_evm
