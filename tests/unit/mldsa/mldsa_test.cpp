#include <gtest/gtest.h>

#include <postern/mldsa.hpp>
#include <set>
#include <type_traits>

#include "core/hex.hpp"

namespace postern::mldsa {
namespace {

Seed test_seed(std::uint8_t fill) {
    std::array<std::uint8_t, 32> bytes{};
    bytes.fill(fill);
    return Seed(bytes);
}
const Bytes kMessage{'h', 'e', 'l', 'l', 'o'};

// Roles do not convert into each other, and plain bytes into none of them.
static_assert(!std::is_convertible_v<ByteView, Message> && !std::is_convertible_v<ByteView, SignatureView>);
static_assert(!std::is_constructible_v<Message, Context> && !std::is_constructible_v<Context, ByteView>);
static_assert(!std::is_constructible_v<Message, SignatureView> && !std::is_constructible_v<SignatureView, Message>);
static_assert(!std::is_constructible_v<Message, FormattedMessage> && !std::is_constructible_v<FormattedMessage, Message>);
static_assert(!std::is_constructible_v<Randomness, Seed> && !std::is_constructible_v<Seed, Randomness>);
static_assert(!std::is_constructible_v<Mu, KeyHash> && !std::is_constructible_v<KeyHash, Mu>);
static_assert(!std::is_constructible_v<PublicKey, ByteView> && !std::is_constructible_v<PrivateKey, ByteView>);
template <class... Args>
concept Verifies = requires(const Args&... args) {
    verify(args...);
};
static_assert(Verifies<PublicKey, Message, SignatureView, Context>);
static_assert(!Verifies<PublicKey, SignatureView, Message, Context>);
static_assert(!Verifies<PublicKey, Message, SignatureView, Message>);
static_assert(!Verifies<PrivateKey, Message, SignatureView>);

TEST(MlDsa, SchemeTable) {
    std::set<std::string_view> names;
    for (const auto& s : schemes()) {
        names.insert(s.name);
        EXPECT_EQ(find_scheme(s.name), &s);
        EXPECT_EQ(&scheme(s.parameter_set, s.xof), &s);
        EXPECT_EQ(s.standard(), s.name.starts_with("ml-dsa-"));
    }
    EXPECT_EQ(names.size(), 10U);
    EXPECT_EQ(find_scheme("ml-dsa-45"), nullptr);
    EXPECT_EQ(find_scheme("ML-DSA-44"), nullptr);
    EXPECT_EQ(find_scheme(""), nullptr);
    EXPECT_THROW((void)scheme(ParameterSet::ml_dsa_65, XofFamily::keccak_prng), std::invalid_argument);
}

class EveryScheme : public testing::TestWithParam<std::string> {
  protected:
    const Scheme& s = *find_scheme(GetParam());
};

TEST_P(EveryScheme, KeyGenSignVerify) {
    const auto pair = generate(s, test_seed(1));
    EXPECT_EQ(pair.public_key.bytes().size(), s.public_key_bytes);
    EXPECT_EQ(pair.private_key.expanded().size(), s.private_key_bytes);
    EXPECT_EQ(pair.private_key.public_key(), pair.public_key);
    EXPECT_TRUE(pair.private_key.check());
    EXPECT_TRUE(std::ranges::equal(pair.private_key.tr().bytes(), pair.public_key.tr().bytes()));

    const Message message(kMessage);
    const Context context = Context::from(Bytes{1, 2, 3}).value();
    const ExpandedPublicKey epk(pair.public_key);
    const ExpandedPrivateKey esk(pair.private_key);
    const auto decoded = PrivateKey::decode(s, pair.private_key.expanded());
    ASSERT_TRUE(decoded);

    const auto fixed = Randomness::deterministic();
    const Bytes signature = sign(pair.private_key, message, context, fixed);
    EXPECT_EQ(signature.size(), s.signature_bytes);
    EXPECT_EQ(sign(esk, message, context, fixed), signature);
    EXPECT_EQ(sign(*decoded, message, context, fixed), signature);
    EXPECT_NE(sign(esk, message, context), signature) << "hedged by default";
    EXPECT_NE(sign(esk, message, context), sign(esk, message, context));
    EXPECT_TRUE(verify(pair.public_key, message, SignatureView(sign(esk, message, context)), context));

    for (const bool expanded : {false, true}) {
        const auto check = [&](const Message& m, const Bytes& sig, const Context& c) {
            return expanded ? verify(epk, m, SignatureView(sig), c) : verify(pair.public_key, m, SignatureView(sig), c);
        };
        EXPECT_TRUE(check(message, signature, context));
        EXPECT_EQ(check(message, signature, {}).reason, "commitment hash differs");
        EXPECT_EQ(check(Message({}), signature, context).reason, "commitment hash differs");
        Bytes bad = signature;
        bad.push_back(0);
        EXPECT_NE(check(message, bad, context).reason.find("expected " + std::to_string(s.signature_bytes)), std::string::npos);
        bad.resize(s.signature_bytes - 1);
        EXPECT_FALSE(check(message, bad, context));
        EXPECT_FALSE(check(message, {}, context));
        for (std::size_t i = 0; i < signature.size(); i += 101) {
            bad = signature;
            bad[i] ^= 0x10;
            EXPECT_FALSE(check(message, bad, context)) << i;
        }
    }
}

TEST_P(EveryScheme, AllInterfacesComeDownToMu) {
    const auto pair = generate(s, test_seed(2));
    const auto& sk = pair.private_key;
    const ExpandedPrivateKey esk(sk);
    const ExpandedPublicKey epk(pair.public_key);
    const auto fixed = Randomness::deterministic();
    const Context context = Context::from(Bytes(255, 0xaa)).value();

    // Pure: M' = 0 || |ctx| || ctx || M through the internal interface, and in pieces.
    Bytes formatted{0, 255};
    formatted.insert(formatted.end(), context.bytes().begin(), context.bytes().end());
    formatted.insert(formatted.end(), kMessage.begin(), kMessage.end());
    const Bytes signature = sign(sk, Message(kMessage), context, fixed);
    EXPECT_EQ(sign_internal(sk, FormattedMessage(formatted), fixed), signature);
    EXPECT_EQ(sign_internal(esk, FormattedMessage(formatted), fixed), signature);
    EXPECT_TRUE(verify_internal(pair.public_key, FormattedMessage(formatted), SignatureView(signature)));
    EXPECT_TRUE(verify_internal(epk, FormattedMessage(formatted), SignatureView(signature)));
    MuHasher hasher(pair.public_key, context);
    for (const auto byte : kMessage) hasher.update({&byte, 1});
    const Mu mu = hasher.finish();
    EXPECT_THROW(hasher.update({}), std::logic_error);
    EXPECT_THROW((void)hasher.finish(), std::logic_error);
    EXPECT_EQ(sign_mu(sk, mu, fixed), signature);
    EXPECT_EQ(sign_mu(esk, mu, fixed), signature);
    EXPECT_TRUE(verify_mu(pair.public_key, mu, SignatureView(signature)));
    EXPECT_TRUE(verify_mu(epk, mu, SignatureView(signature)));

    for (const auto algorithm : prehashes()) {
        PreHasher pieces(algorithm);
        for (const auto byte : kMessage) pieces.update({&byte, 1});
        const auto digest = pieces.finish();
        EXPECT_TRUE(std::ranges::equal(digest.bytes(), prehash(algorithm, Message(kMessage)).bytes()));
        const Bytes hashed = sign_prehash(sk, digest, context, fixed);
        EXPECT_EQ(sign_prehash(esk, digest, context, fixed), hashed);
        EXPECT_TRUE(verify_prehash(pair.public_key, digest, SignatureView(hashed), context));
        EXPECT_TRUE(verify_prehash(epk, digest, SignatureView(hashed), context));
        EXPECT_FALSE(verify_prehash(epk, digest, SignatureView(hashed)));
        EXPECT_FALSE(verify(epk, Message(kMessage), SignatureView(hashed), context));
        EXPECT_FALSE(verify(epk, Message(digest.bytes()), SignatureView(hashed), context));
    }
}

TEST_P(EveryScheme, StrictSignatureDecoding) {
    const auto pair = generate(s, test_seed(3));
    const Bytes signature = sign(pair.private_key, Message(kMessage), {}, Randomness::deterministic());
    const auto parts = inspect_signature(s, SignatureView(signature));
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->c_tilde.size(), s.c_tilde_bytes);
    EXPECT_LT(parts->z_norm, parts->z_bound);
    const std::size_t k = parts->hint_counts.size();
    std::size_t ones = 0;
    for (const auto count : parts->hint_counts) ones += count;
    const std::size_t counts_at = signature.size() - k;
    EXPECT_EQ(signature.back(), ones);

