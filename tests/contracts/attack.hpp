#pragma once

// What the attacks share: a verifier with an honest key and with a key of t1 = 0 beside it, and the native verdict.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "contracts/harness.hpp"

namespace postern::test {

class Attack : public testing::TestWithParam<std::string> {
  protected:
    Harness harness{GetParam()};
    std::mt19937_64 rng{0xfeed5};
    const contracts::mldsa_evm::Params& p = harness.params();
    mldsa::KeyPair pair = mldsa::generate(harness.scheme(), mldsa::Seed(std::array<std::uint8_t, 32>{33}));
    mldsa::ExpandedPrivateKey signer{pair.private_key};
    mldsa::ExpandedPublicKey native{pair.public_key};
    Bytes key = harness.place(pair.public_key.bytes());

    /// `n` runs when the long form of the tests is asked for, else a share of them.
    static std::size_t runs(std::size_t n) { return long_tests() ? n : (n + 24) / 25; }
    Bytes random(std::size_t n) {
        Bytes b(n);
        for (auto& x : b) x = static_cast<std::uint8_t>(rng());
        return b;
    }
    Bytes sign(ByteView message, ByteView context = {}) const {
        return mldsa::sign(signer, mldsa::Message(message), mldsa::Context::from(context).value());
    }
    static bool valid(const mldsa::ExpandedPublicKey& k, ByteView message, ByteView signature, ByteView context = {}) {
        const auto c = mldsa::Context::from(context);
        return c && mldsa::verify(k, mldsa::Message(message), mldsa::SignatureView(signature), *c).valid;
    }
    /// Message and context that the door can carry.
    Bytes message_for(Door door, std::size_t at_most) { return random(door == Door::erc7913 ? 32 : rng() % (at_most + 1)); }
    Bytes context_for(Door door) { return random(door == Door::context ? rng() % 256 : 0); }
    std::size_t hints_at() const { return p.c_tilde + std::size_t{p.l} * p.z_poly; }
};

}  // namespace postern::test
