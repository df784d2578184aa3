// Every codec: round trips, and the rejection of each second encoding.

#include <gtest/gtest.h>

#include <functional>
#include <postern/falcon_codec.hpp>

#include "falcon/compact_key.hpp"
#include "falcon/words.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

/// Gaussian enough for lengths to be as in real signatures.
template <class P>
Signature<P> sample_signature(TestRandom& random) {
    Signature<P> s;
    for (auto& x : s.salt) x = static_cast<std::uint8_t>(random.next());
    for (auto& x : s.s2) {
        int sum = 0;
        for (int i = 0; i < 8; ++i) sum += static_cast<int>(random.below(190)) - 95;
        x = static_cast<std::int16_t>(sum);
    }
    return s;
}
template <class P>
PublicKey<P> sample_key(TestRandom& random) {
    Poly<P> h;
    for (auto& x : h) x = static_cast<std::uint16_t>(random.below(q));
    return must(PublicKey<P>::from_coefficients(h));
}

template <class P>
void check_signature_round_trips() {
    TestRandom random(1);
    for (int round = 0; round < 20; ++round) {
        const auto signature = sample_signature<P>(random);
        for (const auto codec : signature_codecs()) {
            const Bytes bytes = must(encode_signature<P>(codec, signature));
            EXPECT_EQ(must(decode_signature<P>(codec, bytes)), signature) << name(codec);
            EXPECT_EQ(signature_codec(name(codec)), codec);
            // Length and, where there is one, header.
            Bytes longer = bytes;
            longer.push_back(0);
            EXPECT_FALSE(decode_signature<P>(codec, longer)) << name(codec);
            EXPECT_FALSE(decode_signature<P>(codec, ByteView(bytes).first(bytes.size() - 1))) << name(codec);
            EXPECT_FALSE(decode_signature<P>(codec, {}));
            // Whatever a changed byte decodes to, it encodes back to the changed bytes.
            for (int i = 0; i < 40; ++i) {
                Bytes changed = bytes;
                changed[random.below(static_cast<std::uint32_t>(bytes.size()))] ^= static_cast<std::uint8_t>(1U << random.below(8));
                if (const auto decoded = decode_signature<P>(codec, changed)) {
                    EXPECT_EQ(must(encode_signature<P>(codec, *decoded)), changed);
                }
            }
        }
        for (const auto codec : {SignatureCodec::nist, SignatureCodec::padded, SignatureCodec::ct}) {
            Bytes bytes = must(encode_signature<P>(codec, signature));
            const auto right = bytes[0];
            for (unsigned header = 0; header < 256; ++header) {
                bytes[0] = static_cast<std::uint8_t>(header);
                EXPECT_EQ(decode_signature<P>(codec, bytes).has_value(), header == right);
            }
        }
    }
    EXPECT_EQ(signature_codec("tip899"), SignatureCodec::eip8052);
    EXPECT_FALSE(signature_codec("felt"));
}
TEST(FalconCodec, SignatureRoundTrips512) { check_signature_round_trips<Falcon512>(); }
TEST(FalconCodec, SignatureRoundTrips1024) { check_signature_round_trips<Falcon1024>(); }

template <class P>
void check_key_round_trips() {
    TestRandom random(2);
    for (int round = 0; round < 10; ++round) {
        const auto key = sample_key<P>(random);
        for (const auto codec : public_key_codecs()) {
            const Bytes bytes = encode_public_key<P>(codec, key);
            EXPECT_EQ(must(decode_public_key<P>(codec, bytes)), key) << name(codec);
            EXPECT_EQ(public_key_codec(name(codec)), codec);
            Bytes longer = bytes;
            longer.push_back(0);
            EXPECT_FALSE(decode_public_key<P>(codec, longer));
            EXPECT_FALSE(decode_public_key<P>(codec, ByteView(bytes).first(bytes.size() - 1)));
            EXPECT_FALSE(decode_public_key<P>(codec, {}));
        }
    }
}
TEST(FalconCodec, KeyRoundTrips) {
    check_key_round_trips<Falcon512>();
    check_key_round_trips<Falcon1024>();
}

