#pragma once

// Every Falcon scheme by its name, on bytes: what command lines and bindings need. The typed interfaces are in
// <postern/falcon.hpp> and <postern/falcon_recovery.hpp>.

#include <array>
#include <cstdint>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <postern/falcon.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postern::falcon {

/// Keys are in the standard encodings (`nist` codec, PrivateKey::encode) for every scheme; sizes in bytes.
struct Scheme {
    enum class Kind : std::uint8_t { plain, epervier, recoverable };
    std::string_view name;
    unsigned logn;
    HashToPoint policy;
    Kind kind;
    std::string_view codec;  ///< of signatures, where nothing else is asked for
    std::size_t public_key_bytes;
    std::size_t private_key_bytes;
    std::size_t signature_bytes;  ///< in that codec
    unsigned category;            ///< NIST security category
    bool standard() const { return name == "falcon-512" || name == "falcon-1024"; }
};
std::span<const Scheme> schemes();
/// Null if there is none of that name.
const Scheme* find_scheme(std::string_view name);

struct EncodedKeyPair {
    Bytes private_key;
    Bytes public_key;
};
/// From 48 bytes of seed, or from the operating system if `seed` is empty. Throws std::invalid_argument for other lengths.
EncodedKeyPair generate(const Scheme& scheme, ByteView seed = {});
Result<Bytes> public_key_of(const Scheme& scheme, ByteView private_key);

/// Names of the signature codecs of a scheme: those of falcon_codec.hpp for plain schemes; `epervier` (byte form) and `arguments`
/// (salt || 32 words s1 || 32 words s2 || hint as a word) for EPERVIER; `recoverable` for falcon-recover-512.
std::vector<std::string_view> codecs(const Scheme& scheme);
/// Those under which these bytes are a signature, strictly decoded; the scheme's own first. There may be more than one: without its
/// header, one in some hundred padded signatures is well formed as `eip8052` too.
std::vector<std::string_view> fitting_codecs(const Scheme& scheme, ByteView signature);
/// Throws std::invalid_argument for a codec the scheme does not have.
Result<Bytes> convert_signature(const Scheme& scheme, std::string_view from, std::string_view to, ByteView signature);
/// Names of the forms in which test files keep signature and message together (SmForm): `sm`, `sm-padded`, `sm-eip8052`.
std::span<const std::string_view> signed_message_forms();
struct OpenedMessage {
    Bytes signature;  ///< in the `nist` codec
    Bytes message;
};
/// Plain schemes only. Throw std::invalid_argument for another scheme, form or codec.
Result<OpenedMessage> open_signed_message(const Scheme& scheme, std::string_view form, ByteView sm);
Result<Bytes> make_signed_message(const Scheme& scheme, std::string_view form, std::string_view codec, ByteView signature,
                                  ByteView message);
/// Between the public key codecs of falcon_codec.hpp.
Result<Bytes> convert_public_key(const Scheme& scheme, std::string_view from, std::string_view to, ByteView key);

/// The error is a key that does not decode.
Result<Bytes> sign(const Scheme& scheme, ByteView private_key, ByteView message, std::string_view codec, bool deterministic = false);

/// What a signature is worth.
struct Verdict {
    bool valid = false;
    std::string reason;  ///< of the refusal
};
/// The error is a key or a signature that does not decode. For recovery schemes: whether the signer's address is the key's.
Result<Verdict> verify(const Scheme& scheme, ByteView public_key, ByteView message, ByteView signature, std::string_view codec);
/// Recovery schemes only: the address, or why there is none. Throws std::invalid_argument for others.
Result<std::array<std::uint8_t, 20>> recover(const Scheme& scheme, ByteView message, ByteView signature, std::string_view codec);
/// The address of a key under a recovery scheme.
Result<std::array<std::uint8_t, 20>> address_of(const Scheme& scheme, ByteView public_key);

/// For display: squared norm of s2 alone and the bound of (s1, s2).
struct SignatureFacts {
    Salt salt{};
    std::uint64_t s2_norm = 0;
    int largest = 0;  ///< magnitude in s2
    std::uint32_t bound = 0;
};
Result<SignatureFacts> inspect_signature(const Scheme& scheme, std::string_view codec, ByteView signature);

}  // namespace postern::falcon
