// Contract and native code give the same verdict on thousands of signatures: good ones, and ones with something changed.

#include <gtest/gtest.h>

#include <random>

#include "contracts/harness.hpp"

namespace postern::test {
namespace {

class Mutations : public testing::TestWithParam<std::string> {};

TEST_P(Mutations, SameVerdictAsNative) {
    Harness harness(GetParam());
    const auto& p = harness.params();
    std::mt19937_64 rng(0xb0b);
    const std::size_t budget = long_tests() ? 20000 : harness.wire() ? 240 : 900;
    std::size_t accepted = 0, rejected = 0;
    while (accepted + rejected < budget) {
        std::array<std::uint8_t, 32> seed{};
        for (auto& b : seed) b = static_cast<std::uint8_t>(rng());
        const auto pair = mldsa::generate(harness.scheme(), mldsa::Seed(seed));
        const mldsa::ExpandedPrivateKey signer(pair.private_key);
        const mldsa::ExpandedPublicKey native(pair.public_key);
        const auto key = harness.place(pair.public_key.bytes());
        for (int n = 0; n < 20; ++n) {
            Bytes message(rng() % 3 == 0 ? 32 : rng() % 400), context(rng() % 2 == 0 ? 0 : rng() % 256);
            for (auto& b : message) b = static_cast<std::uint8_t>(rng());
            for (auto& b : context) b = static_cast<std::uint8_t>(rng());
            const auto ctx = mldsa::Context::from(context).value();
            const Bytes good = mldsa::sign(signer, mldsa::Message(message), ctx);
            for (int m = 0; m < 6; ++m) {
                Bytes s = good;
                const std::size_t h = p.c_tilde + std::size_t{p.l} * p.z_poly;
                switch (m) {
                    case 0:
                        break;
                    case 1:
                        s[rng() % p.c_tilde] ^= static_cast<std::uint8_t>(1U << (rng() % 8));
                        break;
                    case 2:
                        s[p.c_tilde + rng() % (p.l * p.z_poly)] ^= static_cast<std::uint8_t>(1U << (rng() % 8));
                        break;
                    case 3:
                        s[h + rng() % (s.size() - h)] = static_cast<std::uint8_t>(rng());
                        break;
                    case 4:
                        for (std::size_t c = rng() % 20; c > 0; --c) s[rng() % s.size()] = static_cast<std::uint8_t>(rng());
                        break;
                    default:
                        if (!message.empty()) message[rng() % message.size()] ^= 1;
                        break;
                }
                const bool expected = mldsa::verify(native, mldsa::Message(message), mldsa::SignatureView(s), ctx).valid;
                ASSERT_EQ(harness.accepts(key, message, s, context), expected) << "mutation " << m;
                ++(expected ? accepted : rejected);
            }
        }
    }
    EXPECT_GT(accepted, budget / 8);
    EXPECT_GT(rejected, budget / 2);
}

INSTANTIATE_TEST_SUITE_P(Contracts, Mutations, testing::ValuesIn(all_verifier_names()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace postern::test
