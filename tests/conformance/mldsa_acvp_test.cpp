#include "conformance/mldsa_vectors.hpp"

// NIST ACVP files: key generation, signing and verification through all four interfaces, byte for byte.

namespace postern::test {
namespace {

using namespace mldsa;
using nlohmann::json;

enum class Interface { pure, prehash, mu, internal };

Interface interface_of(const json& group) {
    if (group.value("externalMu", false)) return Interface::mu;
    if (group.value("signatureInterface", "internal") == "internal") return Interface::internal;
    return group.at("preHash") == "preHash" ? Interface::prehash : Interface::pure;
}

MessageDigest digest_of(const json& test) {
    const auto message = hex_field(test, "message");
    return prehash(find_prehash(test.at("hashAlg").get<std::string>()).value(), Message(message));
}

Bytes sign_case(Interface interface, const PrivateKey& key, const json& test) {
    const auto rnd = randomness(hex_field(test, "rnd"));
    const auto message = hex_field(test, "message");
    const auto context = Context::from(hex_field(test, "context")).value();
    switch (interface) {
        case Interface::pure:
            return sign(key, Message(message), context, rnd);
        case Interface::prehash:
            return sign_prehash(key, digest_of(test), context, rnd);
        case Interface::mu:
            return sign_mu(key, Mu::from(hex_field(test, "mu")).value(), rnd);
        case Interface::internal:
            return sign_internal(key, FormattedMessage(message), rnd);
    }
    throw std::logic_error("interface");
}

Verdict verify_case(Interface interface, const PublicKey& key, const json& test) {
    const auto signature = hex_field(test, "signature");
    const auto message = hex_field(test, "message");
    const auto context = Context::from(hex_field(test, "context")).value();
    const SignatureView view(signature);
    switch (interface) {
        case Interface::pure:
            return verify(key, Message(message), view, context);
        case Interface::prehash:
            return verify_prehash(key, digest_of(test), view, context);
        case Interface::mu:
            return verify_mu(key, Mu::from(hex_field(test, "mu")).value(), view);
        case Interface::internal:
            return verify_internal(key, FormattedMessage(message), view);
    }
    throw std::logic_error("interface");
}

template <class Case>
void for_each_case(const std::string& mode, std::size_t expected, Case run) {
    POSTERN_REQUIRE_VECTORS(vectors);
    std::size_t cases = 0;
    for (const char* folder : {"acvp", "acvp-extra"}) {
        for (const auto& entry : std::filesystem::directory_iterator(vectors / "mldsa" / folder)) {
            const json file = load_json(entry.path());
            if (file.at("mode") != mode) continue;
            for (const auto& group : file.at("testGroups")) {
                for (const auto& test : group.at("tests")) {
                    SCOPED_TRACE(entry.path().filename().string() + " tcId " + test.at("tcId").dump());
                    run(group, test);
                    ++cases;
                }
            }
        }
    }
    EXPECT_EQ(cases, expected);
}

TEST(MlDsaAcvp, KeyGen) {
    for_each_case("keyGen", 75, [](const json& group, const json& test) {
        const auto& scheme = scheme_of(group.at("parameterSet"));
        const auto pair = generate(scheme, Seed::from(hex_field(test, "seed")).value());
        EXPECT_EQ(to_hex(pair.public_key.bytes()), to_hex(hex_field(test, "pk")));
        EXPECT_EQ(to_hex(pair.private_key.expanded()), to_hex(hex_field(test, "sk")));
        EXPECT_TRUE(pair.private_key.check());
        EXPECT_EQ(pair.private_key.public_key(), pair.public_key);
    });
}

TEST(MlDsaAcvp, SigGen) {
    for_each_case("sigGen", 828, [](const json& group, const json& test) {
        const auto& scheme = scheme_of(group.at("parameterSet"));
        const auto key = test.contains("seed") ? PrivateKey::from_seed(scheme, Seed::from(hex_field(test, "seed")).value())
                                               : PrivateKey::decode(scheme, hex_field(test, "sk")).value();
        const auto signature = sign_case(interface_of(group), key, test);
        EXPECT_EQ(to_hex(signature), to_hex(hex_field(test, "signature")));
        const auto verdict = verify_case(interface_of(group), key.public_key(), test);
        EXPECT_TRUE(verdict) << verdict.reason;
    });
}

TEST(MlDsaAcvp, SigVer) {
    for_each_case("sigVer", 349, [](const json& group, const json& test) {
        const auto& scheme = scheme_of(group.at("parameterSet"));
        const auto pk = hex_field(test.contains("pk") ? test : group, "pk");
        const auto verdict = verify_case(interface_of(group), PublicKey::decode(scheme, pk).value(), test);
        EXPECT_EQ(verdict.valid, test.at("testPassed").get<bool>()) << verdict.reason;
        EXPECT_EQ(verdict.reason.empty(), verdict.valid);
    });
}

}  // namespace
}  // namespace postern::test
