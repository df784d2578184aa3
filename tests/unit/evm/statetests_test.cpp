// The official state tests of the Cancun fork: whole transactions, exact gas, logs and post-state.

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "support/evm_json.hpp"
#include "support/vectors.hpp"

namespace postern::evm {
namespace {

using test::Json;

Transaction read_transaction(const Json& t, const Json& indexes) {
    const auto data = indexes.at("data").get<std::size_t>();
    Transaction tx;
    tx.from = test::json_address(t.at("sender"));
    if (!t.at("to").get<std::string>().empty()) tx.to = test::json_address(t.at("to"));
    tx.nonce = test::json_u64(t.at("nonce"));
    tx.data = test::json_bytes(t.at("data").at(data));
    tx.gas_limit = test::json_u64(t.at("gasLimit").at(indexes.at("gas").get<std::size_t>()));
    tx.value = test::json_word(t.at("value").at(indexes.at("value").get<std::size_t>()));
    if (t.contains("gasPrice")) {
        tx.gas_price = test::json_word(t.at("gasPrice"));
    } else {
        tx.max_fee_per_gas = test::json_word(t.at("maxFeePerGas"));
        tx.max_priority_fee_per_gas = test::json_word(t.at("maxPriorityFeePerGas"));
    }
    if (t.contains("accessLists") && !t.at("accessLists").at(data).is_null()) {
        for (const Json& entry : t.at("accessLists").at(data)) {
            AccessListEntry e{test::json_address(entry.at("address")), {}};
            for (const Json& key : entry.at("storageKeys")) e.storage_keys.push_back(test::json_word(key));
            tx.access_list.push_back(std::move(e));
        }
    }
    return tx;
}

void apply_changes(State& state, const Json& changes) {
    for (const auto& [hex, change] : changes.items()) {
        const Address a = test::address_of(hex);
        if (change.is_null()) {
            state.erase(a);
            continue;
        }
        state.set_balance(a, test::json_word(change.at("balance")));
        state.set_nonce(a, test::json_u64(change.at("nonce")));
        if (change.contains("code")) state.set_code(a, test::json_bytes(change.at("code")));
        for (const auto& [key, value] : state.storage(a)) state.set_storage(a, key, Word{});
        for (const auto& [key, value] : change.at("storage").items()) {
            state.set_storage(a, test::json_word(Json(key)), test::json_word(value));
        }
    }
}

struct Tally {
    std::size_t passed_gas = 0;
    std::size_t passed_changes = 0;
    std::size_t refused = 0;
    std::map<std::string, std::size_t> skipped;
    std::map<std::string, std::size_t> not_implemented;  // by test
};

void run_case(const std::string& name, const Json& test, const State& pre, const Json& expected, Tally& tally) {
    const bool must_fail = expected.contains("expectException");
    Transaction tx;
    try {
        tx = read_transaction(test.at("transaction"), expected.at("indexes"));
    } catch (const std::invalid_argument&) {
        EXPECT_TRUE(must_fail) << "a transaction that cannot be read";
        ++tally.refused;
        return;
    }
    if (!must_fail && !expected.contains("gasUsed")) {
        ++tally.skipped["no expected gas"];
        return;
    }
    State state = pre;
    const ExecutionResult r = execute(state, tx, {.fork = Fork::cancun, .block = test::json_block(test.at("env"))});
    if (must_fail) {
        EXPECT_EQ(r.status, Status::invalid) << expected.at("expectException");
        test::expect_same_accounts(state, pre);
        ++tally.refused;
        return;
    }
    if (r.halt == Halt::not_implemented) {
        ++tally.skipped["pairing or KZG precompile"];
        ++tally.not_implemented[name];
        return;
    }
    ASSERT_NE(r.status, Status::invalid) << r.reason;
    EXPECT_EQ(r.gas_used, test::json_u64(expected.at("gasUsed"))) << r.reason;
    EXPECT_EQ(to_hex_0x(test::logs_hash(r.logs)), expected.at("logs").get<std::string>());
    ++tally.passed_gas;
    if (!expected.contains("changes")) return;
    State post = pre;
    apply_changes(post, expected.at("changes"));
    test::expect_same_accounts(state, post);
    ++tally.passed_changes;
}

TEST(StateTests, EveryCancunCase) {
    POSTERN_REQUIRE_VECTORS(dir);
    Tally tally;
    std::size_t cases = 0;
    for (const auto& file : test::sorted_json_files(dir / "evm" / "state")) {
        const Json all = test::read_json(file);
        for (const auto& [name, t] : all.items()) {
            State pre;
            test::load_accounts(pre, t.at("pre"));
            std::size_t index = 0;
            for (const Json& expected : t.at("post").at("Cancun")) {
                SCOPED_TRACE(file.stem().string() + "/" + name + " #" + std::to_string(index++));
                run_case(file.stem().string() + "/" + name, t, pre, expected, tally);
                ++cases;
            }
        }
    }
    std::cout << cases << " cases: gas of " << tally.passed_gas << " checked, post-state of " << tally.passed_changes << ", "
              << tally.refused << " invalid transactions refused\n";
    for (const auto& [why, n] : tally.skipped) std::cout << "  skipped " << n << ": " << why << "\n";
    for (const auto& [test, n] : tally.not_implemented) std::cout << "    " << test << " (" << n << ")\n";
    EXPECT_EQ(cases, 7414U);
    EXPECT_EQ(tally.refused, 104U);
    EXPECT_EQ(tally.skipped["no expected gas"], 46U);
}

}  // namespace
}  // namespace postern::evm
