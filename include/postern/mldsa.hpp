#pragma once

// ML-DSA (FIPS 204) and its instances with other XOFs: key generation, signing, verification.
//
// Everything here takes the scheme at run time; find_scheme() finds it by name. Each role has its own type, made
// explicitly, so that a message cannot be passed where a context, a mu or random bytes are meant.
// Untrusted bytes are decoded into a Result with a reason; misuse (a key of another scheme) throws std::invalid_argument.
// Thread safety: every object is immutable after construction, except the streaming hashers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <postern/mldsa_params.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postern::mldsa {

namespace detail {
class Engine;
struct PublicExpansion;
struct PrivateExpansion;
struct MuState;
struct PreHashState;
}  // namespace detail

enum class ParameterSet : std::uint8_t { ml_dsa_44, ml_dsa_65, ml_dsa_87 };

/// What stands in for SHAKE128 and SHAKE256.
enum class XofFamily : std::uint8_t {
    fips202,        ///< SHAKE: the standard
    turbo_shake,    ///< TurboSHAKE with domain byte 0x1f (RFC 9861)
    keccak256_ctr,  ///< block i = keccak256(keccak256(input) || uint256(i))
    keccak_prng,    ///< the same with an 8-byte counter: ML-DSA-ETH-44
};

/// One instance: a parameter set with a XOF family. There are ten, with static lifetime; compare by address.
struct Scheme {
    std::string_view name;  ///< "ml-dsa-44", "turbo-ml-dsa-65", "keccak-ml-dsa-87", "eth-ml-dsa-44"
    ParameterSet parameter_set;
    XofFamily xof;
    int category;  ///< NIST security category
    std::size_t public_key_bytes;
    std::size_t private_key_bytes;  ///< expanded encoding
    std::size_t signature_bytes;
    std::size_t c_tilde_bytes;
    const detail::Engine* engine;

    /// Is this FIPS 204 as published?
    bool standard() const noexcept { return xof == XofFamily::fips202; }
};

std::span<const Scheme> schemes() noexcept;
/// Null if there is none of this name.
const Scheme* find_scheme(std::string_view name) noexcept;
/// Throws std::invalid_argument for a combination that does not exist (keccak_prng exists for 44 only).
const Scheme& scheme(ParameterSet set, XofFamily xof = XofFamily::fips202);

// --- Roles -----------------------------------------------------------------------------------------------------

/// The message, as the signer's user means it. A view: the bytes must outlive it.
class Message {
  public:
    explicit Message(ByteView bytes) noexcept : bytes_(bytes) {}
    ByteView bytes() const noexcept { return bytes_; }

  private:
    ByteView bytes_;
};

/// M', the already formatted message of the internal interface (FIPS 204 algorithms 7 and 8). A view.
class FormattedMessage {
  public:
    explicit FormattedMessage(ByteView bytes) noexcept : bytes_(bytes) {}
    ByteView bytes() const noexcept { return bytes_; }

  private:
    ByteView bytes_;
};

/// A signature to be checked. A view; any length, the verifier judges.
class SignatureView {
  public:
    explicit SignatureView(ByteView bytes) noexcept : bytes_(bytes) {}
    ByteView bytes() const noexcept { return bytes_; }

  private:
    ByteView bytes_;
};

/// The context string, 0 to 255 bytes; empty by default.
class Context {
  public:
    Context() = default;
    static Result<Context> from(ByteView bytes);
    ByteView bytes() const noexcept { return {bytes_.data(), size_}; }

  private:
    std::array<std::uint8_t, max_context_bytes> bytes_{};
    std::size_t size_ = 0;
};

/// 32 secret bytes, wiped when they die.
class Secret32 {
  public:
    ByteView bytes() const noexcept { return bytes_; }
    std::span<const std::uint8_t, 32> fixed() const noexcept { return bytes_; }
    Secret32(const Secret32&) = default;
    Secret32& operator=(const Secret32&) = default;
    ~Secret32();

  protected:
    Secret32() = default;
    std::array<std::uint8_t, 32> bytes_{};
};

/// xi, the seed of a key pair.
class Seed : public Secret32 {
  public:
    explicit Seed(std::span<const std::uint8_t, 32> bytes) noexcept;
    static Seed random();
    static Result<Seed> from(ByteView bytes);

