#include <fmt/format.h>

#include <algorithm>
#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>
#include <postern/falcon_scheme.hpp>
#include <stdexcept>

#include "core/secure.hpp"

namespace postern::falcon {

namespace {

using Kind = Scheme::Kind;

constexpr Scheme kSchemes[] = {
    {"falcon-512", 9, HashToPoint::shake256, Kind::plain, "padded", 897, 1281, 666, 1},
    {"falcon-1024", 10, HashToPoint::shake256, Kind::plain, "padded", 1793, 2305, 1280, 5},
    {"ethfalcon-512", 9, HashToPoint::keccak_prng, Kind::plain, "ethfalcon", 897, 1281, 1064, 1},
    {"ethfalcon-1024", 10, HashToPoint::keccak_prng, Kind::plain, "ethfalcon", 1793, 2305, 2088, 5},
    {"epervier-512", 9, HashToPoint::shake256, Kind::epervier, "epervier", 897, 1281, kEpervierBytes, 1},
    {"ethepervier-512", 9, HashToPoint::keccak_prng, Kind::epervier, "epervier", 897, 1281, kEpervierBytes, 1},
    {"falcon-recover-512", 9, HashToPoint::keccak_ctr, Kind::recoverable, "recoverable", 897, 1281, kRecoverableBytes, 1},
};

/// Runs the body for the scheme's degree.
template <class Body>
auto with_degree(const Scheme& scheme, const Body& body) {
    return scheme.logn == 9 ? body.template operator()<Falcon512>() : body.template operator()<Falcon1024>();
}

SignatureCodec plain_codec(std::string_view name) {
    const auto codec = signature_codec(name);
    if (!codec) throw std::invalid_argument(fmt::format("unknown signature codec '{}'", name));
    return *codec;
}

void require_codec(const Scheme& scheme, std::string_view codec) {
    const auto known = codecs(scheme);
    if (std::find(known.begin(), known.end(), codec) == known.end() && !(scheme.kind == Kind::plain && codec == "tip899"))
        throw std::invalid_argument(fmt::format("{} has no signature codec '{}'", scheme.name, codec));
}

constexpr std::size_t kArgumentBytes = kSaltBytes + 1024 + 1024 + 32;

Result<Bytes> encode_arguments(const EpervierSignature& signature) {
    const auto arguments = epervier_arguments(signature);
    if (!arguments) return arguments.error();
    Bytes out(arguments->salt.begin(), arguments->salt.end());
    for (const auto* words : {&arguments->s1, &arguments->s2})
        for (const auto& word : *words) out.insert(out.end(), word.begin(), word.end());
    out.resize(kArgumentBytes);
    out[kArgumentBytes - 2] = static_cast<std::uint8_t>(arguments->hint >> 8);
    out[kArgumentBytes - 1] = static_cast<std::uint8_t>(arguments->hint);
    return out;
}

Result<EpervierSignature> decode_arguments(ByteView bytes) {
    if (bytes.size() != kArgumentBytes) return Error{fmt::format("arguments: {} bytes, expected {}", bytes.size(), kArgumentBytes)};
    EpervierArguments arguments;
    std::copy_n(bytes.begin(), kSaltBytes, arguments.salt.begin());
    for (std::size_t i = 0; i < 32; ++i) {
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(kSaltBytes + 32 * i), 32, arguments.s1[i].begin());
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(kSaltBytes + 1024 + 32 * i), 32, arguments.s2[i].begin());
    }
    for (std::size_t i = kArgumentBytes - 32; i < kArgumentBytes - 2; ++i)
        if (bytes[i] != 0) return Error{"arguments: the hint is not below q"};
    arguments.hint = static_cast<std::uint16_t>(bytes[kArgumentBytes - 2] << 8 | bytes[kArgumentBytes - 1]);
    return epervier_from_arguments(arguments);
}

Result<EpervierSignature> decode_any_epervier(std::string_view codec, ByteView bytes) {
    return codec == "arguments" ? decode_arguments(bytes) : decode_epervier(bytes);
}

}  // namespace

std::span<const Scheme> schemes() { return kSchemes; }
const Scheme* find_scheme(std::string_view name) {
    for (const auto& scheme : kSchemes)
        if (scheme.name == name) return &scheme;
    return nullptr;
}

EncodedKeyPair generate(const Scheme& scheme, ByteView seed) {
    return with_degree(scheme, [&]<class P>() {
        if (!seed.empty() && seed.size() != PrivateKey<P>::kSeedBytes)
            throw std::invalid_argument(fmt::format("a Falcon seed has {} bytes", PrivateKey<P>::kSeedBytes));
        const auto key = seed.empty() ? PrivateKey<P>::generate() : PrivateKey<P>::from_seed(seed);
        return EncodedKeyPair{key.encode(), encode_public_key<P>(PublicKeyCodec::nist, key.public_key())};
    });
}

