// Attacks on the whole call: whatever the calldata looks like, a yes must mean that the arguments it decodes to are a valid signature
// under the key that the blob is made of; and where the code runs or what stands at the key's address must not change an answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "contracts/harness.hpp"
#include "core/u256.hpp"

namespace postern::test {
namespace {

struct Arguments {
    Bytes key, message, signature, context;
};

// The ABI read by a second pair of eyes: nothing where an offset or a length leaves the calldata.
class Reader {
  public:
    explicit Reader(const Bytes& data) : data_(data) {}
    std::optional<Bytes> fixed(std::size_t slot) const {
        const std::size_t at = 4 + 32 * slot;
        if (data_.size() < at + 32) return std::nullopt;
        return Bytes(data_.begin() + static_cast<std::ptrdiff_t>(at), data_.begin() + static_cast<std::ptrdiff_t>(at + 32));
    }
    std::optional<Bytes> dynamic(std::size_t slot) const {
        const auto head = fixed(slot);
        if (!head) return std::nullopt;
        const U256 offset = load_be(*head);
        if (offset > U256{data_.size()}) return std::nullopt;
        const std::size_t at = 4 + offset.low64();
        if (data_.size() < at + 32) return std::nullopt;
        const U256 length = load_be(ByteView(data_).subspan(at, 32));
        if (length > U256{data_.size() - at - 32}) return std::nullopt;
        const auto begin = data_.begin() + static_cast<std::ptrdiff_t>(at + 32);
        return Bytes(begin, begin + static_cast<std::ptrdiff_t>(length.low64()));
    }

  private:
    const Bytes& data_;
};

std::optional<Arguments> decode(Door door, const Bytes& data) {
    const Reader reader(data);
    const auto key = door == Door::message ? reader.fixed(0) : reader.dynamic(0);
    const auto message = door == Door::erc7913 ? reader.fixed(1) : reader.dynamic(1);
    const auto signature = reader.dynamic(2);
    const auto context = door == Door::context ? reader.dynamic(3) : std::optional<Bytes>(Bytes{});
    if (!key || !message || !signature || !context) return std::nullopt;
    Arguments a{*key, *message, *signature, *context};
    if (door == Door::message) {
        if (std::any_of(a.key.begin(), a.key.begin() + 12, [](auto b) { return b != 0; })) return std::nullopt;
        a.key.erase(a.key.begin(), a.key.begin() + 12);
    }
    return a;
}

class Adversary : public testing::TestWithParam<std::string> {
  protected:
    Harness harness{GetParam()};
    std::mt19937_64 rng{0xadee5a1};
    mldsa::KeyPair pair = mldsa::generate(harness.scheme(), mldsa::Seed(std::array<std::uint8_t, 32>{9}));
    mldsa::ExpandedPrivateKey signer{pair.private_key};
    mldsa::ExpandedPublicKey native{pair.public_key};
    Bytes key = harness.place(pair.public_key.bytes());

