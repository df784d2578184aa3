// Registries under keys and callers that are out of the ordinary: wire keys made to strain the expansion, frames that are not a plain
// call, and blobs of one wire key made for every scheme that could take it.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "contracts/harness.hpp"
#include "contracts/provenance.hpp"
#include "contracts/registry_harness.hpp"
#include "core/u256.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

using contracts::encode_register;
using contracts::mldsa_evm::Params;

/// 256 coefficients of ten bits, packed.
void put_row(Bytes& key, unsigned row, const std::array<unsigned, 256>& t) {
    for (unsigned n = 0; n < 256; ++n) {
        for (unsigned bit = 0; bit < 10; ++bit) {
            const unsigned at = 2560 * row + 10 * n + bit;
            auto& byte = key[32 + at / 8];
            byte = static_cast<std::uint8_t>((byte & ~(1U << (at % 8))) | ((t[n] >> bit & 1U) << (at % 8)));
        }
    }
}

class StrangeKeys {
  public:
    StrangeKeys(const Params& params, std::uint64_t seed) : p_(params), rng_(seed) {}

    /// Rows of the largest and the smallest coefficients that are not weak, with as many of the very largest and smallest as are let in (or
    /// one more), in patterns that follow the butterflies of the transform.
    Bytes next() {
        Bytes key(p_.scheme->public_key_bytes);
        const auto fill = rng_() % 4;
        for (std::size_t i = 0; i < 32; ++i)
            key[i] = fill == 0 ? std::uint8_t{0} : fill == 1 ? std::uint8_t{0xff} : static_cast<std::uint8_t>(rng_());
        for (unsigned row = 0; row < p_.k; ++row) put_row(key, row, coefficients());
        return key;
    }

  private:
    std::array<unsigned, 256> coefficients() {
        const unsigned half = p_.k == 4 ? 12 : 32;
        const unsigned largest = 1023 - half, smallest = half;  // that are not weak
        std::array<unsigned, 256> t{};
        const unsigned pattern = static_cast<unsigned>(rng_() % 6), stride = 1U << rng_() % 8;
        for (unsigned n = 0; n < 256; ++n) {
            const bool up = pattern == 0   ? true
                            : pattern == 1 ? false
                            : pattern == 2 ? (n & stride) != 0
                            : pattern == 3 ? n % (stride + 1) == 0
                                           : (rng_() & 1) != 0;
            t[n] = pattern == 5 ? static_cast<unsigned>(rng_() % 1024) : up ? largest : smallest;
        }
        // Weak ones at the edge of what is let in.
        if (pattern != 5) {
            std::array<unsigned, 256> order{};
            for (unsigned n = 0; n < 256; ++n) order[n] = n;
            std::shuffle(order.begin(), order.end(), rng_);
            const unsigned weak = rng_() % 16 == 0 ? 129 : 128;
            for (unsigned n = 0; n < weak; ++n) t[order[n]] = t[order[n]] == largest ? 1023 : 0;
        }
        return t;
    }

    Params p_;
    std::mt19937_64 rng_;
};

class RegistryKeys : public testing::TestWithParam<std::string> {
  protected:
    RegistryHarness harness{GetParam()};
    Params params = contracts::mldsa_evm::params_of(harness.scheme());
};

// The registry takes exactly the keys that the library's rule takes, and expands them to the same bytes.
TEST_P(RegistryKeys, ExtremeKeysExpandAsInTheLibrary) {
    StrangeKeys keys(params, 0x7e57);
    const unsigned wanted = long_tests() ? 150 : 3;
    unsigned taken = 0;
    for (unsigned n = 0; taken < wanted; ++n) {
        ASSERT_LT(n, 20 * wanted);
        const Bytes key = keys.next();
        evm::State state = harness.state();
        const bool good = contracts::check_key(harness.scheme().name, key).has_value();
        const auto first = harness.enroll(state, key, 1);
        ASSERT_EQ(first.success(), good) << n << ": " << first.reason;
        if (!good) continue;
        ++taken;
        const auto blob = contracts::expand_key(harness.scheme().name, key).value();
        const auto address = harness.enroll_all(state, key);
        const auto addresses = harness.addresses(key);
        ASSERT_EQ(address, addresses.front());
        for (std::size_t part = 0; part < addresses.size(); ++part) {
            const ByteView code = state.code(addresses[part]);
            ASSERT_TRUE(Bytes(code.begin(), code.end()) == blob.parts[part]) << "key " << n << ", part " << part;
        }
    }
}

