// Random programs here and in anvil (revm): the same verdict, return data, gas and reason, and the same (pc, opcode, gas, depth) at
// every step.

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/hex.hpp"
#include "evm/opcodes.hpp"
#include "random_program.hpp"
#include "support/anvil.hpp"

namespace postern::evm {
namespace {

using nlohmann::json;

Address account(std::uint8_t tag) {
    Address a{};
    a.fill(0x11);
    a[19] = tag;
    return a;
}

struct StepRecord {
    std::uint64_t pc;
    std::string op;
    std::uint64_t gas;
    unsigned depth;
    friend bool operator==(const StepRecord&, const StepRecord&) = default;
    friend std::ostream& operator<<(std::ostream& out, const StepRecord& s) {
        return out << s.op << " at " << s.pc << ", gas " << s.gas << ", depth " << s.depth;
    }
};

class Recorder : public Tracer {
  public:
    void before_step(const Step& s) override {
        const std::string_view op = info(s.op).name.empty() ? "Unknown" : info(s.op).name;
        steps.push_back({s.pc, std::string(op), s.gas, s.depth});
    }
    std::vector<StepRecord> steps;
};

/// Ours for revm's.
Halt halt_of(const std::string& error) {
    static const std::map<std::string, Halt> known{
        {"OutOfGas", Halt::out_of_gas},
        {"MemoryOOG", Halt::out_of_gas},
        {"MemoryLimitOOG", Halt::out_of_gas},
        {"PrecompileOOG", Halt::out_of_gas},
        {"InvalidOperandOOG", Halt::out_of_gas},
        {"ReentrancySentryOOG", Halt::out_of_gas},
        {"OpcodeNotFound", Halt::undefined_opcode},
        {"NotActivated", Halt::undefined_opcode},
        {"InvalidFEOpcode", Halt::invalid_opcode},
        {"InvalidJump", Halt::invalid_jump},
        {"StackUnderflow", Halt::stack_underflow},
        {"StackOverflow", Halt::stack_overflow},
        {"OutOfOffset", Halt::return_data_bounds},
        {"StateChangeDuringStaticCall", Halt::static_violation},
        {"CallNotAllowedInsideStatic", Halt::static_violation},
        {"CreateInitCodeSizeLimit", Halt::init_code_size_limit},
    };
    const auto it = known.find(error);
    return it == known.end() ? Halt::none : it->second;
}

std::string inner_error(const json& log) {
    std::string e = log.value("error", "");
    if (e.starts_with("Some(") && e.ends_with(")")) e = e.substr(5, e.size() - 6);
    return e;
}

struct Case {
    Bytes code;
    Bytes data;
    std::uint64_t gas_limit;
};

class World {
  public:
    World() {
        const auto place = [&](std::uint8_t tag, const char* hex) {
            const Address a = account(tag);
            state.set_code(a, *from_hex(hex));
            anvil.set_code(a, *from_hex(hex));
            callees.push_back(a);
        };
        place(1, "365f5f37365ff3");                        // echo
        place(2, "600160005260206000fd");                  // revert with a word
        place(3, "5b6180005f20505f56");                    // hashes until the gas is gone
        place(4, "60015f5260205fa05f54600101805f55005b");  // logs, counts in storage
        place(5, "5f5ff0ff");                              // underflow
        place(6, "5f5f5f5f5f335af15f5260205ff3");          // calls back
        place(7, "33ff");                                  // destroys itself towards the caller
        place(8, "00");
        place(9, "6001600255600260025560006002555f5f5f5f5f60095af1");  // writes a slot around
        callees.push_back(account(100));                               // nobody
        callees.push_back(account(101));
        fund(account(101), 5);  // money only
        fund(self, 1000);
        fund(sender, 1'000'000);
        state.set_storage(self, word(1), word(7));
        anvil.set_storage(self, word(1), word(7));
        state.set_storage(account(9), word(2), word(3));
        anvil.set_storage(account(9), word(2), word(3));
        const json latest = anvil.request("eth_getBlockByNumber", {"latest", false});
        block.coinbase = *parse_address(latest.at("miner").get<std::string>());
        block.gas_limit = 1'000'000'000;
        block.number = std::stoull(latest.at("number").get<std::string>(), nullptr, 16);
    }

    json request(const Case& c) const {
        json call{{"from", to_hex_0x(sender)}, {"to", to_hex_0x(self)}, {"data", to_hex_0x(c.data)}, {"gasPrice", "0x0"}, {"value", "0x1"}};
        call["gas"] = c.gas_limit;
        return {{"method", "debug_traceCall"},
                {"params",
                 {call,
                  "latest",
                  {{"disableStack", true},
                   {"disableStorage", true},
                   {"enableMemory", false},
                   {"stateOverrides", {{to_hex_0x(self), {{"code", to_hex_0x(c.code)}}}}}}}}};
    }

