// postern kat on files made here: counts, reasons, exit codes.

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "core/hex.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

using nlohmann::json;

class Kat : public CommandTest {
  protected:
    /// Three cases: one that passes, one that fails if `wrong`, one that is bit-oriented.
    json sha3_file(bool wrong) const {
        const std::string digest = to_hex(hash::Sha3_256::hash({}));
        std::string other = digest;
        if (wrong) other[0] = other[0] == '0' ? '1' : '0';
        return {{"algorithm", "SHA3-256"},
                {"testGroups",
                 {{{"testType", "AFT"},
                   {"tests",
                    {{{"tcId", 1}, {"msg", "00"}, {"len", 0}, {"md", digest}},
                     {{"tcId", 2}, {"msg", ""}, {"len", 0}, {"md", other}},
                     {{"tcId", 3}, {"msg", "80"}, {"len", 1}, {"md", digest}}}}}}}};
    }
};

TEST_F(Kat, CountsPassedAndSkippedByReason) {
    write("a.json", sha3_file(false).dump());
    EXPECT_EQ(ok({"kat", "a.json"}),
              "a.json: acvp-sha3: 2 passed, 0 failed, 1 skipped (1 bit-oriented: a length is not a whole number of bytes)\n");
    const auto out = json::parse(ok({"kat", "--json", "a.json"}));
    const auto expected = json::parse(R"({"files":[{"file":"a.json","kind":"acvp-sha3","passed":2,"failed":0,"skipped":1,
        "reasons":{"bit-oriented: a length is not a whole number of bytes":1}}]})");
    EXPECT_EQ(out, expected);
}

