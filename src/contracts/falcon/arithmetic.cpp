#include "contracts/falcon/arithmetic.hpp"

#include "codegen/graph.hpp"

namespace postern::contracts::falcon_evm {

namespace {

constexpr Int kQ = static_cast<Int>(q);
constexpr Int kFull = Int{1} << 32;

/// Clean 32-bit lanes, or the kernel is refused.
const LaneBounds& operand(Value x, Int lowest, Int highest, const char* what) {
    const LaneBounds& b = x.lanes();
    if (b.bits != 32 || b.lane.size() != 8 || !b.clean() || b.min_lo() < lowest || b.max_hi() > highest)
        x.block().graph().refuse(std::string(what) + " needs 32-bit lanes in [" + codegen::to_string(lowest) + ", " +
                                 codegen::to_string(highest) + "], but the operand is " + codegen::to_string(b));
    return b;
}

template <class F>
LaneBounds map_lanes(const LaneBounds& in, F f) {
    LaneBounds r = in;
    r.zeros = 0;
    for (codegen::Interval& i : r.lane) i = f(i);
    return r;
}

/// Floor of ((2^16 w - q w') x + 65535 q) / 2^16.
Int shoup_top(Int x, std::uint64_t factor, std::uint64_t quotient) {
    const Int error = (Int{1} << 16) * static_cast<Int>(factor) - kQ * static_cast<Int>(quotient);
    return (x * error + 65535 * kQ) >> 16;
}

}  // namespace

U256 splat32(std::uint64_t v) { return codegen::rep(U256{v}, 32, 8); }
U256 splat16(std::uint64_t v) { return codegen::rep(U256{v}, 16, 16); }
LaneBounds lanes32(Int lo, Int hi) { return LaneBounds::uniform(32, 8, {lo, hi}); }

std::optional<ShoupPlan> plan_shoup(Int top, std::uint64_t w, std::optional<bool> negate) {
    std::optional<ShoupPlan> best;
    w %= q;
    if (w == 0) return ShoupPlan{};
    for (const bool negated : {false, true}) {
        if (negate && *negate != negated) continue;
        ShoupPlan p;
        p.negated = negated;
        p.factor = negated ? q - w : w;
        p.quotient = (p.factor << 16) / q;
        if (top * static_cast<Int>(p.factor) >= kFull || top * static_cast<Int>(p.quotient) >= kFull) continue;
        p.top = shoup_top(top, p.factor, p.quotient);
        if (!best || p.top < best->top) best = p;
    }
    return best;
}

// With h = floor(x w' / 2^16), x w' = 2^16 h + r, 0 <= r < 2^16: x w - q h = ((2^16 w - q w') x + q r) / 2^16, and
// 0 <= 2^16 w - q w' < q. So the result is in [0, ((2^16 w - q w') X + 65535 q) / 2^16]. x w' < 2^32 makes h a half-lane.
Product shoup(Value x, std::uint64_t w, std::optional<bool> negate) {
    const LaneBounds in = operand(x, 0, kFull - 1, "Shoup product");
    const auto p = plan_shoup(in.max_hi(), w, negate);
    if (!p) x.block().graph().refuse("Shoup product by " + std::to_string(w) + " of lanes " + codegen::to_string(in) + " leaves its lanes");
    const Value quotient = ((x * U256{p->quotient}) >> 16) & splat32(0xffff);
    const Value t = x * U256{p->factor} - quotient * U256{q};
    return {x.block().lemma(t,
                            map_lanes(in,
                                      [&](const codegen::Interval& i) {
                                          return codegen::Interval{0, shoup_top(i.hi, p->factor, p->quotient)};
                                      }),
                            "shoup"),
            p->negated};
}

// 2^28 - 21843 q = 6829. With h = floor(21843 x / 2^28), 21843 x = 2^28 h + r: x - q h = (6829 x + q r) / 2^28 with r < 2^28, so it is
// in [0, q + 6829 x / 2^28); 21843 x < 2^32 makes h at most 15.
Int reduced_top(Int top) {
    // The numerator 6829 x + q (2^28 - 1) rounded down.
    return (6829 * top + kQ * ((Int{1} << 28) - 1)) >> 28;
}

Value reduce(Value x) {
    constexpr Int limit = (kFull - 1) / 21843;
    const LaneBounds in = operand(x, 0, limit, "reduction");
    const Value t = x - (((x * U256{21843}) >> 28) & splat32(15)) * U256{q};
    return x.block().lemma(t,
                           map_lanes(in,
                                     [](const codegen::Interval& i) {
                                         return codegen::Interval{0, std::min(i.hi, reduced_top(i.hi))};
                                     }),
                           "reduce");
}

// 2^29 - 43687 q = 1369. floor(43687 x / 2^29) = floor((x - 1) / q) for 1 <= x <= 8 q: write x = k q + s, 1 <= s <= q, k <= 7. Then
// 43687 x = k 2^29 - 1369 k + 43687 s, and 0 <= 43687 s - 1369 k < 2^29 because 43687 - 1369 * 7 > 0 and 43687 q < 2^29.
Value reduce_exact(Value x) {
    const LaneBounds in = operand(x, 1, 8 * kQ, "exact reduction");
    const Value t = x - (((x * U256{43687}) >> 29) & splat32(7)) * U256{q};
    return x.block().lemma(t,
                           map_lanes(in,
                                     [](const codegen::Interval& i) {
                                         return codegen::Interval{1, std::min(i.hi, kQ)};
                                     }),
                           "reduce_exact");
}

// -1/q = 12287 modulo 2^17, because 12287 * 12289 = 9 * 2^24 - 1. So T + m q is a multiple of 2^17, and the shift is exact.
Value montgomery17(Value x) {
    const LaneBounds in = operand(x, 0, kMontgomeryTop, "Montgomery reduction");
    static_assert((12287 * q + 1) % (1 << 17) == 0);
    const U256 low = splat32(0x1ffff);
    const Value m = ((x & low) * U256{12287}) & low;
    const Value t = x.block().lemma(x + m * U256{q},
                                    map_lanes(in,
                                              [](const codegen::Interval& i) {
                                                  return codegen::Interval{0, i.hi + ((Int{1} << 17) - 1) * kQ};
                                              }),
                                    "montgomery17 sum");
    return x.block().lemma((t >> 17) & splat32(0x7fff),
                           map_lanes(in,
                                     [](const codegen::Interval& i) {
                                         return codegen::Interval{0, (i.hi + ((Int{1} << 17) - 1) * kQ) >> 17};
                                     }),
                           "montgomery17");
}

}  // namespace postern::contracts::falcon_evm
