#pragma once

// A verifier in a state, keys beside it, and signatures made to order.

#include <postern/contracts.hpp>
#include <postern/mldsa.hpp>
#include <string>

#include "contracts/mldsa/plan.hpp"
#include "contracts/model/field.hpp"

namespace postern::test {

using contracts::Door;

/// Is the long form of the tests asked for (POSTERN_LONG_TESTS=1)?
bool long_tests();

class Harness {
  public:
    explicit Harness(const std::string& contract);

    const contracts::Contract& contract() const { return *contract_; }
    const mldsa::Scheme& scheme() const { return *scheme_; }
    const contracts::mldsa_evm::Params& params() const { return params_; }
    evm::State& state() { return state_; }
    const evm::Address& verifier() const { return verifier_; }

    /// Puts the blob of a public key into the state, where its registry would have put it.
    evm::Address place_blob(ByteView public_key);
    /// What a call names the key by: the address of its blob, which is placed, or the key itself.
    Bytes place(ByteView public_key);
    bool wire() const { return contract_->info.key_form == contracts::KeyForm::wire; }
    std::vector<Door> doors() const;
    /// The door for messages of any length without context.
    Door long_door() const { return wire() ? Door::context : Door::message; }

    evm::ExecutionResult call(ByteView calldata, std::uint64_t gas = 30'000'000, evm::Tracer* tracer = nullptr);
    bool accepts(Door door, ByteView key, ByteView message, ByteView signature, ByteView context = {});
    /// The one that fits: ERC-7913 for 32 bytes, else message door, else context door. Fails the test if the answer is not a clean
    /// accepting or rejecting word.
    bool accepts(ByteView key, ByteView message, ByteView signature, ByteView context = {});

  private:
    const contracts::Contract* contract_;
    const mldsa::Scheme* scheme_;
    contracts::mldsa_evm::Params params_;
    evm::State state_;
    evm::Address verifier_{};
};

/// Everything that can be built.
std::vector<std::string> contract_names();
/// The ML-DSA verifiers with a registered, expanded key.
std::vector<std::string> verifier_names();
/// Those that take the standard public key in calldata, and both kinds together.
std::vector<std::string> wire_names();
std::vector<std::string> all_verifier_names();
/// "ml-dsa-44" -> "ml_dsa_44", for gtest.
std::string test_name(std::string contract);

/// Signatures for keys with t1 = 0: the commitment A z does not depend on the challenge, so any z and any hints can be given a
/// c_tilde that fits, and exactly one rule decides.
class Forger {
  public:
    using Hints = std::vector<std::array<bool, 256>>;

    explicit Forger(const mldsa::Scheme& scheme, std::uint8_t seed = 1);
    /// For a real key: what it signs with z = 0 would hold if the key's polynomials were all zero.
    Forger(const mldsa::Scheme& scheme, Bytes public_key);
    const Bytes& public_key() const { return public_key_; }
    const contracts::mldsa_evm::Params& params() const { return params_; }

    std::vector<model::Poly> zero_z() const { return std::vector<model::Poly>(params_.l); }
    Hints no_hints() const { return Hints(params_.k); }
    /// Algorithm 20; the caller keeps within omega.
    Bytes encode(const Hints& hints) const;
    /// c_tilde for these z (taken modulo q, whatever their size) and hints; the encodings are put in as they are.
    Bytes sign(const std::vector<model::Poly>& z, const Hints& hints, const Bytes& hint_bytes, ByteView message,
               ByteView context = {}) const;
    Bytes sign(const std::vector<model::Poly>& z, const Hints& hints, ByteView message) const {
        return sign(z, hints, encode(hints), message);
    }

  private:
    const mldsa::Scheme* scheme_;
    contracts::mldsa_evm::Params params_;
    Bytes public_key_;
    mldsa::ExpandedPublicKey expanded_;
};

}  // namespace postern::test
