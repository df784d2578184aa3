#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "core/hex.hpp"
#include "hash/counter_xof.hpp"
#include "hash/keccak_p.hpp"
#include "hash/sha3.hpp"
#include "support/cpu_levels.hpp"
#include "support/vectors.hpp"

namespace postern::hash {
namespace {

Bytes random_bytes(std::mt19937_64& rng, std::size_t n) {
    Bytes b(n);
    for (auto& x : b) x = static_cast<std::uint8_t>(rng());
    return b;
}

Bytes openssl_hash(const char* name, ByteView data, std::size_t out_len) {
    const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> md(EVP_MD_fetch(nullptr, name, nullptr), EVP_MD_free);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> ctx(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    Bytes out(out_len);
    EXPECT_EQ(EVP_DigestInit_ex(ctx.get(), md.get(), nullptr), 1);
    EXPECT_EQ(EVP_DigestUpdate(ctx.get(), data.data(), data.size()), 1);
    if (std::string_view(name).starts_with("SHAKE")) {
        EXPECT_EQ(EVP_DigestFinalXOF(ctx.get(), out.data(), out.size()), 1);
    } else {
        EXPECT_EQ(EVP_DigestFinal_ex(ctx.get(), out.data(), nullptr), 1);
    }
    return out;
}

// Absorbs and squeezes in pieces of random size: every way of cutting must give the same stream.
template <class Xof>
Bytes in_pieces(Xof xof, ByteView in, std::size_t out_len, std::mt19937_64& rng) {
    while (!in.empty()) {
        const std::size_t n = std::min<std::size_t>(in.size(), rng() % 50);
        xof.absorb(in.first(n));
        in = in.subspan(n);
    }
    Bytes out(out_len);
    for (std::size_t at = 0; at < out_len;) {
        const std::size_t n = std::min<std::size_t>(out_len - at, rng() % 50);
        xof.squeeze(std::span(out).subspan(at, n));
        at += n;
    }
    return out;
}

TEST(Sha3, AgreesWithOpenSslAtEveryLengthAroundTheRate) {
    std::mt19937_64 rng(1);
    for (std::size_t n = 0; n < 420; ++n) {
        const Bytes in = random_bytes(rng, n);
        ASSERT_EQ(in_pieces(Shake128{}, in, 500, rng), openssl_hash("SHAKE128", in, 500)) << n;
        ASSERT_EQ(in_pieces(Shake256{}, in, 500, rng), openssl_hash("SHAKE256", in, 500)) << n;
        const auto same = [&](auto digest, const char* name) {
            return Bytes(digest.begin(), digest.end()) == openssl_hash(name, in, digest.size());
        };
        ASSERT_TRUE(same(Sha3_224::hash(in), "SHA3-224"));
        ASSERT_TRUE(same(Sha3_256::hash(in), "SHA3-256"));
        ASSERT_TRUE(same(Sha3_384::hash(in), "SHA3-384"));
        ASSERT_TRUE(same(Sha3_512::hash(in), "SHA3-512"));
    }
}

TEST(Sha3, Keccak256KnownAnswers) {
    EXPECT_EQ(to_hex(keccak256("")), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    EXPECT_EQ(to_hex(keccak256("transfer(address,uint256)")).substr(0, 8), "a9059cbb");
}

TEST(Sha3, FourWayEqualsOneWay) {
    std::mt19937_64 rng(2);
    for (unsigned rounds : {24U, 12U}) {
        std::array<std::uint64_t, 100> four{};
        std::array<std::array<std::uint64_t, 25>, 4> one{};
        for (std::size_t l = 0; l < 25; ++l) {
            for (std::size_t s = 0; s < 4; ++s) four[4 * l + s] = one[s][l] = rng();
        }
        keccak_p1600_x4(four, rounds);
        for (std::size_t s = 0; s < 4; ++s) {
            keccak_p1600(one[s], rounds);
            for (std::size_t l = 0; l < 25; ++l) ASSERT_EQ(four[4 * l + s], one[s][l]);
        }
    }
    for (std::size_t n : {0U, 1U, 34U, 66U, 135U, 136U, 137U, 167U, 168U, 169U, 400U}) {
        std::array<Bytes, 4> in, out4;
        for (auto& b : in) b = random_bytes(rng, n);
        for (auto& b : out4) b.resize(700);
        Shake128X4 x4;
        x4.absorb({in[0], in[1], in[2], in[3]});
        x4.squeeze(
            {std::span(out4[0]).first(333), std::span(out4[1]).first(333), std::span(out4[2]).first(333), std::span(out4[3]).first(333)});
        x4.squeeze({std::span(out4[0]).subspan(333), std::span(out4[1]).subspan(333), std::span(out4[2]).subspan(333),
                    std::span(out4[3]).subspan(333)});
        for (std::size_t s = 0; s < 4; ++s) ASSERT_EQ(out4[s], openssl_hash("SHAKE128", in[s], 700));
    }
}

TEST(Sponge, MisuseThrows) {
    Shake128 x;
    Bytes out(1);
    x.squeeze(out);
    EXPECT_THROW(x.absorb(out), std::logic_error);
    KeccakPrng p;
    p.squeeze(out);
    EXPECT_THROW(p.absorb(out), std::logic_error);
    EXPECT_THROW(Sponge(200, 0x1f, 24), std::invalid_argument);
    EXPECT_THROW(Sponge(0, 0x1f, 24), std::invalid_argument);
    EXPECT_THROW(Sponge(136, 0x1f, 25), std::invalid_argument);
    SpongeX4 x4(136, 0x1f, 24);
    EXPECT_THROW(x4.absorb({out, out, out, ByteView{}}), std::invalid_argument);
}

TEST(CounterXof, IsKeccakOfStateAndCounter) {
    std::mt19937_64 rng(3);
    const Bytes in = random_bytes(rng, 217);
    const auto expected = [&](std::size_t counter_bytes) {
        const auto state = keccak256(in);
        Bytes out;
        for (std::uint8_t i = 0; i < 7; ++i) {
            Bytes block(state.begin(), state.end());
            block.resize(32 + counter_bytes);
            block.back() = i;
            const auto h = keccak256(block);
            out.insert(out.end(), h.begin(), h.end());
        }
        return out;
    };
    EXPECT_EQ(in_pieces(Keccak256CtrXof{}, in, 224, rng), expected(32));
    EXPECT_EQ(in_pieces(KeccakPrng{}, in, 224, rng), expected(8));
}

TEST(KeccakP, PermutationVectors) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto cases = nlohmann::json::parse(std::ifstream(dir / "keccak/permutation/keccak-p1600.json"));
    const auto& list = cases.is_array() ? cases : cases.at(cases.contains("tests") ? "tests" : "cases");
    ASSERT_FALSE(list.empty());
    for (const auto& c : list) {
        const Bytes in = *from_hex(c.at("input").get<std::string>());
        std::array<std::uint64_t, 25> state{};
        for (std::size_t i = 0; i < 200; ++i) state[i / 8] |= static_cast<std::uint64_t>(in[i]) << (8 * (i % 8));
        keccak_p1600(state, c.at("rounds").get<unsigned>());
        Bytes out(200);
        for (std::size_t i = 0; i < 200; ++i) out[i] = static_cast<std::uint8_t>(state[i / 8] >> (8 * (i % 8)));
        EXPECT_EQ(out, *from_hex(c.at("output").get<std::string>()));
    }
}

TEST(TurboShake, RfcVectors) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto cases = nlohmann::json::parse(std::ifstream(dir / "keccak/turboshake-rfc9861.json"));
    const auto& list = cases.is_array() ? cases : cases.at(cases.contains("tests") ? "tests" : "cases");
    ASSERT_FALSE(list.empty());
    for (const auto& c : list) {
        Bytes in;
        if (c.at("kind") == "hex") {
            in = *from_hex(c.at("message").get<std::string>());
        } else {
            in.resize(c.at("length").get<std::size_t>());
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i % 251);
        }
        const bool is128 = c.at("algorithm").get<std::string>().find("128") != std::string::npos;
        Sponge sponge(is128 ? 168 : 136, c.at("domain").get<std::uint8_t>(), 12);
        sponge.absorb(in);
        Bytes out(c.at("outputLength").get<std::size_t>());
        sponge.squeeze(out);
        const Bytes expected = *from_hex(c.at("output").get<std::string>());
        if (c.contains("lastBytes")) out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(c.at("lastBytes").get<std::size_t>()));
        EXPECT_EQ(out, expected);
    }
}

