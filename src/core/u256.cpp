#include "core/u256.hpp"

#include <algorithm>
#include <bit>

namespace postern {

namespace {

using detail::u128;

// Knuth's algorithm D on 32-bit digits. `num` has up to 16 digits, `den` up to 8 and a non-zero top digit.
// The remainder is left in `num`, the quotient (if asked for) goes to `quotient`.
void divide_digits(std::uint32_t* num, unsigned num_len, const std::uint32_t* den_in, unsigned den_len, std::uint32_t* quotient) {
    if (den_len == 1) {
        std::uint64_t rem = 0;
        for (unsigned i = num_len; i-- > 0;) {
            const std::uint64_t cur = rem << 32 | num[i];
            if (quotient != nullptr) quotient[i] = static_cast<std::uint32_t>(cur / den_in[0]);
            rem = cur % den_in[0];
            num[i] = 0;
        }
        num[0] = static_cast<std::uint32_t>(rem);
        return;
    }
    const unsigned shift = static_cast<unsigned>(std::countl_zero(den_in[den_len - 1]));
    std::uint32_t den[8];
    std::uint32_t carry = 0;
    for (unsigned i = 0; i < den_len; ++i) {
        den[i] = den_in[i] << shift | carry;
        carry = shift == 0 ? 0 : den_in[i] >> (32 - shift);
    }
    std::uint32_t u[17];
    carry = 0;
    for (unsigned i = 0; i < num_len; ++i) {
        u[i] = num[i] << shift | carry;
        carry = shift == 0 ? 0 : num[i] >> (32 - shift);
    }
    u[num_len] = carry;
    for (unsigned j = num_len - den_len + 1; j-- > 0;) {
        const std::uint64_t top = static_cast<std::uint64_t>(u[j + den_len]) << 32 | u[j + den_len - 1];
        std::uint64_t qhat = top / den[den_len - 1];
        std::uint64_t rhat = top % den[den_len - 1];
        while (qhat >> 32 != 0 || qhat * den[den_len - 2] > (rhat << 32 | u[j + den_len - 2])) {
            --qhat;
            rhat += den[den_len - 1];
            if (rhat >> 32 != 0) break;
        }
        std::int64_t borrow = 0;
        std::uint64_t mul_carry = 0;
        for (unsigned i = 0; i < den_len; ++i) {
            const std::uint64_t p = qhat * den[i] + mul_carry;
            mul_carry = p >> 32;
            const std::int64_t t = static_cast<std::int64_t>(u[i + j]) - static_cast<std::int64_t>(p & 0xffffffffU) + borrow;
            u[i + j] = static_cast<std::uint32_t>(t);
            borrow = t >> 32;
        }
        const std::int64_t t = static_cast<std::int64_t>(u[j + den_len]) - static_cast<std::int64_t>(mul_carry) + borrow;
        u[j + den_len] = static_cast<std::uint32_t>(t);
        if (t < 0) {
            --qhat;
            std::uint64_t c = 0;
            for (unsigned i = 0; i < den_len; ++i) {
                c += static_cast<std::uint64_t>(u[i + j]) + den[i];
                u[i + j] = static_cast<std::uint32_t>(c);
                c >>= 32;
            }
            u[j + den_len] += static_cast<std::uint32_t>(c);
        }
        if (quotient != nullptr) quotient[j] = static_cast<std::uint32_t>(qhat);
    }
    for (unsigned i = 0; i < num_len; ++i) {
        num[i] = i >= den_len ? 0 : (shift == 0 ? u[i] : u[i] >> shift | u[i + 1] << (32 - shift));
    }
}

template <std::size_t N>
unsigned split(const std::uint64_t (&limbs)[N], std::uint32_t (&digits)[2 * N]) {
    unsigned len = 0;
    for (unsigned i = 0; i < N; ++i) {
        digits[2 * i] = static_cast<std::uint32_t>(limbs[i]);
        digits[2 * i + 1] = static_cast<std::uint32_t>(limbs[i] >> 32);
        if (digits[2 * i] != 0) len = 2 * i + 1;
        if (digits[2 * i + 1] != 0) len = 2 * i + 2;
    }
    return len;
}

U256 join(const std::uint32_t* d) {
    U256 r;
    for (unsigned i = 0; i < 4; ++i) r.limb[i] = static_cast<std::uint64_t>(d[2 * i + 1]) << 32 | d[2 * i];
    return r;
}

// (512-bit value) mod m, m != 0.
U256 mod_512(const std::uint64_t (&value)[8], const U256& m) {
    std::uint32_t num[16];
    std::uint32_t den[8];
    const std::uint64_t m_limbs[4] = {m.limb[0], m.limb[1], m.limb[2], m.limb[3]};
    const unsigned n = split(value, num);
    const unsigned d = split(m_limbs, den);
    if (n >= d) divide_digits(num, n, den, d, nullptr);
    return join(num);
}

}  // namespace

DivResult div_mod(const U256& a, const U256& b) {
    if (b.is_zero()) return {};
    if (a < b) return {U256{}, a};
    if (a.fits_u64()) return {U256{a.limb[0] / b.limb[0]}, U256{a.limb[0] % b.limb[0]}};
    std::uint32_t num[8];
    std::uint32_t den[8];
    std::uint32_t quotient[8] = {};
    const std::uint64_t a_limbs[4] = {a.limb[0], a.limb[1], a.limb[2], a.limb[3]};
    const std::uint64_t b_limbs[4] = {b.limb[0], b.limb[1], b.limb[2], b.limb[3]};
    const unsigned n = split(a_limbs, num);
    const unsigned d = split(b_limbs, den);
    divide_digits(num, n, den, d, quotient);
    return {join(quotient), join(num)};
}

U256 operator/(const U256& a, const U256& b) { return div_mod(a, b).quotient; }
U256 operator%(const U256& a, const U256& b) { return div_mod(a, b).remainder; }

U256 sdiv(const U256& a, const U256& b) {
    const U256 q = (a.bit(255) ? -a : a) / (b.bit(255) ? -b : b);
    return a.bit(255) != b.bit(255) ? -q : q;
}

U256 smod(const U256& a, const U256& b) {
    const U256 r = (a.bit(255) ? -a : a) % (b.bit(255) ? -b : b);
    return a.bit(255) ? -r : r;
}

U256 add_mod(const U256& a, const U256& b, const U256& m) {
    if (m.is_zero()) return {};
    const U256 sum = a + b;
    const std::uint64_t wide[8] = {sum.limb[0], sum.limb[1], sum.limb[2], sum.limb[3], sum < a ? 1U : 0U, 0, 0, 0};
    return mod_512(wide, m);
}

U256 mul_mod(const U256& a, const U256& b, const U256& m) {
    if (m.is_zero()) return {};
    std::uint64_t wide[8] = {};
    for (unsigned i = 0; i < 4; ++i) {
        std::uint64_t carry = 0;
        for (unsigned j = 0; j < 4; ++j) {
            const u128 t = static_cast<u128>(a.limb[i]) * b.limb[j] + wide[i + j] + carry;
            wide[i + j] = static_cast<std::uint64_t>(t);
            carry = static_cast<std::uint64_t>(t >> 64);
        }
        wide[i + 4] = carry;
    }
    // 2^256 - 1 is the modulus of the verifiers' hot path: 2^256 = 1, so the halves just add.
    if (m == U256::max()) {
        const U256 lo{wide[3], wide[2], wide[1], wide[0]};
        const U256 hi{wide[7], wide[6], wide[5], wide[4]};
        U256 sum = lo + hi;
        if (sum < lo) sum += U256{1};
        return sum == m ? U256{} : sum;
    }
    return mod_512(wide, m);
}

U256 pow(U256 a, U256 e) {
    U256 r{1};
    for (unsigned n = e.bit_length(), i = 0; i < n; ++i) {
        if (e.bit(i)) r *= a;
        a *= a;
    }
    return r;
}

U256 sar(const U256& a, unsigned n) {
    if (!a.bit(255)) return a >> n;
    return n >= 256 ? U256::max() : ~(~a >> n);
}

U256 sign_extend(const U256& index, const U256& value) {
    if (!index.fits_u64() || index.low64() >= 31) return value;
    const unsigned bits = 8 * (static_cast<unsigned>(index.low64()) + 1);
    const U256 mask = U256::mask(bits);
    return value.bit(bits - 1) ? value | ~mask : value & mask;
}

U256 load_be(ByteView bytes) {
    U256 r;
    const std::size_t n = std::min<std::size_t>(bytes.size(), 32);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t pos = n - 1 - i;
        r.limb[i / 8] |= static_cast<std::uint64_t>(bytes[pos]) << (8 * (i % 8));
    }
    return r;
}

