// The verifiers on the official files: every pure, external case whose key has the right size, all-zero t1 included.

#include "conformance/mldsa_vectors.hpp"
#include "conformance/rsp.hpp"
#include "contracts/harness.hpp"

namespace postern::test {
namespace {

using nlohmann::json;

class Vectors : public testing::Test {
  protected:
    std::map<std::string, std::unique_ptr<Harness>> harnesses;
    std::map<std::string, std::size_t> cases;

    /// Registered and wire form of the verifier.
    void run(const std::string& set, const Bytes& pk, const Bytes& message, const Bytes& signature, const Bytes& context, bool expected) {
        run_on(set, pk, message, signature, context, expected);
        static const auto wire = wire_names();
        if (std::find(wire.begin(), wire.end(), set + "-wire") != wire.end())
            run_on(set + "-wire", pk, message, signature, context, expected);
    }
    void run_on(const std::string& set, const Bytes& pk, const Bytes& message, const Bytes& signature, const Bytes& context,
                bool expected) {
        auto& harness = harnesses[set];
        if (!harness) harness = std::make_unique<Harness>(set);
        if (pk.size() != harness->scheme().public_key_bytes) return;
        const auto key = harness->place(pk);
        EXPECT_EQ(harness->accepts(key, message, signature, context), expected);
        // The context door takes everything; the message door everything without context.
        if (context.size() <= 300) {
            EXPECT_EQ(harness->accepts(Door::context, key, message, signature, context), expected);
        }
        if (context.empty() && !harness->wire()) {
            EXPECT_EQ(harness->accepts(Door::message, key, message, signature), expected);
        }
        ++cases[set];
    }
};

TEST_F(Vectors, Acvp) {
    POSTERN_REQUIRE_VECTORS(vectors);
    for (const char* folder : {"acvp", "acvp-extra"}) {
        for (const auto& entry : std::filesystem::directory_iterator(vectors / "mldsa" / folder)) {
            const json file = load_json(entry.path());
            const bool verifying = file.at("mode") == "sigVer";
            if (!verifying && file.at("mode") != "sigGen") continue;
            for (const auto& group : file.at("testGroups")) {
                if (group.value("externalMu", false) || group.value("signatureInterface", "internal") != "external") continue;
                if (group.value("preHash", "pure") == "preHash") continue;
                const auto& scheme = scheme_of(group.at("parameterSet"));
                for (const auto& test : group.at("tests")) {
                    SCOPED_TRACE(entry.path().filename().string() + " tcId " + test.at("tcId").dump());
                    if (verifying) {
                        run(std::string(scheme.name), hex_field(test.contains("pk") ? test : group, "pk"), hex_field(test, "message"),
                            hex_field(test, "signature"), hex_field(test, "context"), test.at("testPassed").get<bool>());
                    } else if (test.contains("pk")) {
                        run(std::string(scheme.name), hex_field(test, "pk"), hex_field(test, "message"), hex_field(test, "signature"),
                            hex_field(test, "context"), true);
                    }
                }
            }
        }
    }
    for (const auto& [set, count] : cases) EXPECT_GE(count, 15U) << set;
    EXPECT_EQ(cases.size(), 6U) << "three sets, registered and wire";
}

TEST_F(Vectors, Wycheproof) {
    POSTERN_REQUIRE_VECTORS(vectors);
    for (const char* set : {"44", "65", "87"}) {
        const json file = load_json(vectors / "mldsa" / "wycheproof" / (std::string("mldsa_") + set + "_verify_test.json"));
        for (const auto& group : file.at("testGroups")) {
            for (const auto& test : group.at("tests")) {
                if (!test.contains("msg")) continue;
                SCOPED_TRACE(std::string("wycheproof ") + set + " tcId " + test.at("tcId").dump());
                run(std::string("ml-dsa-") + set, hex_field(group, "publicKey"), hex_field(test, "msg"), hex_field(test, "sig"),
                    hex_field(test, "ctx"), test.at("result") == "valid");
            }
        }
    }
    for (const auto& [set, count] : cases) EXPECT_GE(count, 130U) << set;
}

// The variant with public vectors: 70 signatures as published, each also with one bit wrong, and the message with another.
TEST_F(Vectors, MlDsaEth) {
    POSTERN_REQUIRE_VECTORS(vectors);
    const auto hex = [](const RspEntry& entry, const char* name) { return from_hex(entry.at(name)).value(); };
    std::size_t count = 0;
    for (const auto& entry : read_rsp(vectors / "variants" / "ethdilithium" / "PQCsignKAT_ML-DSA-ETH-44.rsp")) {
        SCOPED_TRACE("count " + entry.at("count"));
        const Bytes pk = hex(entry, "pk");
        Bytes message = hex(entry, "msg"), signature = hex(entry, "sm");
        signature.resize(signature.size() - message.size());
        run("eth-ml-dsa-44", pk, message, signature, {}, true);
        const std::size_t at = 37 * count % signature.size();
        signature[at] ^= static_cast<std::uint8_t>(1U << (count % 8));
        run("eth-ml-dsa-44", pk, message, signature, {}, false);
        signature[at] ^= static_cast<std::uint8_t>(1U << (count % 8));
        if (!message.empty()) message[count % message.size()] ^= 1;
        run("eth-ml-dsa-44", pk, message, signature, {}, message.empty());
        // The instance with the longer counter is another scheme.
        run("keccak-ml-dsa-44", pk, hex(entry, "msg"), signature, {}, false);
        ++count;
    }
    EXPECT_EQ(count, 70U);
}

// Our own files for the instances without official ones.
TEST_F(Vectors, OtherHashes) {
    for (const std::string family : {"turbo", "keccak"}) {
        for (const std::string set : {"44", "65", "87"}) {
            const std::string name = family + "-ml-dsa-" + set;
            const json file = load_json(source_dir() / "tests" / "vectors" / (name + ".sigVer.json"));
            for (const auto& group : file.at("testGroups")) {
                for (const auto& test : group.at("tests")) {
                    SCOPED_TRACE(name + " tcId " + test.at("tcId").dump());
                    run(name, hex_field(test.contains("pk") ? test : group, "pk"), hex_field(test, "message"), hex_field(test, "signature"),
                        hex_field(test, "context"), test.at("testPassed").get<bool>());
                }
            }
            EXPECT_GE(cases[name], 10U);
        }
    }
}

}  // namespace
}  // namespace postern::test
