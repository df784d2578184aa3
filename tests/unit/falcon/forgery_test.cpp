// Forgeries against every scheme through its bytes: no codec and no hash-to-point lets one of them pass, and no recovery gives
// the address of a key that did not sign.

#include <gtest/gtest.h>

#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>
#include <postern/falcon_scheme.hpp>

#include "falcon/zq.hpp"
#include "support.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

/// x^k times a, in Z[x]/(x^n + 1).
template <class P>
SmallPoly<P> shifted(const SmallPoly<P>& a, std::size_t k) {
    SmallPoly<P> r;
    for (std::size_t i = 0; i < P::n; ++i) r[(i + k) % P::n] = static_cast<std::int16_t>(i + k < P::n ? a[i] : -a[i]);
    return r;
}

/// Vectors that are encodable and that nobody signed with: short ones, long ones, and relatives of a genuine one.
template <class P>
std::vector<SmallPoly<P>> forged_vectors(const PublicKey<P>& key, const Poly<P>& c, const SmallPoly<P>& genuine) {
    TestRandom random(P::n + 1);
    std::vector<SmallPoly<P>> out(1);  // s2 = 0
    for (const std::size_t at : {std::size_t{0}, P::n / 2, P::n - 1})
        for (const int v : {1, -1, 2047, -2047}) {
            SmallPoly<P> spike{};
            spike[at] = static_cast<std::int16_t>(v);
            out.push_back(spike);
        }
    for (const std::uint32_t range : {3U, 400U, 4095U}) {
        SmallPoly<P> uniform;
        for (auto& x : uniform) x = static_cast<std::int16_t>(static_cast<int>(random.below(range)) - static_cast<int>(range / 2));
        out.push_back(uniform);
    }
    // s2 = c / h, with which s1 would be 0: not encodable, so what of it is.
    Poly<P> t = c;
    Poly<P> inverse = key.h_ntt();
    EXPECT_TRUE(pointwise_inverse<P>(inverse)) << "choose another seed";
    ntt<P>(t);
    pointwise_multiply<P>(t, inverse);
    inverse_ntt<P>(t);
    SmallPoly<P> quotient, cut;
    for (std::size_t i = 0; i < P::n; ++i) {
        quotient[i] = to_centred(t[i]);
        cut[i] = static_cast<std::int16_t>(quotient[i] % 2048);
    }
    EXPECT_FALSE(encode_signature<P>(SignatureCodec::native, {{}, quotient}));
    out.push_back(cut);
    SmallPoly<P> negated, reversed;
    for (std::size_t i = 0; i < P::n; ++i) {
        negated[i] = static_cast<std::int16_t>(-genuine[i]);
        reversed[P::n - 1 - i] = genuine[i];
    }
    out.insert(out.end(), {negated, reversed, shifted<P>(genuine, 1), shifted<P>(genuine, P::n / 2), shifted<P>(genuine, P::n - 1)});
    for (const std::size_t at : {std::size_t{0}, P::n / 2, P::n - 1}) {
        auto changed = genuine;
        changed[at] = static_cast<std::int16_t>(changed[at] + (changed[at] < 2047 ? 1 : -1));
        out.push_back(changed);
    }
    return out;
}

template <class P>
void check_plain(const Scheme& scheme) {
    const Bytes message = {'t', 'e', 'x', 't'};
    const auto pair = generate(scheme, Bytes(48, 3));
    const auto key = must(decode_public_key<P>(PublicKeyCodec::nist, pair.public_key));
    const Bytes bytes = must(sign(scheme, pair.private_key, message, "native", true));
    const auto genuine = must(decode_signature<P>(SignatureCodec::native, bytes));
    const auto c = hash_to_point<P>(scheme.policy, genuine.salt, message);
    std::size_t tried = 0;
    for (const auto codec : codecs(scheme)) {
        const auto parsed = signature_codec(codec).value();
        EXPECT_TRUE(must(verify(scheme, pair.public_key, message, must(encode_signature<P>(parsed, genuine)), codec)).valid);
        for (const auto& s2 : forged_vectors<P>(key, c, genuine.s2)) {
            const auto encoded = encode_signature<P>(parsed, {genuine.salt, s2});
            if (!encoded) continue;  // too long for a padded form
            EXPECT_FALSE(must(verify(scheme, pair.public_key, message, *encoded, codec)).valid) << scheme.name << " " << codec;
            ++tried;
        }
    }
    EXPECT_GT(tried, 100U);
    // Another scheme of the same degree, over the same key and bytes.
    for (const Scheme& other : schemes())
        if (other.kind == Scheme::Kind::plain && other.logn == scheme.logn && other.name != scheme.name) {
            EXPECT_FALSE(must(verify(other, pair.public_key, message, bytes, "native")).valid);
        }
}

