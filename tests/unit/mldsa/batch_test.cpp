#include <gtest/gtest.h>

#include <postern/mldsa.hpp>
#include <random>

#include "support/cpu_levels.hpp"

// Batches against one at a time, and every set of kernels against the portable one.

namespace postern::mldsa {
namespace {

using Rng = std::mt19937_64;

Bytes random_bytes(Rng& rng, std::size_t size) {
    Bytes b(size);
    for (auto& x : b) x = static_cast<std::uint8_t>(rng());
    return b;
}
Seed random_seed(Rng& rng) { return Seed::from(random_bytes(rng, 32)).value(); }
Randomness random_rnd(Rng& rng) {
    const Bytes b = random_bytes(rng, 32);
    return Randomness(std::span<const std::uint8_t, 32>(b));
}

TEST(MlDsaBatch, SignsAsOneByOne) {
    Rng rng(31);
    for (const Scheme& s : schemes()) {
        SCOPED_TRACE(s.name);
        const ExpandedPrivateKey key(PrivateKey::from_seed(s, random_seed(rng)));
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{4}, std::size_t{7}, std::size_t{18}}) {
            std::vector<Bytes> texts;
            std::vector<SignItem> items;
            // Equal and unequal lengths, with and without context.
            for (std::size_t i = 0; i < size; ++i) texts.push_back(random_bytes(rng, size == 7 ? 100 * i : 32));
            for (std::size_t i = 0; i < size; ++i) {
                const Context context = Context::from(random_bytes(rng, size == 18 && i % 3 == 0 ? 5 : 0)).value();
                items.push_back({Message(texts[i]), context, random_rnd(rng)});
            }
            test::on_every_cpu_level([&](CpuLevel) {
                const auto signatures = sign_batch(key, items);
                ASSERT_EQ(signatures.size(), size);
                for (std::size_t i = 0; i < size; ++i)
                    ASSERT_EQ(signatures[i], sign(key, items[i].message, items[i].context, items[i].randomness)) << i;
            });
        }
    }
}

TEST(MlDsaBatch, VerdictsAreTheOnesOfOneByOne) {
    Rng rng(32);
    for (const Scheme& s : schemes()) {
        SCOPED_TRACE(s.name);
        std::vector<KeyPair> pairs;
        std::vector<ExpandedPublicKey> keys;
        for (int i = 0; i < 3; ++i) {
            pairs.push_back(generate(s, random_seed(rng)));
            keys.emplace_back(pairs.back().public_key);
        }
        constexpr std::size_t size = 23;
        std::vector<Bytes> texts, signatures;
        std::vector<VerifyItem> items;
        for (std::size_t i = 0; i < size; ++i) {
            texts.push_back(random_bytes(rng, i < 12 ? 32 : 20 * i));
            signatures.push_back(sign(pairs[i % 3].private_key, Message(texts[i]), {}, random_rnd(rng)));
            Bytes& g = signatures.back();
            // Every kind of refusal, in every lane in the course of the list.
            switch (i % 5) {
                case 0:
                    g[rng() % s.c_tilde_bytes] ^= 1;
                    break;
                case 1:
                    g.back() = 255;  // the hint's last count
                    break;
                case 2:
                    if (i % 2 == 0)
                        std::fill_n(g.begin() + static_cast<std::ptrdiff_t>(s.c_tilde_bytes), 40, std::uint8_t{0});  // norm of z
                    else
                        g.resize(i % 4 == 1 ? 0 : g.size() - 1);
                    break;
                default:
                    break;  // valid
            }
        }
        for (std::size_t i = 0; i < size; ++i) items.push_back({&keys[i % 3], Message(texts[i]), SignatureView(signatures[i])});
        test::on_every_cpu_level([&](CpuLevel) {
            const auto verdicts = verify_batch(items);
            std::size_t valid = 0;
            for (std::size_t i = 0; i < size; ++i) {
                const Verdict one = verify(keys[i % 3], items[i].message, items[i].signature);
                const Verdict wire = verify(pairs[i % 3].public_key, items[i].message, items[i].signature);
                ASSERT_EQ(verdicts[i].valid, one.valid) << i;
                ASSERT_EQ(verdicts[i].reason, one.reason) << i;
                ASSERT_EQ(wire.valid, one.valid) << i;
                ASSERT_EQ(wire.reason, one.reason) << i;
                valid += one.valid ? 1 : 0;
            }
            ASSERT_EQ(valid, 8U);
        });
        EXPECT_TRUE(verify_batch({}).empty());
    }
    // Schemes mixed in one batch.
    const auto a = generate(schemes()[0], random_seed(rng)), b = generate(schemes()[4], random_seed(rng));
    const ExpandedPublicKey key_a(a.public_key), key_b(b.public_key);
    const Bytes text = random_bytes(rng, 10), sig_a = sign(a.private_key, Message(text)), sig_b = sign(b.private_key, Message(text));
    std::vector<VerifyItem> mixed;
    for (int i = 0; i < 6; ++i) {
        mixed.push_back({&key_a, Message(text), SignatureView(sig_a)});
        if (i >= 4) mixed.push_back({&key_b, Message(text), SignatureView(sig_b)});
    }
    for (const auto& v : verify_batch(mixed)) EXPECT_TRUE(v.valid);
}

/// A share of the campaign (make campaign-paths): keys, single signatures and verdicts on every path.
TEST(MlDsaPaths, KeysAndSignaturesAreTheSame) {
    const char* asked = std::getenv("POSTERN_PATH_ROUNDS");
    const int rounds = asked == nullptr ? 6 : std::atoi(asked);
    Rng rng(33);
    std::size_t signatures = 0;
    for (int round = 0; round < rounds; ++round) {
        for (const Scheme& s : schemes()) {
            if (asked != nullptr && !s.standard()) continue;
            const Seed seed = random_seed(rng);
            std::vector<Bytes> texts;
            std::vector<SignItem> items;
            for (int i = 0; i < 8; ++i) texts.push_back(random_bytes(rng, rng() % 200));
            for (const auto& text : texts) items.push_back({Message(text), {}, random_rnd(rng)});
            Bytes sk, pk;
            std::vector<Bytes> first;
            test::on_every_cpu_level([&](CpuLevel level) {
                const KeyPair pair = generate(s, seed);
                const ExpandedPrivateKey key(pair.private_key);
                std::vector<Bytes> made;
                for (const auto& item : items) made.push_back(sign(key, item.message, item.context, item.randomness));
                if (level == CpuLevel::scalar) {
                    sk.assign(pair.private_key.expanded().begin(), pair.private_key.expanded().end());
                    pk.assign(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
                    first = made;
                }
                ASSERT_TRUE(std::equal(sk.begin(), sk.end(), pair.private_key.expanded().begin()));
                ASSERT_TRUE(std::equal(pk.begin(), pk.end(), pair.public_key.bytes().begin()));
                ASSERT_EQ(made, first);
                ASSERT_EQ(sign_batch(key, items), first);
                for (std::size_t i = 0; i < items.size(); ++i)
                    ASSERT_TRUE(verify(pair.public_key, items[i].message, SignatureView(made[i])).valid);
            });
            signatures += items.size();
        }
    }
    std::printf("%zu signatures are the same on every path\n", signatures);
}

}  // namespace
}  // namespace postern::mldsa