/// Hands its calldata to the registry with this instruction and answers what that answered.
Bytes lender(std::uint8_t opcode, const evm::Address& registry) {
    Bytes code{0x36, 0x5f, 0x5f, 0x37, 0x5f, 0x5f, 0x36, 0x5f};
    if (opcode == 0xf1 || opcode == 0xf2) code.push_back(0x5f);
    code.push_back(0x73);
    code.insert(code.end(), registry.begin(), registry.end());
    code.insert(code.end(), {0x5a, opcode, 0x3d, 0x5f, 0x5f, 0x3e});
    const auto good = static_cast<std::uint8_t>(code.size() + 6);
    code.insert(code.end(), {0x60, good, 0x57, 0x3d, 0x5f, 0xfd, 0x5b, 0x3d, 0x5f, 0xf3});
    return code;
}

evm::ExecutionResult call_at(evm::State& state, const evm::Address& to, Bytes data, std::uint64_t gas = 1'000'000'000) {
    evm::Message message;
    message.from[19] = 0xca;
    message.to = to;
    message.data = std::move(data);
    message.gas = gas;
    return evm::call(state, message);
}

// Whoever borrows the registry's code (CALLCODE, DELEGATECALL) makes true blobs, but at addresses of its own: no verifier takes them,
// nothing appears where the registry's belong, and the registry registers the key afterwards as if nothing had been.
TEST_P(RegistryKeys, BorrowedCodeCreatesElsewhere) {
    Harness verifier(GetParam());
    const auto pair = mldsa::generate(harness.scheme(), mldsa::Seed(std::array<std::uint8_t, 32>{0xb0}));
    const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    const Bytes message(32, 6), signature = mldsa::sign(pair.private_key, mldsa::Message(message));
    const auto& registry = harness.registry();
    const auto blob = contracts::expand_key(GetParam(), key).value();
    const contracts::BlobShape shape{registry.scheme, "expanded", 1, key.size(), registry.part_sizes, blob.links_offset};
    evm::State& state = verifier.state();
    state.set_code(registry.address, harness.contract().runtime);
    for (const std::uint8_t opcode : {std::uint8_t{0xf2}, std::uint8_t{0xf4}}) {
        evm::Address borrower{};
        borrower[0] = opcode;
        state.set_code(borrower, lender(opcode, registry.address));
        for (const std::size_t part : contracts::registration_order(registry)) {
            const auto result = call_at(state, borrower, encode_register(key, part));
            ASSERT_TRUE(result.success()) << result.reason;
            const auto at = contracts::part_address(borrower, shape, static_cast<unsigned>(part), blob.key_hash);
            ASSERT_EQ(result.output, address_word(at));
            const ByteView code = state.code(at);
            ASSERT_EQ(code.size(), blob.parts[part].size());
            // The same bytes but for the links.
            const std::size_t from = part == 0 ? blob.links_offset + 20 * (blob.parts.size() - 1) : 0;
            EXPECT_TRUE(std::equal(code.begin() + static_cast<std::ptrdiff_t>(from), code.end(),
                                   blob.parts[part].begin() + static_cast<std::ptrdiff_t>(from)));
            EXPECT_FALSE(state.exists(harness.addresses(key)[part]));
        }
        EXPECT_FALSE(verifier.accepts(contracts::part_address(borrower, shape, 0, blob.key_hash), message, signature));
    }
    EXPECT_EQ(harness.blob_of(state, key), evm::Address{});
    EXPECT_TRUE(verifier.accepts(harness.enroll_all(state, key), message, signature));
}

