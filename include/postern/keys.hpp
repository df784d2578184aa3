#pragma once

// Key files. The three schemes of FIPS 204 use RFC 9881: SubjectPublicKeyInfo, PKCS#8 with the private key as seed,
// expandedKey or both. The other ML-DSA instances have no object identifier; their files are PEM with the label
// "POSTERN <SCHEME> PRIVATE KEY" or "... PUBLIC KEY" around the plain encoding (seed, expanded key, or seed followed by
// expanded key; the length tells). Encrypted files: RFC 5958 EncryptedPrivateKeyInfo, PBES2 with scrypt and AES-256-CBC;
// for the other instances the label is "POSTERN <SCHEME> ENCRYPTED PRIVATE KEY".
//
// Decoding is strict DER: one length form, no trailing bytes, absent algorithm parameters, no optional fields.

#include <cstdint>
#include <optional>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <postern/mldsa.hpp>
#include <string>
#include <string_view>

namespace postern::keys {

// --- PEM (RFC 7468), for every scheme ------------------------------------------------------------------------------

struct PemBlock {
    std::string label;
    Bytes bytes;
};
/// Lines of 64 characters between the two label lines.
std::string encode_pem(std::string_view label, ByteView bytes);
/// Strict: exactly one block, canonical base64, nothing but white space around it.
Result<PemBlock> decode_pem(std::string_view text);
/// "POSTERN FALCON-512 PRIVATE KEY" for ("falcon-512", "PRIVATE KEY").
std::string postern_label(std::string_view scheme, std::string_view kind);

// --- Encryption of any private key bytes ----------------------------------------------------------------------------

/// EncryptedPrivateKeyInfo in DER around `plaintext`; scrypt with N = 2^14, r = 8, p = 1, fresh salt and IV.
Bytes encrypt(ByteView plaintext, std::string_view passphrase);
/// Accepts PBES2 with scrypt or PBKDF2 (bounded cost). The reason does not say more than "wrong passphrase or damaged".
Result<Bytes> decrypt(ByteView der, std::string_view passphrase);

// --- ML-DSA -----------------------------------------------------------------------------------------------------

enum class PrivateForm : std::uint8_t { seed, expanded, both };

/// SubjectPublicKeyInfo. Throws std::invalid_argument for a scheme without object identifier.
Bytes encode_spki(const mldsa::PublicKey& key);
/// The scheme is the one named in the file.
Result<mldsa::PublicKey> decode_spki(ByteView der);

/// PKCS#8 PrivateKeyInfo (OneAsymmetricKey version 0). Throws std::invalid_argument for a scheme without object
/// identifier, or if the form needs a seed and the key has none.
Bytes encode_pkcs8(const mldsa::PrivateKey& key, PrivateForm form = PrivateForm::seed);
/// Reads all three forms. Refuses, saying why: a seed that does not give the expanded key, a tr or t0 that does not
/// belong to the rest, coefficients out of range.
Result<mldsa::PrivateKey> decode_pkcs8(ByteView der);

/// The plain encoding that POSTERN labels carry, for any instance.
Bytes encode_plain(const mldsa::PrivateKey& key, PrivateForm form);
/// Seed, expanded key or both, told apart by length; with the same checks as decode_pkcs8.
Result<mldsa::PrivateKey> decode_plain(const mldsa::Scheme& scheme, ByteView bytes);

/// PEM text of a key of any instance, with the label that belongs to it.
std::string encode_public_pem(const mldsa::PublicKey& key);
std::string encode_private_pem(const mldsa::PrivateKey& key, PrivateForm form = PrivateForm::seed,
                               std::optional<std::string_view> passphrase = std::nullopt);
Result<mldsa::PublicKey> decode_public_pem(std::string_view text);
/// An encrypted file without a passphrase is an error that says so.
Result<mldsa::PrivateKey> decode_private_pem(std::string_view text, std::optional<std::string_view> passphrase = std::nullopt);
/// Does this label announce an encrypted private key (so that a passphrase must be asked for)?
bool is_encrypted_label(std::string_view label) noexcept;

}  // namespace postern::keys
