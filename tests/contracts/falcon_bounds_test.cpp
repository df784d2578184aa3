// The arithmetic of the Falcon kernels: formulas tried on all operands, and kernels whose bounds do not hold refused.

#include <gtest/gtest.h>

#include "contracts/falcon/squares.hpp"

namespace postern::test {
namespace {

using namespace contracts::falcon_evm;

Value word(Block& b, Int lo, Int hi) { return b.declare_input(b.calldataload(0), lanes32(lo, hi), "test"); }

template <class F>
bool refused(F kernel) {
    Block b("test");
    try {
        kernel(b);
    } catch (const codegen::BoundError&) {
        return true;
    }
    return false;
}

TEST(FalconArithmetic, ReductionOfEveryOperand) {
    Int worst = 0;
    for (Int x = 0; x <= 196629; ++x) {
        const Int z = x - static_cast<Int>(q) * ((21843 * x) >> 28);
        ASSERT_GE(z, 0);
        ASSERT_LE(z, reduced_top(x));
        ASSERT_EQ((x - z) % static_cast<Int>(q), 0);
        worst = std::max(worst, z);
    }
    EXPECT_GE(worst, static_cast<Int>(q));
    EXPECT_LE(worst, static_cast<Int>(q) + 5);
    for (Int x = 1; x <= 8 * static_cast<Int>(q); ++x) {
        const Int z = x - static_cast<Int>(q) * ((43687 * x) >> 29);
        ASSERT_GE(z, 1);
        ASSERT_LE(z, static_cast<Int>(q));
    }
}

TEST(FalconArithmetic, ProductWithEveryTwiddle) {
    for (std::size_t node = 1; node < 32; ++node) {
        const std::uint64_t w = twiddle(9, node);
        for (const Int top : {Int{4095}, Int{63492}, Int{110000}}) {
            const auto p = plan_shoup(top, w);
            ASSERT_TRUE(p);
            for (Int x = 0; x <= top; x += 1 + x % 3) {
                const Int t = x * static_cast<Int>(p->factor) - static_cast<Int>(q) * ((x * static_cast<Int>(p->quotient)) >> 16);
                ASSERT_GE(t, 0);
                ASSERT_LE(t, p->top);
                ASSERT_EQ((t - (p->negated ? -1 : 1) * x * static_cast<Int>(w)) % static_cast<Int>(q), 0);
            }
        }
    }
}

TEST(FalconArithmetic, RefusesWhatDoesNotFit) {
    EXPECT_FALSE(refused([](Block& b) { reduce(word(b, 0, 196629)); }));
    EXPECT_TRUE(refused([](Block& b) { reduce(word(b, 0, 196630)); }));
    EXPECT_TRUE(refused([](Block& b) { reduce(word(b, -1, 1000)); }));
    EXPECT_FALSE(refused([](Block& b) { reduce_exact(word(b, 1, 98312)); }));
    EXPECT_TRUE(refused([](Block& b) { reduce_exact(word(b, 1, 98313)); }));
    EXPECT_TRUE(refused([](Block& b) { reduce_exact(word(b, 0, 98312)); }));
    EXPECT_FALSE(refused([](Block& b) { montgomery17(word(b, 0, kMontgomeryTop)); }));
    EXPECT_TRUE(refused([](Block& b) { montgomery17(word(b, 0, kMontgomeryTop + 1)); }));
    EXPECT_FALSE(refused([](Block& b) { shoup(word(b, 0, 131000), 6000); }));
    EXPECT_TRUE(refused([](Block& b) { shoup(word(b, 0, 140000), 6144); }));
    EXPECT_TRUE(refused([](Block& b) { shoup(word(b, -1, 1000), 6144); }));
    // Sixteen products of the key with data over 13652 do not leave room for the Montgomery carry.
    const auto products = [](Int data) { return 16 * data * static_cast<Int>(q - 1); };
    EXPECT_FALSE(refused([&](Block& b) { montgomery17(word(b, 0, products(13652))); }));
    EXPECT_TRUE(refused([&](Block& b) { montgomery17(word(b, 0, products(13653))); }));
    // s1: operands of the squares, and the constant that keeps c + D - y positive.
    EXPECT_FALSE(refused([](Block& b) { add_squares1(b, {}, word(b, 0, 12300)); }));
    EXPECT_TRUE(refused([](Block& b) { add_squares1(b, {}, word(b, 0, 12301)); }));
    EXPECT_FALSE(refused([](Block& b) {
        centred_s1({word(b, 0, 120000), false}, b.declare_input(b.calldataload(32), lanes32(0, 61444), "c"));
    }));
    EXPECT_TRUE(refused([](Block& b) {
        centred_s1({word(b, 0, 120000), false}, b.declare_input(b.calldataload(32), lanes32(0, 197000), "c"));
    }));
    // Squares of s2 past sixteen words without clearing.
    EXPECT_TRUE(squares2_bounds(16).clean());
    EXPECT_FALSE(squares2_bounds(17).clean());
}

}  // namespace
}  // namespace postern::test
