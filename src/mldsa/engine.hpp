#pragma once

// The operations of one instance behind one interface, on plain bytes of the right sizes. The public classes check sizes
// and roles before they come here.

#include <memory>
#include <postern/mldsa.hpp>

#include "mldsa/expansion.hpp"

namespace postern::mldsa::detail {

/// A sponge into which tr has gone and M' is going.
struct MuState {
    virtual ~MuState() = default;
    virtual void absorb(ByteView bytes) = 0;
    virtual Mu finish() = 0;
};

/// H(tr || head || context || message); the head is absent (empty) where the message is M'.
struct MuInput {
    ByteView tr, head, context, message;
};

class Engine {
  public:
    virtual ~Engine() = default;

    virtual void keygen(std::span<const std::uint8_t, seed_bytes> xi, std::span<std::uint8_t> pk, std::span<std::uint8_t> sk) const = 0;
    virtual KeyHash hash_public_key(ByteView pk) const = 0;
    virtual std::unique_ptr<MuState> start_mu(const KeyHash& tr) const = 0;
    /// mu of whole messages, four at a time where their lengths agree.
    virtual void hash_mus(std::span<const MuInput> inputs, std::span<Mu> out) const = 0;

    /// Are all coefficients of s1 and s2 within eta?
    virtual Status check_range(ByteView sk) const = 0;
    /// The public key that rho, s1 and s2 give, and the encoded t0 that belongs to it.
    virtual void recompute(ByteView sk, std::span<std::uint8_t> pk, SecureBytes& t0) const = 0;

    virtual PublicExpansion expand_public(ByteView pk) const = 0;
    virtual PrivateExpansion expand_private(ByteView sk) const = 0;

    virtual void sign(const PrivateExpansion& key, const Mu& mu, const Randomness& rnd, std::span<std::uint8_t> signature) const = 0;
    /// The same signatures, four messages in step. The three spans have one length, each output the signature's.
    virtual void sign_batch(const PrivateExpansion& key, std::span<const Mu> mu, std::span<const Randomness> rnd,
                            std::span<const std::span<std::uint8_t>> signatures) const = 0;
    /// Everything that can be refused without hashing: length, hint encoding, norm of z.
    virtual Verdict precheck(ByteView signature) const = 0;
    virtual Verdict verify(const PublicExpansion& key, const Mu& mu, ByteView signature) const = 0;
    /// The same from the message on: it is hashed only where the signature passes the checks before.
    virtual Verdict verify(const PublicExpansion& key, const MuInput& message, ByteView signature) const = 0;
    /// The same without an expansion: A is drawn row by row.
    virtual Verdict verify_wire(ByteView pk, const Mu& mu, ByteView signature) const = 0;
    /// The same verdicts, four signatures in step. The spans have one length.
    virtual void verify_batch(std::span<const PublicExpansion* const> keys, std::span<const MuInput> messages,
                              std::span<const ByteView> signatures, std::span<Verdict> verdicts) const = 0;
    virtual Result<SignatureParts> inspect(ByteView signature) const = 0;
};

/// The one engine of an instance.
const Engine& engine(ParameterSet set, XofFamily xof);

const Engine& fips202_engine(ParameterSet set);
const Engine& turbo_shake_engine(ParameterSet set);
const Engine& keccak256_ctr_engine(ParameterSet set);
const Engine& keccak_prng_engine(ParameterSet set);

}  // namespace postern::mldsa::detail