    const auto reason = [&](const Bytes& bad) {
        const auto verdict = verify(pair.public_key, Message(kMessage), SignatureView(bad));
        EXPECT_FALSE(verdict);
        return verdict.reason;
    };
    // The first coefficient of z at gamma1, all of its bits zero.
    Bytes bad = signature;
    for (std::size_t i = 0; i < 2; ++i) bad[s.c_tilde_bytes + i] = 0;
    bad[s.c_tilde_bytes + 2] &= 0xf0;
    EXPECT_TRUE(reason(bad).starts_with("norm of z too large")) << reason(bad);
    EXPECT_GE(inspect_signature(s, SignatureView(bad))->z_norm, parts->z_bound);
    // Hints of polynomial 0 in the wrong order.
    if (parts->hint_counts[0] >= 2) {
        const std::size_t omega_at = signature.size() - k -
                                     (s.parameter_set == ParameterSet::ml_dsa_44   ? 80
                                      : s.parameter_set == ParameterSet::ml_dsa_65 ? 55
                                                                                   : 75);
        bad = signature;
        std::swap(bad[omega_at], bad[omega_at + 1]);
        EXPECT_EQ(reason(bad), "hint indices not increasing");
        bad[omega_at + 1] = bad[omega_at];
        EXPECT_EQ(reason(bad), "hint indices not increasing");
    }
    bad = signature;
    bad.back() = 255;
    EXPECT_EQ(reason(bad), "hint count above omega");
    bad = signature;
    bad.back() = 0;
    EXPECT_EQ(reason(bad), "hint counts decreasing");
    bad = signature;
    bad[counts_at - 1] = 1;
    EXPECT_EQ(reason(bad), "hint padding not zero");
    EXPECT_EQ(inspect_signature(s, SignatureView(bad)).error().message, "hint padding not zero");
}

TEST_P(EveryScheme, InconsistentPrivateKeysAreFound) {
    const auto pair = generate(s, test_seed(4));
    Bytes sk(pair.private_key.expanded().begin(), pair.private_key.expanded().end());
    const auto with = [&](std::size_t at, std::uint8_t flip) {
        Bytes bad = sk;
        bad[at] ^= flip;
        return bad;
    };
    // rho: another matrix; tr; t0.
    EXPECT_EQ(PrivateKey::decode(s, with(0, 1))->check().error().message, "private key: t0 does not belong to rho, s1 and s2");
    EXPECT_EQ(PrivateKey::decode(s, with(64, 1))->check().error().message, "private key: tr is not the hash of the public key");
    EXPECT_EQ(PrivateKey::decode(s, with(sk.size() - 1, 1))->check().error().message, "private key: t0 does not belong to rho, s1 and s2");
    // s1 out of range: the first coefficient's bits all ones.
    Bytes bad = sk;
    bad[128] |= s.parameter_set == ParameterSet::ml_dsa_65 ? 0x0f : 0x07;
    const auto refused = PrivateKey::decode(s, bad);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("s1[0]"), std::string::npos) << refused.error().message;
    bad = sk;
    bad.pop_back();
    EXPECT_FALSE(PrivateKey::decode(s, bad));
    EXPECT_FALSE(PrivateKey::decode(s, {}));
    EXPECT_FALSE(PublicKey::decode(s, Bytes(s.public_key_bytes + 1)));
    EXPECT_FALSE(PublicKey::decode(s, {}));
}