TEST(FalconForgery, PlainSchemesInEveryCodec) {
    for (const Scheme& scheme : schemes()) {
        if (scheme.kind != Scheme::Kind::plain) continue;
        if (scheme.logn == 9)
            check_plain<Falcon512>(scheme);
        else
            check_plain<Falcon1024>(scheme);
    }
}

/// Either there is no address or it is not the victim's.
void expect_other(const Scheme& scheme, const Bytes& message, const Bytes& signature, std::string_view codec, const Address& victim) {
    const auto found = recover(scheme, message, signature, codec);
    if (found) {
        EXPECT_NE(*found, victim) << scheme.name;
    }
}

TEST(FalconForgery, RecoverableSignatures) {
    const Scheme& scheme = *find_scheme("falcon-recover-512");
    const Bytes message = {'t', 'e', 'x', 't'};
    const auto pair = generate(scheme, Bytes(48, 3));
    const auto victim = must(address_of(scheme, pair.public_key));
    const Bytes bytes = must(sign(scheme, pair.private_key, message, scheme.codec, true));
    const auto genuine = must(decode_recoverable(bytes));
    EXPECT_EQ(must(recover(scheme, message, bytes, scheme.codec)), victim);
    const auto c = recover_point(genuine.key, genuine.signature.salt, message);
    for (const auto& s2 : forged_vectors<Falcon512>(genuine.key, c, genuine.signature.s2)) {
        const Bytes forged = must(encode_recoverable({{genuine.signature.salt, s2}, genuine.key}));
        EXPECT_FALSE(recover(scheme, message, forged, scheme.codec));
    }
    // Any byte changed anywhere: no encoding, no signature, or another signer.
    for (std::size_t at = 0; at < bytes.size(); at += 7) {
        Bytes changed = bytes;
        changed[at] = static_cast<std::uint8_t>(changed[at] ^ (1U << (at % 8)));
        expect_other(scheme, message, changed, scheme.codec, victim);
    }
    // A key anybody can sign for gives that key's address: h = 1, s1 + s2 = c has short solutions for no hashed point, h = 0 none.
    for (const std::uint16_t constant : {std::uint16_t{0}, std::uint16_t{1}}) {
        Poly<Falcon512> h{};
        h[0] = constant;
        const auto weak = must(PublicKey<Falcon512>::from_coefficients(h));
        expect_other(scheme, message, must(encode_recoverable({genuine.signature, weak})), scheme.codec, victim);
    }
}

TEST(FalconForgery, EpervierSignatures) {
    const Bytes message = {'t', 'e', 'x', 't'};
    for (const char* name : {"epervier-512", "ethepervier-512"}) {
        const Scheme& scheme = *find_scheme(name);
        const auto pair = generate(scheme, Bytes(48, 3));
        const auto key = must(decode_public_key<Falcon512>(PublicKeyCodec::nist, pair.public_key));
        const ExpandedPublicKey<Falcon512> expanded(key);
        const auto victim = must(address_of(scheme, pair.public_key));
        for (const std::string_view codec : {"epervier", "arguments"}) {
            const Bytes bytes = must(sign(scheme, pair.private_key, message, codec, true));
            EXPECT_EQ(must(recover(scheme, message, bytes, codec)), victim);
            for (std::size_t at = 0; at < bytes.size(); at += 11) {
                Bytes changed = bytes;
                changed[at] = static_cast<std::uint8_t>(changed[at] ^ (1U << (at % 8)));
                expect_other(scheme, message, changed, codec, victim);
            }
        }
        const auto genuine = must(decode_epervier(must(sign(scheme, pair.private_key, message, "epervier", true))));
        const auto c = hash_to_point<Falcon512>(scheme.policy, genuine.salt, message);
        for (const auto& s2 : forged_vectors<Falcon512>(key, c, genuine.s2)) {
            // With s1 = 0, with the genuine s1, and with the s1 that the victim's key asks for, which is never short.
            for (const auto& s1 : {SmallPoly<Falcon512>{}, genuine.s1, recover_s1<Falcon512>(expanded, c, s2)}) {
                const auto recovered = epervier_recover(message, {genuine.salt, s1, s2}, scheme.policy);
                if (recovered) {
                    EXPECT_NE(epervier_address(*recovered), victim);
                }
            }
        }
    }
}

}  // namespace
}  // namespace postern::falcon
