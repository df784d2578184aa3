// The drop-in for the published contracts of ML-DSA-ETH-44: what it hands on, what it pins, and what it never takes for an answer.

#include "contracts/thin.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "contracts/catalogue.hpp"
#include "contracts/harness.hpp"
#include "core/u256.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

using codegen::Kernel;

constexpr evm::Address kThin{0x7c};

class EthCompat : public testing::Test {
  protected:
    const contracts::Contract contract = contracts::build_contract("eth-ml-dsa-44-compat").value();
    const contracts::Contract verifier = contracts::build_contract("eth-ml-dsa-44").value();
    const contracts::Contract registry = contracts::build_contract("eth-ml-dsa-44-registry").value();
    const evm::Address verifier_at = contracts::pinned_contract("eth-ml-dsa-44").address;
    const evm::Address registry_at = contracts::find_registry("eth-ml-dsa-44")->address;
    mldsa::KeyPair pair = mldsa::generate(*mldsa::find_scheme("eth-ml-dsa-44"), mldsa::Seed(std::array<std::uint8_t, 32>{3}));
    Bytes public_key{pair.public_key.bytes().begin(), pair.public_key.bytes().end()};
    Bytes message = Bytes(32, 0x77), context{1, 2, 3};
    Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message));
    evm::State state;

    void SetUp() override {
        state.set_code(kThin, contract.runtime);
        state.set_code(verifier_at, verifier.runtime);
        state.set_code(registry_at, registry.runtime);
    }
    evm::ExecutionResult call(evm::State& s, const Bytes& data, std::uint64_t gas = 16'000'000) {
        evm::Message m;
        m.from[19] = 0xca;
        m.to = kThin;
        m.data = data;
        m.gas = gas;
        return evm::call(s, m);
    }
    static Bytes set_key(ByteView key) {
        // Like register(bytes,uint256), without the second argument.
        Bytes data(4 + 64);
        const std::uint32_t selector = contracts::set_key_function().selector();
        for (std::size_t i = 0; i < 4; ++i) data[i] = static_cast<std::uint8_t>(selector >> (24 - 8 * i));
        data[35] = 32;
        data[66] = static_cast<std::uint8_t>(key.size() >> 8);
        data[67] = static_cast<std::uint8_t>(key.size());
        data.insert(data.end(), key.begin(), key.end());
        return data;
    }
    static void expect_silent_revert(const evm::ExecutionResult& r, const std::string& what) {
        EXPECT_EQ(r.status, evm::Status::revert) << what << ": " << r.reason;
        EXPECT_TRUE(r.output.empty()) << what;
    }
    evm::Address placed() { return contracts::place_key(state, contracts::expand_key("eth-ml-dsa-44", public_key).value()); }
};

TEST_F(EthCompat, RegistersAndVerifies) {
    EXPECT_EQ(contracts::set_key_function().selector(), 0x218ebfa3U);
    const auto made = call(state, set_key(public_key));
    ASSERT_TRUE(made.success()) << made.reason;
    ASSERT_EQ(made.output.size(), 96U);
    EXPECT_EQ(made.output[31], 32U);
    EXPECT_EQ(made.output[63], 20U);
    const Bytes key(made.output.begin() + 64, made.output.begin() + 84);
    const auto expected = contracts::key_addresses(*contracts::find_registry("eth-ml-dsa-44"), hash::keccak256(public_key));
    EXPECT_TRUE(std::equal(key.begin(), key.end(), expected[0].begin()));
    EXPECT_EQ(call(state, set_key(public_key)).output, made.output) << "a second time";
    EXPECT_TRUE(contracts::accepts(Door::erc7913, call(state, contracts::encode_call(Door::erc7913, key, message, signature))));
    const Bytes with_context = mldsa::sign(pair.private_key, mldsa::Message(message), mldsa::Context::from(context).value());
    EXPECT_TRUE(contracts::accepts(Door::context, call(state, contracts::encode_call(Door::context, key, message, with_context, context))));
    // The same words for no.
    Bytes tampered = signature;
    tampered[100] ^= 1;
    for (const Door door : {Door::erc7913, Door::context}) {
        const auto no = call(state, contracts::encode_call(door, key, message, tampered));
        Bytes word(32);
        if (door == Door::erc7913) std::fill_n(word.begin(), 4, std::uint8_t{0xff});
        EXPECT_EQ(no.output, word);
    }
}