template <class P>
void check_non_canonical_lanes() {
    TestRandom random(3);
    const auto key = sample_key<P>(random);
    // 16-bit lanes: adding any multiple of q must not give a second encoding of the key.
    for (const auto codec : {PublicKeyCodec::words, PublicKeyCodec::ethfalcon, PublicKeyCodec::compact}) {
        const Bytes bytes = encode_public_key<P>(codec, key);
        for (std::size_t lane = 0; lane < P::n; ++lane)
            for (std::uint32_t k = 1; k <= 5; ++k) {
                Bytes changed = bytes;
                const std::uint32_t x = static_cast<std::uint32_t>(bytes[2 * lane] << 8 | bytes[2 * lane + 1]) + k * q;
                if (x > 0xffff) continue;
                changed[2 * lane] = static_cast<std::uint8_t>(x >> 8);
                changed[2 * lane + 1] = static_cast<std::uint8_t>(x);
                EXPECT_FALSE(decode_public_key<P>(codec, changed)) << name(codec) << lane;
            }
    }
    // 14-bit fields.
    for (const auto codec : {PublicKeyCodec::nist, PublicKeyCodec::raw, PublicKeyCodec::eip8052}) {
        Bytes bytes = encode_public_key<P>(codec, key);
        const std::size_t head = codec == PublicKeyCodec::nist ? 1 : 0;
        for (const std::uint32_t x : {q - 1, q, 16383U}) {
            bytes[head] = static_cast<std::uint8_t>(x >> 6);
            bytes[head + 1] = static_cast<std::uint8_t>((x & 0x3f) << 2 | (bytes[head + 1] & 3));
            EXPECT_EQ(decode_public_key<P>(codec, bytes).has_value(), x < q);
        }
    }
    const auto signature = sample_signature<P>(random);
    const Bytes bytes = must(encode_signature<P>(SignatureCodec::ethfalcon, signature));
    const Bytes native = must(encode_signature<P>(SignatureCodec::native, signature));
    const Bytes ct = must(encode_signature<P>(SignatureCodec::ct, signature));
    for (std::size_t lane = 0; lane < P::n; ++lane) {
        for (const std::uint32_t x : {2047U, 2048U, q - 2048, q - 2047, q - 1, q, q + 5, 3 * q, 45057U, 65535U}) {
            Bytes changed = bytes;
            changed[40 + 2 * lane] = static_cast<std::uint8_t>(x >> 8);
            changed[40 + 2 * lane + 1] = static_cast<std::uint8_t>(x);
            EXPECT_EQ(decode_signature<P>(SignatureCodec::ethfalcon, changed).has_value(), x == 2047 || x == q - 2047 || x == q - 1) << x;
        }
        for (const int x : {-2048, -2047, 2047, 2048, 4096, -4096, 32767, -32768}) {
            Bytes changed = native;
            changed[40 + 2 * lane] = static_cast<std::uint8_t>(static_cast<unsigned>(x) >> 8);
            changed[40 + 2 * lane + 1] = static_cast<std::uint8_t>(x);
            EXPECT_EQ(decode_signature<P>(SignatureCodec::native, changed).has_value(), x == 2047 || x == -2047) << x;
        }
        Bytes changed = ct;  // -2048 in twelve bits
        std::uint8_t* at = changed.data() + 41 + lane * 3 / 2;
        if (lane % 2 == 0) {
            at[0] = 0x80;
            at[1] &= 0x0f;
        } else {
            at[0] = static_cast<std::uint8_t>((at[0] & 0xf0) | 0x08);
            at[1] = 0;
        }
        EXPECT_FALSE(decode_signature<P>(SignatureCodec::ct, changed));
    }
}
TEST(FalconCodec, NonCanonicalLanes512) { check_non_canonical_lanes<Falcon512>(); }
TEST(FalconCodec, NonCanonicalLanes1024) { check_non_canonical_lanes<Falcon1024>(); }

