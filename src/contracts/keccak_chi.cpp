#include "contracts/keccak_chi.hpp"

namespace postern::contracts::keccak::unpaired {

namespace {

/// D of this column comes out complemented because an odd number of the ten lanes that it sums are.
constexpr bool complemented_d(unsigned x) {
    bool odd = false;
    for (unsigned y = 0; y < 5; ++y) odd ^= complemented((x + 4) % 5 + 5 * y) ^ complemented((x + 1) % 5 + 5 * y);
    return odd;
}

/// a = b0 ^ (~b1 & b2) from operands stored complemented or not, to a result that is to be complemented or not.
ChiStep chi_step(bool f0, bool f1, bool f2, bool wanted) {
    ChiStep s;
    if (f1 == f2) {
        // One operand must be inverted; which one decides between AND and OR, and so the complement of the result.
        const bool want_or = wanted != f0;
        s.use_or = want_or;
        s.invert1 = want_or ? f1 : !f1;
        s.invert2 = !s.invert1;
    } else {
        s.use_or = !f1;
        s.invert_result = (f0 ^ s.use_or) != wanted;
    }
    return s;
}

}  // namespace

RowPlan plan_row(unsigned Y) {
    RowPlan best;
    for (unsigned choice = 0; choice < 32; ++choice) {
        RowPlan p;
        p.cost = 0;
        std::array<bool, 5> f{};
        for (unsigned X = 0; X < 5; ++X) {
            const unsigned x = (X + 3 * Y) % 5;
            p.invert_b[X] = ((choice >> X) & 1U) != 0;
            p.cost += p.invert_b[X] ? 1 : 0;
            f[X] = complemented(x + 5 * X) ^ complemented_d(x) ^ p.invert_b[X];
        }
        for (unsigned X = 0; X < 5; ++X) {
            p.step[X] = chi_step(f[X], f[(X + 1) % 5], f[(X + 2) % 5], complemented(X + 5 * Y));
            if (X == 0 && Y == 0) p.step[X].invert_result = false;  // iota's constant takes it
            p.cost += p.step[X].cost();
        }
        if (p.cost < best.cost) best = p;
    }
    return best;
}

bool iota_inverts() {
    const RowPlan p = plan_row(0);
    std::array<bool, 5> f{};
    for (unsigned X = 0; X < 3; ++X) f[X] = complemented(X + 5 * X) ^ complemented_d(X) ^ p.invert_b[X];
    const bool result = f[0] ^ p.step[0].use_or;
    return result != complemented(0);
}

}  // namespace postern::contracts::keccak::unpaired
