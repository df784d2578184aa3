// keygen, pubkey, inspect, convert, schemes: what they write and what they refuse.

#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <postern/falcon_scheme.hpp>
#include <postern/mldsa.hpp>

#include "cli/command.hpp"

namespace postern::test {
namespace {

using nlohmann::json;

constexpr const char* kSeed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

class Keys : public CommandTest {};

TEST_F(Keys, EverySchemeMakesKeysThatSignAndVerify) {
    for (const auto& scheme : mldsa::schemes()) {
        const std::string name(scheme.name);
        SCOPED_TRACE(name);
        make_signature(name);
        EXPECT_EQ(ok({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig"}), "valid\n");
        EXPECT_EQ(read("sig").size(), scheme.signature_bytes);
        ok({"pubkey", "--key", "key.pem", "--out", "again.pem"});
        EXPECT_EQ(read("again.pem"), read("pub.pem"));
    }
}

TEST_F(Keys, LabelsNameTheScheme) {
    ok({"keygen", "--scheme", "ml-dsa-65", "--out", "key.pem", "--pub", "pub.pem"});
    EXPECT_TRUE(read("key.pem").starts_with("-----BEGIN PRIVATE KEY-----\n"));
    EXPECT_TRUE(read("pub.pem").starts_with("-----BEGIN PUBLIC KEY-----\n"));
    ok({"keygen", "--scheme", "keccak-ml-dsa-65", "--out", "key.pem", "--pub", "pub.pem"});
    EXPECT_TRUE(read("key.pem").starts_with("-----BEGIN POSTERN KECCAK-ML-DSA-65 PRIVATE KEY-----\n"));
    EXPECT_TRUE(read("pub.pem").starts_with("-----BEGIN POSTERN KECCAK-ML-DSA-65 PUBLIC KEY-----\n"));
}

TEST_F(Keys, PrivateKeysAreReadableByTheOwnerOnly) {
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "key.pem", "--pub", "pub.pem"});
    struct stat info {};
    ASSERT_EQ(::stat(path("key.pem").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
    ok({"convert", "--to", "der", "key.pem", "key.der"});
    ASSERT_EQ(::stat(path("key.der").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
    // Also where a file that others could read is replaced.
    write("open", "old");
    ::chmod(path("open").c_str(), 0644);
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "open"});
    ASSERT_EQ(::stat(path("open").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(Keys, TheSameSeedMakesTheSameKeys) {
    for (const char* form : {"seed", "expanded", "both"}) {
        ok({"keygen", "--scheme", "ml-dsa-44", "--seed", kSeed, "--form", form, "--out", std::string(form) + ".pem", "--pub", "pub.pem"});
        ok({"pubkey", "--key", std::string(form) + ".pem", "--out", "of.pem"});
        EXPECT_EQ(read("of.pem"), read("pub.pem"));
        EXPECT_EQ(json::parse(ok({"inspect", std::string(form) + ".pem", "--json"})).at("seed"),
                  std::string(form) == "expanded" ? "not in the file" : "known");
    }
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "random.pem"});
    EXPECT_NE(read("random.pem"), read("seed.pem"));
}

TEST_F(Keys, ConvertGoesRoundThroughEveryForm) {
    ok({"keygen", "--scheme", "ml-dsa-44", "--seed", kSeed, "--form", "both", "--out", "key.pem", "--pub", "pub.pem"});
    for (const char* codec : {"raw", "hex", "base64", "der"}) {
        SCOPED_TRACE(codec);
        ok({"convert", "--to", codec, "pub.pem", "pub.x"});
        ok({"convert", "--to", "pem", "--scheme", "ml-dsa-44", "pub.x", "pub.back"});
        EXPECT_EQ(read("pub.back"), read("pub.pem"));
        for (const char* form : {"seed", "expanded", "both"}) {
            SCOPED_TRACE(form);
            ok({"convert", "--to", "pem", "--form", form, "key.pem", "key.form"});
            ok({"convert", "--to", codec, "--form", form, "key.pem", "key.x"});
            ok({"convert", "--to", "pem", "--form", form, "--scheme", "ml-dsa-44", "--type", "private-key", "key.x", "key.back"});
            EXPECT_EQ(read("key.back"), read("key.form"));
        }
    }
    write("msg", "m");
    ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig"});
    for (const char* codec : {"hex", "base64", "pem"}) {
        ok({"convert", "--to", codec, "--scheme", "ml-dsa-44", "sig", "sig.x"});
        ok({"convert", "--to", "raw", "sig.x", "sig.back"});
        EXPECT_EQ(read("sig.back"), read("sig"));
        EXPECT_EQ(ok({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig.x"}), "valid\n");
    }
    refused(3, {"convert", "--to", "pem", "--form", "expanded", "sig", "x", "--type", "private-key"});
    refused(2, {"convert", "--to", "pem", "--form", "expanded", "pub.pem", "x"}, "private keys");
    refused(2, {"convert", "--to", "der", "--scheme", "ml-dsa-44", "sig", "x"}, "no DER");
    refused(2, {"convert", "--to", "xml", "pub.pem", "x"}, "unknown codec");
    // The seed cannot be had from an expanded key.
    ok({"convert", "--to", "pem", "--form", "expanded", "key.pem", "expanded.pem"});
    refused(3, {"convert", "--to", "pem", "--form", "seed", "expanded.pem", "x"}, "does not hold the seed");
}

TEST_F(Keys, HexAndBase64TakeWhiteSpaceAndPrefix) {
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "key.pem", "--pub", "pub.pem"});
    std::string hex = ok({"convert", "--to", "hex", "pub.pem", "-"});
    hex.pop_back();
    write("a", "0x" + hex);
    write("b", hex.substr(0, 64) + "\r\n" + hex.substr(64) + "\n\n");
    for (const char* file : {"a", "b"}) {
        ok({"convert", "--to", "pem", "--scheme", "ml-dsa-44", file, "back"});
        EXPECT_EQ(read("back"), read("pub.pem"));
    }
}

TEST_F(Keys, EncryptionNeedsTheRightPassphrase) {
    for (const char* scheme : {"ml-dsa-44", "turbo-ml-dsa-44"}) {
        ok({"keygen", "--scheme", scheme, "--encrypt", "--passphrase-env", "PASS", "--out", "key.pem", "--pub", "pub.pem"}, {},
           {{"PASS", "correct horse"}});
        EXPECT_NE(read("key.pem").find("ENCRYPTED PRIVATE KEY"), std::string::npos);
        write("pass", "correct horse\n");
        ok({"pubkey", "--key", "key.pem", "--passphrase-file", "pass", "--out", "again.pem"});
        EXPECT_EQ(read("again.pem"), read("pub.pem"));
        refused(3, {"pubkey", "--key", "key.pem", "--passphrase-env", "PASS", "--out", "x"}, "wrong passphrase", {}, {{"PASS", "battery"}});
        refused(2, {"pubkey", "--key", "key.pem", "--out", "x"}, "needs a passphrase");
        refused(2, {"pubkey", "--key", "key.pem", "--passphrase-env", "UNSET_VARIABLE", "--out", "x"}, "holds no passphrase");
        write("empty", "");
        refused(3, {"pubkey", "--key", "key.pem", "--passphrase-file", "empty", "--out", "x"}, "passphrase");
        refused(4, {"pubkey", "--key", "key.pem", "--passphrase-file", "missing", "--out", "x"}, "missing");
    }
}

TEST_F(Keys, EncryptedDerIsReadAgain) {
    write("pass", "secret\n");
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "key.pem", "--pub", "pub.pem"});
    ok({"convert", "--to", "der", "--encrypt", "--passphrase-file", "pass", "key.pem", "key.der"});
    ok({"pubkey", "--key", "key.der", "--passphrase-file", "pass", "--out", "again.pem"});
    EXPECT_EQ(read("again.pem"), read("pub.pem"));
}

TEST_F(Keys, InspectSaysWhatAFileIs) {
    make_signature();
    auto found = json::parse(ok({"inspect", "pub.pem", "--json"}));
    EXPECT_EQ(found.at("type"), "public key");
    EXPECT_EQ(found.at("scheme"), "ml-dsa-44");
    EXPECT_EQ(found.at("form"), "PEM");
    found = json::parse(ok({"inspect", "sig", "--json", "--scheme", "ml-dsa-44"}));
    EXPECT_EQ(found.at("type"), "signature");
    EXPECT_EQ(found.at("strict"), "accepted");
    EXPECT_EQ(found.at("hint_counts").size(), 4U);
    EXPECT_LT(found.at("z_norm").get<int>(), found.at("z_bound").get<int>());

    std::string broken = read("sig");
    broken.back() = static_cast<char>(0xff);  // a hint counter above omega
    write("broken", broken);
    found = json::parse(ok({"inspect", "broken", "--json", "--scheme", "ml-dsa-44"}));
    EXPECT_TRUE(found.at("strict").get<std::string>().starts_with("refused: "));
    refused(3, {"convert", "--to", "hex", "--scheme", "ml-dsa-44", "broken", "x"}, "hint");

    const std::string shown = ok({"inspect", "key.pem"});
    EXPECT_NE(shown.find("private key"), std::string::npos);
    refused(3, {"inspect", "msg"}, "expected a key or signature");
}

TEST_F(Keys, PlainBytesThatFitSeveralSchemesNeedAName) {
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "key.pem", "--pub", "pub.pem"});
    write("msg", "m");
    ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig"});
    ok({"convert", "--to", "raw", "pub.pem", "pub.raw"});
    refused(3, {"verify", "--key", "pub.raw", "--in", "msg", "--sig", "sig"},
            "ml-dsa-44, turbo-ml-dsa-44, keccak-ml-dsa-44, eth-ml-dsa-44");
    EXPECT_EQ(ok({"verify", "--key", "pub.raw", "--scheme", "ml-dsa-44", "--in", "msg", "--sig", "sig"}), "valid\n");
    const auto other = run({"verify", "--key", "pub.raw", "--scheme", "turbo-ml-dsa-44", "--in", "msg", "--sig", "sig"});
    EXPECT_EQ(other.code, 1);
    // What a file says is not overruled.
    refused(3, {"verify", "--key", "pub.pem", "--scheme", "turbo-ml-dsa-44", "--in", "msg", "--sig", "sig"}, "belongs to ml-dsa-44");
}

TEST_F(Keys, SchemesListsEveryScheme) {
    const auto listed = json::parse(ok({"schemes", "--json"})).at("schemes");
    ASSERT_EQ(listed.size(), mldsa::schemes().size() + falcon::schemes().size());
    EXPECT_EQ(listed.at(0).at("scheme"), "ml-dsa-44");
    EXPECT_EQ(listed.at(0).at("signature_bytes"), 2420);
    EXPECT_EQ(listed.at(0).at("standard"), true);
    for (const auto& row : listed) EXPECT_NE(ok({"schemes"}).find(row.at("scheme").get<std::string>()), std::string::npos);
}

}  // namespace
}  // namespace postern::test
