// What is malformed reverts, what is well-formed but false answers no: calldata at its edges.

#include <gtest/gtest.h>

#include <random>

#include "contracts/harness.hpp"
#include "core/u256.hpp"

namespace postern::test {
namespace {

class Abi : public testing::TestWithParam<std::string> {
  protected:
    Harness harness{GetParam()};
    Forger forger{harness.scheme()};
    Bytes key = harness.place(forger.public_key());
    Bytes message = Bytes(32, 0x11);
    Bytes signature = forger.sign(forger.zero_z(), forger.no_hints(), message);

    static void put_word(Bytes& data, std::size_t at, const U256& value) {
        const auto word = to_be_bytes(value);
        std::copy(word.begin(), word.end(), data.begin() + static_cast<std::ptrdiff_t>(at));
    }
    void expect_revert(const Bytes& data, const std::string& what) {
        const auto result = harness.call(data);
        EXPECT_EQ(result.status, evm::Status::revert) << what << ": " << result.reason;
        EXPECT_TRUE(result.output.empty()) << what;
        EXPECT_LT(result.exec_gas, 5000U) << what;
    }
    void expect_no(Door door, const Bytes& data, const std::string& what) {
        const auto result = harness.call(data);
        EXPECT_TRUE(result.success()) << what << ": " << result.reason;
        Bytes reject(32);
        if (door == Door::erc7913) std::fill_n(reject.begin(), 4, std::uint8_t{0xff});
        EXPECT_EQ(result.output, reject) << what;
    }
    void expect_yes(Door door, const Bytes& data, const std::string& what) {
        EXPECT_TRUE(contracts::accepts(door, harness.call(data))) << what;
    }
    std::vector<std::pair<Door, Bytes>> calls() {
        std::vector<std::pair<Door, Bytes>> out;
        for (const Door door : harness.doors()) out.emplace_back(door, contracts::encode_call(door, key, message, signature));
        return out;
    }
};

TEST_P(Abi, Selectors) {
    for (const auto& [door, data] : calls()) expect_yes(door, data, "good call");
    expect_revert({}, "no calldata");
    for (std::size_t n = 1; n < 4; ++n) expect_revert(Bytes(n, 0x02), "short selector");
    Bytes data = calls()[0].second;
    for (std::size_t bit = 0; bit < 32; ++bit) {
        Bytes other = data;
        other[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        expect_revert(other, "unknown selector");
    }
}

TEST_P(Abi, ValueIsRefused) {
    evm::Message m;
    m.to = harness.verifier();
    m.data = calls()[0].second;
    m.value = evm::word(1);
    harness.state().set_balance(m.from, evm::word(10));
    EXPECT_EQ(evm::call(harness.state(), m).status, evm::Status::revert);
}

TEST_P(Abi, TruncationAtEveryByte) {
    for (const auto& [door, data] : calls()) {
        // Arguments end where the last data byte stands; ABI padding behind it may be missing (as with Solidity).
        std::size_t needed = 0;
        const unsigned arguments = door == Door::context ? 4 : 3;
        for (unsigned a = 0; a < arguments; ++a) {
            if ((door == Door::erc7913 && a == 1) || (door == Door::message && a == 0)) continue;
            const auto offset = load_be(ByteView(data).subspan(4 + 32 * a, 32)).low64();
            const auto size = load_be(ByteView(data).subspan(4 + offset, 32)).low64();
            needed = std::max<std::size_t>(needed, 36 + offset + size);
        }
        const bool all = long_tests() || GetParam() == "ml-dsa-44";
        for (std::size_t n = 0; n < data.size(); n += all || n < 300 ? 1 : 61) {
            const Bytes cut(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n));
            if (n < needed)
                expect_revert(cut, "cut to " + std::to_string(n));
            else
                expect_yes(door, cut, "only padding cut");
        }
        Bytes longer = data;
        longer.resize(longer.size() + 100, 0xff);
        expect_yes(door, longer, "bytes behind the arguments");
    }
}

TEST_P(Abi, OffsetsAndLengths) {
    std::vector<U256> bad{U256::pow2(32),   U256::pow2(64),    U256::pow2(255), U256::max(),       U256{} - U256{32},
                          U256{} - U256{4}, U256{} - U256{36}, U256{1} << 128,  U256{0xffffffffU}, U256{0xffffffffU - 31}};
    for (const auto& [door, data] : calls()) {
        for (unsigned a = 0; a < (door == Door::context ? 4U : 3U); ++a) {
            if ((door == Door::erc7913 && a == 1) || (door == Door::message && a == 0)) continue;
            const auto offset = load_be(ByteView(data).subspan(4 + 32 * a, 32)).low64();
            for (U256 value : bad) {
                Bytes d = data;
                put_word(d, 4 + 32 * a, value);
                expect_revert(d, "offset " + to_hex_0x(value));
                d = data;
                put_word(d, 4 + offset, value);
                expect_revert(d, "length " + to_hex_0x(value));
            }
            // The last byte that exists, and one more.
            const std::size_t room = data.size() - (36 + offset);
            Bytes d = data;
            put_word(d, 4 + offset, room + 1);
            expect_revert(d, "one byte too many");
            d = data;
            put_word(d, 4 + 32 * a, data.size() - 4 - 31);
            expect_revert(d, "length word cut");
        }
    }
}

TEST_P(Abi, KeyLengths) {
    for (const Door door : {Door::erc7913, Door::context}) {
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{20}, std::size_t{32}, std::size_t{64}, key.size() - 1,
                                       key.size() + 1, key.size() + 32}) {
            if (size == key.size()) continue;
            Bytes k(size, 0);
            std::copy_n(key.begin(), std::min(size, key.size()), k.begin());
            expect_no(door, contracts::encode_call(door, k, message, signature), "key of " + std::to_string(size) + " bytes");
        }
    }
}

