#pragma once

// What the generator knows about a 256-bit word while it emits code: which bits can be set, and, if the word is a vector
// of lanes, between which bounds every lane lies. An operation that would let one lane disturb another has no entry in
// the transfer table, so that a kernel with a wrong offset, mask or shift does not generate.

#include <cstdint>
#include <optional>
#include <string>

#include "codegen/bounds.hpp"
#include "core/u256.hpp"

namespace postern::codegen {

__extension__ using Unsigned = unsigned __int128;

/// The word is sum over lanes of lane * 2^(width * position) modulo 2^256, every lane an *integer* in [lo, hi]. Sums and
/// products with scalars are exact in this reading whatever the signs; only operations that look at bits (masks, right
/// shifts, loads of half words) need every lane inside [0, 2^width).
struct Lanes {
    unsigned width = 64;
    Int lo = 0;
    Int hi = 0;
    unsigned zeros = 0;  ///< 2^zeros divides every lane

    bool contained() const { return lo >= 0 && hi < (Int{1} << width); }
    /// The same as bounds of every lane.
    LaneBounds bounds() const { return LaneBounds::uniform(width, 256 / width, {lo, hi}, zeros); }
    bool inside(const Lanes& outer) const { return width == outer.width && lo >= outer.lo && hi <= outer.hi && zeros >= outer.zeros; }
};

std::string to_string(const Lanes& lanes);

/// The same value in every lane of this width.
U256 splat(std::uint64_t value, unsigned width = 64);
/// For signed values (two's complement modulo 2^256, as the sum above says).
U256 splat_signed(Int value, unsigned width = 64);

/// Transfer functions. Each returns nothing if the operation could not be proved harmless.
namespace transfer {
std::optional<Lanes> add(const Lanes& a, const Lanes& b);
std::optional<Lanes> sub(const Lanes& a, const Lanes& b);
/// By an integer that fits 64 bits, or by the negative of one modulo 2^256.
std::optional<Lanes> scale(const Lanes& a, const U256& scalar);
/// `mask` has the same value in every lane; `junk_from`: bits of every lane from there on belong to a neighbour.
std::optional<Lanes> mask(const Lanes& a, const U256& mask, unsigned junk_from);
/// A constant as lanes (lowest and highest lane value).
Lanes constant(const U256& value, unsigned width);
}  // namespace transfer

}  // namespace postern::codegen
