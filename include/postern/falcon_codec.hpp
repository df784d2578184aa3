#pragma once

// Every byte form of Falcon keys and signatures in circulation, each under a name, each strict: decode(encode(x)) = x, and
// no other bytes decode to x. A decoder refuses wrong lengths and headers, "-0", unary parts over 15, padding that is not
// zero, trailing bytes, coefficients that are not canonical.

#include <cstdint>
#include <optional>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <postern/falcon.hpp>
#include <span>
#include <string_view>

namespace postern::falcon {

/// Signatures. "compressed" is the Golomb-Rice form of section 3.11.2: sign, 7 low bits, the high bits in unary.
enum class SignatureCodec : std::uint8_t {
    nist,       ///< 0x30 + logn || salt || compressed, as short as it gets
    padded,     ///< the same, zero padded to 666 / 1280 bytes
    ct,         ///< 0x50 + logn || salt || 12-bit two's complement coefficients, 809 / 1577 bytes
    eip8052,    ///< salt || compressed, without a header, zero padded to 666 / 1280 bytes (also TIP-899)
    ethfalcon,  ///< salt || residues as 256-bit words, 16 coefficients each, coefficient i at bit 16 (i mod 16); 1064 / 2088
    native      ///< salt || 16-bit two's complement, big-endian, ascending; 1064 / 2088 bytes: the contracts' form
};
/// Public keys. "NTT" is slot i = h(psi^(2 brv(i) + 1)).
enum class PublicKeyCodec : std::uint8_t {
    nist,       ///< 0x00 + logn || 14-bit coefficients, 897 / 1793 bytes
    raw,        ///< the same without the header, 896 / 1792
    eip8052,    ///< NTT, 14-bit coefficients, no header, 896 / 1792
    words,      ///< 256-bit words of 16 coefficients, coefficient i at bit 16 (i mod 16), 1024 / 2048
    ethfalcon,  ///< NTT in the same words, 1024 / 2048
    compact     ///< the scaled incomplete transform the contracts multiply with, 1024 / 2048; docs/falcon-variants.md
};

std::string_view name(SignatureCodec codec);
std::string_view name(PublicKeyCodec codec);
std::optional<SignatureCodec> signature_codec(std::string_view name);
std::optional<PublicKeyCodec> public_key_codec(std::string_view name);
std::span<const SignatureCodec> signature_codecs();
std::span<const PublicKeyCodec> public_key_codecs();

/// Fails if a coefficient is over 2047 in magnitude or the compressed form does not fit a fixed length.
template <class P>
Result<Bytes> encode_signature(SignatureCodec codec, const Signature<P>& signature);
template <class P>
Result<Signature<P>> decode_signature(SignatureCodec codec, ByteView bytes);

template <class P>
Bytes encode_public_key(PublicKeyCodec codec, const PublicKey<P>& key);
template <class P>
Result<PublicKey<P>> decode_public_key(PublicKeyCodec codec, ByteView bytes);

/// The `sm` of test files. esig = 0x20 + logn || compressed.
enum class SmForm : std::uint8_t {
    compressed,  ///< NIST round 3: length of esig (2 bytes, big-endian) || salt || message || esig
    padded,      ///< PQClean: padded signature || message
    eip8052      ///< as `compressed`, but the first two bytes are len(sm) - 2 and esig is zero padded
};
template <class P>
struct SignedMessage {
    Signature<P> signature;
    Bytes message;
};
template <class P>
Result<Bytes> encode_sm(SmForm form, const Signature<P>& signature, ByteView message);
template <class P>
Result<SignedMessage<P>> decode_sm(SmForm form, ByteView sm);

/// The Golomb-Rice string itself, for any number of coefficients: encode gives the shortest form (last byte zero padded);
/// decode takes exactly `out.size()` coefficients and, unless `padded`, no byte more.
Result<Bytes> compress(std::span<const std::int16_t> coefficients);
Status decompress(std::span<std::int16_t> out, ByteView bytes, bool padded);

}  // namespace postern::falcon
