#pragma once

// Arithmetic modulo q = 12289 on 256-bit words of eight 32-bit lanes. Each function states the interval of its result as a lemma
// whose premises it checks on the intervals of its operand: where one does not hold, the kernel is not generated (BoundError).
// Proofs stand beside the functions; tests/contracts/falcon_kernels_test.cpp tries the edges.

#include <cstdint>
#include <optional>

#include "codegen/block.hpp"

namespace postern::contracts::falcon_evm {

using codegen::Block;
using codegen::Int;
using codegen::LaneBounds;
using codegen::Value;

inline constexpr std::uint64_t q = 12289;

/// v in each of the eight lanes.
U256 splat32(std::uint64_t v);
/// v in each of sixteen lanes of 16 bits.
U256 splat16(std::uint64_t v);
/// Eight equal lanes of 32 bits.
LaneBounds lanes32(Int lo, Int hi);

constexpr std::uint64_t mod_pow(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t r = 1;
    for (base %= q; exponent != 0; exponent >>= 1, base = base * base % q)
        if ((exponent & 1U) != 0) r = r * base % q;
    return r;
}
constexpr std::uint64_t mod_inverse(std::uint64_t a) { return mod_pow(a, q - 2); }

/// x times w or times -w, whichever leaves the smaller bound.
struct Product {
    Value value;
    bool negated = false;
};
/// Shoup's product with a quotient of 16 bits (45 gas); `negate` asks for one of the two signs.
Product shoup(Value x, std::uint64_t w, std::optional<bool> negate = std::nullopt);

/// The multiplier shoup() would use and the bound it would leave for lanes up to `top`; none if no multiplier fits.
struct ShoupPlan {
    std::uint64_t factor = 0;
    std::uint64_t quotient = 0;
    Int top = 0;
    bool negated = false;
};
std::optional<ShoupPlan> plan_shoup(Int top, std::uint64_t w, std::optional<bool> negate = std::nullopt);

/// Congruent to x and at most a little above q - 1; lanes up to 196629 (37 gas).
Value reduce(Value x);
/// The largest lane that reduce() can leave for lanes up to `top`.
Int reduced_top(Int top);
/// Congruent to x, in [1, q], for lanes in [1, 8q]. Exact.
Value reduce_exact(Value x);
/// x 2^-17 modulo q of lanes up to 2^32 - 1 - (2^17 - 1) q (46 gas).
Value montgomery17(Value x);
inline constexpr Int kMontgomeryTop = (Int{1} << 32) - 1 - ((Int{1} << 17) - 1) * static_cast<Int>(q);

}  // namespace postern::contracts::falcon_evm
