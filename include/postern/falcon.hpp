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
#include <memory>
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

// ---------------------------------------------------------------------------------------------- signing

/// Coefficients of a private basis.
template <class P>
using BasisPoly = std::array<std::int8_t, P::n>;

/// The basis (f, g, F, G) with f G - g F = q. Wiped when it dies.
template <class P>
class PrivateKey {
  public:
    /// From randomness of the operating system: four seeds side by side, the key being that of the first to give one.
    static PrivateKey generate();
    /// The key the reference implementation makes from SHAKE256(seed); `seed` should have kSeedBytes.
    static constexpr std::size_t kSeedBytes = 48;
    static PrivateKey from_seed(ByteView seed);
    /// Completes f, g, F. Refuses what is out of range (|f|, |g| < 2^(fg_bits - 1), |F|, |G| < 128), an f without inverse
    /// modulo q, what does not solve the equation, and a basis longer than key generation makes (1.17 sqrt(q)), which the
    /// sampler could not sign with safely.
    static Result<PrivateKey> from_basis(const BasisPoly<P>& f, const BasisPoly<P>& g, const BasisPoly<P>& F);
    /// The standard encoding: 0x50 + logn || f, g in fg_bits each || F in 8 bits each, two's complement; strict.
    static Result<PrivateKey> decode(ByteView bytes);
    Bytes encode() const;

    ~PrivateKey();
    PrivateKey(const PrivateKey&) = default;
    PrivateKey& operator=(const PrivateKey&) = default;

    const PublicKey<P>& public_key() const noexcept { return public_; }
    const BasisPoly<P>& f() const noexcept { return f_; }
    const BasisPoly<P>& g() const noexcept { return g_; }
    const BasisPoly<P>& F() const noexcept { return F_; }
    const BasisPoly<P>& G() const noexcept { return G_; }

  private:
    PrivateKey(const BasisPoly<P>& f, const BasisPoly<P>& g, const BasisPoly<P>& F, const BasisPoly<P>& G, const PublicKey<P>& h)
        : f_(f), g_(g), F_(F), G_(G), public_(h) {}
    BasisPoly<P> f_, g_, F_, G_;
    PublicKey<P> public_;
};

/// Everything signing derives from the key alone: the transformed basis and the tree, 60 KiB and 120 KiB. Worth making
/// from the second signature on.
template <class P>
class ExpandedPrivateKey {
  public:
    explicit ExpandedPrivateKey(const PrivateKey<P>& key);
    ~ExpandedPrivateKey();
    ExpandedPrivateKey(ExpandedPrivateKey&&) noexcept;
    ExpandedPrivateKey& operator=(ExpandedPrivateKey&&) noexcept;

    const PublicKey<P>& public_key() const noexcept;

    struct Impl;
    const Impl& impl() const noexcept { return *impl_; }

  private:
    std::unique_ptr<Impl> impl_;
};

/// Signs with a fresh salt and fresh sampler randomness from the operating system. The result fits the padded form.
template <class P>
Signature<P> sign(const ExpandedPrivateKey<P>& key, ByteView message, HashToPoint policy = HashToPoint::shake256);
template <class P>
Signature<P> sign(const PrivateKey<P>& key, ByteView message, HashToPoint policy = HashToPoint::shake256);
/// Salt and sampler randomness are SHAKE256 of the private key, the policy and the message: one signature for each message,
/// the same on every machine, and no salt is ever shared by two messages. For tests and for devices without randomness.
template <class P>
Signature<P> sign_deterministic(const ExpandedPrivateKey<P>& key, ByteView message, HashToPoint policy = HashToPoint::shake256);
/// One signature for each message, under one key.
template <class P>
std::vector<Signature<P>> sign_batch(const ExpandedPrivateKey<P>& key, std::span<const ByteView> messages,
                                     HashToPoint policy = HashToPoint::shake256);

}  // namespace postern::falcon
