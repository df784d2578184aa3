#include "mldsa/field.hpp"

#include <gtest/gtest.h>

#include <random>

namespace postern::mldsa {
namespace {

// The rounding functions over every value of the field against their definitions, with plain division.
template <std::int32_t Gamma2>
void check_rounding() {
    constexpr std::int32_t m = (q - 1) / (2 * Gamma2);
    for (std::int32_t r = 0; r < q; ++r) {
        std::int32_t low = r % (2 * Gamma2);
        if (low > Gamma2) low -= 2 * Gamma2;
        std::int32_t high = (r - low) / (2 * Gamma2);
        if (r - low == q - 1) {
            high = 0;
            low -= 1;
        }
        const Rounded parts = decompose<Gamma2>(r);
        const std::int32_t hinted = low > 0 ? (high + 1) % m : (high + m - 1) % m;
        if (parts.high != high || parts.low != low || use_hint<Gamma2>(0, r) != high || use_hint<Gamma2>(1, r) != hinted) FAIL() << r;
    }
}
TEST(MlDsaField, DecomposeAndUseHint44) { check_rounding<MlDsa44::gamma2>(); }
TEST(MlDsaField, DecomposeAndUseHint65) { check_rounding<MlDsa65::gamma2>(); }

TEST(MlDsaField, Power2RoundEverywhere) {
    for (std::int32_t r = 0; r < q; ++r) {
        const Rounded parts = power2round(r);
        const bool in_range = parts.low > -(1 << (d - 1)) && parts.low <= (1 << (d - 1)) && parts.high < 1 << 10;
        if (!in_range || parts.high * (1 << d) + parts.low != r) FAIL() << r;
    }
}

TEST(MlDsaField, Representatives) {
    for (std::int32_t r = 0; r < q; ++r) {
        const std::int32_t centred = to_centred(r);
        const bool in_range = centred >= -(q - 1) / 2 && centred <= (q - 1) / 2;
        if (!in_range || to_canonical(centred) != r || absolute(centred) != (centred < 0 ? -centred : centred)) FAIL() << r;
    }
}

// MakeHint is right where it is used: for |z| <= gamma2 the hint recovers the high bits of r + z from r.
template <std::int32_t Gamma2>
void check_hints() {
    std::mt19937 rng(1);
    std::uniform_int_distribution<std::int32_t> any(0, q - 1), small(-Gamma2, Gamma2);
    for (int i = 0; i < 300'000; ++i) {
        const std::int32_t r = any(rng), z = small(rng);
        const std::int32_t sum = static_cast<std::int32_t>((static_cast<std::int64_t>(r) + z + q) % q);
        ASSERT_EQ(use_hint<Gamma2>(make_hint<Gamma2>(r, sum), r), high_bits<Gamma2>(sum)) << r << " " << z;
    }
}
TEST(MlDsaField, HintsRecoverHighBits44) { check_hints<MlDsa44::gamma2>(); }
TEST(MlDsaField, HintsRecoverHighBits65) { check_hints<MlDsa65::gamma2>(); }

TEST(MlDsaField, MontgomeryReduction) {
    std::mt19937_64 rng(2);
    const std::int64_t limit = (std::int64_t{1} << 31) * q - 1;
    std::uniform_int_distribution<std::int64_t> any(-limit, limit);
    const auto check = [](std::int64_t a) {
        const std::int32_t r = montgomery_reduce(a);
        ASSERT_LT(absolute(r), q);
        // r 2^32 and a are the same modulo q.
        const auto difference = static_cast<std::int64_t>((static_cast<std::int64_t>(r) << 32) % q) - a % q;
        ASSERT_EQ(difference % q, 0);
    };
    for (const std::int64_t a : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, limit, -limit, std::int64_t{q}, -std::int64_t{q}})
        check(a);
    for (int i = 0; i < 200'000; ++i) check(any(rng));
}

}  // namespace
}  // namespace postern::mldsa
