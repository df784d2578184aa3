// Attacks on registries and on the provenance of blobs. Where a rule can be switched off, the test shows what would happen without it.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "contracts/harness.hpp"
#include "contracts/mldsa/key_rules.hpp"
#include "contracts/provenance.hpp"
#include "contracts/registry_harness.hpp"
#include "core/u256.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

using contracts::encode_register;

/// Revert data of an error without arguments.
Bytes error_data(std::string_view name) {
    const auto digest = hash::keccak256(std::string(name) + "()");
    return {digest.begin(), digest.begin() + 4};
}

struct InnerCall {
    Bytes data;
    std::uint32_t gas = 0xffffffff;
};

/// Code that makes these calls to one contract, one after the other in one transaction, goes on whatever happens, and returns a
/// word for each: did it succeed?
Bytes script(const evm::Address& to, const std::vector<InnerCall>& calls) {
    constexpr std::size_t kEach = 47, kEnd = 8;
    Bytes code, data;
    std::size_t offset = kEach * calls.size() + kEnd;
    const auto big = [&code](std::size_t value, unsigned bytes) {
        for (unsigned i = bytes; i-- > 0;) code.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    };
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto& c = calls[i];
        code.push_back(0x61), big(c.data.size(), 2);  // codecopy(0, offset, size)
        code.push_back(0x62), big(offset, 3);
        code.insert(code.end(), {0x5f, 0x39, 0x5f, 0x5f});
        code.push_back(0x61), big(c.data.size(), 2);
        code.insert(code.end(), {0x5f, 0x5f, 0x73});
        code.insert(code.end(), to.begin(), to.end());
        code.push_back(0x63), big(c.gas, 4);
        code.insert(code.end(), {0xf1, 0x61}), big(0x8000 + 32 * i, 2);
        code.push_back(0x52);
        EXPECT_EQ(code.size(), kEach * (i + 1));
        data.insert(data.end(), c.data.begin(), c.data.end());
        offset += c.data.size();
    }
    code.push_back(0x61), big(32 * calls.size(), 2);
    code.push_back(0x61), big(0x8000, 2);
    code.insert(code.end(), {0xf3, 0x00});
    code.insert(code.end(), data.begin(), data.end());
    return code;
}

class RegistryAttack : public testing::TestWithParam<std::string> {
  protected:
    RegistryHarness harness{GetParam()};
    std::mt19937_64 rng{0xa77ac};
    contracts::mldsa_evm::Params params = contracts::mldsa_evm::params_of(harness.scheme());

    mldsa::KeyPair random_pair() {
        std::array<std::uint8_t, 32> seed{};
        for (auto& b : seed) b = static_cast<std::uint8_t>(rng());
        return mldsa::generate(harness.scheme(), mldsa::Seed(seed));
    }
    Bytes random_key() {
        const auto pair = random_pair();
        return {pair.public_key.bytes().begin(), pair.public_key.bytes().end()};
    }
    std::size_t parts() const { return harness.registry().part_sizes.size(); }
    void expect_error(const evm::ExecutionResult& r, std::string_view name, const std::string& what) {
        EXPECT_EQ(r.status, evm::Status::revert) << what;
        EXPECT_EQ(r.output, error_data(name)) << what;
    }
    /// The words that a script returns.
    std::vector<bool> run_script(evm::State& state, const std::vector<InnerCall>& calls, std::uint64_t gas = 200'000'000) {
        evm::Address at{};
        at[0] = 0x5c;
        state.set_code(at, script(harness.registry().address, calls));
        evm::Message message;
        message.from[19] = 0xca;
        message.to = at;
        message.gas = gas;
        const auto result = evm::call(state, message);
        EXPECT_TRUE(result.success()) << result.reason;
        std::vector<bool> out;
        for (std::size_t i = 0; i < result.output.size() / 32; ++i) out.push_back(result.output[32 * i + 31] != 0);
        return out;
    }
    bool is_complete(const evm::State& state, const Bytes& key) const {
        const auto blob = contracts::expand_key(harness.scheme().name, key).value();
        const auto addresses = harness.addresses(key);
        for (std::size_t i = 0; i < blob.parts.size(); ++i) {
            const ByteView code = state.code(addresses[i]);
            if (!std::equal(code.begin(), code.end(), blob.parts[i].begin(), blob.parts[i].end())) return false;
        }
        return true;
    }
};

