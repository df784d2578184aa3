#include "codegen/bounds.hpp"

#include <algorithm>

namespace postern::codegen {
namespace {

[[noreturn]] void too_wide(const char* op) { throw BoundError(std::string("interval of ") + op + " does not fit 127 bits"); }

Int checked_add(Int a, Int b) {
    Int r = 0;
    if (__builtin_add_overflow(a, b, &r)) too_wide("ADD");
    return r;
}
Int checked_sub(Int a, Int b) {
    Int r = 0;
    if (__builtin_sub_overflow(a, b, &r)) too_wide("SUB");
    return r;
}
Int checked_mul(Int a, Int b) {
    Int r = 0;
    if (__builtin_mul_overflow(a, b, &r)) too_wide("MUL");
    return r;
}

unsigned trailing_zeros(Int v, unsigned limit) {
    unsigned n = 0;
    while (n < limit && (v & 1) == 0) {
        v >>= 1;
        ++n;
    }
    return n;
}

void same_shape(const LaneBounds& a, const LaneBounds& b) {
    if (a.bits != b.bits || a.lane.size() != b.lane.size())
        throw BoundError("lane shapes differ: " + to_string(a) + " and " + to_string(b));
}

}  // namespace

std::string to_string(Int v) {
    if (v == 0) return "0";
    const bool negative = v < 0;
    std::string s;
    while (v != 0) {
        const int digit = static_cast<int>(v % 10);
        s += static_cast<char>('0' + (digit < 0 ? -digit : digit));
        v /= 10;
    }
    if (negative) s += '-';
    std::reverse(s.begin(), s.end());
    return s;
}

std::string to_string(const Interval& i) { return "[" + to_string(i.lo) + ", " + to_string(i.hi) + "]"; }

LaneBounds LaneBounds::uniform(unsigned bits, unsigned count, Interval interval, unsigned zeros) {
    return {bits, std::vector<Interval>(count, interval), zeros};
}

bool LaneBounds::clean() const {
    const Int top = (Int{1} << bits) - 1;
    return std::all_of(lane.begin(), lane.end(), [&](const Interval& i) { return i.lo >= 0 && i.hi <= top; });
}

bool LaneBounds::within(const LaneBounds& other) const {
    if (bits != other.bits || lane.size() != other.lane.size() || zeros < other.zeros) return false;
    for (std::size_t i = 0; i < lane.size(); ++i) {
        if (!lane[i].within(other.lane[i])) return false;
    }
    return true;
}

Int LaneBounds::max_hi() const {
    Int m = lane.empty() ? 0 : lane[0].hi;
    for (const Interval& i : lane) m = std::max(m, i.hi);
    return m;
}

Int LaneBounds::min_lo() const {
    Int m = lane.empty() ? 0 : lane[0].lo;
    for (const Interval& i : lane) m = std::min(m, i.lo);
    return m;
}

U256 LaneBounds::support() const {
    U256 s;
    for (std::size_t i = 0; i < lane.size(); ++i) {
        unsigned length = 0;
        for (Int v = lane[i].hi; v > 0; v >>= 1) ++length;
        s |= (U256::mask(length) & ~U256::mask(std::min(zeros, length))) << static_cast<unsigned>(bits * i);
    }
    return s;
}

std::string to_string(const LaneBounds& b) {
    std::string s = std::to_string(b.lane.size()) + "x" + std::to_string(b.bits) + " {";
    const bool uniform = std::all_of(b.lane.begin(), b.lane.end(), [&](const Interval& i) { return i == b.lane[0]; });
    for (std::size_t i = 0; i < (uniform ? std::size_t{1} : b.lane.size()); ++i) s += (i == 0 ? "" : ", ") + to_string(b.lane[i]);
    s += "}";
    if (b.zeros != 0) s += " multiples of 2^" + std::to_string(b.zeros);
    return s;
}

namespace {

/// Applies `f` lane by lane; the result is a multiple of the powers of two that both sides share.
template <class F>
LaneBounds lane_by_lane(const LaneBounds& a, const LaneBounds& b, F f) {
    same_shape(a, b);
    LaneBounds r = a;
    r.zeros = std::min(a.zeros, b.zeros);
    for (std::size_t i = 0; i < r.lane.size(); ++i) r.lane[i] = f(a.lane[i], b.lane[i]);
    return r;
}

}  // namespace

LaneBounds add(const LaneBounds& a, const LaneBounds& b) {
    return lane_by_lane(a, b, [](const Interval& x, const Interval& y) {
        return Interval{checked_add(x.lo, y.lo), checked_add(x.hi, y.hi)};
    });
}

LaneBounds sub(const LaneBounds& a, const LaneBounds& b) {
    return lane_by_lane(a, b, [](const Interval& x, const Interval& y) {
        return Interval{checked_sub(x.lo, y.hi), checked_sub(x.hi, y.lo)};
    });
}

LaneBounds scale(const LaneBounds& a, Int factor) {
    LaneBounds r = a;
    if (factor != 0) r.zeros += trailing_zeros(factor, 120);
    for (Interval& i : r.lane) {
        const Int x = checked_mul(i.lo, factor);
        const Int y = checked_mul(i.hi, factor);
        i = {std::min(x, y), std::max(x, y)};
    }
    return r;
}

LaneBounds join(const LaneBounds& a, const LaneBounds& b) {
    return lane_by_lane(a, b, [](const Interval& x, const Interval& y) { return Interval{std::min(x.lo, y.lo), std::max(x.hi, y.hi)}; });
}

U256 rep(const U256& v, unsigned bits, unsigned count) {
    U256 r;
    for (unsigned i = 0; i < count; ++i) r += v << (bits * i);
    return r;
}

}  // namespace postern::codegen
