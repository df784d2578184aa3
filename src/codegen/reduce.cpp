#include "codegen/reduce.hpp"

#include <algorithm>

#include "codegen/graph.hpp"

namespace postern::codegen {
namespace {

constexpr unsigned kBits = 64;

void require(Value v, bool holds, const std::string& what) {
    if (!holds) v.block().graph().refuse(what + ", but the operand is " + to_string(v.lanes()));
}

LaneBounds checked(Value x, Int limit, const std::string& what) {
    const LaneBounds& b = x.lanes();
    require(x, b.bits == kBits && b.clean() && b.max_hi() < limit, what + " needs 64-bit lanes in [0, " + to_string(limit) + ")");
    return b;
}

std::uint64_t mask32(std::uint64_t v) { return v & 0xffffffffU; }

/// Lane by lane: [lo(v), hi(v)] of the result.
template <class F>
LaneBounds map_lanes(const LaneBounds& in, unsigned zeros, F f) {
    LaneBounds r = in;
    r.zeros = zeros;
    for (Interval& i : r.lane) i = f(i);
    return r;
}

}  // namespace

std::uint64_t Modulus::minus_inverse_32() const {
    std::uint64_t inverse = 1;  // Newton: doubles the number of right bits
    for (int i = 0; i < 6; ++i) inverse = mask32(inverse * (2 - q * inverse));
    return mask32(0 - inverse);
}
std::uint64_t Modulus::mul(std::uint64_t a, std::uint64_t b) const {
    return static_cast<std::uint64_t>(static_cast<detail::u128>(a) * b % q);
}
std::uint64_t Modulus::pow(std::uint64_t a, std::uint64_t e) const {
    std::uint64_t r = 1 % q;
    for (a %= q; e != 0; e >>= 1, a = mul(a, a)) {
        if ((e & 1U) != 0) r = mul(r, a);
    }
    return r;
}
std::uint64_t Modulus::inverse(std::uint64_t a) const { return pow(a, q - 2); }

Value montgomery_mul(Value x, std::uint64_t w, const Modulus& m) {
    const LaneBounds in = checked(x, Int{1} << 32, "Montgomery product");
    const std::uint64_t scaled = m.mul(w % m.q, (std::uint64_t{1} << 32) % m.q);
    const std::uint64_t quotient = mask32(scaled * m.minus_inverse_32());
    const Value t = ((x * U256{quotient}) & rep(U256{0xffffffffU})) * U256{m.q} + x * U256{scaled};
    return x.block().lemma(t,
                           map_lanes(in, 32,
                                     [&](const Interval& i) {
                                         const Int top = i.hi * static_cast<Int>(scaled) + ((Int{1} << 32) - 1) * static_cast<Int>(m.q);
                                         return Interval{0, top >> 32 << 32};
                                     }),
                           "montgomery_mul");
}

Value montgomery_reduce(Value x, const Modulus& m) {
    const LaneBounds in = checked(x, Int{1} << 63, "Montgomery reduction");
    const U256 low = rep(U256{0xffffffffU});
    const Value t = (((x & low) * U256{m.minus_inverse_32()}) & low) * U256{m.q} + x;
    return x.block().lemma(t,
                           map_lanes(in, 32,
                                     [&](const Interval& i) {
                                         const Int top = i.hi + ((Int{1} << 32) - 1) * static_cast<Int>(m.q);
                                         return Interval{0, top >> 32 << 32};
                                     }),
                           "montgomery_reduce");
}

Value to_lower(Value upper) { return upper >> 32; }

namespace {

Value shoup(Value x, std::uint64_t w, unsigned k, const Modulus& m, bool ceil) {
    w %= m.q;
    const auto factor = static_cast<std::uint64_t>((static_cast<detail::u128>(w) << k) / m.q) + (ceil ? 1 : 0);
    const LaneBounds in = checked(x, (Int{1} << 64), "Shoup product");
    require(x, k < 64 && in.max_hi() * static_cast<Int>(factor) < (Int{1} << 64),
            "Shoup product with k = " + std::to_string(k) + " needs x*w' < 2^64");
    const Value quotient = ((x * U256{factor}) >> k) & rep(U256::mask(kBits - k));
    const Value t = quotient * -U256{m.q} + x * U256{w};
    const Int q = static_cast<Int>(m.q);
    return x.block().lemma(t,
                           map_lanes(in, 0,
                                     [&](const Interval& i) {
                                         const Int error = i.hi * q;
                                         if (ceil) return Interval{-(error >> k) - 1, q - 1};
                                         return Interval{0, q - 1 + ((error + (Int{1} << k) - 1) >> k)};
                                     }),
                           ceil ? "shoup_mul_ceil" : "shoup_mul");
}

}  // namespace

Value shoup_mul(Value x, std::uint64_t w, unsigned k, const Modulus& m) { return shoup(x, w, k, m, false); }
Value shoup_mul_ceil(Value x, std::uint64_t w, unsigned k, const Modulus& m) { return shoup(x, w, k, m, true); }

Value trim(Value x, unsigned s, std::uint64_t c, const Modulus& m) {
    const LaneBounds in = checked(x, Int{1} << 64, "trim");
    if (c % m.q != 0 || s >= 64) throw Error("trim by a constant that is not a multiple of the modulus");
    const Value t = ((x >> s) & rep(U256::mask(kBits - s))) * -U256{c} + x;
    const Int gain = (Int{1} << s) - static_cast<Int>(c);
    return x.block().lemma(t,
                           map_lanes(in, 0,
                                     [&](const Interval& i) {
                                         const Int top = i.hi >> s;
                                         const Int low = std::min(i.hi, (Int{1} << s) - 1);
                                         return gain >= 0 ? Interval{0, low + top * gain} : Interval{top * gain, low};
                                     }),
                           "trim");
}

Value leaf_mul(Value a, Value z) { return a * z; }

Value leaf_mulmod(Value a, Value z, Value all_ones) {
    if (all_ones.constant() != U256::max()) throw Error("leaf_mulmod needs the modulus 2^256 - 1");
    return mulmod(a, z, all_ones);
}

}  // namespace postern::codegen
