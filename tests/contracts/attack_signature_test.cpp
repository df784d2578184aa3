// Attacks on the signature and on what is hashed: whatever is done to a signature, contract and native library agree, and what is
// hashed is exactly prefix, context and message.

#include <algorithm>

#include "contracts/attack.hpp"

namespace postern::test {
namespace {

TEST_P(Attack, EveryFlippedBit) {
    const Bytes message = random(32);
    const Bytes good = sign(message);
    ASSERT_TRUE(harness.accepts(key, message, good));
    std::size_t accepted = 0;
    // All bits of c_tilde and of the hints in the long form; the bits of z are alike.
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        const bool in_z = bit / 8 >= p.c_tilde && bit / 8 < hints_at();
        if (rng() % (in_z ? 8 : 1) != 0 || (!long_tests() && rng() % 25 != 0)) continue;
        Bytes signature = good;
        signature[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        const bool expected = valid(native, message, signature);
        ASSERT_EQ(harness.accepts(key, message, signature), expected) << "bit " << bit;
        accepted += expected ? 1 : 0;
    }
    EXPECT_EQ(accepted, 0U) << "a second encoding of one signature";
}

TEST_P(Attack, PartsOfOtherSignatures) {
    std::vector<std::pair<Bytes, Bytes>> signed_messages;
    for (int i = 0; i < 8; ++i) {
        const Bytes message = random(32);
        signed_messages.emplace_back(message, sign(message));
    }
    const auto offset = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
    std::size_t accepted = 0, rejected = 0;
    for (std::size_t run = 0; run < runs(1500); ++run) {
        const auto& [message, first] = signed_messages[rng() % 8];
        const Bytes& second = signed_messages[rng() % 8].second;
        Bytes s = first;
        switch (rng() % 5) {
            case 0: {  // the end of another one
                const std::size_t cut = rng() % s.size();
                std::copy(second.begin() + offset(cut), second.end(), s.begin() + offset(cut));
                break;
            }
            case 1: {  // two polynomials of z change places
                const auto x = s.begin() + offset(p.c_tilde + rng() % p.l * p.z_poly),
                           y = s.begin() + offset(p.c_tilde + rng() % p.l * p.z_poly);
                if (x != y) std::swap_ranges(x, x + offset(p.z_poly), y);
                break;
            }
            case 2:  // the hints of another one
                std::copy(second.begin() + offset(hints_at()), second.end(), s.begin() + offset(hints_at()));
                break;
            case 3:
                std::swap(s[rng() % s.size()], s[rng() % s.size()]);
                break;
            default: {
                const std::size_t at = rng() % s.size(), length = std::min<std::size_t>(rng() % 64, s.size() - at);
                std::fill_n(s.begin() + offset(at), length, static_cast<std::uint8_t>(rng() % 2 == 0 ? 0 : 0xff));
            }
        }
        const bool expected = valid(native, message, s);
        ASSERT_EQ(harness.accepts(key, message, s), expected) << "run " << run;
        ASSERT_EQ(expected, s == first);
        (expected ? accepted : rejected) += 1;
    }
    EXPECT_GT(accepted, 0U);
    EXPECT_GT(rejected, 0U);
}

// Keys with t1 = 0: c_tilde fits by construction, so the norm of z and the encoding of the hints decide alone, in any mixture.
TEST_P(Attack, ForgedNormsAndHints) {
    Forger forger(harness.scheme(), 7);
    const Bytes weak = harness.place(forger.public_key());
    const mldsa::ExpandedPublicKey weak_native(mldsa::PublicKey::decode(harness.scheme(), forger.public_key()).value());
    const auto bound = static_cast<std::int64_t>(p.gamma1 - p.beta), gamma1 = static_cast<std::int64_t>(p.gamma1);
    const auto below = [&](std::size_t n) { return static_cast<std::int64_t>(rng() % n); };
    std::size_t accepted = 0, rejected = 0;
    for (std::size_t run = 0; run < runs(2500); ++run) {
        auto z = forger.zero_z();
        const auto kind = rng() % 5;
        for (auto& poly : z) {
            for (auto& c : poly) {
                switch (kind) {
                    case 0:
                        c = rng() % 2 == 0 ? bound - 1 : 1 - bound;
                        break;
                    case 1:
                        c = below(static_cast<std::size_t>(2 * bound - 1)) - (bound - 1);
                        break;
                    case 2:
                        c = rng() % 9 == 0 ? bound - 1 : 0;
                        break;
                    case 3:
                        c = 1 - bound + below(3);
                        break;
                    default:
                        c = bound - 1 - below(3);
                }
            }
        }
        if (rng() % 2 == 0) {  // a few coefficients around the bound and at the ends of the encoding
            for (auto count = rng() % 3 + 1; count > 0; --count) {
                std::int64_t c = bound - 1 + below(4);
                if (rng() % 8 == 0) c = gamma1 - below(2);
                if (c < gamma1 && rng() % 2 == 0) c = -c;
                z[rng() % p.l][rng() % 256] = c;
            }
        }
        auto hints = forger.no_hints();
        for (auto count = rng() % (p.omega + 1); count > 0; --count) hints[rng() % p.k][rng() % 256] = true;
        Bytes y = forger.encode(hints);
        if (rng() % 2 == 0) {
            switch (rng() % 6) {
                case 0:
                    y[p.omega + rng() % p.k] = static_cast<std::uint8_t>(rng());
                    break;
                case 1:
                    y[rng() % p.omega] = static_cast<std::uint8_t>(rng());
                    break;
                case 2: {
                    const auto i = rng() % (p.omega - 1);
                    std::swap(y[i], y[i + 1]);
                    break;
                }
                case 3: {
                    auto& end = y[p.omega + rng() % p.k];
                    end = static_cast<std::uint8_t>(end + (rng() % 2 == 0 ? 1 : 255));
                    break;
                }
                case 4: {  // dirt behind the last hint
                    const std::size_t total = y[p.omega + p.k - 1];
                    if (total < p.omega) y[total + rng() % (p.omega - total)] = static_cast<std::uint8_t>(1U << rng() % 8);
                    break;
                }
                default: {
                    const auto i = rng() % (p.omega - 1);
                    y[i + 1] = y[i];
                }
            }
        }
        // What a decoder without checks would set, so that the hash fits bad encodings too.
        auto lenient = forger.no_hints();
        std::size_t at = 0;
        for (unsigned row = 0; row < p.k; ++row) {
            for (const std::size_t end = y[p.omega + row]; at < end; ++at) lenient[row][at < p.omega ? y[at] : 0] = true;
        }
        const bool with_context = rng() % 2 == 0;
        const Bytes message = random(with_context ? rng() % 500 : 32), context = random(with_context ? rng() % 256 : 0);
        const Bytes signature = forger.sign(z, lenient, y, message, context);
        const bool expected = valid(weak_native, message, signature, context);
        ASSERT_EQ(harness.accepts(weak, message, signature, context), expected) << "run " << run << ", kind " << kind;
        (expected ? accepted : rejected) += 1;
    }
    EXPECT_GT(accepted, 0U);
    EXPECT_GT(rejected, 0U);
}

// Every residue of the length modulo every rate: nothing behind the message is hashed, and no other message that the padding could
// be mistaken for is accepted.
TEST_P(Attack, OnlyTheMessageIsAbsorbed) {
    std::vector<std::size_t> lengths;
    for (std::size_t i = rng() % (long_tests() ? 1 : 25); i <= 290; i += long_tests() ? 1 : 25) lengths.push_back(i);
    for (const std::size_t i : {543U, 544U, 545U, 2300U, 20000U}) {
        if (long_tests() || i == 544) lengths.push_back(i);
    }
    for (const auto length : lengths) {
        for (const Door door : {harness.long_door(), Door::context}) {
            const Bytes message = random(length), context = random(door != Door::context ? 0 : length % 7 == 0 ? 255 : rng() % 256);
            const Bytes signature = sign(message, context);
            Bytes data = contracts::encode_call(door, key, message, signature, context);
            ASSERT_TRUE(contracts::accepts(door, harness.call(data))) << length;
            // 0xff or the first byte of the padding in the zeros behind the message, and more behind the call
            if (length > 8 && length % 32 != 0) {
                const auto found = std::search(data.begin(), data.end(), message.begin(), message.end());
                const auto end = static_cast<std::size_t>(found - data.begin()) + length;
                for (std::size_t at = end; (at - 4) % 32 != 0; ++at) data.at(at) = length % 2 == 0 ? 0xff : 0x1f;
            }
            data.insert(data.end(), 400, 0xff);
            ASSERT_TRUE(contracts::accepts(door, harness.call(data))) << length;
            std::vector<Bytes> others(3, message);
            others[0].push_back(0x1f);
            others[1].push_back(0);
            others[2].push_back(0x1f);
            while ((66 + context.size() + others[2].size()) % 136 != 135) others[2].push_back(0);
            others[2].push_back(0x80);
            if (!message.empty()) others.emplace_back(message.begin(), message.end() - 1);
            for (const Bytes& other : others) {
                ASSERT_FALSE(contracts::accepts(door, harness.call(contracts::encode_call(door, key, other, signature, context))))
                    << length;
            }
        }
    }
}

TEST_P(Attack, ContextLengthsDoNotWrap) {
    for (std::size_t length = 0; length <= 300;
         length += long_tests() || length > 250 ? 1 + (length > 258 && !long_tests() ? 19 : 0) : 50) {
        const Bytes message = random(rng() % 80), context = random(length);
        if (length <= 255) {
            ASSERT_TRUE(harness.accepts(Door::context, key, message, sign(message, context), context)) << length;
            continue;
        }
        // What a length byte modulo 256 would hash: the first bytes as context, the rest in front of the message.
        const auto cut = context.begin() + static_cast<std::ptrdiff_t>(length - 256);
        const Bytes short_context(context.begin(), cut);
        Bytes long_message(cut, context.end());
        long_message.insert(long_message.end(), message.begin(), message.end());
        const Bytes signature = sign(long_message, short_context);
        ASSERT_TRUE(harness.accepts(Door::context, key, long_message, signature, short_context)) << length;
        ASSERT_FALSE(harness.accepts(Door::context, key, message, signature, context)) << length;
    }
}

INSTANTIATE_TEST_SUITE_P(Contracts, Attack, testing::ValuesIn(all_verifier_names()),
                         [](const auto& param_info) { return test_name(param_info.param); });

}  // namespace
}  // namespace postern::test
