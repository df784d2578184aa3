// The profiler's sums and names, and the tracer's lines.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/hex.hpp"
#include "evm/opcodes.hpp"

namespace postern::evm {
namespace {

const Address kOuter{0xaa};
const Address kInner{0xbb};

/// PUSH1 2, PUSH1 3, MUL, POP; then a static call to the inner contract; then STOP.
State two_contracts() {
    State state;
    state.set_code(kOuter, *from_hex("600260030250"
                                     "5f5f5f5f73bb000000000000000000000000000000000000005afa50"
                                     "00"));
    state.set_code(kInner, *from_hex("60016001015060205ff3"));
    return state;
}

std::uint64_t sum(const std::vector<Profile::Row>& rows) {
    std::uint64_t total = 0;
    for (const auto& row : rows) total += row.gas;
    return total;
}

const Profile::Row* find(const std::vector<Profile::Row>& rows, const std::string& wanted) {
    for (const auto& row : rows) {
        if (row.name == wanted) return &row;
    }
    return nullptr;
}

TEST(Profile, AttributesEveryUnitOfGasToARegion) {
    State state = two_contracts();
    Profile profile;
    profile.set_regions(kOuter, "outer", RegionMap({{0, 6, "multiply"}, {6, 34, "call/inner"}}));
    profile.set_regions(kInner, "inner", RegionMap({{0, 6, "add"}}));
    Message m;
    m.to = kOuter;
    m.gas = 100'000;
    const ExecutionResult r = call(state, m, {.profile = &profile});
    ASSERT_TRUE(r.success()) << r.reason;

    const auto regions = profile.by_region();
    EXPECT_EQ(sum(regions), r.exec_gas);
    EXPECT_EQ(profile.total_gas(), r.exec_gas);
    EXPECT_EQ(sum(profile.by_opcode()), r.exec_gas);
    EXPECT_EQ(profile.total_steps(), r.steps);
    ASSERT_NE(find(regions, "multiply"), nullptr);
    EXPECT_EQ(find(regions, "multiply")->gas, 3U + 3U + 5U + 2U);
    EXPECT_EQ(find(regions, "multiply")->steps, 4U);
    // The call's own price: four PUSH0, the address, GAS, the cold access, POP.
    EXPECT_EQ(find(regions, "call/inner")->gas, 4U * 2U + 3U + 2U + 2600U + 2U);
    EXPECT_EQ(find(regions, "inner:add")->gas, 3U + 3U + 3U + 2U);
    EXPECT_EQ(find(regions, "inner:(none)")->gas, 3U + 2U + 3U);
    EXPECT_EQ(regions.front().name, "multiply");

    EXPECT_EQ(profile.folded_stacks(),
              "outer;call;inner 2615\nouter;call;inner;inner;(none) 8\nouter;call;inner;inner;add 11\nouter;multiply 13\n");
    const auto by_pc = profile.gas_by_pc(kOuter);
    EXPECT_EQ(by_pc.at(4), 5U);

    const ExecutionResult again = call(state, m, {.profile = &profile});
    EXPECT_EQ(profile.total_gas(), r.exec_gas + again.exec_gas);
    profile.clear();
    EXPECT_EQ(profile.total_gas(), 0U);
    EXPECT_TRUE(profile.by_region().empty());
}

TEST(Profile, SumsWhenFramesFailOrAContractIsMade) {
    for (const char* code : {"fe", "5f5f5f5f5f73bb000000000000000000000000000000000000005af1fe", "5f56", "5f5ffd", "62ffffff5f52",
                             "6460ff5ff3005f526005601b5ff05000", "5f5f5f5f5f60045af15f5f5f5f5f60095af100"}) {
        State state = two_contracts();
        state.set_code(kOuter, *from_hex(code));
        Profile profile;
        Transaction tx;
        tx.to = kOuter;
        tx.gas_limit = 200'000;
        const ExecutionResult r = execute(state, tx, {.profile = &profile});
        EXPECT_EQ(profile.total_gas(), r.exec_gas) << code << ": " << r.reason;
        EXPECT_EQ(sum(profile.by_region()), r.exec_gas) << code;
        EXPECT_EQ(r.gas_used, r.exec_gas + r.intrinsic_gas) << code;
    }
    State state;
    Profile profile;
    Transaction tx;
    tx.data = *from_hex("60206000526001601ff3");
    tx.gas_limit = 200'000;
    const ExecutionResult r = execute(state, tx, {.profile = &profile});
    ASSERT_TRUE(r.success()) << r.reason;
    EXPECT_EQ(profile.total_gas(), r.exec_gas);
    EXPECT_EQ(find(profile.by_region(), "(code deposit)")->gas, 200U);
}

TEST(Profile, TheSameGasWithAndWithoutWatching) {
    State state = two_contracts();
    Message m;
    m.to = kOuter;
    Profile profile;
    const ExecutionResult plain = call(state, m, {.keep_changes = false});
    const ExecutionResult watched = call(state, m, {.profile = &profile, .keep_changes = false});
    EXPECT_EQ(plain.exec_gas, watched.exec_gas);
    EXPECT_EQ(plain.steps, watched.steps);
    EXPECT_EQ(plain.output, watched.output);
}

TEST(RegionMap, RefusesNonsenseAndAnswersTheInnermost) {
    EXPECT_THROW(RegionMap({{3, 3, "empty"}}), std::invalid_argument);
    EXPECT_THROW(RegionMap({{0, 5, "a"}, {3, 8, "b"}}), std::invalid_argument);
    const RegionMap map({{2, 4, "in"}, {0, 10, "out"}, {12, 14, "later"}});
    EXPECT_EQ(map.at(0), "out");
    EXPECT_EQ(map.at(3), "in");
    EXPECT_EQ(map.at(4), "out");
    EXPECT_EQ(map.at(11), "(none)");
    EXPECT_EQ(map.at(13), "later");
}

// EIP-3529: clearing a slot that was set before the transaction earns 4,800; setting it again takes them back.
TEST(Tracer, ShowsTheRefundCounter) {
    State state;
    state.set_code(kOuter, *from_hex("5f5f55"    // sstore(0, 0)
                                     "60075f55"  // sstore(0, 7): what it held
                                     "00"));
    Word seven{};
    seven[31] = 7;
    state.set_storage(kOuter, Word{}, seven);
    std::ostringstream out;
    JsonLinesTracer tracer(out);
    Message m;
    m.to = kOuter;
    m.gas = 100'000;
    ASSERT_TRUE(call(state, m, {.tracer = &tracer}).success());
    std::istringstream in(out.str());
    std::vector<std::uint64_t> refunds;
    for (std::string line; std::getline(in, line);) refunds.push_back(nlohmann::json::parse(line)["refund"].get<std::uint64_t>());
    // The last one: EIP-2200 gives back what a reset to the original value cost too much (2,900 less the warm 100).
    EXPECT_EQ(refunds, (std::vector<std::uint64_t>{0, 0, 0, 4800, 4800, 4800, 2800}));
}

TEST(Tracer, WritesEip3155Lines) {
    State state = two_contracts();
    std::ostringstream out;
    JsonLinesTracer tracer(out);
    Message m;
    m.to = kOuter;
    m.gas = 100'000;
    const ExecutionResult r = call(state, m, {.tracer = &tracer});
    tracer.finish(r);
    std::istringstream in(out.str());
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    ASSERT_EQ(lines.size(), r.steps + 1);
    EXPECT_EQ(lines[0]["pc"], 0);
    EXPECT_EQ(lines[0]["op"], 0x60);
    EXPECT_EQ(lines[0]["gas"], "0x186a0");
    EXPECT_EQ(lines[0]["gasCost"], "0x3");
    EXPECT_EQ(lines[0]["depth"], 1);
    EXPECT_TRUE(lines[0]["stack"].empty());
    EXPECT_EQ(lines[2]["opName"], "MUL");
    EXPECT_EQ(lines[2]["stack"], nlohmann::json::array({"0x2", "0x3"}));
    EXPECT_EQ(lines[2]["memSize"], 0);
    unsigned deepest = 0;
    for (std::size_t i = 0; i < r.steps; ++i) deepest = std::max(deepest, lines[i]["depth"].get<unsigned>());
    EXPECT_EQ(deepest, 2U);
    EXPECT_EQ(lines.back()["pass"], true);
    EXPECT_EQ(std::stoull(lines.back()["gasUsed"].get<std::string>(), nullptr, 16), r.exec_gas);

    std::ostringstream failing;
    JsonLinesTracer other(failing);
    state.set_code(kOuter, {0x01});
    call(state, m, {.tracer = &other});
    EXPECT_NE(failing.str().find("\"error\":\"stack underflow\""), std::string::npos);
}

}  // namespace
}  // namespace postern::evm