    Bytes random(std::size_t n) {
        Bytes b(n);
        for (auto& x : b) x = static_cast<std::uint8_t>(rng());
        return b;
    }
    bool truth(const Arguments& a) const {
        if (!std::equal(a.key.begin(), a.key.end(), key.begin(), key.end())) return false;
        const auto context = mldsa::Context::from(a.context);
        return context && mldsa::verify(native, mldsa::Message(a.message), mldsa::SignatureView(a.signature), *context).valid;
    }
    Bytes valid_call(Door door) {
        const Bytes message = random(door == Door::erc7913 ? 32 : rng() % 300);
        const Bytes context = random(door == Door::context ? rng() % 256 : 0);
        const Bytes signature = mldsa::sign(signer, mldsa::Message(message), *mldsa::Context::from(context));
        return contracts::encode_call(door, key, message, signature, context);
    }
    // A change somewhere in the call; heads, lengths and ends more often than the long middle.
    void disturb(Bytes& data) {
        static constexpr std::uint64_t kWords[] = {0,   1,   19,  20,  21,  31,   32,   33,   64,        96,
                                                   128, 160, 255, 256, 257, 2419, 2420, 2421, 0xffffffff};
        const std::size_t words = (data.size() - 4) / 32;
        switch (rng() % 8) {
            case 0:
                data[4 + rng() % std::min<std::size_t>(data.size() - 4, 256)] ^= static_cast<std::uint8_t>(1U << (rng() % 8));
                break;
            case 1:
                data[rng() % data.size()] = static_cast<std::uint8_t>(rng());
                break;
            case 2:
                data.resize(data.size() - rng() % std::min<std::size_t>(data.size() - 4, 70));
                break;
            case 3: {
                const Bytes tail = random(rng() % 100);
                data.insert(data.end(), tail.begin(), tail.end());
                break;
            }
            case 4: {
                const auto word = to_be_bytes(U256{kWords[rng() % std::size(kWords)]} << (rng() % 4 == 0 ? 192U : 0U));
                const std::size_t at = rng() % std::min<std::size_t>(words, rng() % 2 == 0 ? 4 : 12);
                std::copy(word.begin(), word.end(), data.begin() + static_cast<std::ptrdiff_t>(4 + 32 * at));
                break;
            }
            case 5: {  // one argument's offset to another's place
                const auto a = static_cast<std::ptrdiff_t>(4 + 32 * (rng() % 4)), b = static_cast<std::ptrdiff_t>(4 + 32 * (rng() % 4));
                std::copy_n(data.begin() + a, 32, data.begin() + b);
                break;
            }
            case 6: {  // a dirty end: the padding of the last argument
                for (std::size_t i = 0; i < 12 && i < data.size() - 4; ++i) data[data.size() - 1 - i] = 0xff;
                break;
            }
            default: {
                const std::size_t at = 4 + 32 * (rng() % words), n = 32 * (rng() % 3 + 1);
                const Bytes gap = random(n);
                data.insert(data.begin() + static_cast<std::ptrdiff_t>(at), gap.begin(), gap.end());
            }
        }
    }
};

TEST_P(Adversary, AYesMeansTheDecodedArgumentsAreValid) {
    std::size_t yes = 0, no = 0, reverted = 0;
    for (const Door door : harness.doors()) {
        for (int n = 0; n < (long_tests() ? 4000 : 60); ++n) {
            const Bytes good = valid_call(door);
            ASSERT_TRUE(contracts::accepts(door, harness.call(good)));
            for (int m = 0; m < 6; ++m) {
                Bytes data = good;
                for (auto changes = rng() % 3 + 1; changes > 0; --changes) disturb(data);
                std::copy_n(good.begin(), 4, data.begin());
                const auto result = harness.call(data);
                const auto arguments = decode(door, data);
                const bool expected = arguments && truth(*arguments);
                if (contracts::accepts(door, result)) {
                    ASSERT_TRUE(expected) << "a false yes at door " << static_cast<int>(door) << ", round " << n << "." << m;
                    ++yes;
                } else if (result.status == evm::Status::revert) {
                    // What does not decode reverts; what decodes to a valid signature in the plain order of arguments never does.
                    EXPECT_TRUE(result.output.empty());
                    ASSERT_FALSE(expected) << "a valid call reverted at door " << static_cast<int>(door) << ", round " << n << "." << m;
                    ++reverted;
                } else {
                    ASSERT_TRUE(result.success()) << result.reason;
                    ASSERT_EQ(result.output.size(), 32U);
                    ASSERT_FALSE(expected) << "a false no at door " << static_cast<int>(door) << ", round " << n << "." << m;
                    ++no;
                }
            }
        }
    }
    EXPECT_GT(yes, 0U);
    EXPECT_GT(no, 0U);
    EXPECT_GT(reverted, 0U);
}

TEST_P(Adversary, DelegatedAndForeignAccountsAreNoKeys) {
    if (harness.wire()) GTEST_SKIP() << "no account is a key";
    const Bytes message = random(32);
    const Bytes signature = mldsa::sign(signer, mldsa::Message(message));
    ASSERT_TRUE(harness.accepts(key, message, signature));
    evm::Address delegated{};
    delegated[0] = 0x77;
    Bytes designator{0xef, 0x01, 0x00};
    designator.insert(designator.end(), key.begin(), key.end());
    harness.state().set_code(delegated, designator);
    EXPECT_FALSE(harness.accepts(delegated, message, signature));
    EXPECT_FALSE(harness.accepts(harness.verifier(), message, signature));
    for (std::uint8_t precompile = 1; precompile <= 10; ++precompile) {
        evm::Address a{};
        a[19] = precompile;
        EXPECT_FALSE(harness.accepts(a, message, signature)) << int{precompile};
    }
    EXPECT_FALSE(harness.accepts(evm::Address{}, message, signature));
}

// The verifier keeps nothing and asks nothing about its surroundings, so code that borrows it gets the same answer.
TEST_P(Adversary, BorrowedCodeAnswersTheSame) {
    // calldatacopy(0, 0, size); f(gas, verifier, [0,] 0, size, 0, 32); return the word if it succeeded, else revert
    const auto proxy = [&](std::uint8_t call, bool value) {
        Bytes code{0x36, 0x5f, 0x5f, 0x37, 0x60, 0x20, 0x5f, 0x36, 0x5f};
        if (value) code.push_back(0x5f);
        code.push_back(0x73);
        code.insert(code.end(), harness.verifier().begin(), harness.verifier().end());
        code.insert(code.end(), {0x5a, call});
        const auto target = static_cast<std::uint8_t>(code.size() + 6);
        code.insert(code.end(), {0x60, target, 0x57, 0x5f, 0x5f, 0xfd, 0x5b, 0x60, 0x20, 0x5f, 0xf3});
        return code;
    };
    const struct {
        std::uint8_t opcode;
        bool value;
    } kinds[] = {{0xf1, true}, {0xf2, true}, {0xf4, false}, {0xfa, false}};
    for (int n = 0; n < 6; ++n) {
        Bytes data = valid_call(Door::erc7913);
        if (n % 2 == 1) data[4 + 32 * 6 + rng() % 2000] ^= 1;
        const auto direct = harness.call(data);
        for (const auto& kind : kinds) {
            evm::State state = harness.state();
            evm::Address at{};
            at[0] = 0x99;
            state.set_code(at, proxy(kind.opcode, kind.value));
            const auto borrowed = contracts::call_verifier(state, at, harness.contract(), Door::erc7913, data);
            EXPECT_EQ(borrowed.result.status, direct.status) << int{kind.opcode};
            EXPECT_EQ(borrowed.result.output, direct.output) << int{kind.opcode};
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Contracts, Adversary, testing::ValuesIn(all_verifier_names()),
                         [](const auto& param_info) { return test_name(param_info.param); });

}  // namespace
}  // namespace postern::test
