// How the verifiers run: gas, starvation, opcodes that ERC-4337's mempool forbids, determinism.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "contracts/harness.hpp"
#include "evm/opcodes.hpp"

namespace postern::test {
namespace {

class Execution : public testing::TestWithParam<std::string> {
  protected:
    Harness harness{GetParam()};
    std::array<std::uint8_t, 32> seed{42};
    mldsa::KeyPair pair = mldsa::generate(harness.scheme(), mldsa::Seed(seed));
    Bytes key = harness.place(pair.public_key.bytes());
    Bytes message = Bytes(32, 0x33);
    Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message), {}, mldsa::Randomness::deterministic());

    std::uint64_t limit() const {
        const std::string& name = GetParam();
        if (name == "ml-dsa-44-wire") return 2'400'000;
        if (name == "ml-dsa-65-wire") return 4'500'000;
        if (name == "ml-dsa-87-wire") return 7'000'000;
        if (name == "turbo-ml-dsa-44-wire") return 1'600'000;
        if (name == "turbo-ml-dsa-65-wire") return 3'000'000;
        if (name == "turbo-ml-dsa-87-wire") return 4'000'000;
        if (name == "keccak-ml-dsa-44-wire") return 620'000;
        if (name == "keccak-ml-dsa-65-wire") return 920'000;
        if (name == "keccak-ml-dsa-87-wire") return 1'400'000;
        if (name == "ml-dsa-44") return 520'000;
        if (name == "ml-dsa-65") return 660'000;
        if (name == "ml-dsa-87") return 900'000;
        if (name == "turbo-ml-dsa-44") return 405'000;
        if (name == "turbo-ml-dsa-65") return 533'000;
        if (name == "turbo-ml-dsa-87") return 745'000;
        if (name == "keccak-ml-dsa-65") return 392'000;
        if (name == "keccak-ml-dsa-87") return 573'000;
        return 270'000;  // keccak-ml-dsa-44, eth-ml-dsa-44
    }
};

TEST_P(Execution, GasStaysBelowItsMark) {
    std::uint64_t least = ~0ULL, most = 0;
    std::vector<std::uint64_t> all;
    std::mt19937_64 rng(17);
    const mldsa::ExpandedPrivateKey signer(pair.private_key);
    for (int n = 0; n < (long_tests() ? 1000 : harness.wire() ? 10 : 60); ++n) {
        Bytes m(32);
        for (auto& b : m) b = static_cast<std::uint8_t>(rng());
        const Bytes s = mldsa::sign(signer, mldsa::Message(m));
        const auto result = harness.call(contracts::encode_call(Door::erc7913, key, m, s));
        ASSERT_TRUE(contracts::accepts(Door::erc7913, result));
        all.push_back(result.exec_gas);
        least = std::min(least, result.exec_gas);
        most = std::max(most, result.exec_gas);
    }
    std::sort(all.begin(), all.end());
    RecordProperty("min", std::to_string(least));
    RecordProperty("median", std::to_string(all[all.size() / 2]));
    RecordProperty("max", std::to_string(most));
    std::printf("%s: exec gas min %llu, median %llu, max %llu\n", GetParam().c_str(), static_cast<unsigned long long>(least),
                static_cast<unsigned long long>(all[all.size() / 2]), static_cast<unsigned long long>(most));
    EXPECT_LE(most, limit());
}

// A caller chooses how much gas there is: less than needed must never become an answer.
TEST_P(Execution, StarvedCallsHaltWithoutAnAnswer) {
    const Bytes data = contracts::encode_call(Door::erc7913, key, message, signature);
    const auto full = harness.call(data);
    ASSERT_TRUE(contracts::accepts(Door::erc7913, full));
    const bool alone = harness.contract().companions.empty();
    const std::uint64_t step = long_tests() ? 97 : harness.wire() ? 49999 : 4999;
    for (std::uint64_t gas = 0; gas < full.exec_gas; gas += step) {
        const auto r = harness.call(data, gas);
        // What calls another contract reverts when that call runs dry.
        ASSERT_FALSE(r.success()) << gas;
        if (alone) {
            ASSERT_EQ(r.status, evm::Status::halt) << gas;
            ASSERT_EQ(r.halt, evm::Halt::out_of_gas) << gas;
        }
        ASSERT_TRUE(r.output.empty());
    }
    EXPECT_FALSE(harness.call(data, full.exec_gas - 1).success());
    // A call inside gets 63/64 of what is there, so the whole needs a little more than it burns.
    const auto exact = harness.call(data, alone ? full.exec_gas : full.exec_gas + full.exec_gas / 64);
    EXPECT_TRUE(contracts::accepts(Door::erc7913, exact));
    EXPECT_EQ(exact.exec_gas, full.exec_gas);
}