Result<Bytes> public_key_of(const Scheme& scheme, ByteView private_key) {
    return with_degree(scheme, [&]<class P>() -> Result<Bytes> {
        const auto key = PrivateKey<P>::decode(private_key);
        if (!key) return key.error();
        return encode_public_key<P>(PublicKeyCodec::nist, key->public_key());
    });
}

std::vector<std::string_view> codecs(const Scheme& scheme) {
    switch (scheme.kind) {
        case Kind::plain: {
            std::vector<std::string_view> out;
            for (const auto codec : signature_codecs()) out.push_back(name(codec));
            return out;
        }
        case Kind::epervier:
            return {"epervier", "arguments"};
        case Kind::recoverable:
            return {"recoverable"};
    }
    return {};
}

std::vector<std::string_view> fitting_codecs(const Scheme& scheme, ByteView signature) {
    std::vector<std::string_view> out;
    for (const auto codec : codecs(scheme))
        if (convert_signature(scheme, codec, codec, signature)) out.push_back(codec);
    // The padded form of a signature that fills it exactly is its short form as well.
    if (out.size() >= 2 && out[0] == "nist" && out[1] == "padded") out.erase(out.begin());
    std::stable_partition(out.begin(), out.end(), [&](std::string_view codec) { return codec == scheme.codec; });
    return out;
}

Result<Bytes> convert_signature(const Scheme& scheme, std::string_view from, std::string_view to, ByteView signature) {
    require_codec(scheme, from);
    require_codec(scheme, to);
    switch (scheme.kind) {
        case Kind::plain:
            return with_degree(scheme, [&]<class P>() -> Result<Bytes> {
                const auto decoded = decode_signature<P>(plain_codec(from), signature);
                if (!decoded) return decoded.error();
                return encode_signature<P>(plain_codec(to), *decoded);
            });
        case Kind::epervier: {
            const auto decoded = decode_any_epervier(from, signature);
            if (!decoded) return decoded.error();
            return to == "arguments" ? encode_arguments(*decoded) : encode_epervier(*decoded);
        }
        case Kind::recoverable: {
            const auto decoded = decode_recoverable(signature);
            if (!decoded) return decoded.error();
            return encode_recoverable(*decoded);
        }
    }
    return Error{"unknown kind of scheme"};
}

namespace {

constexpr std::string_view kSignedMessageForms[] = {"sm", "sm-padded", "sm-eip8052"};

SmForm sm_form(const Scheme& scheme, std::string_view name) {
    if (scheme.kind != Kind::plain) throw std::invalid_argument(fmt::format("{} has no signed messages", scheme.name));
    if (name == "sm") return SmForm::compressed;
    if (name == "sm-padded") return SmForm::padded;
    if (name == "sm-eip8052") return SmForm::eip8052;
    throw std::invalid_argument(fmt::format("unknown form '{}' of a signed message", name));
}

}  // namespace

std::span<const std::string_view> signed_message_forms() { return kSignedMessageForms; }

Result<OpenedMessage> open_signed_message(const Scheme& scheme, std::string_view form, ByteView sm) {
    const SmForm parsed = sm_form(scheme, form);
    return with_degree(scheme, [&]<class P>() -> Result<OpenedMessage> {
        auto opened = decode_sm<P>(parsed, sm);
        if (!opened) return opened.error();
        auto signature = encode_signature<P>(SignatureCodec::nist, opened->signature);
        if (!signature) return signature.error();
        return OpenedMessage{*std::move(signature), std::move(opened->message)};
    });
}

Result<Bytes> make_signed_message(const Scheme& scheme, std::string_view form, std::string_view codec, ByteView signature,
                                  ByteView message) {
    const SmForm parsed = sm_form(scheme, form);
    require_codec(scheme, codec);
    return with_degree(scheme, [&]<class P>() -> Result<Bytes> {
        const auto decoded = decode_signature<P>(plain_codec(codec), signature);
        if (!decoded) return decoded.error();
        return encode_sm<P>(parsed, *decoded, message);
    });
}

Result<Bytes> convert_public_key(const Scheme& scheme, std::string_view from, std::string_view to, ByteView key) {
    const auto source = public_key_codec(from);
    const auto target = public_key_codec(to);
    if (!source || !target) throw std::invalid_argument(fmt::format("unknown public key codec '{}'", source ? to : from));
    return with_degree(scheme, [&]<class P>() -> Result<Bytes> {
        const auto decoded = decode_public_key<P>(*source, key);
        if (!decoded) return decoded.error();
        return encode_public_key<P>(*target, *decoded);
    });
}

