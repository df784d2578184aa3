#pragma once

// A Falcon-512 verifier in a state, and signatures made to order: for any point c and any s1, s2 with s2 invertible, h = (c - s1) / s2 is
// a key under which s2 has exactly this s1.

#include <optional>
#include <postern/contracts.hpp>
#include <postern/falcon_codec.hpp>
#include <random>
#include <string>

namespace postern::test {

using contracts::Door;
using F512 = falcon::Falcon512;
using Small = falcon::SmallPoly<F512>;

class FalconHarness {
  public:
    explicit FalconHarness(const std::string& contract);

    const contracts::Contract& contract() const { return *contract_; }
    falcon::HashToPoint policy() const { return policy_; }
    evm::State& state() { return state_; }
    const evm::Address& verifier() const { return verifier_; }
    const evm::Address& key() const { return key_; }
    void place(const falcon::PublicKey<F512>& key);
    void place_code(ByteView code) { state_.set_code(key_, Bytes(code.begin(), code.end())); }

    evm::ExecutionResult call(ByteView calldata, std::uint64_t gas = 30'000'000);
    /// Fails the test if the answer is neither the clean accepting nor the clean rejecting word.
    bool accepts(Door door, ByteView message, ByteView signature);

  private:
    const contracts::Contract* contract_;
    falcon::HashToPoint policy_;
    evm::State state_;
    evm::Address verifier_{};
    evm::Address key_{};
};

/// salt || s2 in 16-bit two's complement, whatever the numbers.
Bytes native_signature(const falcon::Salt& salt, const std::array<int, 512>& s2);
Bytes native_signature(const falcon::Salt& salt, const Small& s2);
/// The key of the comment above; none if s2 is not invertible.
std::optional<falcon::PublicKey<F512>> key_for(const falcon::Poly<F512>& c, const Small& s1, const Small& s2);
/// Small vectors with exactly this squared norm over both; `spread` says how large the coefficients are about.
std::pair<Small, Small> vectors_of_norm(std::uint64_t norm, std::mt19937_64& rng, int spread);

}  // namespace postern::test