TEST(FalconCodec, UnencodableCoefficients) {
    TestRandom random(4);
    for (const std::int16_t v : {std::int16_t{2048}, std::int16_t{-2048}, std::int16_t{32767}, std::int16_t{-32768}}) {
        auto signature = sample_signature<Falcon512>(random);
        signature.s2[17] = v;
        for (const auto codec : signature_codecs()) EXPECT_FALSE(encode_signature<Falcon512>(codec, signature));
    }
    Signature<Falcon512> longest;
    longest.s2.fill(2047);
    EXPECT_FALSE(encode_signature<Falcon512>(SignatureCodec::padded, longest));
    EXPECT_EQ(must(decode_signature<Falcon512>(SignatureCodec::nist, must(encode_signature<Falcon512>(SignatureCodec::nist, longest)))),
              longest);
}

TEST(FalconCodec, CompressedStrictness) {
    // Two coefficients, worked out by hand: +5 is 0 0000101 1, -130 is 1 0000010 01.
    const std::array<std::int16_t, 2> values = {5, -130};
    const Bytes good = must(compress(values));
    EXPECT_EQ(good, (Bytes{0x05, 0xc1, 0x20}));
    std::array<std::int16_t, 2> out{};
    const auto ok_when = [&](Bytes bytes, bool padded) { return decompress(out, bytes, padded).has_value(); };
    EXPECT_TRUE(ok_when(good, false));
    EXPECT_EQ(out, values);
    EXPECT_TRUE(ok_when({0x05, 0xc1, 0x20, 0x00, 0x00}, true));
    EXPECT_FALSE(ok_when({0x05, 0xc1, 0x20, 0x00}, false)) << "trailing byte";
    EXPECT_FALSE(ok_when({0x05, 0xc1, 0x20, 0x01}, true)) << "padding not zero";
    EXPECT_FALSE(ok_when({0x05, 0xc1, 0x21}, false)) << "last bits not zero";
    EXPECT_FALSE(ok_when({0x05, 0xc1, 0x30}, true)) << "last bits not zero";
    EXPECT_FALSE(ok_when({0x05, 0xc1}, false)) << "cut short";
    EXPECT_FALSE(ok_when({0x05, 0xc1, 0x00}, true)) << "unary part never ends";
    EXPECT_FALSE(ok_when({0x80, 0x81, 0x20}, true)) << "-0";
    std::array<std::int16_t, 1> one{};
    EXPECT_TRUE(decompress(one, Bytes{0x00, 0x00, 0x01}, false)) << "15 zeros";
    EXPECT_EQ(one[0], 15 * 128);
    EXPECT_FALSE(decompress(one, Bytes{0x00, 0x00, 0x00, 0x80}, false)) << "16 zeros";
    EXPECT_FALSE(decompress(one, Bytes(12, 0x00), true)) << "all zeros";
    for (int v = -2047; v <= 2047; ++v) {
        const std::array<std::int16_t, 3> three = {static_cast<std::int16_t>(v), static_cast<std::int16_t>(-v), 1};
        std::array<std::int16_t, 3> back{};
        ASSERT_TRUE(decompress(back, must(compress(three)), false)) << v;
        ASSERT_EQ(back, three);
    }
}

