#include <gtest/gtest.h>

#include <algorithm>
#include <postern/contracts.hpp>
#include <postern/mldsa.hpp>
#include <random>

namespace postern::test {
namespace {

using namespace contracts;

class Verifier : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& info : list_contracts()) {
        if (!info.entry_points.empty() && mldsa::find_scheme(info.scheme) != nullptr) out.push_back(info.name);
    }
    return out;
}

TEST_P(Verifier, AcceptsRealSignaturesAndRefusesTamperedOnes) {
    const auto contract = build_contract(GetParam());
    ASSERT_TRUE(contract) << contract.error().message;
    EXPECT_LE(contract->runtime.size(), 24576U);
    std::mt19937_64 rng(1);
    const auto& scheme = *mldsa::find_scheme(contract->info.scheme);
    for (int n = 0; n < 2; ++n) {
        std::array<std::uint8_t, 32> seed{};
        for (auto& b : seed) b = static_cast<std::uint8_t>(rng());
        const auto pair = mldsa::generate(scheme, mldsa::Seed(seed));
        Bytes message(32);
        for (auto& b : message) b = static_cast<std::uint8_t>(rng());
        Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message));
        for (const auto& entry : contract->info.entry_points) {
            const Door door = entry.door;
            const auto verdict = run_verifier(*contract, pair.public_key.bytes(), message, signature, {}, door);
            ASSERT_TRUE(verdict) << verdict.error().message;
            EXPECT_TRUE(verdict->accepted) << verdict->result.reason;
            std::uint64_t sum = 0;
            for (const auto& row : verdict->regions) sum += row.gas;
            EXPECT_EQ(sum, verdict->result.exec_gas);
        }
        signature[rng() % signature.size()] ^= 1;
        const auto verdict = run_verifier(*contract, pair.public_key.bytes(), message, signature);
        EXPECT_TRUE(verdict->result.success());
        EXPECT_FALSE(verdict->accepted);
    }
}

INSTANTIATE_TEST_SUITE_P(Contracts, Verifier, testing::ValuesIn(names()), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace postern::test
