#include <gtest/gtest.h>

#include <algorithm>
#include <postern/contracts.hpp>
#include <postern/mldsa.hpp>
#include <random>

namespace postern::test {
namespace {

using namespace contracts;

TEST(Verifier, AcceptsRealSignatures) {
    const auto contract = build_contract("ml-dsa-44");
    ASSERT_TRUE(contract) << contract.error().message;
    std::printf("%zu bytes\n", contract->runtime.size());
    std::mt19937_64 rng(1);
    const auto& scheme = *mldsa::find_scheme("ml-dsa-44");
    for (int n = 0; n < 5; ++n) {
        std::array<std::uint8_t, 32> seed{};
        for (auto& b : seed) b = static_cast<std::uint8_t>(rng());
        const auto pair = mldsa::generate(scheme, mldsa::Seed(seed));
        Bytes message(32);
        for (auto& b : message) b = static_cast<std::uint8_t>(rng());
        const Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message));
        const auto verdict = run_verifier(*contract, pair.public_key.bytes(), message, signature);
        ASSERT_TRUE(verdict) << verdict.error().message;
        EXPECT_TRUE(verdict->accepted) << verdict->result.reason;
        std::printf("exec gas %llu\n", static_cast<unsigned long long>(verdict->result.exec_gas));
        if (n == 0) {
            for (const auto& row : verdict->regions)
                std::printf("  %-50s %8llu\n", row.name.c_str(), static_cast<unsigned long long>(row.gas));
        }
    }
}

}  // namespace
}  // namespace postern::test
