// Rules that the vector files do not reach, and the API's promises.

#include <gtest/gtest.h>

#include "core/hex.hpp"
#include "evm/opcodes.hpp"
#include "evm/precompiles.hpp"

namespace postern::evm {
namespace {

const Address kContract{0xcc};
const Address kSender{0x5e};

ExecutionResult run(const char* code, Fork fork = Fork::osaka, std::uint64_t gas = 1'000'000, bool is_static = false) {
    State state;
    state.set_code(kContract, *from_hex(code));
    Message m;
    m.from = kSender;
    m.to = kContract;
    m.gas = gas;
    m.is_static = is_static;
    return call(state, m, {.fork = fork});
}

TEST(Machine, HaltsSayWhy) {
    const std::vector<std::pair<const char*, Halt>> cases{{"01", Halt::stack_underflow},
                                                          {"0c", Halt::undefined_opcode},
                                                          {"fe", Halt::invalid_opcode},
                                                          {"600256", Halt::invalid_jump},
                                                          {"60045660015b", Halt::invalid_jump},
                                                          {"5b5f56", Halt::out_of_gas},
                                                          {"60015f5f3e", Halt::return_data_bounds},
                                                          {"e680", Halt::undefined_opcode}};
    for (const auto& [code, halt] : cases) {
        const ExecutionResult r = run(code, Fork::osaka, 20'000);
        EXPECT_EQ(r.status, evm::Status::halt) << code;
        EXPECT_EQ(name(r.halt), name(halt)) << code;
        EXPECT_EQ(r.gas_used, 20'000U) << code;
    }
    EXPECT_EQ(run("5b5f600056", Fork::osaka, 50'000).halt, Halt::stack_overflow);
    EXPECT_EQ(run("60015f55", Fork::osaka, 50'000, true).halt, Halt::static_violation);
    EXPECT_EQ(run("60015f5d", Fork::osaka, 50'000, true).halt, Halt::static_violation);
    EXPECT_EQ(run("5f5fa0", Fork::osaka, 50'000, true).halt, Halt::static_violation);
    EXPECT_EQ(run("5f5f5ff0", Fork::osaka, 50'000, true).halt, Halt::static_violation);
    EXPECT_EQ(run("5fff", Fork::osaka, 50'000, true).halt, Halt::static_violation);
    EXPECT_EQ(run("01").reason, "halt: stack underflow");
}

TEST(Machine, InstructionsComeWithTheirForks) {
    EXPECT_EQ(run("60011e", Fork::prague).halt, Halt::undefined_opcode);
    EXPECT_TRUE(run("60011e", Fork::osaka).success());
    EXPECT_EQ(run("5f5c", Fork::shanghai).halt, Halt::undefined_opcode);
    EXPECT_TRUE(run("5f5c", Fork::cancun).success());
    EXPECT_EQ(run("5f", Fork::frontier).halt, Halt::undefined_opcode);
    EXPECT_TRUE(run("5f", Fork::shanghai).success());
    EXPECT_EQ(run("4b", Fork::osaka).halt, Halt::undefined_opcode);
    EXPECT_TRUE(run("4b", Fork::amsterdam).success());
}

TEST(Machine, ClzCountsLeadingZeros) {
    const auto clz = [](const std::string& push) { return to_hex(run((push + "1e5f5260205ff3").c_str()).output).substr(60); };
    EXPECT_EQ(clz("5f"), "0100");
    EXPECT_EQ(clz("6001"), "00ff");
    EXPECT_EQ(clz("7f" + std::string(64, 'f')), "0000");
    EXPECT_EQ(clz("67ffffffffffffffff"), "00c0");
}

// The executions listed in EIP-8024, each followed by returning what it says is on the stack.
TEST(Machine, DeepStackInstructions) {
    const auto top = [](const std::string& code) {
        const ExecutionResult r = run((code + "5f5260205ff3").c_str(), Fork::amsterdam);
        return r.success() ? to_hex(r.output).substr(62) : std::string(name(r.halt));
    };
    EXPECT_EQ(top("60016000808080808080808080808080808080e680"), "01");
    EXPECT_EQ(top("600160008080808080808080808080808080806002e780"), "01");
    EXPECT_EQ(top("600060016002e88e"), "02");
    EXPECT_EQ(top("60008080e88e15"), "01");
    EXPECT_EQ(top("e75b"), "invalid immediate");
    EXPECT_EQ(top("e852"), "invalid immediate");
    EXPECT_EQ(top("6000808080808080808080808080808080e680"), "stack underflow");
    EXPECT_TRUE(run("600456e65b", Fork::amsterdam).success());
}

TEST(Machine, LeavesTheStateAloneWhenAsked) {
    State state;
    state.set_code(kContract, *from_hex("60015f5500"));
    Message m;
    m.to = kContract;
    EXPECT_TRUE(call(state, m, {.keep_changes = false}).success());
    EXPECT_EQ(state.storage(kContract, word(0)), word(0));
    EXPECT_TRUE(call(state, m).success());
    EXPECT_EQ(state.storage(kContract, word(0)), word(1));
    State copy = state;
    copy.set_storage(kContract, word(0), word(9));
    EXPECT_EQ(state.storage(kContract, word(0)), word(1));
    state.set_code(kContract, *from_hex("60025f55fe"));
    EXPECT_EQ(call(state, m).status, evm::Status::halt);
    EXPECT_EQ(state.storage(kContract, word(0)), word(1));
}

TEST(Machine, CreatesContractsFromMessages) {
    State state;
    Message m;
    m.from = kSender;
    m.data = *from_hex("600a5ff3");
    const ExecutionResult r = call(state, m);
    ASSERT_TRUE(r.success()) << r.reason;
    ASSERT_TRUE(r.created.has_value());
    EXPECT_EQ(state.code(*r.created).size(), 10U);
    EXPECT_EQ(r.gas_used, 3U + 2U + 3U + 10U * 200U);
    EXPECT_EQ(state.nonce(kSender), 1U);
    // EIP-3541 and EIP-170.
    m.data = *from_hex("60ef5f5360015ff3");
    EXPECT_EQ(call(state, m).halt, Halt::code_first_byte);
    m.data = *from_hex("6160015ff3");
    EXPECT_EQ(call(state, m).halt, Halt::code_size_limit);
    EXPECT_TRUE(call(state, m, {.fork = Fork::amsterdam}).success());
}

TEST(Machine, RefusesInvalidTransactions) {
    State state;
    state.set_balance(kSender, word(1'000'000));
    Transaction tx;
    tx.from = kSender;
    tx.to = kContract;
    tx.gas_limit = 21'000;
    EXPECT_TRUE(execute(state, tx).success());
    EXPECT_EQ(state.nonce(kSender), 1U);
    tx.nonce = 0;
    EXPECT_EQ(execute(state, tx).reason, "invalid transaction: nonce too low: 0, the account is at 1");
    tx.nonce.reset();
    tx.gas_limit = 20'999;
    EXPECT_EQ(execute(state, tx).status, evm::Status::invalid);
    tx.gas_limit = 16'777'217;
    EXPECT_EQ(execute(state, tx).status, evm::Status::invalid);  // EIP-7825
    EXPECT_TRUE(execute(state, tx, {.fork = Fork::prague}).success());
    tx.gas_limit = 30'000;
    tx.data = Bytes(1000, 1);  // floor 21,000 + 40 a byte (EIP-7623)
    EXPECT_EQ(execute(state, tx).status, evm::Status::invalid);
    tx.gas_limit = 61'000;
    EXPECT_EQ(execute(state, tx).gas_used, 61'000U);
    EXPECT_EQ(execute(state, tx, {.fork = Fork::cancun}).gas_used, 37'000U);
    tx.gas_price = word(100);
    EXPECT_EQ(execute(state, tx).reason, "invalid transaction: insufficient balance for gas and value");
    EXPECT_THROW(execute(state, tx, {.fork = Fork::frontier}), std::invalid_argument);
}

TEST(Machine, PrecompilesThatAreMissingEndEverything) {
    // A contract that ignores the result of a pairing must not go on as if it had failed.
    const ExecutionResult r = run("5f5f60c05f60085afa5060015f5260205ff3");
    EXPECT_EQ(r.status, evm::Status::halt);
    EXPECT_EQ(r.halt, Halt::not_implemented);
    EXPECT_EQ(r.reason, "halt: precompile not implemented");
    EXPECT_TRUE(run("5f5f5f5f60085afa").success());  // the empty pairing is known
}

TEST(Precompiles, KnownAnswers) {
    using namespace precompile;
    const auto hex = [](const Bytes& b) { return to_hex(b); };
    EXPECT_EQ(hex(sha256(*from_hex("616263"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const std::string pad(24, '0');
    EXPECT_EQ(hex(ripemd160({})), pad + "9c1185a5c5e9fc54612808977ee8f548b2258d31");
    EXPECT_EQ(hex(ripemd160(*from_hex("616263"))), pad + "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc");
    EXPECT_EQ(hex(ripemd160(Bytes(64, 'a'))).substr(0, 24), pad);
    // EIP-152, vector 5.
    const auto blake = blake2f(*from_hex(
        "0000000c48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319"
        "cde05b616263" +
        std::string(250, '0') + "0300000000000000000000000000000001"));
    ASSERT_TRUE(blake.has_value());
    EXPECT_EQ(
        hex(*blake),
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
    EXPECT_FALSE(blake2f(Bytes(212)).has_value());
    // 3^5 mod 7 = 5, right-aligned in one byte.
    Bytes in(96);
    in[31] = in[63] = in[95] = 1;
    in.insert(in.end(), {3, 5, 7});
    EXPECT_EQ(hex(modexp(in)), "05");
    // Twice the generator of alt_bn128.
    Bytes g(64);
    g[31] = 1;
    g[63] = 2;
    Bytes gg = g;
    gg.insert(gg.end(), g.begin(), g.end());
    Bytes g2 = g;
    g2.resize(96);
    g2[95] = 2;
    EXPECT_EQ(*bn254_add(gg), *bn254_mul(g2));
    EXPECT_EQ(hex(*bn254_add(gg)).substr(0, 64), "030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3");
    gg[63] = 3;
    EXPECT_FALSE(bn254_add(gg).has_value());
    EXPECT_TRUE(p256_verify(Bytes(159)).empty());
    EXPECT_TRUE(p256_verify(Bytes(160)).empty());
}

// RFC 6979 A.2.5: P-256, SHA-256, message "sample".
TEST(Precompiles, P256AcceptsASignatureAndNothingBesideIt) {
    Bytes in = *from_hex(
        "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf"
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299");
    const Bytes yes = precompile::p256_verify(in);
    ASSERT_EQ(yes.size(), 32U);
    EXPECT_EQ(yes[31], 1);
    for (const std::size_t i : {0U, 40U, 70U, 100U, 150U}) {
        in[i] ^= 1;
        EXPECT_TRUE(precompile::p256_verify(in).empty()) << i;
        in[i] ^= 1;
    }
}

TEST(Precompiles, ModexpPricesByFork) {
    // 32-byte operands, exponent of 256 bits: EIP-2565 16 * 255 / 3, EIP-7883 16 * 255.
    Bytes in(96);
    in[31] = in[63] = in[95] = 32;
    in.resize(96 + 96, 0xff);
    EXPECT_EQ(precompile::modexp_gas(Fork::prague, in), 16 * 255 / 3);
    EXPECT_EQ(precompile::modexp_gas(Fork::osaka, in), 16 * 255);
    EXPECT_EQ(precompile::modexp_gas(Fork::osaka, Bytes(96)), 500);
    EXPECT_EQ(precompile::modexp_gas(Fork::prague, Bytes(96)), 200);
    in[30] = 4;  // base of 1,056 bytes
    EXPECT_FALSE(precompile::modexp_lengths_allowed(in));
}

TEST(Forks, NamesRoundTrip) {
    for (const Fork f : {Fork::frontier, Fork::shanghai, Fork::cancun, Fork::prague, Fork::osaka, Fork::amsterdam}) {
        EXPECT_EQ(*parse_fork(name(f)), f);
    }
    EXPECT_FALSE(parse_fork("berlin").has_value());
    EXPECT_EQ(limits(Fork::osaka).code_size, 24576U);
    EXPECT_EQ(limits(Fork::amsterdam).initcode_size, 131072U);
    EXPECT_FALSE(parse_address("0x12").has_value());
}

}  // namespace
}  // namespace postern::evm
