#include "conformance/mldsa_vectors.hpp"

// Wycheproof: verification, signing from seeds and from expanded keys, with malformed keys and edge cases.

namespace postern::test {
namespace {

using namespace mldsa;
using nlohmann::json;

template <class Case>
void for_each_case(const std::string& kind, std::size_t expected, Case run) {
    POSTERN_REQUIRE_VECTORS(vectors);
    std::size_t cases = 0;
    for (const char* set : {"44", "65", "87"}) {
        const std::string name = std::string("mldsa_") + set + "_" + kind + "_test.json";
        const json file = load_json(vectors / "mldsa" / "wycheproof" / name);
        for (const auto& group : file.at("testGroups")) {
            for (const auto& test : group.at("tests")) {
                SCOPED_TRACE(name + " tcId " + test.at("tcId").dump() + ": " + test.at("comment").get<std::string>());
                run(scheme_of(std::string("ml-dsa-") + set), group, test);
                ++cases;
            }
        }
    }
    EXPECT_EQ(cases, expected);
}

TEST(MlDsaWycheproof, Verify) {
    for_each_case("verify", 478, [](const Scheme& scheme, const json& group, const json& test) {
        const bool valid = test.at("result") == "valid";
        const auto key = PublicKey::decode(scheme, hex_field(group, "publicKey"));
        const auto context = Context::from(hex_field(test, "ctx"));
        if (!key || !context) {
            EXPECT_FALSE(valid);
            return;
        }
        const auto signature = hex_field(test, "sig");
        const auto message = hex_field(test, "msg");
        const SignatureView view(signature);
        const auto verdict = test.contains("msg") ? verify(*key, Message(message), view, *context)
                                                  : verify_mu(*key, Mu::from(hex_field(test, "mu")).value(), view);
        EXPECT_EQ(verdict.valid, valid) << verdict.reason;
        if (test.contains("mu") && test.contains("msg")) {
            EXPECT_EQ(verify_mu(*key, Mu::from(hex_field(test, "mu")).value(), view).valid, valid);
        }
    });
}

void sign_case(const Result<PrivateKey>& key, const json& group, const json& test) {
    const bool valid = test.at("result") == "valid";
    const auto context = Context::from(hex_field(test, "ctx"));
    if (!key || !context) {
        EXPECT_FALSE(valid) << (key ? context.error().message : key.error().message);
        return;
    }
    ASSERT_TRUE(valid);
    const auto rnd = randomness(hex_field(test, "rnd"));
    const auto message = hex_field(test, "msg");
    const auto expected = to_hex(hex_field(test, "sig"));
    if (test.contains("msg")) {
        EXPECT_EQ(to_hex(sign(*key, Message(message), *context, rnd)), expected);
    }
    if (test.contains("mu")) {
        EXPECT_EQ(to_hex(sign_mu(*key, Mu::from(hex_field(test, "mu")).value(), rnd)), expected);
    }
    if (!group.at("publicKey").is_null()) {
        EXPECT_EQ(to_hex(key->public_key().bytes()), to_hex(hex_field(group, "publicKey")));
    }
}

TEST(MlDsaWycheproof, SignSeed) {
    for_each_case("sign_seed", 216, [](const Scheme& scheme, const json& group, const json& test) {
        const auto seed = Seed::from(hex_field(group, "privateSeed"));
        if (!seed) {
            EXPECT_EQ(test.at("result"), "invalid");
            return;
        }
        sign_case(PrivateKey::from_seed(scheme, *seed), group, test);
    });
}

TEST(MlDsaWycheproof, SignExpanded) {
    for_each_case("sign_noseed", 162, [](const Scheme& scheme, const json& group, const json& test) {
        const auto key = PrivateKey::decode(scheme, hex_field(group, "privateKey"));
        sign_case(key, group, test);
        if (key) {
            EXPECT_TRUE(key->check());
        }
    });
}

}  // namespace
}  // namespace postern::test