  private:
    Seed() = default;
};

/// rnd, the randomness of one signature.
class Randomness : public Secret32 {
  public:
    explicit Randomness(std::span<const std::uint8_t, 32> bytes) noexcept;
    /// From the operating system: the hedged variant, which is the default.
    static Randomness fresh();
    /// 32 zero bytes: the deterministic variant.
    static Randomness deterministic() noexcept { return Randomness(); }

  private:
    Randomness() = default;
};

/// tr, the 64-byte hash of a public key.
class KeyHash {
  public:
    explicit KeyHash(std::span<const std::uint8_t, tr_bytes> bytes) noexcept;
    std::span<const std::uint8_t, tr_bytes> bytes() const noexcept { return bytes_; }

  private:
    std::array<std::uint8_t, tr_bytes> bytes_{};
};

/// mu, the 64-byte message representative (it binds the public key and the context).
class Mu {
  public:
    explicit Mu(std::span<const std::uint8_t, mu_bytes> bytes) noexcept;
    static Result<Mu> from(ByteView bytes);
    std::span<const std::uint8_t, mu_bytes> bytes() const noexcept { return bytes_; }

  private:
    std::array<std::uint8_t, mu_bytes> bytes_{};
};

/// Accepted, or the reason why not ("hint indices not increasing").
struct [[nodiscard]] Verdict {
    bool valid = false;
    std::string reason;  ///< empty if valid
    explicit operator bool() const noexcept { return valid; }
};

// --- Keys ------------------------------------------------------------------------------------------------------

struct KeyPair;
/// Algorithm 1, ML-DSA.KeyGen.
KeyPair generate(const Scheme& scheme, const Seed& seed = Seed::random());

/// A public key in its encoding (FIPS 204 algorithm 22): rho and t1.
class PublicKey {
  public:
    /// Algorithm 23: the exact length is all there is to check.
    static Result<PublicKey> decode(const Scheme& scheme, ByteView bytes);
    const Scheme& scheme() const noexcept { return *scheme_; }
    ByteView bytes() const noexcept { return bytes_; }
    KeyHash tr() const;
    friend bool operator==(const PublicKey& a, const PublicKey& b) { return a.scheme_ == b.scheme_ && a.bytes_ == b.bytes_; }

  private:
    friend class PrivateKey;
    friend KeyPair generate(const Scheme& scheme, const Seed& seed);
    PublicKey(const Scheme& scheme, Bytes bytes) : scheme_(&scheme), bytes_(std::move(bytes)) {}
    const Scheme* scheme_;
    Bytes bytes_;
};

/// A private key in its expanded encoding (FIPS 204 algorithm 24), with the seed if that is known. Wiped.
class PrivateKey {
  public:
    /// Algorithm 6, ML-DSA.KeyGen_internal.
    static PrivateKey from_seed(const Scheme& scheme, const Seed& seed);
    /// Algorithm 25 on untrusted bytes: exact length, every coefficient of s1 and s2 in range. Whether the parts
    /// belong together is check()'s question.
    static Result<PrivateKey> decode(const Scheme& scheme, ByteView expanded);
    /// Recomputes t from rho, s1 and s2: does t0 belong to it, and tr to the public key?
    Status check() const;

    const Scheme& scheme() const noexcept { return *scheme_; }
    const std::optional<Seed>& seed() const noexcept { return seed_; }
    /// rho, K, tr, s1, s2, t0.
    ByteView expanded() const noexcept { return bytes_; }
    KeyHash tr() const;
    /// Recomputed from rho, s1 and s2.
    PublicKey public_key() const;

    PrivateKey(const PrivateKey&) = default;
    PrivateKey(PrivateKey&&) noexcept = default;
    PrivateKey& operator=(const PrivateKey&) = delete;
    PrivateKey& operator=(PrivateKey&&) = delete;
    ~PrivateKey();

  private:
    friend KeyPair generate(const Scheme& scheme, const Seed& seed);
    PrivateKey(const Scheme& scheme, Bytes bytes, std::optional<Seed> seed)
        : scheme_(&scheme), bytes_(std::move(bytes)), seed_(std::move(seed)) {}
    const Scheme* scheme_;
    Bytes bytes_;
    std::optional<Seed> seed_;
};

