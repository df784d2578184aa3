// Verification against every published vector, and the forgeries that a verifier must refuse.

#include <gtest/gtest.h>

#include <postern/falcon.hpp>
#include <postern/falcon_codec.hpp>

#include "falcon/cpu.hpp"
#include "falcon/zq.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

template <class P>
void check_kat(const std::filesystem::path& file, SmForm form, HashToPoint policy, std::size_t expected) {
    std::size_t seen = 0;
    for (const auto& entry : read_rsp(file)) {
        const auto key = must(decode_public_key<P>(PublicKeyCodec::nist, unhex(entry.at("pk"))));
        const Bytes sm = unhex(entry.at("sm"));
        const auto signed_message = must(decode_sm<P>(form, sm));
        EXPECT_EQ(signed_message.message, unhex(entry.at("msg")));
        EXPECT_EQ(must(encode_sm<P>(form, signed_message.signature, signed_message.message)), sm);
        const ExpandedPublicKey<P> expanded(key);
        const auto status = verify<P>(expanded, signed_message.message, signed_message.signature, policy);
        EXPECT_TRUE(status) << file << " " << entry.at("count") << ": " << status.error().message;
        auto altered = signed_message;
        altered.message[seen % altered.message.size()] ^= static_cast<std::uint8_t>(1U << (seen % 8));
        EXPECT_FALSE(verify<P>(expanded, altered.message, altered.signature, policy));
        altered = signed_message;
        altered.signature.salt[seen % 40] ^= 1;
        EXPECT_FALSE(verify<P>(expanded, altered.message, altered.signature, policy));
        altered = signed_message;
        altered.signature.s2[seen % P::n] = static_cast<std::int16_t>(altered.signature.s2[seen % P::n] ^ 1);
        EXPECT_FALSE(verify<P>(expanded, altered.message, altered.signature, policy));
        ++seen;
    }
    EXPECT_EQ(seen, expected);
}

TEST(FalconVerify, Round3) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_kat<Falcon512>(dir / "falcon/round3/falcon512-KAT.rsp", SmForm::compressed, HashToPoint::shake256, 70);
    check_kat<Falcon1024>(dir / "falcon/round3/falcon1024-KAT.rsp", SmForm::compressed, HashToPoint::shake256, 70);
}

TEST(FalconVerify, PqClean) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_kat<Falcon512>(dir / "falcon/pqclean/nistkat_falcon-512.rsp", SmForm::compressed, HashToPoint::shake256, 1);
    check_kat<Falcon1024>(dir / "falcon/pqclean/nistkat_falcon-1024.rsp", SmForm::compressed, HashToPoint::shake256, 1);
    check_kat<Falcon512>(dir / "falcon/pqclean/nistkat_falcon-padded-512.rsp", SmForm::padded, HashToPoint::shake256, 1);
    check_kat<Falcon1024>(dir / "falcon/pqclean/nistkat_falcon-padded-1024.rsp", SmForm::padded, HashToPoint::shake256, 1);
}

TEST(FalconVerify, EthFalcon) {
    POSTERN_REQUIRE_VECTORS(dir);
    check_kat<Falcon512>(dir / "variants/ethfalcon/ethfalcon512-KAT.rsp", SmForm::compressed, HashToPoint::keccak_prng, 70);
}

TEST(FalconVerify, Eip8052EthFalconFile) {
    // Same keys and messages, but message and salt trade places in the hash.
    POSTERN_REQUIRE_VECTORS(dir);
    check_kat<Falcon512>(dir / "variants/ethfalcon/eip8052-kat_ethfalcon512.rsp", SmForm::eip8052, HashToPoint::eip8052, 70);
}

TEST(FalconVerify, Eip8052Core) {
    POSTERN_REQUIRE_VECTORS(dir);
    std::size_t seen = 0;
    for (const auto& entry : read_rsp(dir / "falcon/eip8052/kat_FALCONCORE_512.rsp")) {
        const auto key = must(decode_public_key<Falcon512>(PublicKeyCodec::nist, unhex(entry.at("pk"))));
        const auto list = read_list(entry.at("hashtopoint"));
        ASSERT_EQ(list.size(), 512U);
        Poly<Falcon512> c;
        for (std::size_t i = 0; i < 512; ++i) c[i] = static_cast<std::uint16_t>(list[i]);
        const Bytes field = unhex(entry.at("s2"));
        const std::size_t mlen = 33 * (std::stoul(entry.at("count")) + 1);
        ASSERT_EQ(field.at(mlen), 0x29);
        SmallPoly<Falcon512> s2;
        ASSERT_TRUE(decompress(s2, ByteView(field).subspan(mlen + 1), false));
        EXPECT_TRUE(verify_point<Falcon512>(ExpandedPublicKey<Falcon512>(key), c, s2));
        c[seen] = static_cast<std::uint16_t>((c[seen] + 6144) % q);
        EXPECT_FALSE(verify_point<Falcon512>(ExpandedPublicKey<Falcon512>(key), c, s2));
        ++seen;
    }
    EXPECT_EQ(seen, 70U);
}

