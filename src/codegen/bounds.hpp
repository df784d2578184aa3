#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/u256.hpp"

namespace postern::codegen {

__extension__ using Int = __int128;

/// Decimal.
std::string to_string(Int v);

/// A kernel whose bounds do not hold: names kernel, operator and bound.
struct BoundError : std::logic_error {
    using std::logic_error::logic_error;
};

/// Closed interval of integers.
struct Interval {
    Int lo = 0;
    Int hi = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
    bool within(const Interval& other) const { return lo >= other.lo && hi <= other.hi; }
};
std::string to_string(const Interval& i);

/// A word seen as the integer sum of v_i * 2^(bits*i) mod 2^256, v_i in lane[i] (lane 0 least significant).
/// Lanes may be negative or too large while a word is only added up; whatever *looks* at bits (masks, right shifts, stores,
/// MULMOD, comparisons) demands that every lane is inside [0, 2^bits).
struct LaneBounds {
    unsigned bits = 64;
    std::vector<Interval> lane;
    /// Every lane is a multiple of 2^zeros (an "upper" word of mldsa-evm.md has 32).
    unsigned zeros = 0;

    /// `count` equal lanes.
    static LaneBounds uniform(unsigned bits, unsigned count, Interval interval, unsigned zeros = 0);
    /// All lanes in [0, 2^bits)?
    bool clean() const;
    /// Is every lane inside the same lane of `other` (same shape)?
    bool within(const LaneBounds& other) const;
    Int max_hi() const;
    Int min_lo() const;
    /// Bits that can be 1 in a clean word.
    U256 support() const;
};
std::string to_string(const LaneBounds& b);

/// Transfer functions on bounds; throw BoundError on overflow of the 128-bit arithmetic.
LaneBounds add(const LaneBounds& a, const LaneBounds& b);
LaneBounds sub(const LaneBounds& a, const LaneBounds& b);
LaneBounds scale(const LaneBounds& a, Int factor);
/// Smallest interval that holds both.
LaneBounds join(const LaneBounds& a, const LaneBounds& b);

/// Replicates v into `count` lanes of `bits` bits.
U256 rep(const U256& v, unsigned bits = 64, unsigned count = 4);

}  // namespace postern::codegen
