// Attacks on the call: cut, rearranged and hostile calldata, too little gas, foreign selectors, and what stands at the key's addresses.

#include <algorithm>

#include "contracts/attack.hpp"
#include "core/u256.hpp"

namespace postern::test {
namespace {

// A call without its last bytes reverts, until only padding is missing.
TEST_P(Attack, CutCallsRevert) {
    for (const Door door : harness.doors()) {
        const Bytes message = random(door == Door::erc7913 ? 32 : 45), context = random(door == Door::context ? 37 : 0);
        const Bytes data = contracts::encode_call(door, key, message, sign(message, context), context);
        const std::size_t padding = (door == Door::context ? 64 - 37 : 32 - p.signature % 32) % 32;
        const std::size_t needed = data.size() - padding;
        for (std::size_t size = 0; size <= data.size(); ++size) {
            const bool edge = size < 300 || size + 40 > needed;
            if (!long_tests() && rng() % (edge ? 4 : 60) != 0 && size + 2 < needed) continue;
            const auto result = harness.call(ByteView(data).first(size));
            if (size < needed) {
                ASSERT_EQ(result.status, evm::Status::revert) << static_cast<int>(door) << ": " << size << " bytes";
            } else {
                ASSERT_TRUE(contracts::accepts(door, result)) << static_cast<int>(door) << ": " << size << " bytes";
            }
        }
    }
}

void put(Bytes& data, std::size_t slot, const U256& value) {
    const auto word = to_be_bytes(value);
    std::copy(word.begin(), word.end(), data.begin() + static_cast<std::ptrdiff_t>(4 + 32 * slot));
}

// Arguments in any order, with gaps, at odd offsets; then a key or a signature of another length; then offsets that lead outside.
TEST_P(Attack, AnyLayoutOfTheArguments) {
    enum Fault : std::uint8_t { none, key_length, signature_length };
    for (std::size_t run = 0; run < runs(300); ++run) {
        for (const Door door : harness.doors()) {
            const auto fault = static_cast<Fault>(rng() % 3);
            const Bytes message = message_for(door, 200), context = context_for(door);
            Bytes signature = sign(message, context);
            Bytes key_argument(key.begin(), key.end());
            static constexpr std::size_t kKeyLengths[] = {0, 19, 21, 32};
            if (fault == key_length) key_argument.resize(kKeyLengths[rng() % 4]);
            if (fault == signature_length) signature.resize(rng() % 2 == 0 ? signature.size() - 1 : signature.size() + 1);

            const Bytes plain = contracts::encode_call(door, key, message, signature, context);
            Bytes data(plain.begin(), plain.begin() + (door == Door::context ? 4 + 32 * 4 : 4 + 32 * 3));
            std::vector<std::pair<std::size_t, Bytes>> dynamic{{2, signature}};
            if (door != Door::message) dynamic.emplace_back(0, key_argument);
            if (door != Door::erc7913) dynamic.emplace_back(1, message);
            if (door == Door::context) dynamic.emplace_back(3, context);
            std::shuffle(dynamic.begin(), dynamic.end(), rng);
            for (const auto& [slot, bytes] : dynamic) {
                data.insert(data.end(), rng() % 70, 0xff);
                put(data, slot, U256{data.size() - 4});
                const auto length = to_be_bytes(U256{bytes.size()});
                data.insert(data.end(), length.begin(), length.end());
                data.insert(data.end(), bytes.begin(), bytes.end());
            }
            data.insert(data.end(), rng() % 2 == 0 ? 0 : rng() % 90, 0xff);

            const bool expected = fault == none || (fault == key_length && door == Door::message);
            const auto result = harness.call(data);
            ASSERT_TRUE(result.success()) << result.reason;
            ASSERT_EQ(contracts::accepts(door, result), expected)
                << "run " << run << ", door " << static_cast<int>(door) << ", fault " << fault;

            for (const auto& argument : dynamic) {
                for (const U256& offset : {U256::max(), U256::max() - U256{31}, U256::max() - U256{35}, U256{1} << 255, U256{1} << 32,
                                           U256{0xffffffffULL}, (U256{1} << 64) + U256{128}, U256{data.size() - 4}}) {
                    Bytes hostile = data;
                    put(hostile, argument.first, offset);
                    ASSERT_EQ(harness.call(hostile).status, evm::Status::revert) << "run " << run << ", slot " << argument.first;
                }
            }
            if (door == Door::message) {
                Bytes dirty = data;
                dirty[4 + rng() % 12] ^= static_cast<std::uint8_t>(1U << rng() % 8);
                ASSERT_EQ(harness.call(dirty).status, evm::Status::revert);
            }
        }
    }
}

// With less gas than the call takes there is no answer at all; with just enough, the same one.
TEST_P(Attack, TooLittleGasIsNoAnswer) {
    for (const Door door : harness.doors()) {
        for (const int fault : {0, 1, 2}) {
            const Bytes message = random(door == Door::erc7913 ? 32 : 300), context = random(door == Door::context ? 20 : 0);
            Bytes signature = sign(message, context);
            if (fault == 1) signature[3] ^= 1;
            if (fault == 2) signature.back() = 255;
            const Bytes data = contracts::encode_call(door, key, message, signature, context);
            const auto whole = harness.call(data);
            ASSERT_TRUE(whole.success());
            ASSERT_EQ(contracts::accepts(door, whole), fault == 0);
            const auto starve = [&](std::uint64_t gas) {
                const auto result = harness.call(data, gas);
                // A call inside that runs dry makes the whole revert.
                ASSERT_FALSE(result.success()) << gas;
                if (harness.contract().companions.empty()) {
                    ASSERT_EQ(result.status, evm::Status::halt) << gas;
                }
                ASSERT_TRUE(result.output.empty()) << gas;
            };
            const std::uint64_t step = long_tests() ? 1009 : 40009;
            for (std::uint64_t gas = rng() % step; gas < whole.exec_gas; gas += step) starve(gas);
            for (std::uint64_t less = 1; less < 400; less += long_tests() ? 1 : 37) starve(whole.exec_gas - less);
            // A call inside gets 63/64 of what is there.
            const std::uint64_t spare = harness.contract().companions.empty() ? 0 : whole.exec_gas / 64;
            EXPECT_EQ(harness.call(data, whole.exec_gas + spare).output, whole.output);
        }
    }
}

// A proxy passes on 63/64 of what it has, in each of the four ways, and answers with the word it got: a starved call must not
// become an answer on the way.
TEST_P(Attack, StarvedInnerCallsAreNoAnswer) {
    for (const std::uint8_t opcode : {std::uint8_t{0xf1}, std::uint8_t{0xf2}, std::uint8_t{0xf4}, std::uint8_t{0xfa}}) {
        for (const bool bad : {false, true}) {
            const Bytes message = random(32);
            Bytes signature = sign(message);
            if (bad) signature[p.c_tilde + 9] ^= 4;
            Bytes code{0x36, 0x5f, 0x5f, 0x37, 0x60, 0x20, 0x5f, 0x36, 0x5f};
            if (opcode == 0xf1 || opcode == 0xf2) code.push_back(0x5f);
            code.push_back(0x73);
            code.insert(code.end(), harness.verifier().begin(), harness.verifier().end());
            code.insert(code.end(), {0x5a, opcode});
            const auto target = static_cast<std::uint8_t>(code.size() + 6);
            code.insert(code.end(), {0x60, target, 0x57, 0x5f, 0x5f, 0xfd, 0x5b, 0x60, 0x20, 0x5f, 0xf3});
            evm::State state = harness.state();
            evm::Address proxy{};
            proxy[0] = 0x99;
            state.set_code(proxy, code);
            const Bytes data = contracts::encode_call(Door::erc7913, key, message, signature);
            const auto whole = contracts::call_verifier(state, proxy, harness.contract(), Door::erc7913, data);
            ASSERT_EQ(whole.accepted, !bad);
            const std::uint64_t step = long_tests() ? 4001 : 120011;
            for (std::uint64_t gas = 1000 + rng() % step; gas < whole.result.exec_gas + 20000; gas += step) {
                const auto verdict = contracts::call_verifier(state, proxy, harness.contract(), Door::erc7913, data, false, gas);
                ASSERT_TRUE(!verdict.result.success() || verdict.accepted == !bad) << gas;
            }
        }
    }
}

TEST_P(Attack, BlobsThatAreNotTheKey) {
    if (harness.wire()) GTEST_SKIP() << "no blob";
    const evm::Address blob = harness.place_blob(pair.public_key.bytes());
    const Bytes message = random(32), signature = sign(message);
    auto& state = harness.state();
    // Part 0 says where the others are: 20 bytes each behind the zero byte, keccak256(pk) and tr.
    const std::size_t links = 1 + 32 + 64;
    const std::size_t count = contracts::expand_key(harness.scheme().name, pair.public_key.bytes()).value().parts.size();
    std::vector<evm::Address> parts{blob};
    std::vector<Bytes> codes{Bytes(state.code(blob).begin(), state.code(blob).end())};
    for (std::size_t i = 1; i < count; ++i) {
        evm::Address at{};
        std::copy_n(codes[0].begin() + static_cast<std::ptrdiff_t>(links + 20 * (i - 1)), 20, at.begin());
        parts.push_back(at);
        codes.emplace_back(state.code(at).begin(), state.code(at).end());
    }
    const auto restore = [&] {
        for (std::size_t i = 0; i < count; ++i) state.set_code(parts[i], codes[i]);
    };
    const auto refused = [&](const char* what) {
        const auto result = harness.call(contracts::encode_call(Door::erc7913, key, message, signature));
        ASSERT_TRUE(result.success()) << what << ": " << result.reason;
        ASSERT_FALSE(contracts::accepts(Door::erc7913, result)) << what;
    };
    ASSERT_TRUE(harness.accepts(key, message, signature));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = i == 0 ? links + 20 * (count - 1) : 1;
        for (const std::uint8_t fill : {std::uint8_t{0xff}, std::uint8_t{0x80}, std::uint8_t{0x7f}, std::uint8_t{0}}) {
            Bytes code = codes[i];
            std::fill(code.begin() + static_cast<std::ptrdiff_t>(from), code.end(), fill);
            state.set_code(parts[i], code);
            refused("every word filled");
        }
        for (std::size_t flips = 0; flips < runs(150); ++flips) {
            Bytes code = codes[i];
            // Not the bytes of keccak256(pk): what binds them is the registry's concern (their own tests).
            code[1 + (i == 0 ? 32 : 0) + rng() % (code.size() - 1 - (i == 0 ? 32 : 0))] ^= static_cast<std::uint8_t>(1U << rng() % 8);
            state.set_code(parts[i], code);
            refused("one bit");
        }
        for (const int change : {-32, -1, 1, 32}) {
            Bytes code = codes[i];
            code.resize(static_cast<std::size_t>(static_cast<int>(code.size()) + change));
            state.set_code(parts[i], code);
            refused("size");
        }
        state.erase(parts[i]);
        refused("gone");
        restore();
        for (std::size_t other = 0; other < count; ++other) {
            if (other == i) continue;
            state.set_code(parts[i], codes[other]);
            refused("another part");
        }
        restore();
        if (i > 0) {
            Bytes code = codes[0];
            std::copy(key.begin(), key.end(), code.begin() + static_cast<std::ptrdiff_t>(links + 20 * (i - 1)));
            state.set_code(blob, code);
            refused("a link to part 0");
            restore();
        }
    }
    EXPECT_TRUE(harness.accepts(key, message, signature));
}

TEST_P(Attack, ForeignSelectorsAndValueRevert) {
    const Bytes message = random(32);
    const Bytes data = contracts::encode_call(Door::erc7913, key, message, sign(message));
    for (std::size_t run = 0; run < 32 + runs(20000); ++run) {
        Bytes call = data;
        for (std::size_t i = 0; i < 4; ++i)
            call[i] = static_cast<std::uint8_t>(run < 32 ? data[i] ^ (run / 8 == i ? 1U << run % 8 : 0U) : rng());
        ASSERT_EQ(harness.call(call).status, evm::Status::revert) << run;
    }
    evm::Message paying;
    paying.from[19] = 0xca;
    paying.to = harness.verifier();
    paying.data = data;
    paying.value = evm::word(1);
    evm::State state = harness.state();
    state.set_balance(paying.from, evm::word(1));
    EXPECT_EQ(evm::call(state, paying).status, evm::Status::revert);
}

INSTANTIATE_TEST_SUITE_P(Contracts, Attack, testing::ValuesIn(all_verifier_names()),
                         [](const auto& param_info) { return test_name(param_info.param); });

}  // namespace
}  // namespace postern::test