struct KeyPair {
    PublicKey public_key;
    PrivateKey private_key;
};

/// A public key ready for many verifications: A, NTT(t1 * 2^d) and tr. Cheap to copy (shared).
class ExpandedPublicKey {
  public:
    explicit ExpandedPublicKey(const PublicKey& key);
    const Scheme& scheme() const noexcept { return *scheme_; }
    KeyHash tr() const;
    /// For the rooms that need the polynomials themselves (src/mldsa/expansion.hpp).
    const detail::PublicExpansion& expansion() const noexcept { return *expansion_; }

  private:
    const Scheme* scheme_;
    std::shared_ptr<const detail::PublicExpansion> expansion_;
};

/// A private key ready for many signatures: A, s1 and s2 as shifted copies, t0 in NTT form. Wiped with its last copy.
class ExpandedPrivateKey {
  public:
    explicit ExpandedPrivateKey(const PrivateKey& key);
    const Scheme& scheme() const noexcept { return *scheme_; }
    KeyHash tr() const;
    const detail::PrivateExpansion& expansion() const noexcept { return *expansion_; }

  private:
    const Scheme* scheme_;
    std::shared_ptr<const detail::PrivateExpansion> expansion_;
};

// --- Pre-hash functions (FIPS 204 section 5.4) -------------------------------------------------------------------

enum class PreHash : std::uint8_t {
    sha2_224,
    sha2_256,
    sha2_384,
    sha2_512,
    sha2_512_224,
    sha2_512_256,
    sha3_224,
    sha3_256,
    sha3_384,
    sha3_512,
    shake_128,
    shake_256
};
std::span<const PreHash> prehashes() noexcept;
/// "sha2-256", "sha2-512/256", "sha3-512", "shake-128" ...
std::string_view name(PreHash algorithm) noexcept;
/// By that name, in any case.
std::optional<PreHash> find_prehash(std::string_view name) noexcept;

/// PH(M) together with the function that made it.
class MessageDigest {
  public:
    /// A digest made elsewhere; refused if its length is not the function's.
    static Result<MessageDigest> from(PreHash algorithm, ByteView bytes);
    PreHash algorithm() const noexcept { return algorithm_; }
    ByteView bytes() const noexcept { return bytes_; }

  private:
    friend class PreHasher;
    MessageDigest(PreHash algorithm, Bytes bytes) : algorithm_(algorithm), bytes_(std::move(bytes)) {}
    PreHash algorithm_;
    Bytes bytes_;
};

/// Hashes a message of any size in pieces.
class PreHasher {
  public:
    explicit PreHasher(PreHash algorithm);
    ~PreHasher();
    PreHasher(PreHasher&&) noexcept;
    PreHasher& operator=(PreHasher&&) noexcept;
    void update(ByteView part);
    /// Once.
    MessageDigest finish();

  private:
    PreHash algorithm_;
    std::unique_ptr<detail::PreHashState> state_;
};
MessageDigest prehash(PreHash algorithm, const Message& message);

// --- Message representative --------------------------------------------------------------------------------------

/// Computes mu over a message of any size in pieces; sign_mu and verify_mu take the result.
class MuHasher {
  public:
    /// Pure ML-DSA: mu = H(tr || 0x00 || |ctx| || ctx || M).
    MuHasher(const Scheme& scheme, const KeyHash& tr, const Context& context);
    /// For any of the four key classes.
    template <class Key>
    explicit MuHasher(const Key& key, const Context& context = {}) : MuHasher(key.scheme(), key.tr(), context) {}
    /// The internal interface: what is fed is M'.
    static MuHasher formatted(const Scheme& scheme, const KeyHash& tr);
    ~MuHasher();
    MuHasher(MuHasher&&) noexcept;
    MuHasher& operator=(MuHasher&&) noexcept;
    void update(ByteView part);
    /// Once.
    Mu finish();

  private:
    explicit MuHasher(std::unique_ptr<detail::MuState> state);
    std::unique_ptr<detail::MuState> state_;
};

/// HashML-DSA: mu = H(tr || 0x01 || |ctx| || ctx || OID || PH(M)).
Mu prehash_mu(const Scheme& scheme, const KeyHash& tr, const MessageDigest& digest, const Context& context = {});