TEST(FalconVerify, HashToPointFiles) {
    POSTERN_REQUIRE_VECTORS(dir);
    std::size_t seen = 0;
    for (const auto& entry : read_rsp(dir / "falcon/eip8052/kat_HASHTOPOINT_512.rsp")) {
        const auto list = read_list(entry.at("hash"));
        const auto c = hash_to_point<Falcon512>(HashToPoint::shake256, salt_from(unhex(entry.at("salt"))), unhex(entry.at("msg")));
        EXPECT_TRUE(std::equal(c.begin(), c.end(), list.begin(), list.end()));
        ++seen;
    }
    EXPECT_EQ(seen, 70U);
    const auto file = read_json(dir / "variants/ethfalcon/hash-to-point.json");
    for (const auto& test : file["tests"]) {
        const auto policy = test["xof"] == "shake256"     ? HashToPoint::shake256
                            : test["xof"] == "keccakprng" ? HashToPoint::keccak_prng
                                                          : HashToPoint::blake2s_prng;
        const auto c = hash_to_point<Falcon512>(policy, salt_from(unhex(test["salt"])), unhex(test["message"]));
        EXPECT_EQ(nlohmann::json(c), test["hashToPoint"]);
    }
}

TEST(FalconVerify, ThreeXofs) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto file = read_json(dir / "variants/ethfalcon/falcon512-verify.json");
    EXPECT_EQ(file["tests"].size(), 13U);
    for (const auto& test : file["tests"]) {
        const auto policy = test["xof"] == "shake256"     ? HashToPoint::shake256
                            : test["xof"] == "keccakprng" ? HashToPoint::keccak_prng
                                                          : HashToPoint::blake2s_prng;
        const Bytes key_bytes = words_bytes(test["publicKeyNttCompact"]);
        const auto key = must(decode_public_key<Falcon512>(PublicKeyCodec::ethfalcon, key_bytes));
        EXPECT_EQ(nlohmann::json(key.h_ntt()), test["publicKeyNtt"]);
        EXPECT_EQ(encode_public_key<Falcon512>(PublicKeyCodec::ethfalcon, key), key_bytes);
        Bytes bytes = unhex(test["salt"]);
        const Bytes words = words_bytes(test["s2Compact"]);
        bytes.insert(bytes.end(), words.begin(), words.end());
        const auto signature = must(decode_signature<Falcon512>(SignatureCodec::ethfalcon, bytes));
        EXPECT_EQ(must(encode_signature<Falcon512>(SignatureCodec::ethfalcon, signature)), bytes);
        const Bytes message = unhex(test["message"]);
        if (test.contains("hashToPoint")) {
            EXPECT_EQ(nlohmann::json(hash_to_point<Falcon512>(policy, signature.salt, message)), test["hashToPoint"]);
        }
        EXPECT_TRUE(verify<Falcon512>(key, message, signature, policy)) << test["xof"] << test["index"];
    }
}

TEST(FalconVerify, OriginalFalconPadded) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto file = read_json(dir / "falcon/fn-dsa/original-falcon-verify.json");
    EXPECT_EQ(file["tests"].size(), 6U);
    const auto check = [&]<class P>(const nlohmann::json& test) {
        const auto key = must(decode_public_key<P>(PublicKeyCodec::nist, unhex(test["publicKey"])));
        const auto signature = must(decode_signature<P>(SignatureCodec::padded, unhex(test["signature"])));
        EXPECT_TRUE(verify<P>(key, unhex(test["message"]), signature));
    };
    for (const auto& test : file["tests"])
        if (test["logn"] == 9)
            check.template operator()<Falcon512>(test);
        else
            check.template operator()<Falcon1024>(test);
}

