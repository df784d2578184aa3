// Every rule of verification alone: the key has t1 = 0, so the hash fits by construction and one rule decides.

#include <gtest/gtest.h>

#include <random>

#include "contracts/harness.hpp"

namespace postern::test {
namespace {

class Rejection : public testing::TestWithParam<std::string> {
  protected:
    Harness harness{GetParam()};
    Forger forger{harness.scheme()};
    Bytes key = harness.place(forger.public_key());
    const contracts::mldsa_evm::Params& p = harness.params();
    mldsa::PublicKey native = mldsa::PublicKey::decode(harness.scheme(), forger.public_key()).value();
    Bytes message = Bytes(32, 0x5a);
    std::mt19937_64 rng{99};
    std::int64_t bound = static_cast<std::int64_t>(p.gamma1 - p.beta);

    std::vector<model::Poly> random_z() {
        std::uniform_int_distribution<std::int64_t> d(-bound + 1, bound - 1);
        auto z = forger.zero_z();
        for (auto& poly : z) {
            for (auto& c : poly) c = d(rng);
        }
        return z;
    }
    Forger::Hints random_hints(unsigned count) {
        auto h = forger.no_hints();
        while (count > 0) {
            bool& bit = h[rng() % p.k][rng() % 256];
            if (!bit) --count;
            bit = true;
        }
        return h;
    }
    /// Contract and native code say the same, namely this.
    void expect(bool valid, const Bytes& signature, const std::string& what) {
        EXPECT_EQ(harness.accepts(key, message, signature), valid) << what;
        EXPECT_EQ(mldsa::verify(native, mldsa::Message(message), mldsa::SignatureView(signature)).valid, valid) << what << " (native)";
    }
};

TEST_P(Rejection, NormAtEveryPosition) {
    // One below the bound, everywhere at once, both signs.
    for (int pattern = 0; pattern < 4; ++pattern) {
        auto z = forger.zero_z();
        for (auto& poly : z) {
            for (std::size_t c = 0; c < 256; ++c)
                poly[c] = (pattern == 0 || (pattern >= 2 && (c + static_cast<std::size_t>(pattern)) % 2 == 0)) ? bound - 1 : 1 - bound;
        }
        expect(true, forger.sign(z, forger.no_hints(), message), "largest z, pattern " + std::to_string(pattern));
    }
    // At the bound in one place. 5 and 11 are prime to the four lanes, to the words of an octet and to the pairs.
    const std::size_t stride = harness.wire() && !long_tests()                                                 ? 37
                               : long_tests() || GetParam() == "ml-dsa-44" || GetParam() == "keccak-ml-dsa-44" ? 1
                               : harness.scheme().standard()                                                   ? 5
                                                                                                               : 11;
    const auto base = random_z();
    for (std::size_t place = 0; place < std::size_t{p.l} * 256; place += stride) {
        for (const int sign : {1, -1}) {
            auto z = base;
            z[place / 256][place % 256] = sign * bound;
            expect(false, forger.sign(z, forger.no_hints(), message), "norm at " + std::to_string(place));
            z[place / 256][place % 256] = sign * (bound - 1);
            if (place % (stride * 7) == 0)
                expect(true, forger.sign(z, forger.no_hints(), message), "below norm at " + std::to_string(place));
        }
    }
    // Both ends of the field: f = 0 and f = 2 gamma1 - 1.
    for (const std::int64_t extreme : {static_cast<std::int64_t>(p.gamma1), 1 - static_cast<std::int64_t>(p.gamma1)}) {
        auto z = base;
        z[0][0] = extreme;
        expect(false, forger.sign(z, forger.no_hints(), message), "end of the field");
    }
}

TEST_P(Rejection, HintFaults) {
    const auto z = random_z();
    const auto sign = [&](const Forger::Hints& h, const Bytes& bytes) { return forger.sign(z, h, bytes, message); };
    // Well-formed ones first: none, exactly omega, all in one polynomial, ends of a polynomial, the same positions in every polynomial.
    expect(true, sign(forger.no_hints(), forger.encode(forger.no_hints())), "no hints");
    for (unsigned count : {1U, 5U, p.omega - 1, p.omega}) {
        const auto h = random_hints(count);
        expect(true, sign(h, forger.encode(h)), std::to_string(count) + " hints");
    }
    for (unsigned row = 0; row < p.k; ++row) {
        auto h = forger.no_hints();
        for (unsigned n = 0; n < p.omega; ++n) h[row][255 - 3 * n] = true;
        h[row][0] = p.omega * 3 <= 255;
        if (h[row][0]) h[row][255] = false;
        expect(true, sign(h, forger.encode(h)), "all hints in row " + std::to_string(row));
        // Polynomials before and after without hints.
        auto few = forger.no_hints();
        few[row][0] = few[row][255] = true;
        expect(true, sign(few, forger.encode(few)), "ends of row " + std::to_string(row));
    }
    const auto h = random_hints(p.omega - 10);
    const Bytes good = forger.encode(h);
    const unsigned total = p.omega - 10;
    // Positions that do not rise: equal and falling neighbours inside each polynomial; at a border between two they may fall.
    unsigned first = 0;
    for (unsigned row = 0; row < p.k; ++row) {
        const unsigned last = good[p.omega + row];
        for (unsigned n = first; n + 1 < last; n += long_tests() ? 1 : 3) {
            Bytes y = good;
            std::swap(y[n], y[n + 1]);
            expect(false, sign(h, y), "falling at " + std::to_string(n));
            // A repeated position: the lenient reading sets one bit less.
            auto lenient = h;
            lenient[row][good[n + 1]] = false;
            y = good;
            y[n + 1] = y[n];
            expect(false, sign(lenient, y), "repeated at " + std::to_string(n));
        }
        first = last;
    }
    // Unused positions that are not zero.
    for (unsigned n = total; n < p.omega; ++n) {
        Bytes y = good;
        y[n] = static_cast<std::uint8_t>(1U << (n % 8));
        expect(false, sign(h, y), "unused position " + std::to_string(n));
    }
    // Counters: the last one larger than omega; one that falls; each off by one (the set then read is another, or a border moves).
    for (unsigned row = 0; row < p.k; ++row) {
        for (const int delta : {-1, 1}) {
            Bytes y = good;
            y[p.omega + row] = static_cast<std::uint8_t>(y[p.omega + row] + delta);
            const Bytes s = sign(h, y);
            const bool valid = mldsa::verify(native, mldsa::Message(message), mldsa::SignatureView(s)).valid;
            expect(valid, s, "counter off by one");
        }
        for (const unsigned value : {p.omega + 1, 128U, 255U}) {
            Bytes y = good;
            y[p.omega + row] = static_cast<std::uint8_t>(value);
            expect(false, sign(h, y), "counter " + std::to_string(value) + " in row " + std::to_string(row));
        }
        if (row > 0) {
            Bytes y = good;
            y[p.omega + row] = 0;
            expect(false, sign(h, y), "falling counter");
        }
    }
    // omega + 1 hints: the counter says so although every byte rises.
    {
        Bytes y(p.omega + p.k);
        auto full = forger.no_hints();
        for (unsigned n = 0; n < p.omega; ++n) {
            y[n] = static_cast<std::uint8_t>(n);
            full[p.k - 1][n] = true;
        }
        y[p.omega + p.k - 1] = static_cast<std::uint8_t>(p.omega + 1);
        expect(false, sign(full, y), "omega + 1");
    }
}

TEST_P(Rejection, RandomHintEncodings) {
    const auto z = random_z();
    const int runs = long_tests() ? 3000 : 150;
    int valid_count = 0;
    for (int n = 0; n < runs; ++n) {
        const auto h = random_hints(static_cast<unsigned>(rng() % (p.omega + 1)));
        Bytes y = forger.encode(h);
        for (unsigned e = static_cast<unsigned>(rng() % 3); e > 0; --e) {
            auto& byte = y[rng() % 4 == 0 ? p.omega + rng() % p.k : rng() % y.size()];
            byte = static_cast<std::uint8_t>(rng() % 3 == 0 ? byte + 1 : rng() % 3 == 0 ? 0 : rng());
        }
        const Bytes s = forger.sign(z, h, y, message);
        const bool valid = mldsa::verify(native, mldsa::Message(message), mldsa::SignatureView(s)).valid;
        valid_count += valid ? 1 : 0;
        expect(valid, s, "random hint encoding " + std::to_string(n));
    }
    EXPECT_GT(valid_count, runs / 8);
    EXPECT_LT(valid_count, runs * 7 / 8);
}

TEST_P(Rejection, EveryByteOfTheChallengeHash) {
    const auto h = random_hints(20);
    const Bytes good = forger.sign(random_z(), h, message);
    expect(true, good, "unchanged");
    for (unsigned n = 0; n < p.c_tilde; ++n) {
        Bytes s = good;
        s[n] ^= static_cast<std::uint8_t>(1U << (rng() % 8));
        expect(false, s, "c_tilde byte " + std::to_string(n));
    }
}

TEST_P(Rejection, MessageContextAndKeyMatter) {
    const Bytes context{1, 2, 3};
    const auto hints = random_hints(9);
    const Bytes signature = forger.sign(random_z(), hints, forger.encode(hints), message, context);
    EXPECT_TRUE(harness.accepts(Door::context, key, message, signature, context));
    EXPECT_FALSE(harness.accepts(Door::context, key, message, signature, Bytes{1, 2}));
    EXPECT_FALSE(harness.accepts(Door::context, key, message, signature));
    EXPECT_FALSE(harness.accepts(Door::erc7913, key, message, signature));
    // Context and message must not run into each other.
    Bytes shifted{3};
    shifted.insert(shifted.end(), message.begin(), message.end());
    EXPECT_FALSE(harness.accepts(Door::context, key, shifted, signature, Bytes{1, 2}));
    Bytes other = message;
    other[31] ^= 0x80;
    EXPECT_FALSE(harness.accepts(Door::context, key, other, signature, context));
    const Forger another(harness.scheme(), 2);
    EXPECT_FALSE(harness.accepts(Door::context, harness.place(another.public_key()), message, signature, context));
}

TEST_P(Rejection, SignatureLength) {
    const Bytes good = forger.sign(random_z(), random_hints(3), message);
    for (const int delta : {-32, -1, 1, 31, 32}) {
        Bytes s = good;
        s.resize(static_cast<std::size_t>(static_cast<int>(s.size()) + delta));
        expect(false, s, "length off by " + std::to_string(delta));
    }
    expect(false, {}, "empty signature");
    expect(true, good, "exact length");
}

INSTANTIATE_TEST_SUITE_P(Contracts, Rejection, testing::ValuesIn(all_verifier_names()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
