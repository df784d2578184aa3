#include "codegen/assembler.hpp"

#include <gtest/gtest.h>

#include "codegen/block.hpp"
#include "codegen/control.hpp"
#include "core/hex.hpp"
#include "machine.hpp"

namespace postern::codegen {
namespace {

TEST(Assembler, NarrowestPushesAndLabels) {
    Assembler a("widths");
    const Label far = a.new_label("far");
    a.push(0);
    a.push(255);
    a.push(256);
    a.ops({Op::POP, Op::POP, Op::POP});
    a.jump(far);
    a.jumpdest(far);
    a.op(Op::STOP);
    EXPECT_EQ(to_hex(a.assemble().code), "5f60ff610100505050600c565b00");
}

TEST(Assembler, LabelsGrowWhereTheyMust) {
    Assembler a("long");
    const Label far = a.new_label("far");
    a.jump(far);
    for (int i = 0; i < 300; ++i) a.op(Op::JUMPDEST);
    a.jumpdest(far);
    a.op(Op::STOP);
    const Program p = a.assemble();
    EXPECT_EQ(p.code[0], 0x61);
    EXPECT_EQ(p.symbols.at("far"), 304U);
    EXPECT_TRUE(test::run(p.code).success());
}

TEST(Assembler, RegionsNestAndTheListingShowsTheStack) {
    Assembler a("regions");
    {
        const RegionScope outer(a, "outer");
        a.push(1);
        const RegionScope inner(a, "inner");
        Block b("sum");
        b.exit({b.entry({"x"})[0] + U256{2}});
        schedule(b, a);
    }
    a.op(Op::POP);
    a.op(Op::STOP);
    const Program p = a.assemble();
    const auto map = p.region_map();
    EXPECT_EQ(map.at(0), "outer");
    EXPECT_EQ(map.at(2), "outer/inner");
    EXPECT_NE(p.listing().find("block sum"), std::string::npos);
    EXPECT_NE(p.listing().find("| 2 x"), std::string::npos);
}

std::string refusal(const std::function<void(Assembler&)>& fill, const AssembleOptions& options = {}) {
    Assembler a("contract");
    fill(a);
    try {
        (void)a.assemble(options);
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

TEST(Assembler, RefusesWhatTheChainWouldRefuse) {
    EXPECT_NE(refusal([](Assembler& a) {
                  for (int i = 0; i < 24577; ++i) a.op(Op::JUMPDEST);
              }).find("24576"),
              std::string::npos);
    EXPECT_NE(refusal([](Assembler& a) { a.op(static_cast<Op>(0xef)); }), "");
    EXPECT_NE(refusal([](Assembler& a) { a.jump(a.new_label("nowhere")); }).find("nowhere"), std::string::npos);
    EXPECT_NE(refusal([](Assembler& a) {
                  (void)a.data("table", {1, 2, 3});
                  a.push(0);
              }).find("falls through"),
              std::string::npos);
    AssembleOptions cancun;
    cancun.fork = evm::Fork::cancun;
    EXPECT_NE(refusal([](Assembler& a) { a.op(Op::CLZ); }, cancun).find("CLZ"), std::string::npos);
}

TEST(Assembler, LintForValidatingAccounts) {
    for (const Op op : {Op::INVALID, Op::SLOAD, Op::SSTORE, Op::TLOAD, Op::TIMESTAMP, Op::BALANCE, Op::CREATE2, Op::ORIGIN})
        EXPECT_NE(refusal([&](Assembler& a) { a.op(op); }).find("ERC-7562"), std::string::npos) << evm::name(op);
    EXPECT_NE(refusal([](Assembler& a) { a.ops({Op::GAS, Op::POP}); }).find("GAS"), std::string::npos);
    EXPECT_EQ(refusal([](Assembler& a) { a.ops({Op::GAS, Op::STATICCALL}); }), "");
    AssembleOptions allow;
    allow.lint_allow = {Op::TLOAD};
    EXPECT_EQ(refusal([](Assembler& a) { a.op(Op::TLOAD); }, allow), "");
}

TEST(Control, LoopsSubroutinesAndBranches) {
    Assembler a("control");
    // sum = 3 + 6 + ... + 30, doubled by a subroutine with one argument and one result.
    const Subroutine twice = declare_subroutine(a, "twice", 1, 1);
    a.push(0);
    repeat_pointer(a, "sum", 3, 33, 3, [](Assembler& body) {
        Block b("add");
        const auto in = b.entry({"p", "sum"});
        b.exit({in[0], in[1] + in[0]});
        schedule(b, body);
    });
    const Label back = push_return(a, twice);
    a.swap(1);
    jump_to(a, twice, back);
    a.dup(1);
    a.push(330);
    a.op(Op::EQ);
    if_nonzero(
        a, [](Assembler& t) { return_word(t, 1); }, [](Assembler& t) { return_word(t, 2); });
    a.op(Op::STOP);
    define_subroutine(a, twice, [](Assembler& body) {
        Block b("twice");
        const auto in = b.entry({"x", "return"});
        b.exit({in[0] + in[0], in[1]});
        schedule(b, body);
    });
    const auto r = test::run(a.assemble().code);
    ASSERT_TRUE(r.success()) << r.reason;
    EXPECT_EQ(test::word_at(r.output, 0), U256{1});
}

TEST(Control, DispatchBySelector) {
    const AbiFunction f{"verify", {{"key", "bytes"}, {"hash", "bytes32"}, {"signature", "bytes"}}, {{"", "bytes4"}}};
    EXPECT_EQ(f.signature(), "verify(bytes,bytes32,bytes)");
    Assembler a("dispatch");
    dispatch(a, {{f.selector(), "verify", [](Assembler& e) { return_word(e, 7); }},
                 {0x01020304, "other", [](Assembler& e) { return_word(e, 8); }}});
    const Bytes code = a.assemble().code;
    const auto call = [&](std::uint32_t selector, std::size_t size) {
        Bytes data = {static_cast<std::uint8_t>(selector >> 24), static_cast<std::uint8_t>(selector >> 16),
                      static_cast<std::uint8_t>(selector >> 8), static_cast<std::uint8_t>(selector)};
        data.resize(size);
        return test::run(code, data);
    };
    EXPECT_EQ(test::word_at(call(f.selector(), 4).output, 0), U256{7});
    EXPECT_EQ(test::word_at(call(0x01020304, 40).output, 0), U256{8});
    EXPECT_EQ(call(0x01020305, 40).status, evm::Status::revert);
    EXPECT_EQ(call(f.selector(), 3).status, evm::Status::revert);
}

TEST(Control, InitCodeDeploysTheCode) {
    Assembler a("runtime");
    return_word(a, 99);
    const Bytes runtime = a.assemble().code;
    evm::State state;
    evm::Message m;
    m.data = init_code(runtime);
    const auto r = evm::call(state, m);
    ASSERT_TRUE(r.success()) << r.reason;
    const ByteView code = state.code(r.created.value());
    EXPECT_EQ(Bytes(code.begin(), code.end()), runtime);
}

}  // namespace
}  // namespace postern::codegen