TEST(FalconVerify, SignKatSignatures) {
    // The file's keys give h = g / f; every signature of the two standard degrees verifies.
    POSTERN_REQUIRE_VECTORS(dir);
    const Bytes message = {'d', 'a', 't', 'a', '1'};
    std::size_t seen = 0;
    const auto check = [&]<class P>(const nlohmann::json& test) {
        Poly<P> f, g;
        for (std::size_t i = 0; i < P::n; ++i) {
            f[i] = to_residue(test["f"][i].get<int>());
            g[i] = to_residue(test["g"][i].get<int>());
        }
        ntt<P>(f);
        ntt<P>(g);
        ASSERT_TRUE(pointwise_inverse<P>(f));
        pointwise_multiply<P>(g, f);
        const auto key = must(PublicKey<P>::from_ntt(g));
        const auto signature = must(decode_signature<P>(SignatureCodec::padded, unhex(test["sig"])));
        EXPECT_EQ(nlohmann::json(signature.s2), test["s2"]);
        EXPECT_TRUE(verify<P>(key, message, signature));
        ++seen;
    };
    const auto file = read_json(dir / "falcon/sign/sign-KAT.json");
    for (const auto& test : file["tests"]) {
        if (test["n"] == 512) check.template operator()<Falcon512>(test);
        if (test["n"] == 1024) check.template operator()<Falcon1024>(test);
    }
    EXPECT_EQ(seen, 16U);
}

// ---------------------------------------------------------------------------------------------- forgeries

/// Without a transform, by the definition.
template <class P>
Poly<P> slow_product(const Poly<P>& a, const Poly<P>& b) {
    std::vector<std::int64_t> sum(P::n);
    for (std::size_t i = 0; i < P::n; ++i)
        for (std::size_t j = 0; j < P::n; ++j) {
            const std::int64_t t = std::int64_t{a[i]} * b[j];
            sum[(i + j) % P::n] += i + j < P::n ? t : -t;
        }
    Poly<P> r;
    for (std::size_t i = 0; i < P::n; ++i) r[i] = static_cast<std::uint16_t>(((sum[i] % q) + q) % q);
    return r;
}

template <class P>
PublicKey<P> random_key(TestRandom& random) {
    Poly<P> h;
    for (auto& x : h) x = static_cast<std::uint16_t>(random.below(q));
    return must(PublicKey<P>::from_coefficients(h));
}
/// c = s1 + s2 h, so that (s1, s2) is exactly the vector the verifier measures.
template <class P>
Poly<P> planted_point(const PublicKey<P>& key, const SmallPoly<P>& s1, const SmallPoly<P>& s2) {
    Poly<P> r;
    for (std::size_t i = 0; i < P::n; ++i) r[i] = to_residue(s2[i]);
    Poly<P> c = slow_product<P>(r, key.h());
    for (std::size_t i = 0; i < P::n; ++i)
        c[i] = static_cast<std::uint16_t>((c[i] + q + static_cast<std::uint32_t>(s1[i] + static_cast<int>(q))) % q);
    return c;
}

template <class P>
void check_forgeries() {
    TestRandom random(P::n);
    const auto key = random_key<P>(random);
    const ExpandedPublicKey<P> expanded(key);
    const SmallPoly<P> zero{};

    // s2 = 0: s1 = c, far too long for a hashed point.
    const Poly<P> c = hash_to_point<P>(HashToPoint::shake256, {}, {});
    EXPECT_FALSE(verify_point<P>(expanded, c, zero));
    EXPECT_TRUE(verify_point<P>(expanded, Poly<P>{}, zero));

    // Exact norms around the bound: fill with 100s in both halves, then close the gap with a few squares.
    for (const int delta : {-1, 0, 1, 2}) {
        SmallPoly<P> s1{}, s2{};
        std::int64_t left = std::int64_t{P::beta2} + delta;
        for (std::size_t i = 0; i + 8 < 2 * P::n && left > 0; ++i) {
            auto v = static_cast<std::int16_t>(P::n == 512 ? 180 : 183);
            if (std::int64_t{v} * v > left) v = 0;
            left -= std::int64_t{v} * v;
            (i % 2 == 0 ? s1 : s2)[i / 2] = static_cast<std::int16_t>(random.below(2) ? v : -v);
        }
        for (std::size_t i = P::n - 4; left > 0 && i < P::n; ++i)
            for (auto* half : {&s1, &s2}) {
                auto v = static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)));
                v = std::min<std::int64_t>(v, half == &s1 ? 6144 : 2047);
                (*half)[i] = static_cast<std::int16_t>(v);
                left -= v * v;
            }
        ASSERT_EQ(left, 0);
        ASSERT_EQ(squared_norm<P>(s1, s2), P::beta2 + static_cast<std::uint32_t>(delta));
        const auto point = planted_point<P>(key, s1, s2);
        EXPECT_EQ(recover_s1<P>(expanded, point, s2), s1);
        EXPECT_EQ(verify_point<P>(expanded, point, s2).has_value(), delta <= 0) << delta;
    }

    // Single spikes at the first, middle and last index of either half.
    const int limit = P::n == 512 ? 5833 : 6144;
    for (const std::size_t at : {std::size_t{0}, P::n / 2 - 1, P::n / 2, P::n - 1}) {
        for (const int sign : {1, -1}) {
            SmallPoly<P> s1{};
            s1[at] = static_cast<std::int16_t>(sign * limit);
            EXPECT_TRUE(verify_point<P>(expanded, planted_point<P>(key, s1, zero), zero));
            if (P::n == 512) {
                s1[at] = static_cast<std::int16_t>(sign * (limit + 1));
                EXPECT_FALSE(verify_point<P>(expanded, planted_point<P>(key, s1, zero), zero));
            }
            for (const int v : {2047, 2048, 6144, 12289 - 1, 32767}) {
                SmallPoly<P> s2{};
                s2[at] = static_cast<std::int16_t>(sign * v);
                const auto point = v < static_cast<int>(q) ? planted_point<P>(key, zero, s2) : c;
                EXPECT_EQ(verify_point<P>(expanded, point, s2).has_value(), v == 2047) << v;
            }
        }
    }

    // s1 = 0 with s2 = c / h, for an invertible key: the equation holds, the norm does not.
    Poly<P> h_inverse = key.h_ntt();
    ASSERT_TRUE(pointwise_inverse<P>(h_inverse)) << "choose another seed";
    Poly<P> t = c;
    ntt<P>(t);
    pointwise_multiply<P>(t, h_inverse);
    inverse_ntt<P>(t);
    SmallPoly<P> forged;
    for (std::size_t i = 0; i < P::n; ++i) forged[i] = to_centred(t[i]);
    EXPECT_EQ(recover_s1<P>(expanded, c, forged), zero);
    EXPECT_FALSE(verify_point<P>(expanded, c, forged));

    // Uniform s2, within and without the encodable range.
    for (const std::uint32_t range : {4095U, 12289U}) {
        SmallPoly<P> s2;
        for (auto& x : s2) x = static_cast<std::int16_t>(static_cast<int>(random.below(range)) - static_cast<int>(range / 2));
        EXPECT_FALSE(verify_point<P>(expanded, c, s2));
        EXPECT_FALSE(verify_point<P>(expanded, planted_point<P>(key, zero, s2), s2));
    }
}