TEST(FalconCodec, PublishedDecodings) {
    POSTERN_REQUIRE_VECTORS(dir);
    const nlohmann::json tests = read_json(dir / "variants/ethfalcon/encodings.json")["tests"];
    SmallPoly<Falcon512> s;
    ASSERT_TRUE(decompress(s, unhex(tests[0]["compressed"]), true));
    EXPECT_EQ(nlohmann::json(s), tests[0]["coefficients"]);
    const auto key = must(decode_public_key<Falcon512>(PublicKeyCodec::nist, unhex(tests[1]["pk"])));
    EXPECT_EQ(nlohmann::json(key.h()), tests[1]["publicKey"]);
    const auto sm = must(decode_sm<Falcon512>(SmForm::compressed, unhex(tests[1]["sm"])));
    EXPECT_EQ(sm.message, unhex(tests[1]["message"]));
    Poly<Falcon512> residues;
    for (std::size_t i = 0; i < 512; ++i)
        residues[i] = static_cast<std::uint16_t>(sm.signature.s2[i] < 0 ? sm.signature.s2[i] + static_cast<int>(q) : sm.signature.s2[i]);
    EXPECT_EQ(nlohmann::json(residues), tests[1]["s2"]);
    EXPECT_EQ(nlohmann::json(hash_to_point<Falcon512>(HashToPoint::shake256, sm.signature.salt, sm.message)), tests[1]["hashToPoint"]);
    const auto file = read_json(dir / "variants/ethfalcon/kat-16bit.json");
    for (const auto& test : file["tests"]) {
        if (test["scheme"] != "falcon" && test["scheme"] != "ethfalcon") continue;  // EPERVIER: layout only
        const Bytes pk = unhex(test["pk"]);
        Poly<Falcon512> h;
        for (std::size_t i = 0; i < 512; ++i) h[i] = static_cast<std::uint16_t>(pk[1 + 2 * i] << 8 | pk[2 + 2 * i]);
        const auto wide_key = must(PublicKey<Falcon512>::from_coefficients(h));
        const Bytes wide = unhex(test["sm"]);
        const std::size_t mlen = test["mlen"];
        const ByteView tail = ByteView(wide).subspan(42 + mlen + 1);
        Poly<Falcon512> u;
        for (std::size_t i = 0; i < 512; ++i) u[i] = static_cast<std::uint16_t>(tail[2 * i] << 8 | tail[2 * i + 1]);
        Signature<Falcon512> signature{salt_from(ByteView(wide).subspan(2)), must(small_from_residues<Falcon512>(u))};
        EXPECT_TRUE(verify<Falcon512>(wide_key, ByteView(wide).subspan(42, mlen), signature,
                                      test["xof"] == "keccakprng" ? HashToPoint::keccak_prng : HashToPoint::shake256));
    }
}

TEST(FalconCodec, CompactKeyByDefinition) {
    // Leaf k is h scaled, taken modulo y^8 - zeta_k in each half: compare with the remainders computed one by one.
    EXPECT_EQ(compact_key_root<Falcon512>(0), 7468U);
    EXPECT_EQ(compact_key_root<Falcon512>(2), 2639U);
    EXPECT_EQ(compact_key_root<Falcon512>(30), 1351U);
    EXPECT_EQ(compact_key_root<Falcon512>(31), q - 1351U);
    TestRandom random(5);
    const auto check = [&]<class P>() {
        const auto key = sample_key<P>(random);
        const Bytes bytes = encode_public_key<P>(PublicKeyCodec::compact, key);
        const std::uint32_t scale = (1U << 17) % q * zq_inverse(P::n / 16) % q;
        for (std::size_t leaf = 0; leaf < P::n / 16; ++leaf)
            for (std::size_t i = 0; i < 8; ++i)
                for (std::size_t half = 0; half < 2; ++half) {
                    std::uint32_t sum = 0;
                    for (std::size_t j = P::n / 16; j-- > 0;) sum = (sum * compact_key_root<P>(leaf) + key.h()[2 * (8 * j + i) + half]) % q;
                    const std::size_t at = 32 * leaf + 28 - 4 * ((8 - i) % 8) + 2 * half;
                    ASSERT_EQ(static_cast<std::uint32_t>(bytes[at] << 8 | bytes[at + 1]), sum * scale % q);
                }
    };
    check.template operator()<Falcon512>();
    check.template operator()<Falcon1024>();
}

}  // namespace
}  // namespace postern::falcon
