// The registered Falcon verifiers decide what the native code decides: real signatures, norms at the bound, numbers at the ends of their
// range, every bit of a call, every amount of gas.

#include <gtest/gtest.h>

#include "contracts/falcon_harness.hpp"
#include "falcon/zq.hpp"

namespace postern::test {
namespace {

class FalconVerifier : public testing::TestWithParam<std::string> {
  protected:
    FalconVerifier() : harness(GetParam()) {}

    Bytes random_bytes(std::size_t n) {
        Bytes b(n);
        for (auto& x : b) x = static_cast<std::uint8_t>(rng());
        return b;
    }
    falcon::Salt random_salt() {
        falcon::Salt salt;
        for (auto& x : salt) x = static_cast<std::uint8_t>(rng());
        return salt;
    }
    /// Places the key under which (s1, s2) belongs to salt and message; false if there is none.
    bool plant(const falcon::Salt& salt, ByteView message, const Small& s1, const Small& s2) {
        const auto key = key_for(falcon::hash_to_point<F512>(harness.policy(), salt, message), s1, s2);
        if (!key) return false;
        harness.place(*key);
        key_ = *key;
        return true;
    }
    bool native(const falcon::Salt& salt, ByteView message, const Small& s2) {
        return static_cast<bool>(falcon::verify<F512>(*key_, message, {salt, s2}, harness.policy()));
    }
    struct Signed {
        Bytes message, signature;
        falcon::Signature<F512> value;
    };
    Signed real(std::size_t message_bytes = 32) {
        if (!signer_) {
            signer_.emplace(falcon::PrivateKey<F512>::from_seed(random_bytes(48)));
            harness.place(signer_->public_key());
            key_ = signer_->public_key();
        }
        Signed s;
        s.message = random_bytes(message_bytes);
        s.value = falcon::sign_deterministic<F512>(*signer_, s.message, harness.policy());
        s.signature = native_signature(s.value.salt, s.value.s2);
        return s;
    }

