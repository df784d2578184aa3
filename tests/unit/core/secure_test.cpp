#include "core/secure.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "core/random.hpp"

namespace postern {
namespace {

TEST(Secure, WipeClearsEverything) {
    std::array<std::uint8_t, 77> a;
    a.fill(0xaa);
    { const WipeGuard guard(a); }
    for (auto b : a) EXPECT_EQ(b, 0);
}

TEST(Secure, ComparesWholeContents) {
    std::array<std::uint8_t, 64> a{}, b{};
    EXPECT_TRUE(ct_equal(a, b));
    for (std::size_t i = 0; i < b.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            b[i] = static_cast<std::uint8_t>(1 << bit);
            EXPECT_FALSE(ct_equal(a, b));
            b[i] = 0;
        }
    }
    EXPECT_FALSE(ct_equal(a, std::span(b).first(63)));
    EXPECT_EQ(ct_eq_mask(5, 5), 0xffffffffU);
    EXPECT_EQ(ct_eq_mask(5, 4), 0U);
    EXPECT_EQ(ct_eq_mask(0x80000000U, 0), 0U);
}

TEST(Random, FillsAndDiffers) {
    std::set<std::array<std::uint8_t, 32>> seen;
    for (int i = 0; i < 100; ++i) {
        std::array<std::uint8_t, 32> r{};
        os_random(r);
        EXPECT_TRUE(seen.insert(r).second);
    }
}

}  // namespace
}  // namespace postern