TEST_P(Abi, AddressWithDirtyUpperBytesReverts) {
    if (harness.wire()) GTEST_SKIP() << "no door takes an address";
    for (std::size_t byte = 0; byte < 12; ++byte) {
        Bytes d = calls()[1].second;
        d[4 + byte] = 1;
        expect_revert(d, "dirty address");
    }
}

TEST_P(Abi, ContextLength) {
    Bytes context(255, 7);
    const Bytes s = forger.sign(forger.zero_z(), forger.no_hints(), forger.encode(forger.no_hints()), message, context);
    expect_yes(Door::context, contracts::encode_call(Door::context, key, message, s, context), "255 bytes");
    // 256 would store the same length byte as the empty context.
    for (const std::size_t size : {256U, 257U, 511U, 512U, 65536U}) {
        expect_no(Door::context, contracts::encode_call(Door::context, key, message, signature, Bytes(size, 7)),
                  std::to_string(size) + " bytes");
    }
    // A message that begins with what a 256-byte context would have absorbed.
    expect_no(Door::context, contracts::encode_call(Door::context, key, {}, signature, Bytes(256, 0)), "256 zero bytes");
}

// Whatever follows the message in calldata must not be hashed: lengths at every residue of the rate, 0xff bytes all around.
TEST_P(Abi, MessagesEndWhereTheyEnd) {
    std::mt19937_64 rng(4);
    const auto native = mldsa::PublicKey::decode(harness.scheme(), forger.public_key()).value();
    for (std::size_t size = 0; size < 140; size += long_tests() ? 1 : 5) {
        Bytes m(size);
        for (auto& b : m) b = static_cast<std::uint8_t>(rng());
        const Bytes s = forger.sign(forger.zero_z(), forger.no_hints(), m);
        ASSERT_TRUE(mldsa::verify(native, mldsa::Message(m), mldsa::SignatureView(s)).valid);
        Bytes d = contracts::encode_call(harness.long_door(), key, m, s);
        expect_yes(harness.long_door(), d, "clean padding");
        const auto at = 36 + load_be(ByteView(d).subspan(36, 32)).low64() + size;
        for (std::size_t n = at; n % 32 != 4; ++n) d[n] = 0xff;  // the padding of the message
        d.resize(d.size() + 300, 0xff);
        expect_yes(harness.long_door(), d, "dirty padding");
        // A signature on M || 0x1f || X must not pass for M when the bytes behind M are 0x1f || X.
        Bytes extended = m;
        extended.push_back(0x1f);
        const Bytes forged = forger.sign(forger.zero_z(), forger.no_hints(), extended);
        d = contracts::encode_call(harness.long_door(), key, extended, forged);
        put_word(d, 4 + load_be(ByteView(d).subspan(36, 32)).low64(), size);
        expect_no(harness.long_door(), d, "longer message, shorter length");
    }
}

TEST_P(Abi, OverlappingAndReorderedArguments) {
    // The signature first, the key last, the message inside the signature: offsets are free.
    Bytes d = contracts::encode_call(harness.long_door(), key, signature, signature);
    const auto message_offset = load_be(ByteView(d).subspan(36, 32));
    put_word(d, 68, message_offset);
    const Bytes own = forger.sign(forger.zero_z(), forger.no_hints(), message);
    expect_no(harness.long_door(), d, "message and signature are the same bytes");
    Bytes e = contracts::encode_call(Door::context, key, message, own);
    put_word(e, 4 + 96, load_be(ByteView(e).subspan(36, 32)));  // context = message: 32 bytes of context
    expect_no(Door::context, e, "context is the message");
}

INSTANTIATE_TEST_SUITE_P(Contracts, Abi, testing::ValuesIn(all_verifier_names()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
