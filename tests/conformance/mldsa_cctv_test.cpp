#include <cstdlib>

#include "conformance/mldsa_vectors.hpp"
#include "hash/sha3.hpp"
#include "mldsa/field.hpp"

// C2SP CCTV: every value of the field through the rounding functions, and accumulated key generation and signing.

namespace postern::test {
namespace {

using namespace mldsa;

TEST(MlDsaCctv, FieldOperations) {
    POSTERN_REQUIRE_VECTORS(vectors);
    const auto file = load_json(vectors / "mldsa" / "kat" / "cctv-accumulated.json");
    hash::Shake128 xof;
    std::string text;
    const auto line = [&](std::int32_t v) {
        text += std::to_string(v);
        text += '\n';
    };
    const auto positive = [](std::int32_t v) { return v < 0 ? v + q : v; };
    const auto rounding = [&]<std::int32_t Gamma2>(std::int32_t r) {
        line(high_bits<Gamma2>(r));
        line(use_hint<Gamma2>(1, r));
        line(low_bits<Gamma2>(r));
        line(absolute(low_bits<Gamma2>(r)));
    };
    for (std::int32_t r = 0; r < q; ++r) {
        const auto centred = to_centred(r);
        line(centred);
        line(absolute(centred));
        const auto parts = power2round(r);
        line(parts.high);
        line(positive(parts.low));
        rounding.operator()<(q - 1) / 88>(r);
        rounding.operator()<(q - 1) / 32>(r);
        if (text.size() > 60000) {
            xof.absorb({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
            text.clear();
        }
    }
    xof.absorb({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    std::array<std::uint8_t, 32> digest{};
    xof.squeeze(digest);
    EXPECT_EQ(to_hex(digest), file.at("fieldOperations").get<std::string>());
}

TEST(MlDsaCctv, AccumulatedKeyGenAndSign) {
    POSTERN_REQUIRE_VECTORS(vectors);
    const auto file = load_json(vectors / "mldsa" / "kat" / "cctv-accumulated.json");
    // The long run (10000) only when asked for.
    const char* iterations = std::getenv("POSTERN_CCTV_ITERATIONS");
    const std::string count = iterations != nullptr ? iterations : "100";
    for (const auto& [set, digests] : file.at("keygenSign").items()) {
        hash::Shake128 seeds, all;
        for (int i = 0; i < std::stoi(count); ++i) {
            std::array<std::uint8_t, 32> seed{};
            seeds.squeeze(seed);
            const auto pair = generate(scheme_of(set), Seed(seed));
            const auto signature = sign(pair.private_key, Message({}), {}, Randomness::deterministic());
            all.absorb(pair.public_key.bytes());
            all.absorb(signature);
        }
        std::array<std::uint8_t, 32> digest{};
        all.squeeze(digest);
        EXPECT_EQ(to_hex(digest), digests.at(count).get<std::string>()) << set;
    }
}

}  // namespace
}  // namespace postern::test