Result<Bytes> sign(const Scheme& scheme, ByteView private_key, ByteView message, std::string_view codec, bool deterministic) {
    require_codec(scheme, codec);
    if (scheme.kind == Kind::plain)
        return with_degree(scheme, [&]<class P>() -> Result<Bytes> {
            const auto key = PrivateKey<P>::decode(private_key);
            if (!key) return key.error();
            const ExpandedPrivateKey<P> expanded(*key);
            return encode_signature<P>(plain_codec(codec), deterministic ? sign_deterministic<P>(expanded, message, scheme.policy)
                                                                         : sign<P>(expanded, message, scheme.policy));
        });
    const auto key = PrivateKey<Falcon512>::decode(private_key);
    if (!key) return key.error();
    const ExpandedPrivateKey<Falcon512> expanded(*key);
    if (scheme.kind == Kind::recoverable)
        return encode_recoverable(deterministic ? sign_recoverable_deterministic(expanded, message) : sign_recoverable(expanded, message));
    const auto signature =
        deterministic ? sign_epervier_deterministic(expanded, message, scheme.policy) : sign_epervier(expanded, message, scheme.policy);
    return codec == "arguments" ? encode_arguments(signature) : encode_epervier(signature);
}

Result<Verdict> verify(const Scheme& scheme, ByteView public_key, ByteView message, ByteView signature, std::string_view codec) {
    require_codec(scheme, codec);
    if (scheme.kind == Kind::plain)
        return with_degree(scheme, [&]<class P>() -> Result<Verdict> {
            const auto key = decode_public_key<P>(PublicKeyCodec::nist, public_key);
            if (!key) return key.error();
            const auto decoded = decode_signature<P>(plain_codec(codec), signature);
            if (!decoded) return decoded.error();
            const auto status = falcon::verify<P>(*key, message, *decoded, scheme.policy);
            return status ? Verdict{true, {}} : Verdict{false, status.error().message};
        });
    const auto expected = address_of(scheme, public_key);
    if (!expected) return expected.error();
    if (const auto decoded = convert_signature(scheme, codec, codec, signature); !decoded) return decoded.error();
    const auto found = recover(scheme, message, signature, codec);
    if (!found) return Verdict{false, found.error().message};
    if (*found != *expected) return Verdict{false, "the signature belongs to another key"};
    return Verdict{true, {}};
}

Result<Address> recover(const Scheme& scheme, ByteView message, ByteView signature, std::string_view codec) {
    require_codec(scheme, codec);
    if (scheme.kind == Kind::plain) throw std::invalid_argument(fmt::format("{} has no key recovery", scheme.name));
    if (scheme.kind == Kind::recoverable) {
        const auto decoded = decode_recoverable(signature);
        if (!decoded) return decoded.error();
        return falcon::recover(message, *decoded);
    }
    const auto decoded = decode_any_epervier(codec, signature);
    if (!decoded) return decoded.error();
    const auto key = epervier_recover(message, *decoded, scheme.policy);
    if (!key) return key.error();
    return epervier_address(*key);
}

Result<Address> address_of(const Scheme& scheme, ByteView public_key) {
    if (scheme.kind == Kind::plain) throw std::invalid_argument(fmt::format("{} has no key recovery", scheme.name));
    const auto key = decode_public_key<Falcon512>(PublicKeyCodec::nist, public_key);
    if (!key) return key.error();
    return scheme.kind == Kind::recoverable ? recover_address(*key) : epervier_address(*key);
}

Result<SignatureFacts> inspect_signature(const Scheme& scheme, std::string_view codec, ByteView signature) {
    require_codec(scheme, codec);
    return with_degree(scheme, [&]<class P>() -> Result<SignatureFacts> {
        Signature<P> decoded;
        if constexpr (P::logn == 9) {
            if (scheme.kind == Kind::epervier) {
                const auto whole = decode_any_epervier(codec, signature);
                if (!whole) return whole.error();
                decoded = {whole->salt, whole->s2};
            } else if (scheme.kind == Kind::recoverable) {
                const auto whole = decode_recoverable(signature);
                if (!whole) return whole.error();
                decoded = whole->signature;
            }
        }
        if (scheme.kind == Kind::plain) {
            const auto plain = decode_signature<P>(plain_codec(codec), signature);
            if (!plain) return plain.error();
            decoded = *plain;
        }
        SignatureFacts facts;
        facts.salt = decoded.salt;
        facts.bound = P::beta2;
        for (const int x : decoded.s2) {
            facts.s2_norm += static_cast<std::uint64_t>(x * x);
            facts.largest = std::max(facts.largest, x < 0 ? -x : x);
        }
        return facts;
    });
}

}  // namespace postern::falcon
