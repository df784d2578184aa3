#include "codegen/lanes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

namespace postern::codegen {

std::string to_string(const Lanes& lanes) {
    return fmt::format("[{}, {}] in {}-bit lanes{}", to_string(lanes.lo), to_string(lanes.hi), lanes.width,
                       lanes.zeros != 0 ? fmt::format(", multiples of 2^{}", lanes.zeros) : std::string());
}

U256 splat(std::uint64_t value, unsigned width) {
    U256 word;
    for (unsigned at = 0; at < 256; at += width) word |= U256{value} << at;
    return word;
}

U256 splat_signed(Int value, unsigned width) {
    const bool negative = value < 0;
    const auto magnitude = static_cast<Unsigned>(negative ? -value : value);
    const U256 m{0, 0, static_cast<std::uint64_t>(magnitude >> 64), static_cast<std::uint64_t>(magnitude)};
    U256 word;
    for (unsigned at = 0; at < 256; at += width) word += m << at;
    return negative ? -word : word;
}

namespace transfer {

namespace {
constexpr Int limit = Int{1} << 120;  // far above every value in use, far below overflow of Int

std::optional<Lanes> checked(Lanes r) {
    if (r.lo < -limit || r.hi > limit) return std::nullopt;
    return r;
}
}  // namespace

std::optional<Lanes> add(const Lanes& a, const Lanes& b) {
    if (a.width != b.width) return std::nullopt;
    return checked({a.width, a.lo + b.lo, a.hi + b.hi, std::min(a.zeros, b.zeros)});
}

std::optional<Lanes> sub(const Lanes& a, const Lanes& b) {
    if (a.width != b.width) return std::nullopt;
    return checked({a.width, a.lo - b.hi, a.hi - b.lo, std::min(a.zeros, b.zeros)});
}

std::optional<Lanes> scale(const Lanes& a, const U256& scalar) {
    const U256 negated = -scalar;
    const bool negative = negated < scalar;
    const U256& magnitude = negative ? negated : scalar;
    if (magnitude.bit_length() > 62) return std::nullopt;
    const Int s = negative ? -static_cast<Int>(magnitude.low64()) : static_cast<Int>(magnitude.low64());
    const Int most = std::max(a.hi < 0 ? -a.hi : a.hi, a.lo < 0 ? -a.lo : a.lo);
    if (s != 0 && most > limit / (s < 0 ? -s : s)) return std::nullopt;
    const unsigned zeros = magnitude.is_zero() ? 0U : static_cast<unsigned>(std::countr_zero(magnitude.low64()));
    return Lanes{a.width, std::min(a.lo * s, a.hi * s), std::max(a.lo * s, a.hi * s), a.zeros + zeros};
}

std::optional<Lanes> mask(const Lanes& a, const U256& mask, unsigned junk_from) {
    if (!a.contained() || a.width > 64) return std::nullopt;
    const Lanes m = constant(mask, a.width);
    if (m.lo != m.hi) return std::nullopt;
    const auto bits = static_cast<std::uint64_t>(m.lo);
    if (bits == 0 || static_cast<unsigned>(std::bit_width(bits)) > junk_from) return std::nullopt;
    const Int hi = static_cast<Int>(bits);
    return Lanes{a.width, 0, junk_from < a.width ? hi : std::min(a.hi, hi),
                 std::max(junk_from < a.width ? 0U : a.zeros, static_cast<unsigned>(std::countr_zero(bits)))};
}

Lanes constant(const U256& value, unsigned width) {
    Lanes r{width, Int{1} << 100, 0, width};
    for (unsigned at = 0; at < 256; at += width) {
        const std::uint64_t lane = ((value >> at) & U256::mask(width)).low64();
        r.lo = std::min(r.lo, static_cast<Int>(lane));
        r.hi = std::max(r.hi, static_cast<Int>(lane));
        if (lane != 0) r.zeros = std::min(r.zeros, static_cast<unsigned>(std::countr_zero(lane)));
    }
    if (r.hi == 0) r.zeros = 0;
    return r;
}

}  // namespace transfer
}  // namespace postern::codegen
