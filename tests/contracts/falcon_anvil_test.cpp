// An independent client agrees with the embedded EVM on the Falcon verifiers, to the gas unit, on accepted and rejected signatures.

#include <gtest/gtest.h>

#include "contracts/falcon_harness.hpp"
#include "support/anvil.hpp"

namespace postern::test {
namespace {

TEST(FalconOnAnvil, SameGasAndAnswer) {
    POSTERN_REQUIRE_ANVIL();
    Anvil anvil;
    for (const std::string name : {"ethfalcon-512"}) {
        FalconHarness harness(name);
        Bytes seed(48, 7);
        const falcon::ExpandedPrivateKey<F512> signer(falcon::PrivateKey<F512>::from_seed(seed));
        harness.place(signer.public_key());
        for (const auto& address : harness.state().addresses()) anvil.set_code(address, harness.state().code(address));
        std::mt19937_64 rng(23);
        evm::Address from{};
        from[19] = 0xca;
        for (int n = 0; n < 60; ++n) {
            Bytes message(n % 5 == 4 ? 7U * static_cast<unsigned>(n) : 32U);
            for (auto& b : message) b = static_cast<std::uint8_t>(rng());
            const auto value = falcon::sign_deterministic<F512>(signer, message, harness.policy());
            Bytes signature = native_signature(value.salt, value.s2);
            if (n % 6 == 5) signature[rng() % signature.size()] ^= 4;
            const Door door = message.size() == 32 && n % 2 == 0 ? Door::erc7913 : Door::message;
            const Bytes data = contracts::encode_call(door, harness.key(), message, signature);
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
