#include "falcon/soft_double.hpp"

#include "core/u256.hpp"

namespace postern::falcon {

namespace {

using u64 = std::uint64_t;
using detail::u128;

constexpr u64 kHidden = u64{1} << 52;

/// All ones if x != 0.
u64 nonzero_mask(u64 x) { return 0 - ((x | (0 - x)) >> 63); }

struct Parts {
    u64 sign;      // 0 or 1
    int exponent;  // value = mantissa 2^(exponent - 1075)
    u64 mantissa;  // with the hidden bit, 0 for zero
};
Parts unpack(u64 bits) {
    const int e = static_cast<int>((bits >> 52) & 0x7ff);
    const u64 present = nonzero_mask(static_cast<u64>(e));
    return {bits >> 63, e, ((bits & (kHidden - 1)) | kHidden) & present};
}

/// (-1)^sign m 2^e rounded, for m in [2^54, 2^55) with a sticky lowest bit, or 0.
u64 pack(u64 sign, int e, u64 m) {
    const int field = e + 1076;
    const u64 keep = nonzero_mask(m) & ~static_cast<u64>(static_cast<std::int64_t>(field) >> 63);
    const u64 odd = (m >> 2) & 1;
    const u64 up = (m >> 1) & ((m & 1) | odd);
    const u64 magnitude = (static_cast<u64>(field) << 52) + (m >> 2) + (up & 1);
    return (sign << 63) | (magnitude & keep);
}

/// Shifts left until bit 63 is set, the exponent going along; 0 stays 0.
void normalize(u64& m, int& e) {
    for (const unsigned k : {32U, 16U, 8U, 4U, 2U, 1U}) {
        const u64 high = nonzero_mask(m >> (64 - k));
        const u64 shift = k & ~high;
        m <<= shift;
        e -= static_cast<int>(shift);
    }
}

/// The top 55 bits of a number with bit 63 set (or 0), the rest folded into the lowest.
u64 fold_to_55(u64 m) { return (m >> 9) | (nonzero_mask(m & 0x1ff) & 1); }

}  // namespace

SoftDouble SoftDouble::from_int(std::int64_t x) {
    const u64 sign = static_cast<u64>(x) >> 63;
    u64 m = (static_cast<u64>(x) ^ (0 - sign)) + sign;
    int e = 9;
    normalize(m, e);
    return from_bits(pack(sign & nonzero_mask(m), e, fold_to_55(m)));
}

std::int64_t SoftDouble::truncate() const {
    const Parts p = unpack(bits_);
    const u64 m = p.mantissa << 11;  // value = m 2^(exponent - 1086)
    const auto distance = static_cast<u64>(1086 - p.exponent);
    const u64 in_range = 0 - ((distance - 64) >> 63);
    const u64 magnitude = (m >> (distance & 63)) & in_range;
    return static_cast<std::int64_t>((magnitude ^ (0 - p.sign)) + p.sign);
}

SoftDouble operator+(SoftDouble a, SoftDouble b) {
    // x is the one of larger magnitude; of equal magnitudes the positive one, so that x - x is +0.
    constexpr u64 magnitude = ~(u64{1} << 63);
    const u64 difference = (a.bits_ & magnitude) - (b.bits_ & magnitude);
    const u64 swap = 0 - ((difference >> 63) | ((1 - (nonzero_mask(difference) & 1)) & (a.bits_ >> 63)));
    const u64 exchange = (a.bits_ ^ b.bits_) & swap;
    const Parts x = unpack(a.bits_ ^ exchange);
    const Parts y = unpack(b.bits_ ^ exchange);

    const u64 xm = x.mantissa << 3;
    u64 ym = y.mantissa << 3;
    const auto distance = static_cast<u64>(x.exponent - y.exponent);
    ym &= 0 - ((distance - 60) >> 63);
    const unsigned shift = distance & 63;
    ym = (ym >> shift) | (nonzero_mask(ym & ((u64{1} << shift) - 1)) & 1);

    const u64 opposite = 0 - (x.sign ^ y.sign);
    u64 m = xm + ((ym ^ opposite) - opposite);
    int e = x.exponent - 1078 + 9;
    normalize(m, e);
    return SoftDouble::from_bits(pack(x.sign, e, fold_to_55(m)));
}

SoftDouble operator*(SoftDouble a, SoftDouble b) {
    const Parts x = unpack(a.bits_);
    const Parts y = unpack(b.bits_);
    const u128 product = static_cast<u128>(x.mantissa) * y.mantissa;  // below 2^106
    u64 m = static_cast<u64>(product >> 50) | (nonzero_mask(static_cast<u64>(product) & ((u64{1} << 50) - 1)) & 1);
    const u64 carry = m >> 55;
    m = (m >> carry) | (m & carry);
    return SoftDouble::from_bits(pack(x.sign ^ y.sign, x.exponent + y.exponent - 2150 + 50 + static_cast<int>(carry), m));
}

SoftDouble operator/(SoftDouble a, SoftDouble b) {
    const Parts x = unpack(a.bits_);
    const Parts y = unpack(b.bits_);
    // 56 quotient bits, one a step: x.mantissa / y.mantissa is in (1/2, 2).
    u64 rest = x.mantissa;
    u64 quotient = 0;
    for (int i = 0; i < 56; ++i) {
        const u64 fits = ((rest - y.mantissa) >> 63) - 1;
        rest -= y.mantissa & fits;
        quotient = (quotient << 1) | (fits & 1);
        rest <<= 1;
    }
    u64 m = quotient | (nonzero_mask(rest) & 1);  // in [2^54, 2^56)
    const u64 carry = m >> 55;
    m = (m >> carry) | (m & carry);
    m &= nonzero_mask(x.mantissa);
    return SoftDouble::from_bits(pack(x.sign ^ y.sign, x.exponent - y.exponent - 55 + static_cast<int>(carry), m));
}

SoftDouble SoftDouble::square_root() const {
    const Parts p = unpack(bits_);
    // Even exponent: value = m 2^(2 h), m in [2^52, 2^54).
    const int e = p.exponent - 1075;
    const int odd = e & 1;
    u64 rest = p.mantissa << odd;
    const int h = (e - odd) / 2;
    // Digit by digit: root of m 2^56, 55 bits, the remainder decides the sticky bit.
    u64 root = 0;
    u64 bit = u64{1} << 53;
    u64 partial = 0;
    rest <<= 1;
    for (int i = 0; i < 54; ++i) {
        const u64 trial = partial + bit;
        const u64 fits = ((rest - trial) >> 63) - 1;
        partial += (bit << 1) & fits;
        rest -= trial & fits;
        root = (root << 1) | (fits & 1);
        rest <<= 1;
        bit >>= 1;
    }
    u64 m = (root << 1) | (nonzero_mask(rest) & 1);
    m &= nonzero_mask(p.mantissa);
    return from_bits(pack(0, h - 28, m));
}

std::uint32_t SoftDouble::less(SoftDouble a, SoftDouble b) {
    // As sign and magnitude; two negative numbers compare the other way round. -0 < +0 does not arise.
    const auto x = static_cast<std::int64_t>(a.bits_);
    const auto y = static_cast<std::int64_t>(b.bits_);
    const u64 both_negative = a.bits_ & b.bits_ & (u64{1} << 63);
    const u64 swap = 0 - (both_negative >> 63);
    const auto exchange = static_cast<std::int64_t>((a.bits_ ^ b.bits_) & swap);
    const std::int64_t p = x ^ exchange;
    const std::int64_t r = y ^ exchange;
    const auto d = static_cast<u64>(p) - static_cast<u64>(r);
    const auto overflow = (static_cast<u64>(p) ^ static_cast<u64>(r)) & (static_cast<u64>(p) ^ d);
    return static_cast<std::uint32_t>((d ^ overflow) >> 63);
}

}  // namespace postern::falcon