    FalconHarness harness;
    std::mt19937_64 rng{5};
    std::optional<falcon::PublicKey<F512>> key_;
    std::optional<falcon::ExpandedPrivateKey<F512>> signer_;
};

TEST_P(FalconVerifier, AcceptsRealSignaturesOfAnyMessage) {
    EXPECT_LE(harness.contract().runtime.size(), 24576U);
    for (int n = 0; n < 20; ++n) {
        const auto s = real();
        EXPECT_TRUE(harness.accepts(Door::erc7913, s.message, s.signature));
        EXPECT_TRUE(harness.accepts(Door::message, s.message, s.signature));
        Bytes other = s.message;
        other[rng() % 32] ^= 1;
        EXPECT_FALSE(harness.accepts(Door::erc7913, other, s.signature));
        EXPECT_FALSE(harness.accepts(Door::message, other, s.signature));
    }
    for (const std::size_t size : {0U, 1U, 31U, 33U, 63U, 64U, 65U, 95U, 96U, 97U, 136U, 1000U, 5000U, 20000U}) {
        const auto s = real(size);
        EXPECT_TRUE(harness.accepts(Door::message, s.message, s.signature)) << size;
        auto wrong = s.signature;
        wrong[rng() % wrong.size()] ^= 0x10;
        EXPECT_FALSE(harness.accepts(Door::message, s.message, wrong)) << size;
    }
}

TEST_P(FalconVerifier, NormsAtTheBound) {
    const std::uint64_t bound = F512::beta2;
    int planted = 0;
    for (const int spread : {3, 60, 150, 257}) {
        for (int n = 0; n < 12; ++n) {
            for (const std::uint64_t norm : {bound - 1, bound, bound + 1, bound + 2}) {
                const auto [s1, s2] = vectors_of_norm(norm, rng, spread);
                ASSERT_EQ(falcon::squared_norm<F512>(s1, s2), norm);
                const auto salt = random_salt();
                const Bytes message = random_bytes(32);
                if (!plant(salt, message, s1, s2)) continue;
                ++planted;
                EXPECT_EQ(harness.accepts(Door::erc7913, message, native_signature(salt, s2)), norm <= bound) << norm;
                EXPECT_EQ(native(salt, message, s2), norm <= bound);
            }
        }
    }
    EXPECT_GT(planted, 100);
}

TEST_P(FalconVerifier, OneLargeNumberInEitherHalf) {
    for (std::size_t i = 0; i < 512; i += (i < 17 ? 1 : 15)) {
        for (const int size : {5833, -5833, 5834, -5834, 6144, -6144}) {
            Small s1{}, s2{};
            s1[i] = static_cast<std::int16_t>(size);
            s2[0] = 1;
            const auto salt = random_salt();
            const Bytes message = random_bytes(32);
            ASSERT_TRUE(plant(salt, message, s1, s2));
            EXPECT_EQ(harness.accepts(Door::erc7913, message, native_signature(salt, s2)), std::abs(size) == 5833) << i << " " << size;
        }
    }
}

TEST_P(FalconVerifier, RangeOfEveryNumber) {
    const auto salt = random_salt();
    const Bytes message = random_bytes(32);
    for (std::size_t i = 0; i < 512; ++i) {
        for (const int value : {2047, -2047}) {
            Small s1{}, s2{};
            s2[i] = static_cast<std::int16_t>(value);
            ASSERT_TRUE(plant(salt, message, s1, s2));
            EXPECT_TRUE(harness.accepts(Door::erc7913, message, native_signature(salt, s2))) << i << " " << value;
        }
        for (const int value : {2048, -2048, 2049, -2049, 4095, -4096, 32767, -32768}) {
            // The key that would make it valid, if the number were allowed.
            falcon::Poly<F512> c = falcon::hash_to_point<F512>(harness.policy(), salt, message), b{};
            b[i] = static_cast<std::uint16_t>((value % 12289 + 12289) % 12289);
            falcon::ntt<F512>(c);
            falcon::ntt<F512>(b);
            ASSERT_TRUE(falcon::pointwise_inverse<F512>(b));
            falcon::pointwise_multiply<F512>(c, b);
            harness.place(falcon::PublicKey<F512>::from_ntt(c).value());
            std::array<int, 512> s2{};
            s2[i] = value;
            EXPECT_FALSE(harness.accepts(Door::erc7913, message, native_signature(salt, s2))) << i << " " << value;
        }
    }
}

TEST_P(FalconVerifier, LongAndEmptyVectors) {
    const auto salt = random_salt();
    const Bytes message = random_bytes(32);
    const auto s = real();
    EXPECT_FALSE(harness.accepts(Door::erc7913, s.message, native_signature(s.value.salt, Small{})));
    for (const int value : {2047, -2047, 1000, -1000}) {
        Small s1{}, s2{};
        s2.fill(static_cast<std::int16_t>(value));
        s2[0] = static_cast<std::int16_t>(value / 2);
        if (plant(salt, message, s1, s2)) {
            EXPECT_FALSE(harness.accepts(Door::erc7913, message, native_signature(salt, s2))) << value;
        }
    }
    std::uniform_int_distribution<int> uniform(-2047, 2047), whole(-6144, 6144);
    for (int n = 0; n < 20; ++n) {
        Small s1{}, s2{};
        for (auto& x : s2) x = static_cast<std::int16_t>(uniform(rng));
        // s1 = 0: only the norm of s2 stands in the way.
        if (plant(salt, message, s1, s2)) {
            EXPECT_FALSE(harness.accepts(Door::erc7913, message, native_signature(salt, s2)));
        }
        s2 = {};
        s2[static_cast<std::size_t>(n)] = -1;
        for (auto& x : s1) x = static_cast<std::int16_t>(whole(rng));
        if (plant(salt, message, s1, s2)) {
            EXPECT_FALSE(harness.accepts(Door::erc7913, message, native_signature(salt, s2)));
        }
        s1.fill(n % 2 == 0 ? 6144 : -6144);
        if (plant(salt, message, s1, s2)) {
            EXPECT_FALSE(harness.accepts(Door::erc7913, message, native_signature(salt, s2)));
        }
    }
    // Degenerate keys.
    for (const int value : {0, 1, 12288}) {
        falcon::Poly<F512> h;
        h.fill(static_cast<std::uint16_t>(value));
        const auto key = falcon::PublicKey<F512>::from_coefficients(h).value();
        harness.place(key);
        key_ = key;
        for (int n = 0; n < 4; ++n) {
            Small s2{};
            for (auto& x : s2) x = static_cast<std::int16_t>(uniform(rng));
            EXPECT_EQ(harness.accepts(Door::erc7913, message, native_signature(salt, s2)), native(salt, message, s2));
        }
    }
}

TEST_P(FalconVerifier, NoOtherCallIsAccepted) {
    const auto s = real();
    std::size_t accepted = 0, tried = 0;
    for (const Door door : {Door::erc7913, Door::message}) {
        const Bytes good = contracts::encode_call(door, harness.key(), s.message, s.signature);
        ASSERT_TRUE(contracts::accepts(door, harness.call(good)));
        const auto attempt = [&](const Bytes& data) {
            ++tried;
            const auto result = harness.call(data);
            if (contracts::accepts(Door::erc7913, result) || contracts::accepts(Door::message, result)) ++accepted;
        };
        for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
            Bytes data = good;
            data[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
            attempt(data);
        }
        for (const std::size_t size :
             {good.size() - 1, good.size() - 24, good.size() - 25, good.size() - 32, std::size_t{4}, std::size_t{36}})
            attempt(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
        for (const std::size_t more : {1U, 31U, 32U, 4096U}) {
            Bytes data = good;
            data.resize(good.size() + more);
            attempt(data);
        }
        for (std::size_t i = 0; i < 512; ++i) {
            for (const int q : {12289, -12289}) {
                Bytes data = good;
                const std::size_t at = data.size() - 24 - 1024 + 2 * i;
                const int value = (data[at] << 8 | data[at + 1]) + q;
                data[at] = static_cast<std::uint8_t>(value >> 8);
                data[at + 1] = static_cast<std::uint8_t>(value);
                attempt(data);
            }
        }
    }
    for (const int change : {-1, 1, -8, 24, -40, -1064}) {
        Bytes signature = s.signature;
        signature.resize(static_cast<std::size_t>(static_cast<int>(signature.size()) + change));
        EXPECT_FALSE(harness.accepts(Door::erc7913, s.message, signature)) << change;
        EXPECT_FALSE(harness.accepts(Door::message, s.message, signature)) << change;
    }
    RecordProperty("variants", static_cast<int>(tried));
    EXPECT_EQ(accepted, 0U) << "of " << tried;
}

TEST_P(FalconVerifier, AnyGasGivesTheRightAnswerOrNone) {
    const auto s = real();
    auto forged = s.signature;
    forged[100] ^= 1;
    for (const bool good : {true, false}) {
        const Bytes data = contracts::encode_call(Door::erc7913, harness.key(), s.message, good ? s.signature : forged);
        const auto full = harness.call(data);
        EXPECT_EQ(contracts::accepts(Door::erc7913, full), good);
        for (std::uint64_t gas = 0; gas <= full.exec_gas + 500; gas += 97) {
            const auto result = harness.call(data, gas);
            if (result.success()) {
                EXPECT_EQ(result.output, full.output);
                EXPECT_GE(gas, full.exec_gas);
            }
        }
        EXPECT_TRUE(harness.call(data, full.exec_gas).success());
        EXPECT_FALSE(harness.call(data, full.exec_gas - 1).success());
    }
}

TEST_P(FalconVerifier, OnlyAWholeBlobIsAKey) {
    const auto s = real();
    const ByteView code_now = harness.state().code(harness.key());
    const Bytes blob(code_now.begin(), code_now.end());
    ASSERT_EQ(blob.size(), 6145U);
    EXPECT_TRUE(harness.accepts(Door::erc7913, s.message, s.signature));
    for (const int change : {-6145, -1, 1, -6144}) {
        Bytes code = blob;
        code.resize(static_cast<std::size_t>(static_cast<int>(code.size()) + change));
        harness.place_code(code);
        EXPECT_FALSE(harness.accepts(Door::erc7913, s.message, s.signature)) << change;
    }
    Bytes code = blob;
    code[0] = 1;
    harness.place_code(code);
    EXPECT_FALSE(harness.accepts(Door::erc7913, s.message, s.signature));
    harness.place_code(blob);
    EXPECT_TRUE(harness.accepts(Door::erc7913, s.message, s.signature));
}

INSTANTIATE_TEST_SUITE_P(All, FalconVerifier, testing::Values("ethfalcon-512"), [](const auto& parameter) {
    std::string name = parameter.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace postern::test
