#include <gtest/gtest.h>

#include <random>

#include "contracts/harness.hpp"
#include "core/u256.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

class KeyBlob : public testing::TestWithParam<std::string> {
  protected:
    Harness harness{GetParam()};
    std::array<std::uint8_t, 32> seed{1, 2, 3};
    mldsa::KeyPair pair = mldsa::generate(harness.scheme(), mldsa::Seed(seed));
    Bytes message = Bytes(32, 0x22);
    Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message), {}, mldsa::Randomness::deterministic());
    evm::Address key = harness.place_blob(pair.public_key.bytes());

    std::vector<evm::Address> addresses(const mldsa::KeyPair& of) const {
        return contracts::key_addresses(contracts::find_registry(harness.scheme().name).value(), hash::keccak256(of.public_key.bytes()));
    }
    evm::Address part(unsigned i) const { return addresses(pair).at(i); }
    Bytes code(unsigned i) {
        const ByteView view = harness.state().code(part(i));
        return {view.begin(), view.end()};
    }
    unsigned parts() const {
        return static_cast<unsigned>(contracts::expand_key(harness.scheme().name, pair.public_key.bytes()).value().parts.size());
    }
    bool verdict() { return harness.accepts(key, message, signature); }
};

TEST_P(KeyBlob, Layout) {
    const auto blob = contracts::expand_key(harness.scheme().name, pair.public_key.bytes()).value();
    ASSERT_GE(blob.parts.size(), 2U);
    const Bytes& first = blob.parts[0];
    for (const auto& p : blob.parts) {
        EXPECT_EQ(p[0], 0);
        EXPECT_LE(p.size(), 24576U);
    }
    const auto digest = hash::keccak256(pair.public_key.bytes());
    EXPECT_TRUE(std::equal(digest.begin(), digest.end(), first.begin() + 1));
    const auto tr = pair.public_key.tr();
    EXPECT_TRUE(std::equal(tr.bytes().begin(), tr.bytes().end(), first.begin() + 33));
    EXPECT_EQ(blob.links_offset, 97U);
    // Every lane of every word is canonical.
    std::size_t words = 0;
    for (std::size_t i = 0; i < blob.parts.size(); ++i) {
        const std::size_t begin = i == 0 ? 97 + 20 * (blob.parts.size() - 1) : 1;
        ASSERT_EQ((blob.parts[i].size() - begin) % 32, 0U);
        for (std::size_t at = begin; at < blob.parts[i].size(); at += 32, ++words) {
            const U256 w = load_be(ByteView(blob.parts[i]).subspan(at, 32));
            for (const auto lane : w.limb) ASSERT_LT(lane, 8380417U);
        }
    }
    EXPECT_EQ(words, std::size_t{64} * harness.params().k * (harness.params().l + 1));
    // One key, one blob; another key, another one.
    EXPECT_EQ(contracts::expand_key(harness.scheme().name, pair.public_key.bytes()).value().parts, blob.parts);
    EXPECT_FALSE(contracts::expand_key(harness.scheme().name, ByteView(pair.public_key.bytes()).first(100)));
    EXPECT_FALSE(contracts::expand_key("no-such-scheme", pair.public_key.bytes()));
}

TEST_P(KeyBlob, AnythingButTheExactPartsIsRefused) {
    ASSERT_TRUE(verdict());
    auto& state = harness.state();
    for (unsigned i = 0; i < parts(); ++i) {
        const Bytes good = code(i);
        const auto with = [&](const Bytes& bytes, const std::string& what) {
            state.set_code(part(i), bytes);
            EXPECT_FALSE(verdict()) << what << ", part " << i;
            state.set_code(part(i), good);
        };
        with({}, "no code");
        Bytes b = good;
        b.pop_back();
        with(b, "one byte short");
        b = good;
        b.push_back(0);
        with(b, "one byte long");
        for (unsigned bit = 0; bit < 8; ++bit) {
            b = good;
            b[0] = static_cast<std::uint8_t>(1U << bit);
            with(b, "first byte");
        }
        b = {0xef, 0x01, 0x00};
        b.insert(b.end(), key.begin(), key.end());
        with(b, "delegated account");
        with(Bytes(good.size(), 0), "all zero");
    }
    ASSERT_TRUE(verdict());
}