TEST(FalconVerify, Forgeries512) { check_forgeries<Falcon512>(); }
TEST(FalconVerify, Forgeries1024) { check_forgeries<Falcon1024>(); }

template <class P>
void check_transform() {
    TestRandom random(7);
    Poly<P> a, b;
    for (auto& x : a) x = static_cast<std::uint16_t>(random.below(q));
    for (auto& x : b) x = static_cast<std::uint16_t>(random.below(8) == 0 ? q - 1 : random.below(q));
    const Poly<P> expected = slow_product<P>(a, b);
    for (const bool avx2 : {false, true}) {
        allow_avx2(avx2);
        Poly<P> x = a, y = b;
        ntt<P>(x);
        for (const std::size_t slot : {std::size_t{0}, std::size_t{1}, std::size_t{5}, P::n - 1}) {
            const std::uint32_t at = zq_pow(psi<P>, 2 * bit_reverse(static_cast<unsigned>(slot), P::logn) + 1);
            std::uint32_t value = 0;
            for (std::size_t i = P::n; i-- > 0;) value = (value * at + a[i]) % q;
            EXPECT_EQ(x[slot], value);
        }
        ntt<P>(y);
        pointwise_multiply<P>(x, y);
        inverse_ntt<P>(x);
        EXPECT_EQ(x, expected);
    }
    allow_avx2(true);
}
TEST(FalconTransform, DefinitionAndPaths) {
    check_transform<Falcon512>();
    check_transform<Falcon1024>();
}

TEST(FalconVerify, BatchGivesEveryVerdict) {
    POSTERN_REQUIRE_VECTORS(dir);
    std::vector<ExpandedPublicKey<Falcon512>> keys;
    std::vector<SignedMessage<Falcon512>> messages;
    for (const auto& entry : read_rsp(dir / "falcon/round3/falcon512-KAT.rsp")) {
        keys.emplace_back(must(decode_public_key<Falcon512>(PublicKeyCodec::nist, unhex(entry.at("pk")))));
        messages.push_back(must(decode_sm<Falcon512>(SmForm::compressed, unhex(entry.at("sm")))));
    }
    std::vector<VerifyItem<Falcon512>> items;
    std::vector<bool> expected;
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t repeat = 0; repeat < 5; ++repeat) {
            items.push_back({&keys[repeat == 2 ? (i + 1) % keys.size() : i], messages[i].message, &messages[i].signature});
            expected.push_back(repeat != 2);
        }
    EXPECT_EQ(verify_batch<Falcon512>(items), expected);
    EXPECT_TRUE(verify_batch<Falcon512>({}).empty());
}

}  // namespace
}  // namespace postern::falcon
