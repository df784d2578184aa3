#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <postern/falcon.hpp>
#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>
#include <set>

#include "falcon/cpu.hpp"
#include "falcon/sign_backend.hpp"
#include "falcon/sign_internal.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

template <class P>
void check_round3_signatures(const std::filesystem::path& file, HashToPoint policy) {
    for (const auto& entry : read_rsp(file)) {
        const Bytes sk = unhex(entry.at("sk"));
        const auto key = must(PrivateKey<P>::decode(sk));
        EXPECT_EQ(key.encode(), sk);
        EXPECT_EQ(encode_public_key<P>(PublicKeyCodec::nist, key.public_key()), unhex(entry.at("pk")));
        NistDrbg drbg(unhex(entry.at("seed")));
        drbg.draw(48);  // key generation
        Salt salt;
        SamplerSeed seed;
        std::ranges::copy(drbg.draw(salt.size()), salt.begin());
        std::ranges::copy(drbg.draw(seed.size()), seed.begin());
        const Bytes message = unhex(entry.at("msg"));
        const ExpandedPrivateKey<P> expanded(key);
        const auto signature = sign_point<P>(expanded, salt, hash_to_point<P>(policy, salt, message), seed, false);
        EXPECT_EQ(must(encode_sm<P>(SmForm::compressed, signature, message)), unhex(entry.at("sm"))) << file << entry.at("count");
    }
}

class FalconSign : public testing::TestWithParam<bool> {
  protected:
    void SetUp() override { allow_avx2(GetParam()); }
    void TearDown() override { allow_avx2(true); }
};
INSTANTIATE_TEST_SUITE_P(Paths, FalconSign, testing::Bool(), [](const auto& path) { return path.param ? "avx2" : "portable"; });

TEST_P(FalconSign, Round3KnownAnswers) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_round3_signatures<Falcon512>(dir / "falcon/round3/falcon512-KAT.rsp", HashToPoint::shake256);
    check_round3_signatures<Falcon1024>(dir / "falcon/round3/falcon1024-KAT.rsp", HashToPoint::shake256);
}

TEST_P(FalconSign, EthFalconKnownAnswers) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_round3_signatures<Falcon512>(dir / "variants/ethfalcon/ethfalcon512-KAT.rsp", HashToPoint::keccak_prng);
}

template <class P>
std::vector<PrivateKey<P>> kat_keys(const std::filesystem::path& dir) {
    std::vector<PrivateKey<P>> keys;
    for (const auto& entry : read_rsp(dir / (P::n == 512 ? "falcon/round3/falcon512-KAT.rsp" : "falcon/round3/falcon1024-KAT.rsp")))
        keys.push_back(must(PrivateKey<P>::decode(unhex(entry.at("sk")))));
    return keys;
}

template <class P>
void check_python_answers(const nlohmann::json& tests) {
    const Bytes message = {'d', 'a', 't', 'a', '1'};
    for (const auto& test : tests) {
        if (test["n"] != P::n) continue;
        BasisPoly<P> f, g, F;
        for (std::size_t i = 0; i < P::n; ++i) {
            f[i] = static_cast<std::int8_t>(test["f"][i].get<int>());
            g[i] = static_cast<std::int8_t>(test["g"][i].get<int>());
            F[i] = static_cast<std::int8_t>(test["F"][i].get<int>());
        }
        const auto key = must(PrivateKey<P>::from_basis(f, g, F));
        EXPECT_EQ(nlohmann::json(key.G()), test["G"]);
        const auto salt = salt_from(unhex(test["nonce"]));
        const Bytes seed = unhex(test["prng_seed"]);
        SmallPoly<P> s1, s2;
        ASSERT_TRUE(sign_attempt<P>(ExpandedPrivateKey<P>(key), s1, s2, hash_to_point<P>(HashToPoint::shake256, salt, message),
                                    std::span<const std::uint8_t, 56>(seed.data(), 56)));
        EXPECT_EQ(nlohmann::json(s2), test["s2"]) << test["index"];
    }
}
TEST_P(FalconSign, PythonKnownAnswers) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto file = read_json(dir / "falcon/sign/sign-KAT.json");
    check_python_answers<Falcon512>(file["tests"]);
    check_python_answers<Falcon1024>(file["tests"]);
}

