#include "mldsa/poly.hpp"

#include <gtest/gtest.h>

#include <random>

#include "mldsa/packing.hpp"

namespace postern::mldsa {
namespace {

Poly random_poly(std::mt19937& rng, std::int32_t low, std::int32_t high) {
    std::uniform_int_distribution<std::int32_t> any(low, high);
    Poly f;
    for (auto& x : f.c) x = any(rng);
    return f;
}

Poly schoolbook(const Poly& a, const Poly& b) {
    std::array<std::int64_t, 2 * n> wide{};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) wide[i + j] = (wide[i + j] + static_cast<std::int64_t>(a[i]) * b[j]) % q;
    }
    Poly r;
    for (std::size_t i = 0; i < n; ++i) r[i] = static_cast<std::int32_t>(((wide[i] - wide[i + n]) % q + q) % q);
    return r;
}

TEST(MlDsaNtt, ValuesAtTheRoots) {
    std::mt19937 rng(3);
    const Poly f = random_poly(rng, 0, q - 1);
    Poly f_hat = f;
    ntt(f_hat);
    reduce(f_hat);
    // Algorithm 41: value i is f at zeta^(2 brv8(i) + 1).
    for (unsigned i = 0; i < n; ++i) {
        unsigned reversed = 0;
        for (unsigned bit = 0; bit < 8; ++bit) reversed |= ((i >> bit) & 1U) << (7 - bit);
        const std::int32_t point = power_mod(zeta, 2 * reversed + 1);
        std::int64_t value = 0;
        for (std::size_t k = n; k-- > 0;) value = (value * point + f[k]) % q;
        ASSERT_EQ(f_hat[i], value) << i;
    }
}

TEST(MlDsaNtt, ProductsWithExtremeValues) {
    std::mt19937 rng(4);
    std::vector<std::pair<Poly, Poly>> pairs;
    for (int i = 0; i < 8; ++i) pairs.emplace_back(random_poly(rng, 0, q - 1), random_poly(rng, -(1 << 19), 1 << 19));
    Poly top, bottom, one, alternating;
    for (std::size_t i = 0; i < n; ++i) {
        top[i] = q - 1;
        bottom[i] = -(1 << 19) + 1;
        alternating[i] = (i % 2 == 0) ? 1 << 19 : -(1 << 19) + 1;
    }
    one[0] = 1;
    pairs.emplace_back(top, bottom);
    pairs.emplace_back(top, alternating);
    pairs.emplace_back(top, one);
    pairs.emplace_back(one, top);
    pairs.emplace_back(top, top);
    for (const auto& [a, b] : pairs) {
        Poly a_hat = a, b_hat = b;
        ntt(a_hat);
        reduce(a_hat);
        ntt(b_hat);
        Poly r = multiply(a_hat, b_hat);
        inverse_ntt_montgomery(r);
        for (const auto x : r.c) ASSERT_LT(absolute(x), q);
        to_canonical(r);
        EXPECT_EQ(r, schoolbook(a, b));
    }
}

TEST(MlDsaNtt, SumsOfSevenProductsWithExtremeValues) {
    std::array<Poly, 7> a, b;
    Poly c, t;
    for (std::size_t i = 0; i < n; ++i) {
        for (auto& f : a) f[i] = q - 1;
        for (auto& f : b) f[i] = (i % 2 == 0 ? 9 : -9) * (q - 1);
        c[i] = (i % 2 == 0 ? -9 : 9) * (q - 1);
        t[i] = q - 1;
    }
    const Poly r = multiply_accumulate_minus(a, b, c, t);
    const std::int32_t radix = static_cast<std::int32_t>((std::int64_t{1} << 32) % q);
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_LT(absolute(r[i]), q);
        // (q - 1) = -1, so the sum is -+9 * (7 + 1) * (-1)... with the signs of b; times 2^-32.
        const std::int32_t expected = i % 2 == 0 ? 72 : -72;
        ASSERT_EQ(multiply_mod(to_canonical(r[i]), radix), to_canonical(expected)) << i;
    }
}

