#include <fmt/format.h>

#include <algorithm>
#include <postern/falcon_codec.hpp>

#include "falcon/bits.hpp"
#include "falcon/compact_key.hpp"
#include "falcon/words.hpp"

namespace postern::falcon {

namespace {

constexpr SignatureCodec kSignatureCodecs[] = {SignatureCodec::nist,    SignatureCodec::padded,    SignatureCodec::ct,
                                               SignatureCodec::eip8052, SignatureCodec::ethfalcon, SignatureCodec::native};
constexpr PublicKeyCodec kPublicKeyCodecs[] = {PublicKeyCodec::nist,  PublicKeyCodec::raw,       PublicKeyCodec::eip8052,
                                               PublicKeyCodec::words, PublicKeyCodec::ethfalcon, PublicKeyCodec::compact};

Error wrong_length(std::string_view what, std::size_t found, std::size_t expected) {
    return Error{fmt::format("{}: {} bytes, expected {}", what, found, expected)};
}
Error wrong_header(std::string_view what, unsigned found, unsigned expected) {
    return Error{fmt::format("{}: header byte 0x{:02x}, expected 0x{:02x}", what, found, expected)};
}

template <class P>
Bytes pack14(const Poly<P>& a) {
    Bytes out;
    out.reserve(P::n * 14 / 8);
    BitWriter writer(out);
    for (const auto x : a) writer.put(x, 14);
    return out;
}
template <class P>
Poly<P> unpack14(ByteView bytes) {
    Poly<P> a;
    BitReader reader(bytes);
    for (auto& x : a) x = static_cast<std::uint16_t>(reader.get(14));
    return a;
}

Salt read_salt(ByteView bytes) {
    Salt salt;
    std::copy_n(bytes.begin(), kSaltBytes, salt.begin());
    return salt;
}
Bytes start(std::optional<unsigned> header, const Salt& salt) {
    const std::size_t head = header ? 1 : 0;
    Bytes out(head + kSaltBytes);
    if (header) out[0] = static_cast<std::uint8_t>(*header);
    std::copy(salt.begin(), salt.end(), out.begin() + static_cast<std::ptrdiff_t>(head));
    return out;
}

template <class P>
struct Layout {
    std::optional<unsigned> header;
    std::optional<std::size_t> length;
};
template <class P>
Layout<P> layout(SignatureCodec codec) {
    switch (codec) {
        case SignatureCodec::nist:
            return {0x30 + P::logn, std::nullopt};
        case SignatureCodec::padded:
            return {0x30 + P::logn, P::padded_signature_bytes};
        case SignatureCodec::ct:
            return {0x50 + P::logn, P::ct_signature_bytes};
        case SignatureCodec::eip8052:
            return {std::nullopt, P::padded_signature_bytes};
        case SignatureCodec::ethfalcon:
        case SignatureCodec::native:
            return {std::nullopt, kSaltBytes + 2 * P::n};
    }
    throw std::invalid_argument("unknown signature codec");
}

template <class P>
Result<SmallPoly<P>> read_s2(SignatureCodec codec, ByteView body) {
    SmallPoly<P> s2;
    switch (codec) {
        case SignatureCodec::nist:
        case SignatureCodec::padded:
        case SignatureCodec::eip8052: {
            if (auto status = decompress(s2, body, codec != SignatureCodec::nist); !status) return status.error();
            return s2;
        }
        case SignatureCodec::ct: {
            BitReader reader(body);
            for (std::size_t i = 0; i < P::n; ++i) {
                const std::uint32_t w = reader.get(12);
                if (w == 0x800) return Error{fmt::format("coefficient {} is -2048, which has no other encoding", i)};
                s2[i] = static_cast<std::int16_t>(static_cast<int>(w) - ((w & 0x800) != 0 ? 0x1000 : 0));
            }
            return s2;
        }
        case SignatureCodec::ethfalcon:
            return small_from_residues<P>(words_to_coefficients<P>(body));
        case SignatureCodec::native: {
            for (std::size_t i = 0; i < P::n; ++i) {
                s2[i] = static_cast<std::int16_t>(body[2 * i] << 8 | body[2 * i + 1]);
                if (s2[i] < -2047 || s2[i] > 2047)
                    return Error{fmt::format("coefficient {} is {}, expected at most 2047 in magnitude", i, s2[i])};
            }
            return s2;
        }
    }
    throw std::invalid_argument("unknown signature codec");
}

}  // namespace

std::string_view name(SignatureCodec codec) {
    switch (codec) {
        case SignatureCodec::nist:
            return "nist";
        case SignatureCodec::padded:
            return "padded";
        case SignatureCodec::ct:
            return "ct";
        case SignatureCodec::eip8052:
            return "eip8052";
        case SignatureCodec::ethfalcon:
            return "ethfalcon";
        case SignatureCodec::native:
            return "native";
    }
    throw std::invalid_argument("unknown signature codec");
}
std::string_view name(PublicKeyCodec codec) {
    switch (codec) {
        case PublicKeyCodec::nist:
            return "nist";
        case PublicKeyCodec::raw:
            return "raw";
        case PublicKeyCodec::eip8052:
            return "eip8052";
        case PublicKeyCodec::words:
            return "words";
        case PublicKeyCodec::ethfalcon:
            return "ethfalcon";
        case PublicKeyCodec::compact:
            return "compact";
    }
    throw std::invalid_argument("unknown public key codec");
}
std::span<const SignatureCodec> signature_codecs() { return kSignatureCodecs; }
std::span<const PublicKeyCodec> public_key_codecs() { return kPublicKeyCodecs; }
std::optional<SignatureCodec> signature_codec(std::string_view text) {
    if (text == "tip899") return SignatureCodec::eip8052;  // the same bytes under TRON's name
    for (const auto codec : kSignatureCodecs)
        if (name(codec) == text) return codec;
    return std::nullopt;
}
std::optional<PublicKeyCodec> public_key_codec(std::string_view text) {
    for (const auto codec : kPublicKeyCodecs)
        if (name(codec) == text) return codec;
    return std::nullopt;
}

template <class P>
Result<Bytes> encode_signature(SignatureCodec codec, const Signature<P>& signature) {
    for (std::size_t i = 0; i < P::n; ++i)
        if (signature.s2[i] < -2047 || signature.s2[i] > 2047)
            return Error{fmt::format("s2[{}] is {}: no encoding holds it", i, signature.s2[i])};
    const auto shape = layout<P>(codec);
    Bytes out = start(shape.header, signature.salt);
    switch (codec) {
        case SignatureCodec::nist:
        case SignatureCodec::padded:
        case SignatureCodec::eip8052: {
            auto body = compress(signature.s2);
            if (!body) return body.error();
            out.insert(out.end(), body->begin(), body->end());
            if (shape.length && out.size() > *shape.length)
                return Error{fmt::format("the signature takes {} bytes, the {} form has {}", out.size(), name(codec), *shape.length)};
            if (shape.length) out.resize(*shape.length);
            break;
        }
        case SignatureCodec::ct: {
            BitWriter writer(out);
            for (const auto s : signature.s2) writer.put(static_cast<std::uint32_t>(s) & 0xfff, 12);
            break;
        }
        case SignatureCodec::ethfalcon: {
            Poly<P> residues;
            for (std::size_t i = 0; i < P::n; ++i)
                residues[i] = static_cast<std::uint16_t>(signature.s2[i] < 0 ? signature.s2[i] + static_cast<int>(q) : signature.s2[i]);
            append_words<P>(out, residues);
            break;
        }
        case SignatureCodec::native:
            for (const auto s : signature.s2) {
                out.push_back(static_cast<std::uint8_t>(static_cast<std::uint16_t>(s) >> 8));
                out.push_back(static_cast<std::uint8_t>(s));
            }
            break;
    }
    return out;
}

template <class P>
Result<Signature<P>> decode_signature(SignatureCodec codec, ByteView bytes) {
    const auto shape = layout<P>(codec);
    const std::size_t head = shape.header ? 1 : 0;
    if (shape.length && bytes.size() != *shape.length) return wrong_length("signature", bytes.size(), *shape.length);
    if (bytes.size() < head + kSaltBytes) return Error{fmt::format("signature: {} bytes, too short for the salt", bytes.size())};
    if (shape.header && bytes[0] != *shape.header) return wrong_header("signature", bytes[0], *shape.header);
    auto s2 = read_s2<P>(codec, bytes.subspan(head + kSaltBytes));
    if (!s2) return Error{"signature: " + s2.error().message};
    return Signature<P>{read_salt(bytes.subspan(head)), *s2};
}

template <class P>
Bytes encode_public_key(PublicKeyCodec codec, const PublicKey<P>& key) {
    Bytes out;
    switch (codec) {
        case PublicKeyCodec::nist:
            out = pack14<P>(key.h());
            out.insert(out.begin(), static_cast<std::uint8_t>(P::logn));
            return out;
        case PublicKeyCodec::raw:
            return pack14<P>(key.h());
        case PublicKeyCodec::eip8052:
            return pack14<P>(key.h_ntt());
        case PublicKeyCodec::words:
            append_words<P>(out, key.h());
            return out;
        case PublicKeyCodec::ethfalcon:
            append_words<P>(out, key.h_ntt());
            return out;
        case PublicKeyCodec::compact:
            return encode_compact_key<P>(key);
    }
    throw std::invalid_argument("unknown public key codec");
}

template <class P>
Result<PublicKey<P>> decode_public_key(PublicKeyCodec codec, ByteView bytes) {
    std::size_t expected = 2 * P::n;
    if (codec == PublicKeyCodec::nist) expected = P::public_key_bytes;
    if (codec == PublicKeyCodec::raw || codec == PublicKeyCodec::eip8052) expected = P::public_key_bytes - 1;
    if (bytes.size() != expected) return wrong_length("public key", bytes.size(), expected);
    switch (codec) {
        case PublicKeyCodec::nist:
            if (bytes[0] != P::logn) return wrong_header("public key", bytes[0], P::logn);
            return PublicKey<P>::from_coefficients(unpack14<P>(bytes.subspan(1)));
        case PublicKeyCodec::raw:
            return PublicKey<P>::from_coefficients(unpack14<P>(bytes));
        case PublicKeyCodec::eip8052:
            return PublicKey<P>::from_ntt(unpack14<P>(bytes));
        case PublicKeyCodec::words:
            return PublicKey<P>::from_coefficients(words_to_coefficients<P>(bytes));
        case PublicKeyCodec::ethfalcon:
            return PublicKey<P>::from_ntt(words_to_coefficients<P>(bytes));
        case PublicKeyCodec::compact:
            return decode_compact_key<P>(bytes);
    }
    throw std::invalid_argument("unknown public key codec");
}

template <class P>
Result<Bytes> encode_sm(SmForm form, const Signature<P>& signature, ByteView message) {
    if (form == SmForm::padded) {
        auto out = encode_signature<P>(SignatureCodec::padded, signature);
        if (out) out->insert(out->end(), message.begin(), message.end());
        return out;
    }
    auto esig = encode_signature<P>(form == SmForm::compressed ? SignatureCodec::nist : SignatureCodec::padded, signature);
    if (!esig) return esig.error();
    esig->erase(esig->begin(), esig->begin() + kSaltBytes);
    esig->front() = static_cast<std::uint8_t>(0x20 + P::logn);
    const std::size_t length = esig->size() + (form == SmForm::eip8052 ? kSaltBytes + message.size() : 0);
    if (length > 0xffff) return Error{fmt::format("a length of {} does not fit the two bytes of the form", length)};
    Bytes out = {static_cast<std::uint8_t>(length >> 8), static_cast<std::uint8_t>(length)};
    out.insert(out.end(), signature.salt.begin(), signature.salt.end());
    out.insert(out.end(), message.begin(), message.end());
    out.insert(out.end(), esig->begin(), esig->end());
    return out;
}

template <class P>
Result<SignedMessage<P>> decode_sm(SmForm form, ByteView sm) {
    SignedMessage<P> out;
    if (form == SmForm::padded) {
        if (sm.size() < P::padded_signature_bytes) return Error{fmt::format("signed message: {} bytes, too short", sm.size())};
        auto signature = decode_signature<P>(SignatureCodec::padded, sm.first(P::padded_signature_bytes));
        if (!signature) return signature.error();
        out.signature = *signature;
        out.message.assign(sm.begin() + P::padded_signature_bytes, sm.end());
        return out;
    }
    constexpr std::size_t fixed = P::padded_signature_bytes - kSaltBytes;
    if (sm.size() < 2 + kSaltBytes + (form == SmForm::eip8052 ? fixed : 1))
        return Error{fmt::format("signed message: {} bytes, too short", sm.size())};
    const std::size_t stated = static_cast<std::size_t>(sm[0]) << 8 | sm[1];
    if (form == SmForm::eip8052 && stated != sm.size() - 2)
        return Error{fmt::format("signed message: length field {}, expected {}", stated, sm.size() - 2)};
    const std::size_t length = form == SmForm::eip8052 ? fixed : stated;
    if (length < 1 || length > sm.size() - 2 - kSaltBytes)
        return Error{fmt::format("signed message: signature length {} out of range", length)};
    const ByteView esig = sm.last(length);
    if (esig[0] != 0x20 + P::logn) return wrong_header("signed message", esig[0], 0x20 + P::logn);
    if (auto status = decompress(out.signature.s2, esig.subspan(1), form == SmForm::eip8052); !status)
        return Error{"signed message: " + status.error().message};
    out.signature.salt = read_salt(sm.subspan(2));
    const ByteView message = sm.subspan(2 + kSaltBytes, sm.size() - 2 - kSaltBytes - length);
    out.message.assign(message.begin(), message.end());
    return out;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a template argument takes none.
#define POSTERN_INSTANTIATE(P)                                                       \
    template Result<Bytes> encode_signature<P>(SignatureCodec, const Signature<P>&); \
    template Result<Signature<P>> decode_signature<P>(SignatureCodec, ByteView);     \
    template Bytes encode_public_key<P>(PublicKeyCodec, const PublicKey<P>&);        \
    template Result<PublicKey<P>> decode_public_key<P>(PublicKeyCodec, ByteView);    \
    template Result<Bytes> encode_sm<P>(SmForm, const Signature<P>&, ByteView);      \
    template Result<SignedMessage<P>> decode_sm<P>(SmForm, ByteView);
POSTERN_INSTANTIATE(Falcon512)
POSTERN_INSTANTIATE(Falcon1024)
#undef POSTERN_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace postern::falcon