INSTANTIATE_TEST_SUITE_P(MlDsa, EveryScheme,
                         testing::Values("ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "turbo-ml-dsa-44", "turbo-ml-dsa-65", "turbo-ml-dsa-87",
                                         "keccak-ml-dsa-44", "keccak-ml-dsa-65", "keccak-ml-dsa-87", "eth-ml-dsa-44"),
                         [](const auto& scheme_name) {
                             std::string text = scheme_name.param;
                             std::erase(text, '-');
                             return text;
                         });

TEST(MlDsa, InstancesDiffer) {
    std::set<std::string> rhos;
    for (const auto& s : schemes()) {
        const auto pair = generate(s, test_seed(5));
        rhos.insert(to_hex(pair.public_key.bytes().first(32)));
    }
    EXPECT_EQ(rhos.size(), 10U);
}

TEST(MlDsa, ContextLimits) {
    EXPECT_TRUE(Context::from(Bytes(255)));
    const auto refused = Context::from(Bytes(256));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "context is 256 bytes, at most 255 are allowed");
}

TEST(MlDsa, RolesOfWrongSize) {
    EXPECT_FALSE(Seed::from(Bytes(31)));
    EXPECT_FALSE(Seed::from(Bytes(33)));
    EXPECT_FALSE(Mu::from(Bytes(63)));
    EXPECT_FALSE(MessageDigest::from(PreHash::sha2_256, Bytes(31)));
    EXPECT_TRUE(MessageDigest::from(PreHash::shake_256, Bytes(64)));
}

TEST(MlDsa, PreHashNames) {
    EXPECT_EQ(prehashes().size(), 12U);
    for (const auto p : prehashes()) EXPECT_EQ(find_prehash(name(p)), p);
    EXPECT_EQ(find_prehash("SHA2-512/256"), PreHash::sha2_512_256);
    EXPECT_EQ(find_prehash("SHAKE-128"), PreHash::shake_128);
    EXPECT_FALSE(find_prehash("md5"));
    EXPECT_FALSE(find_prehash(""));
    const Bytes abc{'a', 'b', 'c'};
    EXPECT_EQ(to_hex(prehash(PreHash::sha2_256, Message(abc)).bytes()), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(to_hex(prehash(PreHash::sha3_256, Message(abc)).bytes()), "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
}

}  // namespace
}  // namespace postern::mldsa