TEST(MlDsaPoly, ReduceAndNorm) {
    Poly f;
    f[0] = (1 << 30);
    f[1] = -(1 << 30);
    f[2] = 9 * q;
    f[3] = -9 * q - 1;
    const Poly before = f;
    reduce(f);
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_TRUE(f[i] >= 0 && f[i] < q);
        ASSERT_EQ((before[i] - f[i]) % q, 0);
    }
    for (const std::size_t position : {std::size_t{0}, std::size_t{17}, n - 1}) {
        for (const std::int32_t sign : {1, -1}) {
            Poly g;
            g[position] = sign * 99;
            EXPECT_TRUE(norm_below(g, 100));
            g[position] = sign * 100;
            EXPECT_FALSE(norm_below(g, 100));
        }
    }
}

template <std::size_t Bits>
void check_bits() {
    std::mt19937 rng(5);
    const Poly f = random_poly(rng, 0, (1 << Bits) - 1);
    std::array<std::uint8_t, 32 * Bits> bytes{};
    simple_pack<Bits>(f, bytes);
    // Bit i of the string is bit i % Bits of coefficient i / Bits (algorithm 16).
    for (std::size_t i = 0; i < n * Bits; ++i) ASSERT_EQ((bytes[i / 8] >> (i % 8)) & 1, (f[i / Bits] >> (i % Bits)) & 1);
    Poly back;
    simple_unpack<Bits>(bytes, back);
    EXPECT_EQ(back, f);
}
TEST(MlDsaPacking, EveryWidth) {
    check_bits<3>();
    check_bits<4>();
    check_bits<6>();
    check_bits<10>();
    check_bits<13>();
    check_bits<18>();
    check_bits<20>();
}

TEST(MlDsaPacking, OffsetEnds) {
    Poly f;
    f[0] = 1 << 17;
    f[1] = -(1 << 17) + 1;
    std::array<std::uint8_t, Sizes<MlDsa44>::z_poly> bytes{};
    pack_z<MlDsa44>(f, bytes);
    EXPECT_EQ(bytes[0] | bytes[1] << 8 | (bytes[2] & 3) << 16, 0);
    Poly back;
    unpack_z<MlDsa44>(bytes, back);
    EXPECT_EQ(back, f);
}

using P = MlDsa44;
using Hint = std::array<std::uint8_t, Sizes<P>::hint>;
HintFault fault(const Hint& bytes) {
    std::array<Poly, P::k> h;
    return unpack_hint<P>(bytes, std::span<Poly, P::k>(h));
}

TEST(MlDsaHint, EveryFault) {
    Hint good{};
    good[0] = 3;
    good[1] = 200;
    good[2] = 0;  // second polynomial: index 0
    good[80] = 2;
    good[81] = good[82] = good[83] = 3;
    std::array<Poly, P::k> h;
    EXPECT_EQ(unpack_hint<P>(good, std::span<Poly, P::k>(h)), HintFault::none);
    EXPECT_EQ(h[0][3] + h[0][200] + h[1][0], 3);
    Hint again{};
    pack_hint<P>(std::span<const Poly, P::k>(h), again);
    EXPECT_EQ(again, good);

    Hint bad = good;
    std::swap(bad[0], bad[1]);
    EXPECT_EQ(fault(bad), HintFault::not_increasing);
    bad = good;
    bad[1] = bad[0];
    EXPECT_EQ(fault(bad), HintFault::not_increasing);
    bad = good;
    bad[82] = 2;
    EXPECT_EQ(fault(bad), HintFault::count_decreasing);
    bad = good;
    bad[83] = 81;
    EXPECT_EQ(fault(bad), HintFault::too_many);
    for (std::size_t i = 3; i < P::omega; ++i) {
        bad = good;
        bad[i] = 1;
        EXPECT_EQ(fault(bad), HintFault::padding_not_zero) << i;
    }
    EXPECT_EQ(fault(Hint{}), HintFault::none);
    Hint full{};
    for (std::size_t i = 0; i < P::omega; ++i) full[i] = static_cast<std::uint8_t>(i);
    for (std::size_t i = 0; i < P::k; ++i) full[P::omega + i] = P::omega;
    EXPECT_EQ(fault(full), HintFault::none);
}

}  // namespace
}  // namespace postern::mldsa
