// An independent client agrees to the gas unit, on accepted and rejected signatures.

#include <gtest/gtest.h>

#include <random>

#include "contracts/harness.hpp"
#include "support/anvil.hpp"

namespace postern::test {
namespace {

TEST(VerifierOnAnvil, SameGasAndAnswer) {
    POSTERN_REQUIRE_ANVIL();
    Anvil anvil;
    for (const std::string& name : all_verifier_names()) {
        Harness harness(name);
        std::array<std::uint8_t, 32> seed{7};
        const auto pair = mldsa::generate(harness.scheme(), mldsa::Seed(seed));
        const auto key = harness.place(pair.public_key.bytes());
        for (const auto& address : harness.state().addresses()) anvil.set_code(address, harness.state().code(address));
        const mldsa::ExpandedPrivateKey signer(pair.private_key);
        std::mt19937_64 rng(23);
        const int samples = long_tests() ? 1000 : name == "ml-dsa-44" ? 210 : 12;
        evm::Address from{};
        from[19] = 0xca;
        for (int n = 0; n < samples; ++n) {
            Bytes message(32);
            for (auto& b : message) b = static_cast<std::uint8_t>(rng());
            Bytes signature = mldsa::sign(signer, mldsa::Message(message));
            if (n % 10 == 9) signature[rng() % signature.size()] ^= 4;
            const Bytes data = contracts::encode_call(Door::erc7913, key, message, signature);
            const auto ours = harness.call(data);
            const auto theirs = anvil.call(from, harness.verifier(), data);
            ASSERT_TRUE(theirs.success) << theirs.error;
            ASSERT_EQ(theirs.output, ours.output) << name << " " << n;
            ASSERT_EQ(theirs.exec_gas, ours.exec_gas) << name << " " << n;
        }
    }
}

}  // namespace
}  // namespace postern::test
