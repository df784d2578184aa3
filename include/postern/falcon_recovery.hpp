#pragma once

// Falcon-512 signatures that carry what is needed to recover the signer's address: EPERVIER (both hash-to-point forms)
// and falcon-recover-512. docs/falcon-variants.md gives every layout to the byte.

#include <array>
#include <cstdint>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <postern/falcon.hpp>

namespace postern::falcon {

/// Low 160 bits of a keccak256 digest.
using Address = std::array<std::uint8_t, 20>;
using Word256 = std::array<std::uint8_t, 32>;

// ---------------------------------------------------------------------------------------------- EPERVIER

/// The whole short vector. `policy` is shake256 for epervier-512 and keccak_prng for ethepervier-512.
struct EpervierSignature {
    Salt salt{};
    SmallPoly<Falcon512> s1{};
    SmallPoly<Falcon512> s2{};
    friend bool operator==(const EpervierSignature&, const EpervierSignature&) = default;
};

/// The contract's arguments cs1, cs2 (32 words of residues each, the words of the `ethfalcon` codec) and hint, the inverse
/// of the product of all entries of NTT(s2).
struct EpervierArguments {
    Salt salt{};
    std::array<Word256, 32> s1{};
    std::array<Word256, 32> s2{};
    std::uint16_t hint = 0;
};

/// keccak256 over NTT(h), every slot as a 32-byte big-endian word.
Address epervier_address(const PublicKey<Falcon512>& key);
/// The key that makes the signature valid. Refuses a norm over the bound and an s2 that is not invertible.
Result<PublicKey<Falcon512>> epervier_recover(ByteView message, const EpervierSignature& signature, HashToPoint policy);
/// From a Falcon signature under a known key; fails if s2 has no inverse, which an honest signer answers with a new salt.
Result<EpervierSignature> epervier_from_falcon(const PublicKey<Falcon512>& key, ByteView message, const Signature<Falcon512>& signature,
                                               HashToPoint policy);

Result<EpervierArguments> epervier_arguments(const EpervierSignature& signature);
/// Refuses residues that are not canonical or not small, and a hint that is wrong or not below q.
Result<EpervierSignature> epervier_from_arguments(const EpervierArguments& arguments);

/// Bytes of the off-chain form: 0x39 || salt || compressed s1, s2 (one string, zero padded to 1291) || the 512 entries of
/// NTT(s2)^-1 in 3 bytes each.
inline constexpr std::size_t kEpervierBytes = 1 + kSaltBytes + (2 * 666 - 41) + 3 * 512;
Result<Bytes> encode_epervier(const EpervierSignature& signature);
Result<EpervierSignature> decode_epervier(ByteView bytes);

/// Signs with fresh randomness until s2 is invertible and both encodings hold the result.
EpervierSignature sign_epervier(const ExpandedPrivateKey<Falcon512>& key, ByteView message, HashToPoint policy);
/// The same with randomness derived from key and message, as sign_deterministic() does.
EpervierSignature sign_epervier_deterministic(const ExpandedPrivateKey<Falcon512>& key, ByteView message, HashToPoint policy);

// ---------------------------------------------------------------------------------------------- falcon-recover-512

/// Salt, s2 and the key; the point is keccak_ctr over tag || salt || keccak256(compact key) || message, so a signature
/// belongs to one key.
struct RecoverableSignature {
    Signature<Falcon512> signature;
    PublicKey<Falcon512> key;
};
/// "POSTERN-FALCON-RECOVER-1": no other scheme over salt || message can be made to sign for this one.
inline constexpr std::array<std::uint8_t, 24> kRecoverTag = {'P', 'O', 'S', 'T', 'E', 'R', 'N', '-', 'F', 'A', 'L', 'C',
                                                             'O', 'N', '-', 'R', 'E', 'C', 'O', 'V', 'E', 'R', '-', '1'};
/// salt (40) || s2 as 512 two's complement 16-bit big-endian numbers || compact key (1024).
inline constexpr std::size_t kRecoverableBytes = kSaltBytes + 1024 + 1024;

/// Low 160 bits of keccak256 of the compact key.
Address recover_address(const PublicKey<Falcon512>& key);
Poly<Falcon512> recover_point(const PublicKey<Falcon512>& key, const Salt& salt, ByteView message);
/// With fresh randomness, or derived from key and message as sign_deterministic() does.
RecoverableSignature sign_recoverable(const ExpandedPrivateKey<Falcon512>& key, ByteView message);
RecoverableSignature sign_recoverable_deterministic(const ExpandedPrivateKey<Falcon512>& key, ByteView message);
/// The signer's address, or why there is none.
Result<Address> recover(ByteView message, const RecoverableSignature& signature);

Result<Bytes> encode_recoverable(const RecoverableSignature& signature);
Result<RecoverableSignature> decode_recoverable(ByteView bytes);

}  // namespace postern::falcon
