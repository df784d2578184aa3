// The legacy VM tests: single frames under Frontier rules, with exact gas.

#include <gtest/gtest.h>

#include "support/evm_json.hpp"
#include "support/vectors.hpp"

namespace postern::evm {
namespace {

using test::Json;

void run_case(const std::string& name, const Json& t) {
    SCOPED_TRACE(name);
    const Json& exec = t.at("exec");
    State state;
    test::load_accounts(state, t.at("pre"));
    Message m;
    m.from = test::json_address(exec.at("caller"));
    m.to = test::json_address(exec.at("address"));
    m.origin = test::json_address(exec.at("origin"));
    m.value = test::json_word(exec.at("value"));
    m.data = test::json_bytes(exec.at("data"));
    m.gas = test::json_u64(exec.at("gas"));
    m.gas_price = test::json_word(exec.at("gasPrice"));
    state.set_code(*m.to, test::json_bytes(exec.at("code")));
    // These tests announce a value without moving it: what the call moves is taken away beforehand.
    if (m.from != *m.to) {
        state.set_balance(m.from, to_word(to_u256(state.balance(m.from)) + to_u256(m.value)));
        state.set_balance(*m.to, to_word(to_u256(state.balance(*m.to)) - to_u256(m.value)));
    } else {
        state.set_balance(m.from, std::max(state.balance(m.from), m.value));
    }

    const ExecutionResult r = call(state, m, {.fork = Fork::frontier, .block = test::json_block(t.at("env"))});
    if (!t.contains("gas")) {
        EXPECT_EQ(r.status, Status::halt) << r.reason;
        return;
    }
    ASSERT_EQ(r.status, Status::success) << r.reason;
    EXPECT_EQ(m.gas - r.gas_used, test::json_u64(t.at("gas")));
    EXPECT_EQ(r.output, test::json_bytes(t.at("out")));
    EXPECT_EQ(to_hex_0x(test::logs_hash(r.logs)), t.at("logs").get<std::string>());
    if (!t.at("post").contains(exec.at("caller").get<std::string>())) state.erase(m.from);
    State expected;
    test::load_accounts(expected, t.at("post"));
    test::expect_same_accounts(state, expected);
}

TEST(VmTests, EveryCaseWithExactGas) {
    POSTERN_REQUIRE_VECTORS(dir);
    std::size_t cases = 0;
    for (const auto& file : test::sorted_json_files(dir / "evm" / "vmtests")) {
        const Json all = test::read_json(file);
        for (const auto& [name, t] : all.items()) {
            run_case(file.stem().string() + "/" + name, t);
            ++cases;
        }
    }
    EXPECT_EQ(cases, 609U);
}

}  // namespace
}  // namespace postern::evm
