// Whole transactions here and in anvil (revm): the same status and the same gas in the receipt, whatever calldata, access list and
// refunds make of it (EIP-2028, 2930, 3529, 3860, 7623).

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/hex.hpp"
#include "support/anvil.hpp"

namespace postern::evm {
namespace {

const Address kTarget{0xaa}, kSender{0xca};

Word small(std::uint64_t value) {
    Word w{};
    w[31] = static_cast<std::uint8_t>(value);
    return w;
}

TEST(AnvilTransactions, GasOfTheReceipt) {
    POSTERN_REQUIRE_ANVIL();
    test::Anvil anvil;
    State state;
    // sload(data[0]), sload(data[1]), sstore(data[0], data[2]), balance(data[3])
    const Bytes code = *from_hex(
        "5f3554506020355450604035"
        "5f3555606035315000");
    state.set_code(kTarget, code);
    anvil.set_code(kTarget, code);
    for (std::uint64_t slot = 0; slot < 4; ++slot) {
        state.set_storage(kTarget, small(slot), small(7));
        anvil.set_storage(kTarget, small(slot), small(7));
    }
    std::mt19937_64 rng{7623};
    std::uint64_t floored = 0, refunded = 0, failed = 0;
    for (int run = 0; run < 120; ++run) {
        Transaction tx;
        tx.from = kSender;
        tx.gas_limit = 1'000'000;
        const bool creates = run % 8 == 7;
        if (creates) {
            // Deploys a few zeros, or runs into the first byte of noise.
            tx.data = *from_hex(rng() % 3 == 0 ? "fe" : "602a5ff3");
            tx.data.resize(tx.data.size() + rng() % 3000);
        } else {
            tx.to = kTarget;
            static constexpr std::uint64_t kValues[] = {0, 0, 7, 9};
            for (const std::uint64_t word : {rng() % 6, rng() % 6, kValues[rng() % 4], rng() % 256}) {
                const Word w = small(word);
                for (const std::uint8_t byte : w) tx.data.push_back(byte);
            }
            // Short or cut calldata reads as zeros; long calldata makes the floor bind.
            if (rng() % 4 == 0) tx.data.resize(rng() % 128);
            for (auto more = rng() % 2 == 0 ? 0 : rng() % 4000; more > 0; --more) tx.data.push_back(rng() % 3 == 0 ? 0 : 0x5a);
        }
        for (auto entries = rng() % 4; entries > 0; --entries) {
            AccessListEntry entry;
            entry.address = rng() % 2 == 0 ? kTarget : Address{};
            if (entry.address != kTarget) entry.address[19] = static_cast<std::uint8_t>(rng());
            for (auto keys = rng() % 4; keys > 0; --keys) entry.storage_keys.push_back(small(rng() % 6));
            tx.access_list.push_back(std::move(entry));
        }
        const auto receipt = anvil.send(tx.from, tx.to, tx.data, tx.gas_limit, tx.access_list);
        const auto result = execute(state, tx);
        ASSERT_NE(result.status, Status::invalid) << result.reason;
        EXPECT_EQ(result.gas_used, std::stoull(receipt["gasUsed"].get<std::string>(), nullptr, 16)) << "run " << run;
        EXPECT_EQ(result.success(), receipt["status"] == "0x1") << "run " << run;
        floored += result.gas_used > result.intrinsic_gas + result.exec_gas ? 1 : 0;
        refunded += result.refund > 0 ? 1 : 0;
        failed += result.success() ? 0 : 1;
    }
    EXPECT_GT(floored, 5U);
    EXPECT_GT(refunded, 5U);
    EXPECT_GT(failed, 2U);
}

}  // namespace
}  // namespace postern::evm