    void compare(const Case& c, const json& answer) {
        SCOPED_TRACE("code " + to_hex(c.code) + " data " + to_hex(c.data) + " gas limit " + std::to_string(c.gas_limit));
        ASSERT_TRUE(answer.contains("result")) << answer.dump();
        const json& theirs = answer.at("result");
        State mine = state;
        mine.set_code(self, c.code);
        Transaction tx;
        tx.from = sender;
        tx.to = self;
        tx.data = c.data;
        tx.value = word(1);
        tx.gas_limit = c.gas_limit;
        Recorder recorder;
        const ExecutionResult r = execute(mine, tx, {.fork = Fork::osaka, .block = block, .tracer = &recorder});
        ASSERT_NE(r.status, Status::invalid) << r.reason;
        if (r.halt == Halt::not_implemented) {
            ++not_implemented;
            return;
        }
        const json& logs = theirs.at("structLogs");
        const std::size_t common = std::min(logs.size(), recorder.steps.size());
        for (std::size_t i = 0; i < common; ++i) {
            const json& l = logs[i];
            StepRecord s{l.at("pc"), l.at("op"), l.at("gas"), l.at("depth")};
            if (s.op == "DIFFICULTY") s.op = "PREVRANDAO";
            ASSERT_EQ(recorder.steps[i], s) << "step " << i;
        }
        ASSERT_EQ(recorder.steps.size(), logs.size());
        steps += common;
        EXPECT_EQ(r.success(), !theirs.at("failed").get<bool>()) << r.reason;
        EXPECT_EQ(r.gas_used, theirs.at("gas").get<std::uint64_t>()) << r.reason;
        EXPECT_EQ(to_hex_0x(r.output), theirs.at("returnValue").get<std::string>()) << r.reason;
        if (r.status == Status::halt && !logs.empty()) {
            const std::string error = inner_error(logs.back());
            ++halts[error];
            const std::string op = logs.back().at("op");
            // revm calls a DUP or SWAP that reaches below the stack an overflow.
            if (error == "StackOverflow" && (op.starts_with("DUP") || op.starts_with("SWAP")) && r.halt == Halt::stack_underflow) return;
            // And a RETURNDATACOPY of more than 2^64 bytes out of gas, though it is out of bounds as well.
            if (error == "InvalidOperandOOG" && op == "RETURNDATACOPY" && r.halt == Halt::return_data_bounds) return;
            EXPECT_EQ(name(r.halt), name(halt_of(error))) << error << " at " << op;
        } else {
            ++halts[r.success() ? "success" : "revert"];
        }
    }

    void fund(const Address& a, std::uint64_t wei) {
        state.set_balance(a, word(wei));
        anvil.set_balance(a, word(wei));
    }

    test::Anvil anvil;
    State state;
    Block block;
    const Address self = account(50);
    const Address sender = account(51);
    std::vector<Address> callees;
    std::size_t steps = 0;
    std::size_t not_implemented = 0;
    std::map<std::string, std::size_t> halts;
};

std::size_t campaign(std::size_t small) {
    const char* env = std::getenv("POSTERN_EVM_PROGRAMS");
    return env == nullptr ? small : std::stoul(env);
}

std::uint64_t campaign_seed() {
    const char* env = std::getenv("POSTERN_EVM_SEED");
    return env == nullptr ? 1 : std::stoull(env);
}

void run(const char* what, std::size_t programs, const std::function<Case(test::ProgramGenerator&, const World&)>& make) {
    World world;
    test::ProgramGenerator generator(campaign_seed());
    constexpr std::size_t batch = 100;
    std::size_t done = 0;
    for (; done < programs && !testing::Test::HasFailure(); done += batch) {
        std::vector<Case> cases;
        std::vector<json> requests;
        for (std::size_t i = 0; i < batch; ++i) {
            cases.push_back(make(generator, world));
            requests.push_back(world.request(cases.back()));
        }
        const std::vector<json> answers = world.anvil.batch(requests);
        for (std::size_t i = 0; i < batch; ++i) world.compare(cases[i], answers[i]);
    }
    std::cout << what << ": " << done << " programs, " << world.steps << " steps equal, " << world.not_implemented
              << " skipped (precompile not implemented)\n";
    for (const auto& [end, n] : world.halts) std::cout << "  " << end << ": " << n << "\n";
}

TEST(AnvilDifferential, SingleOperationsOnEdgeOperands) {
    POSTERN_REQUIRE_ANVIL();
    run("operations", campaign(2000), [](test::ProgramGenerator& g, const World&) { return Case{g.single_operation(), {}, 100'000}; });
}

TEST(AnvilDifferential, Programs) {
    POSTERN_REQUIRE_ANVIL();
    run("programs", campaign(3000), [](test::ProgramGenerator& g, const World& w) {
        return Case{g.program(w.callees), g.call_data(), 30'000 + g.below(g.below(3) == 0 ? 20'000 : 400'000)};
    });
}

TEST(AnvilDifferential, Noise) {
    POSTERN_REQUIRE_ANVIL();
    run("noise", campaign(2000), [](test::ProgramGenerator& g, const World&) {
        return Case{g.noise(), g.call_data(), 40'000 + g.below(40'000)};
    });
}

}  // namespace
}  // namespace postern::evm
