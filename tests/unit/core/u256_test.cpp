#include "core/u256.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <random>

namespace postern {
namespace {

class Mpz {
  public:
    Mpz() { mpz_init(z); }
    explicit Mpz(const U256& v) : Mpz() { mpz_import(z, 4, -1, 8, 0, 0, v.limb.data()); }
    Mpz(const Mpz&) = delete;
    Mpz& operator=(const Mpz&) = delete;
    ~Mpz() { mpz_clear(z); }
    U256 low() const {
        Mpz r;
        mpz_fdiv_r_2exp(r.z, z, 256);
        U256 out;
        mpz_export(out.limb.data(), nullptr, -1, 8, 0, 0, r.z);
        return out;
    }
    mpz_t z;
};

// Values rich in the limb patterns that make carries and quotient corrections happen.
U256 sample(std::mt19937_64& rng) {
    U256 v;
    for (auto& l : v.limb) {
        switch (rng() % 6) {
            case 0:
                l = 0;
                break;
            case 1:
                l = ~0ULL;
                break;
            case 2:
                l = 1ULL << (rng() % 64);
                break;
            case 3:
                l = ~0ULL << (rng() % 64);
                break;
            default:
                l = rng();
        }
    }
    return rng() % 3 == 0 ? v >> static_cast<unsigned>(rng() % 256) : v;
}

U256 signed_op(const U256& a, const U256& b, void (*op)(mpz_ptr, mpz_srcptr, mpz_srcptr)) {
    Mpz ma(a), mb(b), two256(U256{}), r;
    mpz_setbit(two256.z, 256);
    if (a.bit(255)) mpz_sub(ma.z, ma.z, two256.z);
    if (b.bit(255)) mpz_sub(mb.z, mb.z, two256.z);
    op(r.z, ma.z, mb.z);
    return r.low();
}

TEST(U256, AgreesWithGmp) {
    std::mt19937_64 rng(7);
    for (int i = 0; i < 20000; ++i) {
        const U256 a = sample(rng), b = sample(rng), m = sample(rng);
        const Mpz ma(a), mb(b), mm(m);
        Mpz r;
        mpz_add(r.z, ma.z, mb.z);
        ASSERT_EQ(a + b, r.low());
        if (!m.is_zero()) {
            mpz_mod(r.z, r.z, mm.z);
            ASSERT_EQ(add_mod(a, b, m), r.low());
        }
        mpz_sub(r.z, ma.z, mb.z);
        ASSERT_EQ(a - b, r.low());
        mpz_mul(r.z, ma.z, mb.z);
        ASSERT_EQ(a * b, r.low());
        if (!m.is_zero()) {
            mpz_mod(r.z, r.z, mm.z);
            ASSERT_EQ(mul_mod(a, b, m), r.low());
        }
        mpz_mul(r.z, ma.z, mb.z);
        const Mpz all(U256::max());
        mpz_mod(r.z, r.z, all.z);
        ASSERT_EQ(mul_mod(a, b, U256::max()), r.low());
        if (!b.is_zero()) {
            mpz_fdiv_q(r.z, ma.z, mb.z);
            ASSERT_EQ(a / b, r.low());
            mpz_mod(r.z, ma.z, mb.z);
            ASSERT_EQ(a % b, r.low());
            ASSERT_EQ(sdiv(a, b), signed_op(a, b, mpz_tdiv_q));
            ASSERT_EQ(smod(a, b), signed_op(a, b, mpz_tdiv_r));
        }
        const auto s = static_cast<unsigned>(rng() % 300);
        mpz_mul_2exp(r.z, ma.z, s);
        ASSERT_EQ(a << s, r.low());
        mpz_fdiv_q_2exp(r.z, ma.z, s);
        ASSERT_EQ(a >> s, r.low());
        ASSERT_EQ(a < b, mpz_cmp(ma.z, mb.z) < 0);
        ASSERT_EQ(load_be(to_be_bytes(a)), a);
        ASSERT_EQ(*parse_u256(to_hex_0x(a)), a);
        char text[100];
        mpz_get_str(text, 10, ma.z);
        ASSERT_EQ(*parse_u256(text), a);
    }
}

TEST(U256, EdgesOfTheEvmOperators) {
    const U256 min_signed = U256::pow2(255);
    EXPECT_EQ(sdiv(min_signed, U256::max()), min_signed);
    EXPECT_EQ(sdiv(U256{7}, U256{}), U256{});
    EXPECT_EQ(smod(-U256{7}, U256{3}), -U256{1});
    EXPECT_EQ(sar(min_signed, 255), U256::max());
    EXPECT_EQ(sar(min_signed, 256), U256::max());
    EXPECT_EQ(sar(U256{5}, 256), U256{});
    EXPECT_EQ(sign_extend(U256{0}, U256{0xff}), U256::max());
    EXPECT_EQ(sign_extend(U256{0}, U256{0x17f}), U256{0x7f});
    EXPECT_EQ(sign_extend(U256{31}, min_signed), min_signed);
    EXPECT_EQ(sign_extend(U256::max(), U256{0xff}), U256{0xff});
    EXPECT_EQ(pow(U256{2}, U256{256}), U256{});
    EXPECT_EQ(pow(U256{3}, U256{5}), U256{243});
    EXPECT_EQ(pow(U256{}, U256{}), U256{1});
    EXPECT_TRUE(slt(-U256{1}, U256{}));
    EXPECT_FALSE(slt(U256{}, -U256{1}));
    EXPECT_EQ(U256::mask(256), U256::max());
    EXPECT_EQ(mul_mod(U256::max(), U256::max(), U256::max()), U256{});
}

TEST(U256, ParsingRefuses) {
    for (const char* bad :
         {"", "0x", "-1", "1e5", "0xg", " 1", "115792089237316195423570985008687907853269984665640564039457584007913129639936",
          "0x10000000000000000000000000000000000000000000000000000000000000000"})
        EXPECT_FALSE(parse_u256(bad).has_value()) << bad;
}

}  // namespace
}  // namespace postern