TEST_P(RegistryAttack, ArgumentsOfAnotherShape) {
    const Bytes key = random_key();
    evm::State state = harness.state();
    const auto length = [&](std::size_t size) {
        Bytes other = key;
        other.resize(size, 7);
        expect_error(harness.enroll(state, other, 1), "WrongKeyLength", "length " + std::to_string(size));
    };
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32}, key.size() - 32, key.size() - 1,
                                   key.size() + 1, key.size() + 32, 2 * key.size()})
        length(size);
    for (const std::size_t size : {1312U, 1952U, 2592U}) {
        if (size != key.size()) length(size);
    }
    // The part as a word.
    for (const auto& part : {U256{parts()}, U256{255}, U256{256}, U256{1} << 32, U256{1} << 64 | U256{1}, U256{1} << 255, U256::max()}) {
        Bytes data = encode_register(key, 0);
        const auto word = to_be_bytes(part);
        std::copy(word.begin(), word.end(), data.begin() + 36);
        expect_error(harness.send(state, data), "NoSuchPart", "part");
    }
    // Offsets that leave the calldata, and calldata that ends early.
    for (const auto& offset : {U256{1} << 255, U256::max() - U256{31}, U256{1} << 32, U256{0xffffffffU}, U256{5000}}) {
        Bytes data = encode_register(key, 1);
        const auto word = to_be_bytes(offset);
        std::copy(word.begin(), word.end(), data.begin() + 4);
        const auto result = harness.send(state, data);
        EXPECT_EQ(result.status, evm::Status::revert);
        EXPECT_TRUE(result.output.empty());
    }
    const Bytes good = encode_register(key, 1);
    for (std::size_t size = 1; size < 100 + key.size(); size += size < 110 ? 1 : 97) {
        const auto result = harness.send(state, Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
        EXPECT_EQ(result.status, evm::Status::revert) << size;
    }
    EXPECT_EQ(harness.send(state, good, 16'777'216, 1).status, evm::Status::revert) << "value";
    Bytes unknown = good;
    unknown[3] ^= 1;
    EXPECT_EQ(harness.send(state, unknown).status, evm::Status::revert) << "selector";
    // Another place in the calldata and bytes around the key change nothing.
    Bytes moved = good;
    moved.insert(moved.begin() + 68, 64, 0xee);
    moved[35] = 128;
    moved.insert(moved.end(), 100, 0xff);
    ASSERT_TRUE(harness.send(state, moved).success());
    for (std::size_t part = 2; part < parts(); ++part) ASSERT_TRUE(harness.enroll(state, key, part).success());
    ASSERT_TRUE(harness.enroll(state, key, 0).success());
    EXPECT_TRUE(is_complete(state, key));
}

TEST_P(RegistryAttack, PartZeroWaitsForEveryOther) {
    const Bytes key = random_key();
    for (std::size_t missing = 1; missing < parts(); ++missing) {
        evm::State state = harness.state();
        for (std::size_t part = 1; part < parts(); ++part) {
            if (part != missing) {
                ASSERT_TRUE(harness.enroll(state, key, part).success());
            }
        }
        expect_error(harness.enroll(state, key, 0), "PartsMissing", std::to_string(missing));
        EXPECT_EQ(harness.blob_of(state, key), evm::Address{});
        // An account of the right address but with other code is not there either.
        state.set_code(harness.addresses(key)[missing], Bytes{0xef, 0x01, 0x00});
        expect_error(harness.enroll(state, key, 0), "PartsMissing", std::to_string(missing));
    }
}

