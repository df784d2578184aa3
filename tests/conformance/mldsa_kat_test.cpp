#include "conformance/mldsa_vectors.hpp"
#include "conformance/rsp.hpp"
#include "mldsa/engine.hpp"
#include "mldsa/sampling.hpp"

// NIST-style known answers, and the EVM-friendly variant ML-DSA-ETH-44 with its intermediate values.

namespace postern::test {
namespace {

using namespace mldsa;
using nlohmann::json;

Bytes hex(const RspEntry& entry, const char* name) { return from_hex(entry.at(name)).value(); }

void check_entry(const Scheme& scheme, const RspEntry& entry, const Seed& seed, const Randomness& rnd, const Context& context) {
    SCOPED_TRACE(std::string(scheme.name) + " count " + entry.at("count"));
    const auto pair = generate(scheme, seed);
    EXPECT_EQ(to_hex(pair.public_key.bytes()), to_hex(hex(entry, "pk")));
    EXPECT_EQ(to_hex(pair.private_key.expanded()), to_hex(hex(entry, "sk")));
    const auto message = hex(entry, "msg");
    Bytes sm = sign(pair.private_key, Message(message), context, rnd);
    const auto verdict = verify(pair.public_key, Message(message), SignatureView(sm), context);
    EXPECT_TRUE(verdict) << verdict.reason;
    sm.insert(sm.end(), message.begin(), message.end());
    EXPECT_EQ(to_hex(sm), to_hex(hex(entry, "sm")));
}

void check_drbg_file(const Scheme& scheme, const std::filesystem::path& path, std::size_t expected) {
    const auto entries = read_rsp(path);
    EXPECT_EQ(entries.size(), expected);
    for (const auto& entry : entries) {
        NistDrbg drbg(hex(entry, "seed"));
        const auto seed = Seed::from(drbg.draw(32)).value();
        check_entry(scheme, entry, seed, randomness(drbg.draw(32)), {});
    }
}

TEST(MlDsaKat, PqcSignKat) {
    POSTERN_REQUIRE_VECTORS(vectors);
    for (const std::string set : {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"}) {
        check_drbg_file(scheme_of(set), vectors / "mldsa" / "kat" / ("PQCsignKAT_" + set + ".rsp.xz"), 100);
    }
}

TEST(MlDsaKat, HedgedPure) {
    POSTERN_REQUIRE_VECTORS(vectors);
    for (const std::string set : {"44", "65", "87"}) {
        const auto entries = read_rsp(vectors / "mldsa" / "kat" / ("MLDSA_" + set + "_hedged_pure.txt.xz"));
        EXPECT_EQ(entries.size(), 100U);
        for (const auto& entry : entries) {
            check_entry(scheme_of("ML-DSA-" + set), entry, Seed::from(hex(entry, "xi")).value(), randomness(hex(entry, "rng")),
                        Context::from(hex(entry, "ctx")).value());
        }
    }
}

TEST(MlDsaEth, PqcSignKat) {
    POSTERN_REQUIRE_VECTORS(vectors);
    check_drbg_file(*find_scheme("eth-ml-dsa-44"), vectors / "variants" / "ethdilithium" / "PQCsignKAT_ML-DSA-ETH-44.rsp", 70);
}

/// 32 words of eight 32-bit coefficients, the first in the lowest bits.
Poly poly_of(const json& words) {
    Poly f;
    for (std::size_t w = 0; w < words.size(); ++w) {
        const auto bytes = from_hex(words[w].get<std::string>()).value();
        for (std::size_t i = 0; i < 8; ++i) {
            const auto* p = bytes.data() + 28 - 4 * i;
            f[8 * w + i] = p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
        }
    }
    return f;
}

TEST(MlDsaEth, ExpandedKeyVerify) {
    POSTERN_REQUIRE_VECTORS(vectors);
    const auto file = load_json(vectors / "variants" / "ethdilithium" / "expanded-key-verify.json");
    for (const auto& test : file.at("tests")) {
        SCOPED_TRACE(test.at("name"));
        const auto& scheme = *find_scheme(test.at("scheme") == "ML-DSA-44" ? "ml-dsa-44" : "eth-ml-dsa-44");
        mldsa::detail::PublicExpansion key;
        for (const auto& row : test.at("aHat")) {
            for (const auto& entry : row) key.a_hat.push_back(poly_of(entry));
        }
        for (const auto& entry : test.at("t1")) key.t1_hat.push_back(poly_of(entry));
        const auto tr = hex_field(test, "tr");
        ASSERT_EQ(tr.size(), key.tr.size());
        std::copy(tr.begin(), tr.end(), key.tr.begin());
        if (test.contains("publicKey")) {
            const ExpandedPublicKey expanded(PublicKey::decode(scheme, hex_field(test, "publicKey")).value());
            EXPECT_EQ(expanded.expansion().a_hat, key.a_hat);
            EXPECT_EQ(expanded.expansion().t1_hat, key.t1_hat);
            EXPECT_EQ(expanded.expansion().tr, key.tr);
        }
        MuHasher hasher(scheme, KeyHash(key.tr), Context{});
        hasher.update(hex_field(test, "message"));
        const auto verdict = scheme.engine->verify(key, hasher.finish(), hex_field(test, "signature"));
        EXPECT_EQ(verdict.valid, test.at("result") == "valid") << verdict.reason;
    }
}

TEST(MlDsaEth, Parts) {
    POSTERN_REQUIRE_VECTORS(vectors);
    const auto folder = vectors / "variants" / "ethdilithium";
    const auto canonical = [](const Poly& g) {
        Poly f = g;
        to_canonical(f);
        return std::vector<std::int32_t>(f.c.begin(), f.c.end());
    };
    for (const auto& test : load_json(folder / "sample-in-ball.json").at("tests")) {
        const auto c_tilde = hex_field(test, "cTilde");
        const std::span<const std::uint8_t, 32> fixed(c_tilde);
        Poly c;
        if (test.at("xof") == "shake256") {
            sample_in_ball<MlDsa44, hash::Fips202>(fixed, c);
        } else {
            sample_in_ball<MlDsa44, hash::KeccakPrng64>(fixed, c);
        }
        EXPECT_EQ(canonical(c), test.at("c").get<std::vector<std::int32_t>>());
    }
    for (const auto& test : load_json(folder / "unpack-z.json").at("tests")) {
        const auto bytes = hex_field(test, "zBytes");
        for (std::size_t i = 0; i < 4; ++i) {
            Poly z;
            unpack_z<MlDsa44>(std::span(bytes).subspan(576 * i).first<576>(), z);
            EXPECT_EQ(canonical(z), test.at("z").at(i).get<std::vector<std::int32_t>>());
        }
    }
    for (const auto& test : load_json(folder / "hint.json").at("tests")) {
        const auto parts = decompose<MlDsa44::gamma2>(test.at("r").get<std::int32_t>());
        EXPECT_EQ(parts.high, test.at("r1").get<std::int32_t>());
        EXPECT_EQ(parts.low, test.at("r0").get<std::int32_t>());
    }
}

}  // namespace
}  // namespace postern::test
