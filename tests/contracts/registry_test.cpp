// Registries: what they create is the expansion of the wire key, byte for byte, whatever anybody does.

#include <gtest/gtest.h>

#include <random>

#include "contracts/harness.hpp"
#include "contracts/registry_harness.hpp"
#include "core/u256.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

class Registries : public testing::TestWithParam<std::string> {
  protected:
    RegistryHarness harness{GetParam()};
    std::mt19937_64 rng{0x5e61};

    Bytes random_key() {
        std::array<std::uint8_t, 32> seed{};
        for (auto& b : seed) b = static_cast<std::uint8_t>(rng());
        const auto pair = mldsa::generate(harness.scheme(), mldsa::Seed(seed));
        return {pair.public_key.bytes().begin(), pair.public_key.bytes().end()};
    }
};

TEST_P(Registries, FitAndUseNoOpcodeThatCouldChangeABlob) {
    const auto& c = harness.contract();
    EXPECT_LE(c.runtime.size(), 24576U);
    EXPECT_EQ(hash::keccak256(c.runtime), harness.registry().code_hash);
    EXPECT_EQ(hash::keccak256(c.init), harness.registry().init_hash);
    // SSTORE, SLOAD, CREATE, CALL, CALLCODE, DELEGATECALL, STATICCALL, SELFDESTRUCT; data behind the code is listed as such.
    for (const char* opcode : {" SSTORE", " SLOAD", " CREATE ", " CREATE\n", " CALL\n", " CALL ", "CALLCODE", "DELEGATECALL", "STATICCALL",
                               "SELFDESTRUCT", "INVALID"})
        EXPECT_EQ(c.listing.find(opcode), std::string::npos) << opcode;
    std::size_t creations = 0;
    for (std::size_t at = 0; (at = c.listing.find("CREATE2", at)) != std::string::npos; ++at) ++creations;
    EXPECT_EQ(creations, 1U);
}

TEST_P(Registries, CreateWhatTheLibraryExpands) {
    for (int n = 0; n < (long_tests() ? 100 : 2); ++n) {
        const Bytes key = random_key();
        const auto blob = contracts::expand_key(harness.scheme().name, key).value();
        const auto addresses = harness.addresses(key);
        evm::State state = harness.state();
        EXPECT_EQ(harness.blob_of(state, key), evm::Address{});
        for (const std::size_t part : contracts::registration_order(harness.registry())) {
            const auto result = harness.enroll(state, key, part);
            ASSERT_TRUE(result.success()) << result.reason;
            EXPECT_LT(result.gas_used, 16'777'216U);
            ASSERT_EQ(result.logs.size(), 1U);
            const auto& log = result.logs[0];
            EXPECT_EQ(log.address, harness.registry().address);
            ASSERT_EQ(log.topics.size(), 3U);
            EXPECT_EQ(log.topics[0], hash::keccak256("PartRegistered(bytes32,uint256,address)"));
            EXPECT_EQ(log.topics[1], blob.key_hash);
            EXPECT_EQ(log.topics[2], evm::word(part));
            EXPECT_EQ(log.data, address_word(addresses[part]));
            EXPECT_EQ(result.output, address_word(addresses[part]));
            const ByteView code = state.code(addresses[part]);
            ASSERT_TRUE(Bytes(code.begin(), code.end()) == blob.parts[part]) << "part " << part;
            EXPECT_EQ(state.nonce(addresses[part]), 1U);
            // Again: the same answer, nothing created, nothing logged, hardly any gas.
            const auto again = harness.enroll(state, key, part);
            EXPECT_TRUE(again.success());
            EXPECT_EQ(again.output, result.output);
            EXPECT_TRUE(again.logs.empty());
            EXPECT_LT(again.exec_gas, 10'000U);
        }
        EXPECT_EQ(harness.blob_of(state, key), addresses[0]);
        EXPECT_TRUE(state.storage(harness.registry().address).empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Contracts, Registries, testing::ValuesIn(verifier_names()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