// Parts are there for their init code while they are created; nobody else is ever answered.
TEST_P(RegistryAttack, CallbackOutsideACreationReverts) {
    evm::State state = harness.state();
    EXPECT_EQ(harness.send(state, {}).status, evm::Status::revert);
    const Bytes key = random_key();
    // In the same transaction, before and after creations, after one that was refused and after one that ran out of gas.
    const auto done = run_script(state, {{{}},
                                         {encode_register(key, 1)},
                                         {{}},
                                         {encode_register(Bytes(key.size(), 0), 1)},
                                         {{}},
                                         {encode_register(key, parts() - 1), 4'100'000},
                                         {{}},
                                         {encode_register(key, 1)}});
    EXPECT_FALSE(done.at(0));
    EXPECT_TRUE(done.at(1));
    EXPECT_FALSE(done.at(2));
    EXPECT_FALSE(done.at(3));
    EXPECT_FALSE(done.at(4));
    EXPECT_FALSE(done.at(6));
    EXPECT_TRUE(done.at(7));
}

TEST_P(RegistryAttack, InterleavingAndFrontRunningChangeNothing) {
    const Bytes a = random_key(), b = random_key();
    // Two keys in one transaction, parts of both in turns, twice: what the one leaves in transient storage does not reach the other.
    evm::State state = harness.state();
    std::vector<InnerCall> calls;
    for (std::size_t n = 1; n <= parts(); ++n) {
        for (int twice = 0; twice < 2; ++twice) {
            calls.push_back({encode_register(a, n % parts())});
            calls.push_back({encode_register(b, n % parts())});
        }
    }
    for (const bool done : run_script(state, calls, 1'000'000'000)) EXPECT_TRUE(done);
    EXPECT_TRUE(is_complete(state, a));
    EXPECT_TRUE(is_complete(state, b));
    // Somebody else was first with a part, and sent the account some ether before that.
    evm::State other = harness.state();
    other.set_balance(harness.addresses(a)[1], evm::word(1));
    other.set_balance(harness.addresses(a)[0], evm::word(1));
    const auto addresses = harness.addresses(a);
    ASSERT_EQ(harness.enroll(other, a, 1).output, address_word(addresses[1]));
    EXPECT_EQ(harness.enroll_all(other, a), addresses[0]);
    EXPECT_TRUE(is_complete(other, a));
}

/// One registration with so much gas, by a contract that survives its failure.
struct Starved {
    bool succeeded;
    bool account;  // at the part's address
    std::size_t code;
};

Starved starve(const RegistryHarness& harness, evm::State state, const Bytes& key, std::size_t part, std::uint32_t gas,
               const evm::Address& at) {
    evm::Address caller{};
    caller[0] = 0x5c;
    state.set_code(caller, script(harness.registry().address, {{encode_register(key, part), gas}}));
    evm::Message message;
    message.to = caller;
    message.gas = 100'000'000;
    const auto result = evm::call(state, message);
    EXPECT_TRUE(result.success()) << result.reason;
    return {result.output.at(31) != 0, state.exists(at), state.code(at).size()};
}

TEST_P(RegistryAttack, StarvedCreationsLeaveNothingBehind) {
    const Bytes key = random_key();
    evm::State state = harness.state();
    const evm::Address at = harness.addresses(key)[1];
    std::uint32_t enough = 16'000'000;
    ASSERT_TRUE(starve(harness, state, key, 1, enough, at).succeeded);
    for (std::uint32_t step = 1 << 23; step != 0; step >>= 1) {
        if (step < enough && starve(harness, state, key, 1, enough - step, at).succeeded) enough -= step;
    }
    std::vector<std::uint32_t> amounts;
    const std::uint32_t stride = long_tests() ? 2'003 : 100'003;
    for (std::uint32_t gas = static_cast<std::uint32_t>(rng() % stride); gas < enough; gas += stride) amounts.push_back(gas);
    for (std::uint32_t less = 1; less < 300'000; less += long_tests() ? 61 : 4'001) amounts.push_back(enough - less);
    // Around the end of the callback: the deposit and what follows it are missing.
    const auto deposit = static_cast<std::uint32_t>(200 * harness.registry().part_sizes[1]);
    for (std::uint32_t n = 0; n < 150'000; n += long_tests() ? 37 : 2'003) amounts.push_back(enough - deposit - n + 20'000);
    for (const std::uint32_t gas : amounts) {
        const auto outcome = starve(harness, state, key, 1, gas, at);
        ASSERT_FALSE(outcome.succeeded) << gas << " of " << enough;
        ASSERT_FALSE(outcome.account) << gas << " of " << enough;
        ASSERT_EQ(outcome.code, 0U) << gas;
    }
    const auto whole = starve(harness, state, key, 1, enough, at);
    EXPECT_TRUE(whole.succeeded);
    EXPECT_EQ(whole.code, harness.registry().part_sizes[1]);
}

// Init code that does not look at success and size: somebody who measures out the gas leaves an empty account where the part belongs,
// and the key can never be registered.
TEST(RegistryWithoutTheInitCodesCheck, LosesKeysToStarvedCallbacks) {
    const RegistryHarness harness("keccak-ml-dsa-44");
    const auto pair = mldsa::generate(harness.scheme(), mldsa::Seed(std::array<std::uint8_t, 32>{5}));
    const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    Bytes code = harness.contract().runtime;
    const Bytes init = contracts::part_init_code(0);
    // success AND size as it should be: becomes success OR the sizes, which is always true
    const auto found = std::search(code.begin(), code.end(), init.begin(), init.end());
    ASSERT_NE(found, code.end());
    ASSERT_EQ(found[11], 0x14);
    ASSERT_EQ(found[12], 0x16);
    found[11] = found[12] = 0x17;
    evm::State state;
    state.set_code(harness.registry().address, code);
    Bytes changed = contracts::part_init_code(harness.registry().part_sizes[1]);
    changed[11] = changed[12] = 0x17;
    contracts::BlobShape shape{"keccak-ml-dsa-44", "expanded", 1, key.size(), harness.registry().part_sizes, 97};
    const auto at = contracts::create2_address(harness.registry().address, contracts::part_salt(shape, 1, hash::keccak256(key)),
                                               hash::keccak256(changed));
    ASSERT_EQ(starve(harness, state, key, 1, 16'000'000, at).code, harness.registry().part_sizes[1]) << "the changed registry works";
    bool lost = false;
    for (std::uint32_t gas = 300'000; gas < 900'000 && !lost; gas += 97) {
        const auto outcome = starve(harness, state, key, 1, gas, at);
        lost = outcome.account && outcome.code == 0;
    }
    EXPECT_TRUE(lost) << "the attack that the check is for was not found";
}

Bytes with_row(Bytes key, unsigned row, const std::vector<unsigned>& t) {
    for (unsigned n = 0; n < 256; ++n) {
        for (unsigned bit = 0; bit < 10; ++bit) {
            const unsigned at = 2560 * row + 10 * n + bit;
            auto& byte = key[32 + at / 8];
            byte = static_cast<std::uint8_t>((byte & ~(1U << (at % 8))) | ((t[n] >> bit & 1U) << (at % 8)));
        }
    }
    return key;
}

TEST_P(RegistryAttack, DegenerateRowsAreRefused) {
    const Bytes honest = random_key();
    evm::State state = harness.state();
    // Enough to see a refusal, too little to create anything: an accepted key runs out of gas.
    const auto refused = [&](const Bytes& key, std::size_t part) {
        const auto result = harness.enroll(state, key, part, 900'000);
        const bool native = !contracts::check_key(harness.scheme().name, key);
        const bool degenerate = result.status == evm::Status::revert && result.output == error_data("DegenerateKey");
        const bool starved = result.status == evm::Status::halt || result.output == error_data("CreationFailed");
        EXPECT_NE(degenerate, starved);
        EXPECT_EQ(native, degenerate) << "library and registry disagree";
        return native;
    };
    EXPECT_FALSE(refused(honest, 1));
    const unsigned half = contracts::mldsa_evm::weak_half_width(params);
    ASSERT_EQ(half, params.k == 4 ? 12U : 32U);
    for (unsigned row = 0; row < params.k; ++row) {
        for (const auto& values : std::vector<std::vector<unsigned>>{{0}, {1023}, {511}, {512}, {0, 1023, 511, 512}, {1, 2, 510, 1020}}) {
            std::vector<unsigned> t(256);
            for (auto& v : t) v = values[rng() % values.size()];
            for (std::size_t part = 1; part < parts(); ++part) EXPECT_TRUE(refused(with_row(honest, row, t), part)) << row;
        }
        // 128 weak ones pass, 129 do not, wherever they are.
        std::vector<unsigned> t(256);
        for (unsigned n = 0; n < 256; ++n) t[n] = n < 128 ? 0 : 256;
        std::shuffle(t.begin(), t.end(), rng);
        EXPECT_FALSE(refused(with_row(honest, row, t), 1)) << row;
        *std::find(t.begin(), t.end(), 256U) = 512;
        EXPECT_TRUE(refused(with_row(honest, row, t), 1)) << row;
    }
    // Every value of a coefficient, with 128 weak ones beside it.
    std::vector<unsigned> t(256, 256);
    std::fill_n(t.begin(), 128, 0U);
    for (unsigned v = 0; v < 1024; v += params.k == 4 || long_tests() ? 1 : 3) {
        t[128 + v % 128] = v;
        const bool weak = ((v + half) & 511U) < 2 * half;
        ASSERT_EQ(refused(with_row(honest, v % params.k, t), 1), weak) << v;
        t[128 + v % 128] = 256;
    }
}

// A key with t1 = 0 that got into the state nevertheless is one that anybody can sign for: this is what the refusal is for.
TEST_P(RegistryAttack, AnybodySignsForADegenerateKey) {
    Harness verifier(GetParam());
    const Forger forger(verifier.scheme());
    const Bytes message(32, 9);
    const Bytes signature = forger.sign(forger.zero_z(), forger.no_hints(), message);
    EXPECT_TRUE(verifier.accepts(verifier.place(forger.public_key()), message, signature));
    evm::State state = harness.state();
    expect_error(harness.enroll(state, forger.public_key(), 1), "DegenerateKey", "t1 = 0");
    expect_error(harness.enroll(state, forger.public_key(), 0), "PartsMissing", "t1 = 0");
}

// A genuine header over zero polynomials lets anybody sign. Only the address tells such a blob from the real one.
TEST_P(RegistryAttack, GenuineHeaderOverZeroLeaves) {
    Harness verifier(GetParam());
    const auto pair = random_pair();
    const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    const Bytes message(32, 3);
    const Forger forger(verifier.scheme(), key);
    const Bytes forged = forger.sign(forger.zero_z(), forger.no_hints(), message);
    auto blob = contracts::expand_key(GetParam(), key).value();
    const std::size_t header = blob.links_offset + 20 * (blob.parts.size() - 1);
    for (std::size_t i = 0; i < blob.parts.size(); ++i)
        std::fill(blob.parts[i].begin() + static_cast<std::ptrdiff_t>(i == 0 ? header : 1), blob.parts[i].end(), std::uint8_t{0});
    EXPECT_FALSE(verifier.accepts(verifier.place(key), message, forged)) << "the real blob";
    evm::Address elsewhere{};
    elsewhere[0] = 0x77;
    EXPECT_FALSE(verifier.accepts(contracts::place_key(verifier.state(), blob, elsewhere), message, forged)) << "zeros elsewhere";
    // Zeros at the very address, which nobody can bring about: accepted, so it is the address that decides.
    EXPECT_TRUE(verifier.accepts(contracts::place_key(verifier.state(), blob), message, forged));
}

// Another creator with the same init code, the same salt and an answer of its own: another address.
TEST_P(RegistryAttack, SameInitCodeFromAnotherCreator) {
    Harness verifier(GetParam());
    const auto pair = random_pair();
    const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    const Bytes message(32, 3);
    const Forger forger(verifier.scheme(), key);
    const Bytes forged = forger.sign(forger.zero_z(), forger.no_hints(), message);
    auto blob = contracts::expand_key(GetParam(), key).value();
    Bytes& first = blob.parts[0];
    std::fill(first.begin() + static_cast<std::ptrdiff_t>(blob.links_offset + 20 * (blob.parts.size() - 1)), first.end(), std::uint8_t{0});
    for (std::size_t i = 1; i < blob.parts.size(); ++i) {  // parts that are all zero, anywhere
        evm::Address at{};
        at[0] = 0x60;
        at[19] = static_cast<std::uint8_t>(i);
        std::fill(blob.parts[i].begin(), blob.parts[i].end(), std::uint8_t{0});
        verifier.state().set_code(at, blob.parts[i]);
        std::copy(at.begin(), at.end(), first.begin() + static_cast<std::ptrdiff_t>(blob.links_offset + 20 * (i - 1)));
    }
    const Bytes init = contracts::part_init_code(first.size());
    contracts::BlobShape shape{std::string(verifier.scheme().name), "expanded",       1, key.size(),
                               harness.registry().part_sizes,       blob.links_offset};
    const auto salt = contracts::part_salt(shape, 0, hash::keccak256(key));
    // calldatasize ? create2(0, 0, 27, salt) and return its address : return the blob
    Bytes code;
    const auto put = [&code](ByteView bytes) {
        for (const auto b : bytes) code.push_back(b);
    };
    put(Bytes{0x36, 0x60, 14, 0x57, 0x61, static_cast<std::uint8_t>(first.size() >> 8), static_cast<std::uint8_t>(first.size()), 0x80, 0x60,
              0, 0x5f, 0x39, 0x5f, 0xf3, 0x5b, 0x7a});
    put(init);
    put(Bytes{0x60, 40, 0x1b, 0x5f, 0x52, 0x7f});
    put(salt);
    put(Bytes{0x60, 27, 0x5f, 0x5f, 0xf5, 0x5f, 0x52, 0x60, 32, 0x5f, 0xf3});
    code[9] = static_cast<std::uint8_t>(code.size());
    put(first);
    evm::Address creator{};
    creator[0] = 0xba;
    verifier.state().set_code(creator, code);
    evm::Message create;
    create.to = creator;
    create.data = {1};
    const auto made = evm::call(verifier.state(), create);
    ASSERT_TRUE(made.success()) << made.reason;
    evm::Address at{};
    std::copy(made.output.begin() + 12, made.output.end(), at.begin());
    ASSERT_EQ(at, contracts::create2_address(creator, salt, hash::keccak256(init)));
    const ByteView created = verifier.state().code(at);
    ASSERT_TRUE(std::equal(created.begin(), created.end(), first.begin(), first.end())) << "the forged blob was created";
    EXPECT_FALSE(verifier.accepts(at, message, forged));
}

// From registry to verdict, nothing placed by hand; and every registry's keys are keys of its own verifier only.
TEST_P(RegistryAttack, RegisteredKeysVerifyAndOnlyThere) {
    const auto pair = random_pair();
    const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    const Bytes message(32, 0x42);
    const Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message));
    Harness verifier(GetParam());
    verifier.state().set_code(harness.registry().address, harness.contract().runtime);
    const auto address = harness.enroll_all(verifier.state(), key);
    EXPECT_TRUE(verifier.accepts(address, message, signature));
    for (std::size_t i = 1; i < parts(); ++i) EXPECT_FALSE(verifier.accepts(harness.addresses(key)[i], message, signature)) << "part " << i;
    evm::Address delegated{};
    delegated[0] = 0x77;
    Bytes designator{0xef, 0x01, 0x00};
    designator.insert(designator.end(), address.begin(), address.end());
    verifier.state().set_code(delegated, designator);
    EXPECT_FALSE(verifier.accepts(delegated, message, signature));
    EXPECT_FALSE(verifier.accepts(harness.registry().address, message, signature)) << "the registry itself";
    EXPECT_FALSE(verifier.accepts(evm::Address{}, message, signature));
}

INSTANTIATE_TEST_SUITE_P(Contracts, RegistryAttack,
                         testing::Values("ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "turbo-ml-dsa-44", "keccak-ml-dsa-44", "keccak-ml-dsa-65",
                                         "keccak-ml-dsa-87", "eth-ml-dsa-44"),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
