#pragma once

// Sums of squares of packed lanes. In Z[u]/(u^8 - 1), u = 2^32, the lanes {0, 1, 4, 5} have the property that 2i falls on 0 or 2 for every
// i of them and no sum of two different ones does: one MULMOD by 2^256 - 1 adds four squares into two lanes.

#include "contracts/falcon/transform.hpp"

namespace postern::contracts::falcon_evm {

/// Lanes 0, 1, 4, 5 of 32 bits, with 16 bits each: four coefficients of sixteen 16-bit lanes, reached by shifts of 0, 16, 64, 80.
extern const U256 kSquareLanes16;
/// The same lanes with all their bits.
extern const U256 kSquareLanes32;
/// Lanes 0 and 2: where the squares are.
extern const U256 kTotalLanes;
/// s1 enters as z = s1 + kCentre (modulo q).
inline constexpr std::uint64_t kCentre = 6150;
/// 2 kCentre in the lanes of kSquareLanes32.
extern const U256 kDoubleCentre;

/// The accumulator of s2's squares after `words` words of sixteen coefficients.
LaneBounds squares2_bounds(unsigned words);
/// Adds the squares of sixteen 16-bit lanes, each at most 4095.
Value add_squares2(Block& b, Value squares, Value z);
/// Clears all lanes but 0 and 2.
Value mask_squares(Value squares);

/// z = s1 + B (mod q), at most q + 5, from c (up to 5q - 1, not reduced) and the word of s2 h. B plus the multiples of `lifts` are
/// preferred as the constant that keeps the lanes positive.
Value centred_s1(const Word& y, Value c, const Lifts& lifts = {});
/// Adds z (2 B - z) for the eight lanes of z; at most four words before add_total().
Value add_squares1(Block& b, Value sum, Value z);
/// Lanes 0 and 2 of a sum into two lanes of 64 bits.
Value add_total(Block& b, Value total, Value sum);
LaneBounds total_bounds(unsigned groups);

}  // namespace postern::contracts::falcon_evm