template <class P>
void check_soft(const std::filesystem::path& dir) {
    // The integer oracle gives the same expanded key, bit for bit, and the same vectors.
    auto keys = kat_keys<P>(dir);
    for (std::size_t k = 0; k < 3; ++k) {
        const auto& key = keys[k];
        std::vector<SoftDouble> soft(kExpandedValues<P>);
        soft_signing<P>().expand(soft.data(), key.f().data(), key.g().data(), key.F().data(), key.G().data());
        std::vector<double> hard(kExpandedValues<P>);
        portable_signing<P>().expand(hard.data(), key.f().data(), key.g().data(), key.F().data(), key.G().data());
        for (std::size_t i = 0; i < hard.size(); ++i) ASSERT_EQ(std::bit_cast<std::uint64_t>(hard[i]), soft[i].bits()) << i;
        const Bytes message = {static_cast<std::uint8_t>(k)};
        const auto c = hash_to_point<P>(HashToPoint::shake256, {}, message);
        const Bytes seed(56, static_cast<std::uint8_t>(k));
        SmallPoly<P> a1, a2, b1, b2;
        const bool a = portable_signing<P>().attempt(a1.data(), a2.data(), hard.data(), c.data(), seed.data());
        const bool b = soft_signing<P>().attempt(b1.data(), b2.data(), soft.data(), c.data(), seed.data());
        EXPECT_EQ(a, b);
        EXPECT_EQ(a1, b1);
        EXPECT_EQ(a2, b2);
    }
}
TEST(FalconSignSoft, SameBits) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_soft<Falcon512>(dir);
    check_soft<Falcon1024>(dir);
}

template <class P>
void check_ordinary_use(const std::filesystem::path& dir) {
    const auto key = kat_keys<P>(dir).front();
    const ExpandedPrivateKey<P> expanded(key);
    const ExpandedPublicKey<P> verifier(key.public_key());
    EXPECT_EQ(expanded.public_key(), key.public_key());
    std::set<Salt> salts;
    for (const auto policy : {HashToPoint::shake256, HashToPoint::keccak_prng, HashToPoint::keccak_ctr}) {
        for (std::size_t length = 0; length < 20; ++length) {
            const Bytes message(length, 0x5a);
            const auto signature = sign<P>(expanded, message, policy);
            EXPECT_TRUE(verify<P>(verifier, message, signature, policy));
            EXPECT_TRUE(salts.insert(signature.salt).second);
            for (const auto codec : signature_codecs()) EXPECT_TRUE(encode_signature<P>(codec, signature));
            // By name only: the same message gives the same signature, another message or policy another salt.
            const auto fixed = sign_deterministic<P>(expanded, message, policy);
            EXPECT_TRUE(verify<P>(verifier, message, fixed, policy));
            EXPECT_TRUE(salts.insert(fixed.salt).second);
            allow_avx2(false);
            EXPECT_EQ(sign_deterministic<P>(ExpandedPrivateKey<P>(key), message, policy), fixed);
            allow_avx2(true);
        }
    }
    EXPECT_TRUE(verify<P>(verifier, {}, sign<P>(key, {})));
    const std::vector<Bytes> texts = {{1}, {}, {2, 3}};
    const std::vector<ByteView> views(texts.begin(), texts.end());
    const auto batch = sign_batch<P>(expanded, views);
    ASSERT_EQ(batch.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_TRUE(verify<P>(verifier, texts[i], batch[i]));
    EXPECT_TRUE(sign_batch<P>(expanded, {}).empty());
    EXPECT_THROW(sign<P>(expanded, {}, HashToPoint::eip8052), std::invalid_argument);
    EXPECT_THROW(sign_deterministic<P>(expanded, {}, HashToPoint::blake2s_prng), std::invalid_argument);
}
TEST(FalconSignUse, FreshAndDeterministic) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_ordinary_use<Falcon512>(dir);
    check_ordinary_use<Falcon1024>(dir);
}

TEST(FalconSignUse, AnyRoundingModeOfTheCaller) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto key = kat_keys<Falcon512>(dir).front();
    const auto expected = sign_deterministic<Falcon512>(ExpandedPrivateKey<Falcon512>(key), Bytes{1});
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const auto signature = sign_deterministic<Falcon512>(ExpandedPrivateKey<Falcon512>(key), Bytes{1});
        const int after = std::fegetround();
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(after, mode);
        EXPECT_EQ(signature, expected);
    }
}

