#include <gtest/gtest.h>

#include <postern/falcon.hpp>
#include <postern/falcon_codec.hpp>
#include <set>

#include "falcon/cpu.hpp"
#include "falcon/keygen_internal.hpp"
#include "falcon/ntru_backend.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

template <class P>
void check_round3_keys(const std::filesystem::path& file, std::size_t step) {
    const auto entries = read_rsp(file);
    ASSERT_EQ(entries.size(), 70U);
    for (std::size_t i = 0; i < entries.size(); i += step) {
        const auto& entry = entries[i];
        NistDrbg drbg(unhex(entry.at("seed")));
        const auto key = PrivateKey<P>::from_seed(drbg.draw(48));
        EXPECT_EQ(key.encode(), unhex(entry.at("sk"))) << entry.at("count");
        EXPECT_EQ(encode_public_key<P>(PublicKeyCodec::nist, key.public_key()), unhex(entry.at("pk"))) << entry.at("count");
    }
}

TEST(FalconKeygen, Round3KnownAnswers) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_round3_keys<Falcon512>(dir / "falcon/round3/falcon512-KAT.rsp", 1);
    check_round3_keys<Falcon1024>(dir / "falcon/round3/falcon1024-KAT.rsp", 1);
}
TEST(FalconKeygen, Round3KnownAnswersPortable) {
    POSTERN_REQUIRE_VECTORS(dir);
    allow_avx2(false);
    check_round3_keys<Falcon512>(dir / "falcon/round3/falcon512-KAT.rsp", 7);
    check_round3_keys<Falcon1024>(dir / "falcon/round3/falcon1024-KAT.rsp", 14);
    allow_avx2(true);
}

template <class P>
void check_four_seeds() {
    // The key of the first seed to give one: always that of one of the four, and not always of the same.
    std::set<std::size_t> winners;
    for (std::uint8_t round = 0; round < (P::n == 512 ? 8 : 2); ++round) {
        std::vector<Bytes> seeds;
        for (std::uint8_t i = 0; i < 4; ++i) seeds.emplace_back(48, static_cast<std::uint8_t>(16 * round + i));
        const auto key = key_from_seeds<P>({seeds[0], seeds[1], seeds[2], seeds[3]});
        std::size_t winner = 0;
        while (winner < 4 && !(PrivateKey<P>::from_seed(seeds[winner]).public_key() == key.public_key())) ++winner;
        EXPECT_LT(winner, 4U);
        winners.insert(winner);
    }
    if (P::n == 512) {
        EXPECT_GT(winners.size(), 1U);
    }
}
TEST(FalconKeygen, FourSeedsSideBySide) {
    check_four_seeds<Falcon512>();
    check_four_seeds<Falcon1024>();
}

TEST(FalconKeygen, BasesThatAreTooLongAreRefused) {
    // They solve the equation and fit the encoding, but ask the sampler for deviations it does not have.
    TestRandom random(11);
    std::size_t found = 0;
    for (int i = 0; i < 200 && found < 2; ++i) {
        BasisPoly<Falcon512> f, g;
        for (auto* a : {&f, &g}) {
            int parity = 0;
            for (auto& x : *a) {
                int sum = 0;
                for (int k = 0; k < 4; ++k) sum += static_cast<int>(random.below(7)) - 3;
                x = static_cast<std::int8_t>(sum);
                parity ^= sum & 1;
            }
            if (parity == 0) a->back() = static_cast<std::int8_t>(a->back() + 1);
        }
        if (acceptable_norms<Falcon512>(f, g)) continue;
        BasisPoly<Falcon512> F{}, G{};
        if (!solve_ntru_portable(9, F.data(), G.data(), f.data(), g.data(), false)) continue;
        const auto key = PrivateKey<Falcon512>::from_basis(f, g, F);
        ASSERT_FALSE(key);
        if (key.error().message.find("too long") != std::string::npos) ++found;
    }
    EXPECT_EQ(found, 2U);
}

TEST(FalconKeygen, FreshKeysDifferAndSign) {
    const auto a = PrivateKey<Falcon512>::generate();
    const auto b = PrivateKey<Falcon512>::generate();
    EXPECT_FALSE(a.public_key() == b.public_key());
    EXPECT_TRUE(verify<Falcon512>(a.public_key(), Bytes{1, 2}, sign<Falcon512>(a, Bytes{1, 2})));
    const auto c = PrivateKey<Falcon1024>::generate();
    EXPECT_TRUE(verify<Falcon1024>(c.public_key(), Bytes{1, 2}, sign<Falcon1024>(c, Bytes{1, 2})));
}

}  // namespace
}  // namespace postern::falcon