TEST_F(EthCompat, WhatIsMalformedReverts) {
    const auto key = placed();
    for (const std::size_t size : {0U, 1311U, 1313U, 2592U}) expect_silent_revert(call(state, set_key(Bytes(size, 1))), "key length");
    Bytes data = set_key(public_key);
    for (const std::size_t size : {0U, 3U, 4U, 35U, 36U, 67U, 1379U})
        expect_silent_revert(call(state, Bytes(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size))), "cut");
    data[4] = 1;  // offset 2^248 + 32
    expect_silent_revert(call(state, data), "offset");
    Bytes other = contracts::encode_call(Door::message, key, message, signature);
    expect_silent_revert(call(state, other), "the message door is not part of the published interface");
    other = contracts::encode_call(Door::erc7913, key, message, signature);
    other.resize(other.size() - 100);
    expect_silent_revert(call(state, other), "the verifier reverts");
    // A degenerate key: the registry's own words come through.
    std::fill(public_key.begin() + 32, public_key.end(), std::uint8_t{0});
    const auto refused = call(state, set_key(public_key));
    EXPECT_EQ(refused.status, evm::Status::revert);
    EXPECT_EQ(refused.output.size(), 4U);
}

TEST_F(EthCompat, OtherCodeIsNotAsked) {
    const auto key = placed();
    const Bytes ask = contracts::encode_call(Door::erc7913, key, message, signature), enroll = set_key(public_key);
    Bytes changed = verifier.runtime;
    changed.push_back(0);
    for (const Bytes& code : {Bytes{}, changed}) {
        evm::State other = state;
        other.set_code(verifier_at, code);
        expect_silent_revert(call(other, ask), "verifier of another code");
        other = state;
        Bytes registry_code = code.empty() ? Bytes{} : registry.runtime;
        if (!code.empty()) registry_code.push_back(0);
        other.set_code(registry_at, registry_code);
        expect_silent_revert(call(other, enroll), "registry of another code");
    }
}

TEST_F(EthCompat, StarvedCallsGiveNoAnswer) {
    const Bytes data = contracts::encode_call(Door::erc7913, placed(), message, signature);
    std::size_t answers = 0;
    for (std::uint64_t gas = 0; gas < 300'000; gas += long_tests() ? 101 : 2503) {
        const auto r = call(state, data, gas);
        if (!r.success()) continue;
        ASSERT_TRUE(contracts::accepts(Door::erc7913, r)) << gas;
        ++answers;
    }
    EXPECT_GT(answers, 0U);
}

/// Code that returns `answer`, or reverts with it.
Bytes answering(const Bytes& answer, bool fails) {
    const auto size = static_cast<std::uint8_t>(answer.size());
    const std::array<std::uint8_t, 12> head{
        0x60, size, 0x60, 12, 0x5f, 0x39, 0x60, size, 0x5f, static_cast<std::uint8_t>(fails ? 0xfd : 0xf3), 0, 0};
    Bytes code(head.size() + answer.size());
    std::copy(answer.begin(), answer.end(), std::copy(head.begin(), head.end(), code.begin()));
    return code;
}

// Pinned targets that are not ours: the answer of a door is exactly one of its two words.
TEST_F(EthCompat, OnlyExactAnswersCount) {
    const auto word = [](std::uint64_t top, std::uint64_t low) {
        const auto w = to_be_bytes(U256{top} << 192 | U256{low});
        return Bytes(w.begin(), w.end());
    };
    const Bytes yes = word(0x024ad31800000000, 0), no = word(0xffffffff00000000, 0), one = word(0, 1), zero = word(0, 0);
    const auto ask = [&](const Bytes& code, const Bytes& data) {
        const evm::Address target{0x99};
        evm::State s;
        s.set_code(target, code);
        Kernel k("thin");
        contracts::emit_eth_compat(k, {target, hash::keccak256(code)}, {target, hash::keccak256(code)});
        s.set_code(kThin, codegen::lower(k).assemble().code);
        return call(s, data);
    };
    Bytes longer = yes, shorter = yes;
    longer.push_back(0);
    shorter.pop_back();
    const Bytes key(20, 1), erc7913 = contracts::encode_call(Door::erc7913, key, message, signature);
    const Bytes with_context = contracts::encode_call(Door::context, key, message, signature);
    EXPECT_EQ(ask(answering(yes, false), erc7913).output, yes);
    EXPECT_EQ(ask(answering(no, false), erc7913).output, no);
    EXPECT_EQ(ask(answering(one, false), with_context).output, one);
    EXPECT_EQ(ask(answering(zero, false), with_context).output, zero);
    for (const Bytes& answer : {longer, shorter, Bytes{}, one, zero, word(0x024ad31800000000, 1), word(0x024ad319, 0)})
        expect_silent_revert(ask(answering(answer, false), erc7913), "ERC-7913");
    for (const Bytes& answer : {yes, no, word(0, 2), word(1, 1), Bytes{1}})
        expect_silent_revert(ask(answering(answer, false), with_context), "context");
    expect_silent_revert(ask(answering(yes, true), erc7913), "a failure with the right word");
    // The registry.
    EXPECT_TRUE(ask(answering(one, false), set_key(public_key)).success());
    EXPECT_EQ(ask(answering(longer, false), set_key(public_key)).status, evm::Status::revert);
    EXPECT_EQ(ask(answering({}, false), set_key(public_key)).status, evm::Status::revert);
    EXPECT_EQ(ask(answering(one, true), set_key(public_key)).status, evm::Status::revert);
}

}  // namespace
}  // namespace postern::test