template <class P>
void check_private_key_strictness(const std::filesystem::path& dir) {
    const auto key = kat_keys<P>(dir).front();
    const Bytes good = key.encode();
    EXPECT_EQ(must(PrivateKey<P>::decode(good)).encode(), good);
    Bytes bad = good;
    bad.push_back(0);
    EXPECT_FALSE(PrivateKey<P>::decode(bad));
    EXPECT_FALSE(PrivateKey<P>::decode(ByteView(good).first(good.size() - 1)));
    for (unsigned header = 0; header < 256; ++header) {
        bad = good;
        bad[0] = static_cast<std::uint8_t>(header);
        EXPECT_EQ(PrivateKey<P>::decode(bad).has_value(), header == good[0]);
    }
    // Any changed bit breaks the equation or the range.
    TestRandom random(1);
    for (int i = 0; i < 200; ++i) {
        bad = good;
        bad[1 + random.below(static_cast<std::uint32_t>(good.size() - 1))] ^= static_cast<std::uint8_t>(1U << random.below(8));
        EXPECT_FALSE(PrivateKey<P>::decode(bad));
    }
    // The value without a negative, in the first field of f, g and F.
    for (const std::size_t at : {std::size_t{1}, 1 + P::n * P::fg_bits / 8, 1 + P::n * P::fg_bits / 4}) {
        bad = good;
        const unsigned bits = at == 1 + P::n * P::fg_bits / 4 ? 8 : P::fg_bits;
        bad[at] = static_cast<std::uint8_t>((bad[at] & ((1U << (8 - bits)) - 1)) | 0x80);
        const auto result = PrivateKey<P>::decode(bad);
        ASSERT_FALSE(result);
        EXPECT_NE(result.error().message.find("without a negative"), std::string::npos) << result.error().message;
    }
    EXPECT_FALSE(PrivateKey<P>::from_basis({}, key.g(), key.F())) << "f = 0";
    auto f = key.f();
    f[3] = static_cast<std::int8_t>(1 << (P::fg_bits - 1));
    EXPECT_FALSE(PrivateKey<P>::from_basis(f, key.g(), key.F()));
    auto F = key.F();
    F[0] = -128;
    EXPECT_FALSE(PrivateKey<P>::from_basis(key.f(), key.g(), F));
    // (f, g, F + x^k f) solves the equation as well but its G may fit: then it is a key like any other; -F does not solve it.
    for (auto& x : F = key.F()) x = static_cast<std::int8_t>(-x);
    EXPECT_FALSE(PrivateKey<P>::from_basis(key.f(), key.g(), F));
}
TEST(FalconPrivateKey, Strictness) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_private_key_strictness<Falcon512>(dir);
    check_private_key_strictness<Falcon1024>(dir);
}

TEST(FalconRecover, OurOwnSchemes) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto keys = kat_keys<Falcon512>(dir);
    for (std::size_t k = 0; k < 5; ++k) {
        const ExpandedPrivateKey<Falcon512> key(keys[k]);
        const Bytes message(32, static_cast<std::uint8_t>(k));
        const auto signature = sign_recoverable(key, message);
        EXPECT_EQ(must(recover(message, signature)), recover_address(key.public_key()));
        const Bytes bytes = must(encode_recoverable(signature));
        EXPECT_EQ(bytes.size(), 2088U);
        const auto decoded = must(decode_recoverable(bytes));
        EXPECT_EQ(must(encode_recoverable(decoded)), bytes);
        EXPECT_EQ(must(recover(message, decoded)), recover_address(key.public_key()));
        EXPECT_FALSE(recover(Bytes(32, 0xff), signature)) << "another message";
        auto other = signature;
        other.key = keys[k + 1].public_key();
        EXPECT_FALSE(recover(message, other)) << "another key";
        Bytes shorter(bytes.begin(), bytes.end() - 1);
        EXPECT_FALSE(decode_recoverable(shorter));
        // A plain Falcon signature over the same salt and message is not one of these.
        EXPECT_FALSE(recover(message, {sign<Falcon512>(key, message, HashToPoint::keccak_ctr), key.public_key()}));
        for (const auto policy : {HashToPoint::shake256, HashToPoint::keccak_prng}) {
            const auto whole = sign_epervier(key, message, policy);
            EXPECT_EQ(must(epervier_recover(message, whole, policy)), key.public_key());
            EXPECT_EQ(must(decode_epervier(must(encode_epervier(whole)))), whole);
            EXPECT_EQ(must(epervier_from_arguments(must(epervier_arguments(whole)))), whole);
        }
    }
}

}  // namespace
}  // namespace postern::falcon