TEST_P(KeyBlob, PartsOfAnotherKeySwappedOrMissing) {
    seed[5] = 77;
    const auto other = mldsa::generate(harness.scheme(), mldsa::Seed(seed));
    const evm::Address other_key = harness.place_blob(other.public_key.bytes());
    EXPECT_FALSE(harness.accepts(other_key, message, signature));
    auto& state = harness.state();
    for (unsigned i = 1; i < parts(); ++i) {
        const Bytes good = code(i);
        const ByteView theirs = state.code(addresses(other).at(i));
        state.set_code(part(i), Bytes(theirs.begin(), theirs.end()));
        EXPECT_FALSE(verdict()) << "part " << i << " of another key";
        state.set_code(part(i), good);
        // A later part given as the key.
        EXPECT_FALSE(harness.accepts(part(i), message, signature)) << "part " << i << " as the key";
        // Swapped with its neighbour.
        if (i + 1 < parts()) {
            const Bytes next = code(i + 1);
            state.set_code(part(i), next);
            state.set_code(part(i + 1), good);
            EXPECT_FALSE(verdict()) << "swapped " << i;
            state.set_code(part(i), good);
            state.set_code(part(i + 1), next);
        }
    }
    // tr of another key under the right polynomials.
    Bytes mixed = code(0);
    const Bytes good = mixed;
    const auto tr = other.public_key.tr();
    std::copy(tr.bytes().begin(), tr.bytes().end(), mixed.begin() + 33);
    state.set_code(key, mixed);
    EXPECT_FALSE(verdict());
    state.set_code(key, good);
    EXPECT_TRUE(verdict());
    // Somebody else's address, an account without code, a precompile, the verifier itself.
    evm::Address nobody{};
    for (const unsigned last : {0U, 1U, 4U, 9U}) {
        nobody[19] = static_cast<std::uint8_t>(last);
        EXPECT_FALSE(harness.accepts(nobody, message, signature));
    }
    EXPECT_FALSE(harness.accepts(harness.verifier(), message, signature));
}

TEST(KeyBlobOfAnotherInstance, IsRefused) {
    Harness plain("ml-dsa-44"), turbo("turbo-ml-dsa-44"), larger("ml-dsa-65");
    std::array<std::uint8_t, 32> seed{9};
    const auto pair = mldsa::generate(plain.scheme(), mldsa::Seed(seed));
    const Bytes message(32, 1);
    const Bytes signature = mldsa::sign(pair.private_key, mldsa::Message(message));
    EXPECT_TRUE(plain.accepts(plain.place_blob(pair.public_key.bytes()), message, signature));
    // The same wire key expanded for the other XOF, by the registry of that scheme: same sizes, other polynomials and tr.
    const auto foreign = contracts::expand_key("turbo-ml-dsa-44", pair.public_key.bytes()).value();
    EXPECT_FALSE(plain.accepts(contracts::place_key(plain.state(), foreign), message, signature));
    const auto pair65 = mldsa::generate(larger.scheme(), mldsa::Seed(seed));
    const auto blob65 = contracts::expand_key("ml-dsa-65", pair65.public_key.bytes()).value();
    EXPECT_FALSE(plain.accepts(contracts::place_key(plain.state(), blob65), message, signature));
    // A signature of the other scheme is good for a blob of that scheme, but not with this verifier.
    const Bytes theirs = mldsa::sign(mldsa::generate(turbo.scheme(), mldsa::Seed(seed)).private_key, mldsa::Message(message));
    EXPECT_TRUE(turbo.accepts(turbo.place_blob(mldsa::generate(turbo.scheme(), mldsa::Seed(seed)).public_key.bytes()), message, theirs));
}

// What stands where the registry did not put it is no key, whatever it says.
TEST_P(KeyBlob, TheSameBytesMadeBySomebodyElse) {
    const auto blob = contracts::expand_key(harness.scheme().name, pair.public_key.bytes()).value();
    evm::Address at{};
    at[0] = 0x77;
    ASSERT_TRUE(verdict());
    EXPECT_FALSE(harness.accepts(contracts::place_key(harness.state(), blob, at), message, signature));
    // Part 0 alone elsewhere, its links leading to the registered parts.
    at[0] = 0x78;
    harness.state().set_code(at, blob.parts[0]);
    EXPECT_FALSE(harness.accepts(at, message, signature));
    EXPECT_TRUE(verdict());
}

INSTANTIATE_TEST_SUITE_P(Contracts, KeyBlob, testing::Values("ml-dsa-44", "ml-dsa-65", "ml-dsa-87"),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