TEST(KeccakP, SameOnEveryPath) {
    std::mt19937_64 rng(12);
    for (unsigned round = 0; round < 200; ++round) {
        std::array<std::uint64_t, 100> start{};
        for (auto& lane : start) lane = round == 0 ? 0 : round == 1 ? ~0ULL : rng();
        const unsigned rounds = round % 25;
        std::array<std::array<std::uint64_t, 25>, 4> expected{};
        limit_cpu_level(CpuLevel::scalar);
        for (std::size_t s = 0; s < 4; ++s) {
            for (std::size_t i = 0; i < 25; ++i) expected[s][i] = start[4 * i + s];
            keccak_p1600(expected[s], rounds);
        }
        test::on_every_cpu_level([&](CpuLevel) {
            auto four = start;
            keccak_p1600_x4(four, rounds);
            for (std::size_t s = 0; s < 4; ++s) {
                std::array<std::uint64_t, 25> one{};
                for (std::size_t i = 0; i < 25; ++i) one[i] = start[4 * i + s];
                keccak_p1600(one, rounds);
                ASSERT_EQ(one, expected[s]);
                for (std::size_t i = 0; i < 25; ++i) ASSERT_EQ(four[4 * i + s], expected[s][i]);
            }
            std::array<std::uint64_t, 200> eight{};
            for (std::size_t i = 0; i < 25; ++i) {
                for (std::size_t s = 0; s < 8; ++s) eight[8 * i + s] = start[4 * i + s % 4];
            }
            keccak_p1600_x8(eight, rounds);
            for (std::size_t i = 0; i < 25; ++i) {
                for (std::size_t s = 0; s < 8; ++s) ASSERT_EQ(eight[8 * i + s], expected[s % 4][i]);
            }
            // Every number of lanes, and nothing behind them; and back.
            for (std::size_t words = 0; words <= 25; ++words) {
                std::array<std::array<std::uint8_t, 208>, 4> out{};
                keccak_extract_x4(four.data(), 4, words, {out[0].data(), out[1].data(), out[2].data(), out[3].data()});
                for (std::size_t s = 0; s < 4; ++s) {
                    ASSERT_EQ(std::memcmp(out[s].data(), expected[s].data(), 8 * words), 0);
                    for (std::size_t i = 8 * words; i < out[s].size(); ++i) ASSERT_EQ(out[s][i], 0);
                }
                auto cleared = four;
                keccak_absorb_x4(cleared.data(), 4, words, {out[0].data(), out[1].data(), out[2].data(), out[3].data()});
                for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(cleared[i], i < 4 * words ? 0 : four[i]);
            }
        });
    }
}

}  // namespace
}  // namespace postern::hash
