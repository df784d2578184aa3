#include <gtest/gtest.h>

#include <postern/falcon_recovery.hpp>

#include "core/hex.hpp"
#include "falcon/zq.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;
using P = Falcon512;

std::array<Word256, 32> words_of(const nlohmann::json& json) {
    const Bytes bytes = words_bytes(json);
    std::array<Word256, 32> words;
    for (std::size_t i = 0; i < 32; ++i) std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(32 * i), 32, words[i].begin());
    return words;
}

struct Case {
    HashToPoint policy;
    Bytes message;
    EpervierArguments arguments;
    std::string address;
};
std::vector<Case> cases(const std::filesystem::path& dir) {
    std::vector<Case> out;
    const auto file = read_json(dir / "variants/epervier/epervier-recover.json");
    for (const auto& test : file["tests"])
        out.push_back(
            {test["xof"] == "shake256" ? HashToPoint::shake256 : HashToPoint::keccak_prng,
             unhex(test["message"]),
             {salt_from(unhex(test["salt"])), words_of(test["s1Compact"]), words_of(test["s2Compact"]), test["hint"].get<std::uint16_t>()},
             test["address"]});
    return out;
}

TEST(Epervier, PublishedAddresses) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto all = cases(dir);
    EXPECT_EQ(all.size(), 9U);
    for (const auto& c : all) {
        const auto signature = must(epervier_from_arguments(c.arguments));
        const auto key = must(epervier_recover(c.message, signature, c.policy));
        EXPECT_EQ(to_hex_0x(epervier_address(key)), c.address);
        // The key it recovers verifies the same signature, and the way back gives the same vector.
        EXPECT_TRUE(verify<P>(key, c.message, {signature.salt, signature.s2}, c.policy));
        EXPECT_EQ(must(epervier_from_falcon(key, c.message, {signature.salt, signature.s2}, c.policy)), signature);
        const Bytes bytes = must(encode_epervier(signature));
        EXPECT_EQ(bytes.size(), kEpervierBytes);
        EXPECT_EQ(must(decode_epervier(bytes)), signature);
        for (const std::size_t at : {std::size_t{0}, std::size_t{41}, std::size_t{1331}, std::size_t{1332}, kEpervierBytes - 1}) {
            Bytes changed = bytes;
            changed[at] ^= 1;
            const auto decoded = decode_epervier(changed);
            if (at != 41) {
                EXPECT_FALSE(decoded) << at;
            }
            if (decoded) {
                EXPECT_EQ(must(encode_epervier(*decoded)), changed);
            }
        }
        // Another message recovers another address.
        Bytes other = c.message;
        other[0] ^= 1;
        EXPECT_NE(to_hex_0x(epervier_address(must(epervier_recover(other, signature, c.policy)))), c.address);
    }
}

TEST(Epervier, HintIsCanonical) {
    POSTERN_REQUIRE_VECTORS(dir);
    auto c = cases(dir).front();
    const auto right = c.arguments.hint;
    for (const std::uint32_t hint : {0U, 1U, right + 1U, right + q, right + 4 * q, 65535U}) {
        if (hint > 0xffff) continue;
        c.arguments.hint = static_cast<std::uint16_t>(hint);
        EXPECT_FALSE(epervier_from_arguments(c.arguments)) << hint;
    }
}

TEST(Epervier, Refusals) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto c = cases(dir).front();
    const auto good = must(epervier_from_arguments(c.arguments));
    auto bad = good;
    bad.s2.fill(0);
    EXPECT_FALSE(epervier_recover(c.message, bad, c.policy)) << "s2 = 0";
    EXPECT_FALSE(epervier_arguments(bad));
    EXPECT_FALSE(encode_epervier(bad));
    // One zero in NTT(s2): subtract from s2[0] its value at the first evaluation point, if that stays small enough; search
    // a small multiple instead: a polynomial divisible by x - psi with coefficients within the range.
    bad.s2.fill(0);
    bad.s2[0] = -49;
    bad.s2[1] = 1;
    Poly<P> t;
    for (std::size_t i = 0; i < P::n; ++i) t[i] = to_residue(bad.s2[i]);
    ntt<P>(t);
    ASSERT_EQ(std::count(t.begin(), t.end(), 0), 1);
    EXPECT_FALSE(epervier_recover(c.message, bad, c.policy)) << "s2 in a proper ideal";
    // Over the norm in s1 alone, in s2 alone, together.
    for (const int which : {1, 2, 3}) {
        bad = good;
        for (std::size_t i = 0; i < 9; ++i) {
            if (which & 1) bad.s1[i * 50] = static_cast<std::int16_t>(which == 3 ? 1900 : 2047);
            if (which & 2) bad.s2[i * 50] = static_cast<std::int16_t>(which == 3 ? -1900 : -2047);
        }
        ASSERT_GT(squared_norm<P>(bad.s1, bad.s2), P::beta2);
        EXPECT_FALSE(epervier_recover(c.message, bad, c.policy)) << which;
    }
    // Lanes that are not canonical.
    for (std::size_t lane = 0; lane < 512; ++lane) {
        auto arguments = c.arguments;
        auto& word = arguments.s2[lane / 16];
        const std::size_t at = 30 - 2 * (lane % 16);
        const std::uint32_t x = static_cast<std::uint32_t>(word[at] << 8 | word[at + 1]) + q;
        word[at] = static_cast<std::uint8_t>(x >> 8);
        word[at + 1] = static_cast<std::uint8_t>(x);
        EXPECT_FALSE(epervier_from_arguments(arguments));
    }
}

}  // namespace
}  // namespace postern::falcon
