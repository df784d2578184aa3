#pragma once

// Falcon (round-3 specification, version 1.2) for n = 512 and n = 1024 and the chain-friendly variants that differ
// from it only in how a message becomes a point of the lattice.
//
// Shapes: a polynomial is n coefficients of Z_q[x]/(x^n + 1), q = 12289, lowest degree first. "Residue" means
// [0, q). Everything here is immutable once made and may be shared between threads.
// Byte forms are in <postern/falcon_codec.hpp>.

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace postern::falcon {

/// The modulus of both parameter sets.
inline constexpr std::uint32_t q = 12289;
/// Bytes of the random salt r in front of every message.
inline constexpr std::size_t kSaltBytes = 40;
using Salt = std::array<std::uint8_t, kSaltBytes>;

/// Parameter sets (table 3.3 of the specification). Sizes in bytes, `beta2` is the largest squared norm of (s1, s2)
/// that is accepted.
struct Falcon512 {
    static constexpr unsigned logn = 9;
    static constexpr std::size_t n = 512;
    static constexpr std::uint32_t beta2 = 34034726;
    static constexpr std::size_t public_key_bytes = 897;
    static constexpr std::size_t private_key_bytes = 1281;
    static constexpr std::size_t padded_signature_bytes = 666;
    static constexpr std::size_t ct_signature_bytes = 809;
    static constexpr unsigned fg_bits = 6;
};
struct Falcon1024 {
    static constexpr unsigned logn = 10;
    static constexpr std::size_t n = 1024;
    static constexpr std::uint32_t beta2 = 70265242;
    static constexpr std::size_t public_key_bytes = 1793;
    static constexpr std::size_t private_key_bytes = 2305;
    static constexpr std::size_t padded_signature_bytes = 1280;
    static constexpr std::size_t ct_signature_bytes = 1577;
    static constexpr unsigned fg_bits = 5;
};

/// How salt and message become the point c. In each case the stream is read as big-endian 16-bit words, words from
/// 61445 = 5q on are skipped, the rest is reduced modulo q. docs/falcon-variants.md defines every one.
enum class HashToPoint : std::uint8_t {
    shake256,     ///< standard: SHAKE256(salt || message)
    keccak_prng,  ///< ETHFALCON: keccak256 counter stream, 8-byte counter, over salt || message
    keccak_ctr,   ///< keccak256 counter stream, 32-byte counter, over salt || message
    eip8052,      ///< as keccak_prng but over message || salt: the point of the draft's test files, verification only
    blake2s_prng  ///< BLAKE2s counter stream of the ETHFALCON tests, verification only
};
std::string_view name(HashToPoint policy);

/// Residues, lowest degree first.
template <class P>
using Poly = std::array<std::uint16_t, P::n>;
/// Small signed coefficients, lowest degree first.
template <class P>
using SmallPoly = std::array<std::int16_t, P::n>;

/// c = HashToPoint(salt, message).
template <class P>
Poly<P> hash_to_point(HashToPoint policy, const Salt& salt, ByteView message);

/// The public key h = g / f. Always canonical: every coefficient is below q.
template <class P>
class PublicKey {
  public:
    /// Refuses a coefficient that is not below q.
    static Result<PublicKey> from_coefficients(const Poly<P>& h);
    /// h from NTT(h), slot i = h(psi^(2 brv(i) + 1)) with psi = 49 for 512 and 7 for 1024.
    static Result<PublicKey> from_ntt(const Poly<P>& h_ntt);

    const Poly<P>& h() const noexcept { return h_; }
    Poly<P> h_ntt() const;
    friend bool operator==(const PublicKey&, const PublicKey&) = default;

  private:
    explicit PublicKey(const Poly<P>& h) : h_(h) {}
    Poly<P> h_;
};

/// Salt and s2. |s2[i]| <= 2047 in every signature that has an encoding; verification refuses anything else.
template <class P>
struct Signature {
    Salt salt{};
    SmallPoly<P> s2{};
    friend bool operator==(const Signature&, const Signature&) = default;
};

/// The public key in the transform domain: what verification needs, computed once.
template <class P>
class ExpandedPublicKey {
  public:
    explicit ExpandedPublicKey(const PublicKey<P>& key);
    const Poly<P>& h_ntt() const noexcept { return h_ntt_; }

  private:
    Poly<P> h_ntt_;
};

/// s1 = c - s2 h, centred into [-q/2, q/2].
template <class P>
SmallPoly<P> recover_s1(const ExpandedPublicKey<P>& key, const Poly<P>& c, const SmallPoly<P>& s2);
/// ||s1||^2 + ||s2||^2 over all 2n coefficients; saturates at 2^32 - 1, far above every bound.
template <class P>
std::uint32_t squared_norm(const SmallPoly<P>& s1, const SmallPoly<P>& s2);

/// Algorithm 16 of the specification. The error says why the signature is refused.
template <class P>
Status verify(const ExpandedPublicKey<P>& key, ByteView message, const Signature<P>& signature, HashToPoint policy = HashToPoint::shake256);
template <class P>
Status verify(const PublicKey<P>& key, ByteView message, const Signature<P>& signature, HashToPoint policy = HashToPoint::shake256);
/// The same for a point made elsewhere. It says nothing about a message by itself.
template <class P>
Status verify_point(const ExpandedPublicKey<P>& key, const Poly<P>& c, const SmallPoly<P>& s2);

/// One of many signatures to check.
template <class P>
struct VerifyItem {
    const ExpandedPublicKey<P>* key = nullptr;
    ByteView message;
    const Signature<P>* signature = nullptr;
};
/// One verdict for each item, none hidden behind an aggregate. Four hash streams run side by side under SHAKE256.
template <class P>
std::vector<bool> verify_batch(std::span<const VerifyItem<P>> items, HashToPoint policy = HashToPoint::shake256);

}  // namespace postern::falcon