void store_be(std::span<std::uint8_t, 32> out, const U256& v) {
    for (unsigned i = 0; i < 32; ++i) out[31 - i] = static_cast<std::uint8_t>(v.limb[i / 8] >> (8 * (i % 8)));
}

std::array<std::uint8_t, 32> to_be_bytes(const U256& v) {
    std::array<std::uint8_t, 32> out;
    store_be(out, v);
    return out;
}

std::string to_hex_0x(const U256& v) {
    const unsigned digits = std::max(1U, (v.bit_length() + 3) / 4);
    std::string out = "0x";
    for (unsigned i = digits; i-- > 0;) out.push_back("0123456789abcdef"[(v.limb[i / 16] >> (4 * (i % 16))) & 15]);
    return out;
}

Result<U256> parse_u256(std::string_view text) {
    const std::string shown(text.substr(0, 80));
    U256 r;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        if (text.empty()) return Error{"not a number: '" + shown + "'"};
        for (char c : text) {
            const int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
            if (d < 0) return Error{"not a number: '" + shown + "'"};
            if ((r >> 252) != U256{}) return Error{"number over 256 bits: '" + shown + "'"};
            r = r << 4 | U256{static_cast<std::uint64_t>(d)};
        }
        return r;
    }
    if (text.empty()) return Error{"empty number"};
    for (char c : text) {
        if (c < '0' || c > '9') return Error{"not a number: '" + shown + "'"};
        const U256 limit = (U256::max() - U256{static_cast<std::uint64_t>(c - '0')}) / U256{10};
        if (r > limit) return Error{"number over 256 bits: '" + shown + "'"};
        r = r * U256{10} + U256{static_cast<std::uint64_t>(c - '0')};
    }
    return r;
}

}  // namespace postern
