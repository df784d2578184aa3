// The Amsterdam preview against another implementation of the same EIPs: data/amsterdam.json says which.

#include <gtest/gtest.h>

#include "support/evm_json.hpp"
#include "support/vectors.hpp"

namespace postern::evm {
namespace {

using test::Json;

U256 number(const Json& j) {
    if (j.is_number()) return U256{j.get<std::uint64_t>()};
    return to_u256(test::json_word(j));
}

State read_state(const Json& pre, const Address& sender) {
    State state;
    state.set_balance(sender, word(1'000'000'000'000'000'000));
    for (const auto& [hex, account] : pre.items()) {
        const Address a = test::address_of(hex);
        if (account.contains("balance")) state.set_balance(a, to_word(number(account.at("balance"))));
        if (account.contains("nonce")) state.set_nonce(a, number(account.at("nonce")).low64());
        if (account.contains("code")) state.set_code(a, test::json_bytes(account.at("code")));
        if (!account.contains("storage")) continue;
        for (const auto& [key, value] : account.at("storage").items())
            state.set_storage(a, test::json_word(Json(key)), test::json_word(value));
    }
    return state;
}

Transaction read_transaction(const Json& t, const Address& sender) {
    Transaction tx;
    tx.from = sender;
    if (!t.at("to").is_null()) tx.to = test::json_address(t.at("to"));
    tx.gas_limit = t.at("gas").get<std::uint64_t>();
    tx.value = to_word(number(t.at("value")));
    tx.data = test::json_bytes(t.at("data"));
    if (t.contains("accessList")) {
        for (const Json& entry : t.at("accessList")) {
            AccessListEntry e{test::json_address(entry.at("address")), {}};
            for (const Json& key : entry.at("storageKeys")) e.storage_keys.push_back(test::json_word(key));
            tx.access_list.push_back(std::move(e));
        }
    }
    if (t.contains("authorizations")) {
        tx.authorization_list.emplace();
        for (const Json& a : t.at("authorizations")) {
            const auto part = [&a](std::size_t i) { return test::json_word(a.at(i)); };
            tx.authorization_list->push_back({part(0), test::json_address(a.at(1)), to_u256(part(2)).low64(),
                                              static_cast<std::uint8_t>(to_u256(part(3)).low64()), part(4), part(5)});
        }
    }
    return tx;
}

TEST(Amsterdam, GasOfEveryCase) {
    const Json file = test::read_json(test::source_dir() / "tests/unit/evm/data/amsterdam.json");
    const Address sender = test::json_address(file.at("sender"));
    Options options{.fork = Fork::amsterdam};
    options.block.gas_limit = 1'000'000'000;
    options.block.slot_number = 9;
    Profile profile;
    options.profile = &profile;
    std::size_t cases = 0;
    for (const Json& c : file.at("cases")) {
        SCOPED_TRACE(c.at("name").get<std::string>());
        State state = read_state(c.at("pre"), sender);
        profile.clear();
        const ExecutionResult r = execute(state, read_transaction(c.at("tx"), sender), options);
        EXPECT_EQ(r.gas_used, c.at("gasUsed").get<std::uint64_t>()) << r.reason;
        EXPECT_EQ(r.success(), c.at("success").get<bool>()) << r.reason << " / " << c.at("error");
        if (c.contains("output")) {
            EXPECT_EQ(to_hex_0x(r.output), c.at("output").get<std::string>());
        }
        EXPECT_EQ(profile.total_gas(), r.exec_gas);
        ++cases;
    }
    EXPECT_GE(cases, 190U);
}

}  // namespace
}  // namespace postern::evm
