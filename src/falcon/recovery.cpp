#include <fmt/format.h>

#include <algorithm>
#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>

#include "falcon/hash_to_point.hpp"
#include "falcon/sign_internal.hpp"
#include "falcon/words.hpp"
#include "falcon/zq.hpp"
#include "hash/counter_xof.hpp"
#include "hash/sha3.hpp"

namespace postern::falcon {

namespace {

using P = Falcon512;

Address low_160_bits(const hash::Keccak256::Digest& digest) {
    Address address;
    std::copy(digest.begin() + 12, digest.end(), address.begin());
    return address;
}

Poly<P> transform(const SmallPoly<P>& a) {
    Poly<P> t;
    for (std::size_t i = 0; i < P::n; ++i) t[i] = to_residue(a[i]);
    ntt<P>(t);
    return t;
}

Status check_small(std::string_view what, const SmallPoly<P>& a) {
    for (std::size_t i = 0; i < P::n; ++i)
        if (a[i] < -2047 || a[i] > 2047) return Error{fmt::format("{}[{}] is {}, expected at most 2047 in magnitude", what, i, a[i])};
    return ok();
}

/// NTT(s2)^-1, or why there is none.
Result<Poly<P>> inverse_of_s2(const SmallPoly<P>& s2) {
    Poly<P> t = transform(s2);
    if (!pointwise_inverse<P>(t)) return Error{"s2 is not invertible"};
    return t;
}

}  // namespace

Address epervier_address(const PublicKey<P>& key) {
    Bytes words(32 * P::n);
    const Poly<P> h_ntt = key.h_ntt();
    for (std::size_t i = 0; i < P::n; ++i) {
        words[32 * i + 30] = static_cast<std::uint8_t>(h_ntt[i] >> 8);
        words[32 * i + 31] = static_cast<std::uint8_t>(h_ntt[i]);
    }
    return low_160_bits(hash::keccak256(ByteView(words)));
}

Result<PublicKey<P>> epervier_recover(ByteView message, const EpervierSignature& signature, HashToPoint policy) {
    if (auto status = check_small("s1", signature.s1); !status) return status.error();
    if (auto status = check_small("s2", signature.s2); !status) return status.error();
    const std::uint32_t norm = squared_norm<P>(signature.s1, signature.s2);
    if (norm > P::beta2) return Error{fmt::format("squared norm of (s1, s2) is {}, expected at most {}", norm, P::beta2)};
    auto inverse = inverse_of_s2(signature.s2);
    if (!inverse) return inverse.error();
    const Poly<P> c = hash_to_point<P>(policy, signature.salt, message);
    Poly<P> h;
    for (std::size_t i = 0; i < P::n; ++i)
        h[i] = to_residue((static_cast<int>(c[i]) - signature.s1[i] + static_cast<int>(q)) % static_cast<int>(q));
    ntt<P>(h);
    pointwise_multiply<P>(h, *inverse);
    return PublicKey<P>::from_ntt(h);
}

Result<EpervierSignature> epervier_from_falcon(const PublicKey<P>& key, ByteView message, const Signature<P>& signature,
                                               HashToPoint policy) {
    if (auto status = verify<P>(key, message, signature, policy); !status) return status.error();
    if (auto inverse = inverse_of_s2(signature.s2); !inverse) return inverse.error();
    const Poly<P> c = hash_to_point<P>(policy, signature.salt, message);
    EpervierSignature out{signature.salt, recover_s1<P>(ExpandedPublicKey<P>(key), c, signature.s2), signature.s2};
    if (auto status = check_small("s1", out.s1); !status) return status.error();
    return out;
}

Result<EpervierArguments> epervier_arguments(const EpervierSignature& signature) {
    if (auto status = check_small("s1", signature.s1); !status) return status.error();
    if (auto status = check_small("s2", signature.s2); !status) return status.error();
    const auto inverse = inverse_of_s2(signature.s2);
    if (!inverse) return inverse.error();
    EpervierArguments out;
    out.salt = signature.salt;
    std::uint32_t product = 1;
    for (std::size_t i = 0; i < P::n; ++i) {
        const std::size_t at = word_offset(i);
        const std::uint16_t r1 = to_residue(signature.s1[i]);
        const std::uint16_t r2 = to_residue(signature.s2[i]);
        out.s1[at / 32][at % 32] = static_cast<std::uint8_t>(r1 >> 8);
        out.s1[at / 32][at % 32 + 1] = static_cast<std::uint8_t>(r1);
        out.s2[at / 32][at % 32] = static_cast<std::uint8_t>(r2 >> 8);
        out.s2[at / 32][at % 32 + 1] = static_cast<std::uint8_t>(r2);
        product = product * (*inverse)[i] % q;
    }
    out.hint = static_cast<std::uint16_t>(product);
    return out;
}

Result<EpervierSignature> epervier_from_arguments(const EpervierArguments& arguments) {
    const auto read = [](const std::array<Word256, 32>& words) {
        Poly<P> a;
        for (std::size_t i = 0; i < P::n; ++i) {
            const std::size_t at = word_offset(i);
            a[i] = static_cast<std::uint16_t>(words[at / 32][at % 32] << 8 | words[at / 32][at % 32 + 1]);
        }
        return small_from_residues<P>(a);
    };
    const auto s1 = read(arguments.s1);
    if (!s1) return Error{"s1: " + s1.error().message};
    const auto s2 = read(arguments.s2);
    if (!s2) return Error{"s2: " + s2.error().message};
    const EpervierSignature out{arguments.salt, *s1, *s2};
    const auto expected = epervier_arguments(out);
    if (!expected) return expected.error();
    if (arguments.hint != expected->hint) return Error{fmt::format("hint is {}, expected {}", arguments.hint, expected->hint)};
    return out;
}

Result<Bytes> encode_epervier(const EpervierSignature& signature) {
    const auto inverse = inverse_of_s2(signature.s2);
    if (!inverse) return inverse.error();
    std::array<std::int16_t, 2 * P::n> both;
    std::copy(signature.s1.begin(), signature.s1.end(), both.begin());
    std::copy(signature.s2.begin(), signature.s2.end(), both.begin() + P::n);
    auto body = compress(both);
    if (!body) return body.error();
    constexpr std::size_t length = 2 * P::padded_signature_bytes - 41;
    if (body->size() > length) return Error{fmt::format("s1 and s2 take {} bytes, the form has {}", body->size(), length)};
    body->resize(length);
    Bytes out(1 + kSaltBytes);
    out[0] = 0x30 + P::logn;
    std::copy(signature.salt.begin(), signature.salt.end(), out.begin() + 1);
    out.insert(out.end(), body->begin(), body->end());
    for (const auto x : *inverse) {
        out.push_back(0);
        out.push_back(static_cast<std::uint8_t>(x >> 8));
        out.push_back(static_cast<std::uint8_t>(x));
    }
    return out;
}

Result<EpervierSignature> decode_epervier(ByteView bytes) {
    if (bytes.size() != kEpervierBytes) return Error{fmt::format("signature: {} bytes, expected {}", bytes.size(), kEpervierBytes)};
    if (bytes[0] != 0x30 + P::logn)
        return Error{fmt::format("signature: header byte 0x{:02x}, expected 0x{:02x}", bytes[0], 0x30 + P::logn)};
    EpervierSignature out;
    std::copy_n(bytes.begin() + 1, kSaltBytes, out.salt.begin());
    constexpr std::size_t length = 2 * P::padded_signature_bytes - 41;
    std::array<std::int16_t, 2 * P::n> both;
    if (auto status = decompress(both, bytes.subspan(1 + kSaltBytes, length), true); !status)
        return Error{"signature: " + status.error().message};
    std::copy_n(both.begin(), P::n, out.s1.begin());
    std::copy_n(both.begin() + P::n, P::n, out.s2.begin());
    const auto inverse = inverse_of_s2(out.s2);
    if (!inverse) return Error{"signature: " + inverse.error().message};
    const ByteView tail = bytes.subspan(1 + kSaltBytes + length);
    for (std::size_t i = 0; i < P::n; ++i) {
        const std::uint32_t x =
            static_cast<std::uint32_t>(tail[3 * i]) << 16 | static_cast<std::uint32_t>(tail[3 * i + 1]) << 8 | tail[3 * i + 2];
        if (x != (*inverse)[i]) return Error{fmt::format("signature: inverse {} is {}, expected {}", i, x, (*inverse)[i])};
    }
    return out;
}

Address recover_address(const PublicKey<P>& key) {
    return low_160_bits(hash::keccak256(ByteView(encode_public_key<P>(PublicKeyCodec::compact, key))));
}

Poly<P> recover_point(const PublicKey<P>& key, const Salt& salt, ByteView message) {
    hash::Keccak256CtrXof xof;
    xof.absorb(kRecoverTag);
    xof.absorb(salt);
    xof.absorb(hash::keccak256(ByteView(encode_public_key<P>(PublicKeyCodec::compact, key))));
    xof.absorb(message);
    return point_from_stream<P>(xof);
}

EpervierSignature sign_epervier(const ExpandedPrivateKey<P>& key, ByteView message, HashToPoint policy) {
    for (;;) {
        const auto signature = sign<P>(key, message, policy);
        const auto whole = epervier_from_falcon(key.public_key(), message, signature, policy);
        if (whole && encode_epervier(*whole)) return *whole;
    }
}

EpervierSignature sign_epervier_deterministic(const ExpandedPrivateKey<P>& key, ByteView message, HashToPoint policy) {
    for (unsigned attempt = 0;; ++attempt) {
        SigningRandomness r = derived_randomness(fmt::format("epervier/{}/{}", name(policy), attempt), key.impl().encoded, message);
        WipeGuard wipe(r);
        const auto signature = sign_point<P>(key, r.salt, hash_to_point<P>(policy, r.salt, message), r.seed, true);
        const auto whole = epervier_from_falcon(key.public_key(), message, signature, policy);
        if (whole && encode_epervier(*whole)) return *whole;
    }
}

RecoverableSignature sign_recoverable(const ExpandedPrivateKey<P>& key, ByteView message) {
    SigningRandomness r = fresh_randomness();
    WipeGuard wipe(r);
    return {sign_point<P>(key, r.salt, recover_point(key.public_key(), r.salt, message), r.seed, true), key.public_key()};
}

RecoverableSignature sign_recoverable_deterministic(const ExpandedPrivateKey<P>& key, ByteView message) {
    SigningRandomness r = derived_randomness("falcon-recover-512", key.impl().encoded, message);
    WipeGuard wipe(r);
    return {sign_point<P>(key, r.salt, recover_point(key.public_key(), r.salt, message), r.seed, true), key.public_key()};
}

Result<Address> recover(ByteView message, const RecoverableSignature& signature) {
    const auto c = recover_point(signature.key, signature.signature.salt, message);
    if (auto status = verify_point<P>(ExpandedPublicKey<P>(signature.key), c, signature.signature.s2); !status) return status.error();
    return recover_address(signature.key);
}

Result<Bytes> encode_recoverable(const RecoverableSignature& signature) {
    auto out = encode_signature<P>(SignatureCodec::native, signature.signature);
    if (!out) return out.error();
    const Bytes key = encode_public_key<P>(PublicKeyCodec::compact, signature.key);
    out->insert(out->end(), key.begin(), key.end());
    return out;
}

Result<RecoverableSignature> decode_recoverable(ByteView bytes) {
    if (bytes.size() != kRecoverableBytes) return Error{fmt::format("signature: {} bytes, expected {}", bytes.size(), kRecoverableBytes)};
    auto signature = decode_signature<P>(SignatureCodec::native, bytes.first(kSaltBytes + 1024));
    if (!signature) return signature.error();
    auto key = decode_public_key<P>(PublicKeyCodec::compact, bytes.subspan(kSaltBytes + 1024));
    if (!key) return Error{"signature: " + key.error().message};
    return RecoverableSignature{*signature, *key};
}

}  // namespace postern::falcon
