#include "contracts/falcon/transform.hpp"

#include "codegen/graph.hpp"

namespace postern::contracts::falcon_evm {

namespace {

constexpr Int kQ = static_cast<Int>(q);

/// The product of x with w, whatever sign it takes, as a word of a value with this sign so far.
Word product(Value x, bool negated, std::uint64_t w, std::optional<bool> negate) {
    const Product p = shoup(x, w, negate ? std::optional(*negate != negated) : std::nullopt);
    return {p.value, negated != p.negated};
}

/// The multiple of q that lifted() adds.
Int lift_of(const LaneBounds& b, const Lifts& lifts) {
    if (b.min_lo() >= 0) return 0;
    const Int need = (-b.min_lo() + kQ - 1) / kQ;
    for (const unsigned k : lifts.multiples)
        if (static_cast<Int>(k) >= need && b.max_hi() + static_cast<Int>(k) * kQ <= lifts.limit) return static_cast<Int>(k) * kQ;
    return need * kQ;
}

bool multiplies(Value v, std::uint64_t w, std::optional<bool> negate, bool negated, const Lifts& lifts) {
    const LaneBounds& b = v.lanes();
    return plan_shoup(b.max_hi() + lift_of(b, lifts), w, negate ? std::optional(*negate != negated) : std::nullopt).has_value();
}

Int width(Value v) { return v.lanes().max_hi() - v.lanes().min_lo(); }

}  // namespace

std::uint64_t twiddle(unsigned logn, std::size_t node) {
    std::uint64_t reversed = 0;
    for (unsigned i = 0; i < logn; ++i) reversed |= ((node >> i) & 1U) << (logn - 1 - i);
    return mod_pow(logn == 9 ? 49 : 7, reversed);
}

Value lifted(Value v, const Lifts& lifts) {
    const Int lift = lift_of(v.lanes(), lifts);
    return lift == 0 ? v : v + splat32(static_cast<std::uint64_t>(lift));
}

void forward_butterfly(Word& a, Word& b, std::uint64_t w, const Lifts& lifts) {
    Value x = lifted(b.v, lifts);
    if (!plan_shoup(x.lanes().max_hi(), w)) x = reduce(x);
    const Word t = product(x, b.negated, w, std::nullopt);
    const Value sum = a.v + t.v, difference = a.v - t.v;
    const bool swapped = t.negated != a.negated;
    b = {swapped ? sum : difference, a.negated};
    a = {swapped ? difference : sum, a.negated};
}

void inverse_butterfly(Word& u, Word& v, std::uint64_t w, std::optional<bool> negate, const Lifts& lifts) {
    const std::uint64_t inverse = mod_inverse(w);
    const bool opposite = u.negated != v.negated;
    for (int tries = 0;; ++tries) {
        const Value difference = opposite ? u.v + v.v : u.v - v.v;
        if (multiplies(difference, inverse, negate, u.negated, lifts)) {
            const Value sum = opposite ? u.v - v.v : u.v + v.v;
            const bool sign = u.negated;
            v = product(lifted(difference, lifts), sign, inverse, negate);
            u = {sum, sign};
            return;
        }
        if (tries == 2) u.v.block().graph().refuse("inverse butterfly: no multiplier fits");
        Word& wider = width(u.v) >= width(v.v) ? u : v;
        wider.v = reduce(lifted(wider.v, lifts));
    }
}

}  // namespace postern::contracts::falcon_evm