// --- Signing -----------------------------------------------------------------------------------------------------
// With a PrivateKey everything is expanded first; from the second signature on an ExpandedPrivateKey is faster.

/// Algorithm 2, ML-DSA.Sign.
Bytes sign(const PrivateKey& key, const Message& message, const Context& context = {}, const Randomness& rnd = Randomness::fresh());
Bytes sign(const ExpandedPrivateKey& key, const Message& message, const Context& context = {}, const Randomness& rnd = Randomness::fresh());
/// Algorithm 4, HashML-DSA.Sign, on the digest of the message.
Bytes sign_prehash(const PrivateKey& key, const MessageDigest& digest, const Context& context = {},
                   const Randomness& rnd = Randomness::fresh());
Bytes sign_prehash(const ExpandedPrivateKey& key, const MessageDigest& digest, const Context& context = {},
                   const Randomness& rnd = Randomness::fresh());
/// External mu.
Bytes sign_mu(const PrivateKey& key, const Mu& mu, const Randomness& rnd = Randomness::fresh());
Bytes sign_mu(const ExpandedPrivateKey& key, const Mu& mu, const Randomness& rnd = Randomness::fresh());
/// Algorithm 7, ML-DSA.Sign_internal.
Bytes sign_internal(const PrivateKey& key, const FormattedMessage& message, const Randomness& rnd = Randomness::fresh());
Bytes sign_internal(const ExpandedPrivateKey& key, const FormattedMessage& message, const Randomness& rnd = Randomness::fresh());

/// One message of a batch. Views: the bytes must outlive the call.
struct SignItem {
    Message message;
    Context context = {};
    Randomness randomness = Randomness::fresh();
};
/// The signatures that sign() gives for the items, in their order: byte for byte, but for less time each. Four messages are
/// hashed in step, so that it pays from four items on.
std::vector<Bytes> sign_batch(const ExpandedPrivateKey& key, std::span<const SignItem> items);

// --- Verifying ---------------------------------------------------------------------------------------------------

/// Algorithm 3, ML-DSA.Verify.
Verdict verify(const PublicKey& key, const Message& message, const SignatureView& signature, const Context& context = {});
Verdict verify(const ExpandedPublicKey& key, const Message& message, const SignatureView& signature, const Context& context = {});
/// Algorithm 5, HashML-DSA.Verify.
Verdict verify_prehash(const PublicKey& key, const MessageDigest& digest, const SignatureView& signature, const Context& context = {});
Verdict verify_prehash(const ExpandedPublicKey& key, const MessageDigest& digest, const SignatureView& signature,
                       const Context& context = {});
/// External mu.
Verdict verify_mu(const PublicKey& key, const Mu& mu, const SignatureView& signature);
Verdict verify_mu(const ExpandedPublicKey& key, const Mu& mu, const SignatureView& signature);
/// Algorithm 8, ML-DSA.Verify_internal.
Verdict verify_internal(const PublicKey& key, const FormattedMessage& message, const SignatureView& signature);
Verdict verify_internal(const ExpandedPublicKey& key, const FormattedMessage& message, const SignatureView& signature);

/// One signature of a batch. Views: key and bytes must outlive the call.
struct VerifyItem {
    const ExpandedPublicKey* key;
    Message message;
    SignatureView signature;
    Context context = {};
};
/// The verdicts that verify() gives for the items, in their order and with the same reasons. Every signature is judged on its own: no
/// sum of several is tested in their place. Keys and schemes may differ; four neighbours of one scheme are hashed in step.
std::vector<Verdict> verify_batch(std::span<const VerifyItem> items);

// --- Looking into a signature ------------------------------------------------------------------------------------

/// The parts of a signature (algorithm 27), for inspection.
struct SignatureParts {
    Bytes c_tilde;
    std::int32_t z_norm = 0;               ///< largest |coefficient| of z; accepted below gamma1 - beta
    std::int32_t z_bound = 0;              ///< gamma1 - beta
    std::vector<std::size_t> hint_counts;  ///< ones of each of the k polynomials of h
};
/// Strict: refuses what verification would refuse before hashing, except for the norm, which is reported.
Result<SignatureParts> inspect_signature(const Scheme& scheme, const SignatureView& signature);

}  // namespace postern::mldsa