// A static call creates nothing, and tells where a part is that is there.
TEST_P(RegistryKeys, StaticCallsCreateNothing) {
    const auto pair = mldsa::generate(harness.scheme(), mldsa::Seed(std::array<std::uint8_t, 32>{0xb1}));
    const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    evm::State state = harness.state();
    evm::Address caller{};
    caller[0] = 0xfa;
    state.set_code(caller, lender(0xfa, harness.registry().address));
    const Bytes data = encode_register(key, 1);
    EXPECT_FALSE(call_at(state, caller, data, 50'000'000).success());
    EXPECT_FALSE(call_at(state, caller, {}).success()) << "callback";
    EXPECT_FALSE(state.exists(harness.addresses(key)[1]));
    ASSERT_TRUE(harness.enroll(state, key, 1).success());
    EXPECT_EQ(call_at(state, caller, data).output, address_word(harness.addresses(key)[1]));
}

/// Calldata: a count, then what the registry is to be called with from that many calls down. Answers whether that succeeded.
Bytes descender(const evm::Address& registry) {
    Bytes code{0x36, 0x5f, 0x5f, 0x37, 0x5f, 0x51, 0x80, 0x60, 0, 0x57, 0x5f, 0x5f, 0x60, 0x20, 0x36, 0x03, 0x60, 0x20, 0x5f, 0x73};
    code.insert(code.end(), registry.begin(), registry.end());
    code.insert(code.end(), {0x5a, 0xf1, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3});
    code[8] = static_cast<std::uint8_t>(code.size());
    code.insert(code.end(), {0x5b, 0x60, 0x01, 0x90, 0x03, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0x36, 0x5f, 0x5f,
                             0x30, 0x5a, 0xf1, 0x5f, 0x51, 0x02, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3});
    return code;
}

// At the end of the call stack the creation or its callback is refused whatever the gas: nothing may be left at the part's address.
TEST(RegistryDepth, TheEndOfTheCallStackLeavesNothingBehind) {
    const RegistryHarness harness("keccak-ml-dsa-44");
    const auto pair = mldsa::generate(harness.scheme(), mldsa::Seed(std::array<std::uint8_t, 32>{0xb2}));
    const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    evm::Address caller{};
    caller[0] = 0xde;
    for (unsigned depth = 1019; depth <= 1024; ++depth) {
        evm::State state = harness.state();
        state.set_code(caller, descender(harness.registry().address));
        const auto count = evm::word(depth);
        Bytes data(count.begin(), count.end());
        const Bytes call = encode_register(key, 1);
        data.insert(data.end(), call.begin(), call.end());
        const auto result = call_at(state, caller, data, std::uint64_t{1} << 52);
        ASSERT_TRUE(result.success()) << result.reason;
        const bool done = result.output.at(31) != 0;
        EXPECT_EQ(done, depth <= 1021) << depth;  // the registry, the init code and the callback are three calls more
        EXPECT_EQ(state.exists(harness.addresses(key)[1]), done) << depth;
    }
}

// One wire key, registered for every scheme that takes keys of its length: every blob is at an address of its own, and only the verifier
// of the signature's scheme with the blob of that scheme accepts.
TEST(RegistrySchemes, OneWireKeyInAllRegistries) {
    const std::vector<std::string> schemes{"ml-dsa-44", "turbo-ml-dsa-44", "keccak-ml-dsa-44", "eth-ml-dsa-44"};
    const Bytes message(32, 0x51);
    for (const auto& signer : schemes) {
        const auto pair = mldsa::generate(*mldsa::find_scheme(signer), mldsa::Seed(std::array<std::uint8_t, 32>{0xb3}));
        const Bytes key(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
        const Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message));
        std::set<evm::Address> seen;
        for (const auto& verifying : schemes) {
            Harness verifier(verifying);
            for (const auto& registered : schemes) {
                const auto address = contracts::place_key(verifier.state(), contracts::expand_key(registered, key).value());
                EXPECT_EQ(verifier.accepts(address, message, signature), verifying == signer && registered == signer)
                    << verifying << " with the blob for " << registered << " and a signature by " << signer;
                for (const auto& at : contracts::key_addresses(contracts::find_registry(registered).value(), hash::keccak256(key)))
                    seen.insert(at);
            }
        }
        EXPECT_EQ(seen.size(), 8U);
    }
}

INSTANTIATE_TEST_SUITE_P(Contracts, RegistryKeys, testing::ValuesIn(verifier_names()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