// What hashes for a verifier must be the library itself: without it, or with other code at its place, there is no answer.
TEST_P(Execution, NoAnswerWithoutTheLibrary) {
    if (harness.contract().companions.empty()) GTEST_SKIP() << "calls nobody";
    const Bytes data = contracts::encode_call(Door::erc7913, key, message, signature);
    for (const auto& companion : harness.contract().companions) {
        Bytes other = companion.runtime;
        other[other.size() / 2] ^= 1;
        for (const Bytes& code : {Bytes{}, Bytes{0}, Bytes{0x60, 0x88, 0x5f, 0xf3}, other}) {
            harness.state().set_code(companion.address, code);
            const auto r = harness.call(data);
            EXPECT_EQ(r.status, evm::Status::revert) << code.size();
            EXPECT_TRUE(r.output.empty());
        }
        harness.state().set_code(companion.address, companion.runtime);
    }
    EXPECT_TRUE(contracts::accepts(Door::erc7913, harness.call(data)));
}

/// The table of ERC-7562 as far as a verifier can break it.
class MempoolRules : public evm::Tracer {
  public:
    void before_step(const evm::Step& step) override {
        using evm::Op;
        static const std::set<Op> banned{Op::ORIGIN,       Op::GASPRICE,  Op::BLOCKHASH,    Op::COINBASE, Op::TIMESTAMP,   Op::NUMBER,
                                         Op::PREVRANDAO,   Op::GASLIMIT,  Op::BASEFEE,      Op::BLOBHASH, Op::BLOBBASEFEE, Op::CREATE,
                                         Op::CREATE2,      Op::INVALID,   Op::SELFDESTRUCT, Op::SLOAD,    Op::SSTORE,      Op::TLOAD,
                                         Op::TSTORE,       Op::BALANCE,   Op::SELFBALANCE,  Op::GAS,      Op::CALL,        Op::CALLCODE,
                                         Op::DELEGATECALL, Op::STATICCALL};
        const auto op = static_cast<evm::Op>(step.op);
        // GAS stands directly before a call, and nowhere else; only the library is called, and calls nobody.
        const bool call_allowed = calls_library && step.depth == 1 && (op == Op::GAS || op == Op::STATICCALL);
        if (banned.contains(op) && !call_allowed) violations.insert(std::string(evm::name(op)));
        if ((last == Op::GAS) != (op == Op::STATICCALL)) violations.insert("GAS without a call");
        if (step.depth != 1 && !(calls_library && step.depth == 2)) violations.insert("inner call");
        last = op;
        ++steps;
    }
    bool calls_library = false;
    evm::Op last = evm::Op::STOP;
    std::set<std::string> violations;
    std::size_t steps = 0;
};

TEST_P(Execution, FollowsTheMempoolRules) {
    Bytes tampered = signature;
    tampered[100] ^= 1;
    for (const Bytes* s : {&signature, &tampered}) {
        for (const Door door : harness.doors()) {
            MempoolRules rules;
            rules.calls_library = !harness.contract().companions.empty();
            const auto r = harness.call(contracts::encode_call(door, key, message, *s), 30'000'000, &rules);
            EXPECT_TRUE(r.success());
            EXPECT_EQ(contracts::accepts(door, r), s == &signature);
            EXPECT_TRUE(rules.violations.empty()) << *rules.violations.begin();
            EXPECT_GT(rules.steps, 50000U);
        }
    }
}

// A wrong signature costs what a right one costs: simulations with a dummy signature estimate well.
TEST_P(Execution, RejectionCostsAsMuchAsAcceptance) {
    const auto good = harness.call(contracts::encode_call(Door::erc7913, key, message, signature));
    const auto dummy = harness.call(contracts::encode_call(Door::erc7913, key, message, Bytes(signature.size(), 0)));
    EXPECT_FALSE(contracts::accepts(Door::erc7913, dummy));
    EXPECT_GT(dummy.exec_gas + 9000, good.exec_gas);
}

TEST_P(Execution, BuildsTheSameBytesTwice) {
    const auto again = contracts::build_contract(GetParam()).value();
    EXPECT_EQ(again.runtime, harness.contract().runtime);
    EXPECT_EQ(again.listing, harness.contract().listing);
    EXPECT_EQ(again.abi_json, harness.contract().abi_json);
    EXPECT_NE(again.runtime[0], 0xef);
    // Init code deploys exactly these bytes, but only where the registry is that makes the keys.
    evm::State state;
    evm::Message m;
    m.data = again.init;
    if (!harness.wire()) {
        const auto registry = contracts::find_registry(again.info.scheme).value();
        EXPECT_EQ(evm::call(state, m).status, evm::Status::revert);
        contracts::place_registry(state, registry);
        const ByteView right = state.code(registry.address);
        Bytes other(right.begin(), right.end());
        other.push_back(0);
        state.set_code(registry.address, other);
        EXPECT_EQ(evm::call(state, m).status, evm::Status::revert) << "other code in the place of the registry";
        contracts::place_registry(state, registry);
    }
    const auto created = evm::call(state, m);
    ASSERT_TRUE(created.success()) << created.reason;
    const auto code = state.code(*created.created);
    EXPECT_TRUE(std::equal(code.begin(), code.end(), again.runtime.begin(), again.runtime.end()));
}

INSTANTIATE_TEST_SUITE_P(Contracts, Execution, testing::ValuesIn(all_verifier_names()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