TEST_F(Kat, AFailingCaseIsExitCode1) {
    write("good.json", sha3_file(false).dump());
    write("bad.json", sha3_file(true).dump());
    const auto result = run({"kat", "good.json", "bad.json"});
    EXPECT_EQ(result.code, 1);
    EXPECT_NE(result.out.find("bad.json: acvp-sha3: 1 passed, 1 failed, 1 skipped"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("tcId 2"), std::string::npos);
    EXPECT_NE(result.out.find("good.json: acvp-sha3: 2 passed"), std::string::npos);
}

TEST_F(Kat, UnknownAndMalformedFilesAreExitCode3) {
    json unknown_type = sha3_file(false);
    unknown_type["testGroups"][0]["testType"] = "XYZ";
    json missing_field = sha3_file(false);
    missing_field["testGroups"][0]["tests"][1].erase("md");
    json bad_hex = sha3_file(false);
    bad_hex["testGroups"][0]["tests"][1]["md"] = "zz";
    json no_tests = sha3_file(false);
    no_tests["testGroups"][0]["tests"] = json::array();
    json unknown_mode = {{"algorithm", "ML-DSA"}, {"mode", "keySwap"}, {"testGroups", json::array()}};
    json unknown_set = {
        {"algorithm", "ML-DSA"}, {"mode", "keyGen"}, {"testGroups", {{{"parameterSet", "ML-DSA-45"}, {"tests", {{{"tcId", 1}}}}}}}};
    const std::pair<const char*, std::string> cases[] = {
        {"empty.json", ""},
        {"cut.json", sha3_file(false).dump().substr(0, 100)},
        {"other.json", R"({"hello":"world"})"},
        {"list.json", "[1,2,3]"},
        {"text.txt", "no vectors here\n"},
        {"binary", noise(1000)},
        {"not-xz.xz", "plain text"},
        {"cut.xz", std::string("\xfd"
                               "7zXZ\0\0\4",
                               8)},
        {"type.json", unknown_type.dump()},
        {"missing.json", missing_field.dump()},
        {"hex.json", bad_hex.dump()},
        {"none.json", no_tests.dump()},
        {"mode.json", unknown_mode.dump()},
        {"set.json", unknown_set.dump()},
        {"huge.json",
         R"({"tests":[{"algorithm":"TurboSHAKE128","domain":31,"kind":"ptn","length":1099511627776,"outputLength":32,"output":"00"}]})"},
        {"negative.json",
         R"({"tests":[{"algorithm":"TurboSHAKE128","domain":31,"kind":"hex","message":"","outputLength":-1,"output":"00"}]})"},
        {"long-key.json", json{{"algorithm", "BLAKE2s-256"}, {"tests", {{{"in", ""}, {"key", std::string(66, '0')}, {"out", ""}}}}}.dump()},
        {"huge.rsp", "Outputlen = 8796093022208\nMsg = 00\nMD = 00\n# SHAKE128\n"},
        {"SHAKE128-huge.rsp", "Outputlen = 8796093022208\nMsg = 00\nMD = 00\n"},
        {"unknown.rsp", "count = 0\nseed = 00\n\n"},
        {"twice.rsp", "Len = 0\nLen = 8\nMsg = 00\nMD = 00\n"},
        {"key.pem", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"},
        {"certificate.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"},
    };
    for (const auto& [name, content] : cases) {
        write(name, content);
        refused(3, {"kat", name}, name);
    }
    // The other files still run, and their results appear.
    write("good.json", sha3_file(false).dump());
    const auto result = run({"kat", "other.json", "good.json"});
    EXPECT_EQ(result.code, 3);
    EXPECT_TRUE(result.out.starts_with("good.json: acvp-sha3: 2 passed"));
    refused(2, {"kat"});
    refused(2, {"kat", "good.json", "--evm", "no-such-contract"}, "no-such-contract");
}

TEST_F(Kat, AContractRunsWhatItCanExpress) {
    make_signature();
    const auto hex = [&](const char* file) {
        const std::string content = read(file);
        return to_hex({reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
    };
    ok({"convert", "--to", "raw", "pub.pem", "pub.raw"});
    const std::string pk = hex("pub.raw"), good = hex("sig"), msg = hex("msg");
    std::string bad = good;
    bad[0] = bad[0] == '0' ? '1' : '0';
    const json group{{"type", "MlDsaVerify"},
                     {"publicKey", pk},
                     {"tests",
                      {{{"tcId", 1}, {"msg", msg}, {"sig", good}, {"result", "valid"}},
                       {{"tcId", 2}, {"msg", msg}, {"sig", bad}, {"result", "invalid"}},
                       {{"tcId", 3}, {"msg", msg}, {"ctx", "00"}, {"sig", good}, {"result", "invalid"}},
                       {{"tcId", 4}, {"msg", msg}, {"ctx", std::string(512, '0')}, {"sig", good}, {"result", "invalid"}},
                       {{"tcId", 5}, {"msg", msg}, {"sig", good.substr(2)}, {"result", "invalid"}},
                       {{"tcId", 6}, {"mu", std::string(128, '0')}, {"sig", good}, {"result", "invalid"}}}}};
    const json short_key{{"type", "MlDsaVerify"},
                         {"publicKey", pk.substr(2)},
                         {"tests", {{{"tcId", 7}, {"msg", msg}, {"sig", good}, {"result", "invalid"}}}}};
    write("v.json", json{{"algorithm", "ML-DSA-44"}, {"schema", "mldsa_verify_schema.json"}, {"testGroups", {group, short_key}}}.dump());
    EXPECT_EQ(ok({"kat", "v.json"}), "v.json: wycheproof-verify: 7 passed, 0 failed, 0 skipped\n");
    EXPECT_EQ(ok({"kat", "--evm", "ml-dsa-44", "v.json"}),
              "v.json: wycheproof-verify: 5 passed, 0 failed, 2 skipped (1 external mu; 1 key of the wrong size)\n");
    EXPECT_EQ(ok({"kat", "--evm", "ml-dsa-65", "v.json"}),
              "v.json: wycheproof-verify: 0 passed, 0 failed, 7 skipped (6 another scheme: ml-dsa-44; 1 external mu)\n");
}

}  // namespace
}  // namespace postern::test
