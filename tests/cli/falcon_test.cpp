// Every verb for every Falcon scheme: what works, what is refused and how.

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace postern::test {
namespace {

using nlohmann::json;

const char* const kPlain[] = {"falcon-512", "falcon-1024", "ethfalcon-512", "ethfalcon-1024"};
const char* const kRecovery[] = {"epervier-512", "ethepervier-512", "falcon-recover-512"};
const char* const kSignatureCodecs[] = {"nist", "padded", "ct", "eip8052", "ethfalcon", "native"};
const char* const kKeyCodecs[] = {"nist", "raw", "eip8052", "words", "ethfalcon", "compact"};

class Falcon : public CommandTest {
  protected:
    int verify(const std::string& sig = "sig", const std::string& key = "pub.pem") const {
        const auto result = run({"verify", "--key", key, "--in", "msg", "--sig", sig});
        EXPECT_EQ(result.err, "");
        return result.code;
    }
    void bad_signature(const std::string& content, const std::string& text = {}) const {
        write("bad", content);
        refused(3, {"verify", "--key", "pub.pem", "--in", "msg", "--sig", "bad"}, text);
    }
    json inspected(const std::string& file, const std::vector<std::string>& options = {}) const {
        std::vector<std::string> arguments{"inspect", file, "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return json::parse(ok(arguments));
    }
};

TEST_F(Falcon, EveryVerbForEveryScheme) {
    std::vector<std::string> schemes(std::begin(kPlain), std::end(kPlain));
    schemes.insert(schemes.end(), std::begin(kRecovery), std::end(kRecovery));
    for (const auto& scheme : schemes) {
        SCOPED_TRACE(scheme);
        make_signature(scheme);
        struct stat info {};
        ASSERT_EQ(::stat(path("key.pem").c_str(), &info), 0);
        EXPECT_EQ(info.st_mode & 0777U, 0600U);
        ok({"pubkey", "--key", "key.pem", "--out", "derived.pem"});
        EXPECT_EQ(read("derived.pem"), read("pub.pem"));
        EXPECT_EQ(verify(), 0);
        EXPECT_EQ(ok({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig", "--json"}), "{\"valid\":true}\n");
        for (const char* type : {"key.pem", "pub.pem"}) {
            const auto facts = inspected(type);
            EXPECT_EQ(facts.at("scheme"), scheme);
            EXPECT_EQ(facts.at("strict"), "accepted");
        }
        const auto facts = inspected("sig", {"--scheme", scheme});
        EXPECT_EQ(facts.at("type"), "signature");
        EXPECT_EQ(facts.at("salt").get<std::string>().size(), 80U);
        // Randomness by default; the same bytes only by name.
        const std::string first = read("sig");
        ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig"});
        EXPECT_NE(read("sig"), first);
        ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "fixed", "--deterministic"});
        ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "fixed2", "--deterministic"});
        EXPECT_EQ(read("fixed"), read("fixed2"));
        EXPECT_EQ(verify("fixed"), 0);
        write("msg", "another message");
        EXPECT_EQ(verify(), 1);
        const auto verdict = run({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig"});
        EXPECT_TRUE(verdict.out.starts_with("invalid: ")) << verdict.out;
        const std::string seed(96, '7');
        ok({"keygen", "--scheme", scheme, "--seed", seed, "--out", "a.pem", "--pub", "a.pub"});
        ok({"keygen", "--scheme", scheme, "--seed", seed, "--out", "b.pem", "--pub", "b.pub"});
        EXPECT_EQ(read("a.pem"), read("b.pem"));
        EXPECT_EQ(read("a.pub"), read("b.pub"));
        EXPECT_EQ(verify("fixed", "a.pub"), 1) << "another key";
        ok({"convert", "--to", "pem", "--scheme", scheme, "--type", "signature", "fixed", "fixed.pem"});
        ok({"convert", "--to", "raw", "fixed.pem", "back"});
        EXPECT_EQ(read("back"), read("fixed"));
    }
}

TEST_F(Falcon, RecoveryGivesTheAddressOfTheKey) {
    for (const std::string scheme : kRecovery) {
        SCOPED_TRACE(scheme);
        make_signature(scheme);
        const std::string address = inspected("pub.pem").at("address");
        EXPECT_EQ(address.size(), 42U);
        const std::vector<std::string> recover{"recover", "--in", "msg", "--sig", "sig", "--scheme", scheme};
        EXPECT_EQ(ok(recover), address + "\n");
        auto with_json = recover;
        with_json.emplace_back("--json");
        EXPECT_EQ(json::parse(ok(with_json)).at("address"), address);
        if (scheme != "falcon-recover-512") {
            ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "args", "--encoding", "arguments"});
            EXPECT_EQ(read("args").size(), 2120U);
            EXPECT_EQ(ok({"recover", "--in", "msg", "--sig", "args", "--scheme", scheme}), address + "\n");
            ok({"convert", "--from", "arguments", "--to", "epervier", "--scheme", scheme, "args", "bytes"});
            EXPECT_EQ(read("bytes").size(), 2868U);
            ok({"convert", "--from", "epervier", "--to", "arguments+lines", "--scheme", scheme, "bytes", "lines"});
            ok({"convert", "--from", "arguments", "--to", "arguments", "--scheme", scheme, "lines", "again"});
            EXPECT_EQ(read("again"), read("args"));
            // Hint + q stands for the same hint.
            std::string bad = read("args");
            const int hint = static_cast<unsigned char>(bad[2118]) << 8 | static_cast<unsigned char>(bad[2119]);
            bad[2118] = static_cast<char>((hint + 12289) >> 8);
            bad[2119] = static_cast<char>((hint + 12289) & 0xff);
            write("bad", bad);
            refused(3, {"recover", "--in", "msg", "--sig", "bad", "--scheme", scheme});
        }
        // Another message: another address or none, for our own scheme always none.
        write("msg", "another message");
        const auto other = run(recover);
        if (scheme == "falcon-recover-512") {
            EXPECT_EQ(other.code, 1);
            EXPECT_TRUE(other.out.starts_with("none: ")) << other.out;
        } else {
            EXPECT_NE(other.out, address + "\n");
        }
        EXPECT_EQ(verify(), 1);
        write("short", read("sig").substr(1));
        refused(3, {"recover", "--in", "msg", "--sig", "short", "--scheme", scheme});
    }
    make_signature("falcon-512");
    refused(2, {"recover", "--in", "msg", "--sig", "sig", "--scheme", "falcon-512"}, "no key recovery");
    refused(2, {"recover", "--in", "msg", "--sig", "sig", "--scheme", "falcon"}, "unknown scheme");
    refused(2, {"recover", "--in", "-", "--sig", "-", "--scheme", "epervier-512"}, "standard input");
}

TEST_F(Falcon, SignaturesBetweenAllCodecs) {
    for (const std::string scheme : kPlain) {
        SCOPED_TRACE(scheme);
        make_signature(scheme);
        ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig", "--deterministic"});
        for (const std::string codec : kSignatureCodecs)
            for (const std::string form : {"raw", "hex", "base64", "pem"}) {
                SCOPED_TRACE(codec + form);
                std::string encoding = codec;
                encoding.append("+").append(form);
                ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "encoded", "--encoding", encoding, "--deterministic"});
                EXPECT_EQ(verify("encoded"), 0);
                if (form != "raw") continue;
                for (const std::string target : kSignatureCodecs) {
                    ok({"convert", "--from", codec, "--to", target, "--scheme", scheme, "encoded", "other"});
                    ok({"convert", "--from", target, "--to", codec, "--scheme", scheme, "other", "back"});
                    EXPECT_EQ(read("back"), read("encoded")) << target;
                }
            }
        ok({"convert", "--to", "ethfalcon+lines", "--scheme", scheme, "sig", "lines"});
        EXPECT_EQ(read("lines").substr(0, 2), "0x");
        EXPECT_EQ(read("lines").find('\n'), 82U) << "the salt has a line of its own";
        EXPECT_EQ(verify("lines"), 0);
        refused(2, {"convert", "--to", "padded+lines", "--scheme", scheme, "sig", "x"}, "lines");
    }
    refused(2, {"convert", "--to", "photograph", "--scheme", "ethfalcon-1024", "sig", "x"}, "unknown encoding");
    refused(2, {"convert", "--from", "photograph", "--to", "nist", "sig", "x"}, "unknown codec");
    refused(3, {"convert", "--from", "ct", "--to", "nist", "--scheme", "ethfalcon-1024", "sig", "x"}, "1577");
}

TEST_F(Falcon, PublicKeysBetweenAllCodecs) {
    for (const std::string scheme : {"falcon-512", "ethfalcon-1024"}) {
        SCOPED_TRACE(scheme);
        make_signature(scheme);
        for (const std::string codec : kKeyCodecs) {
            ok({"convert", "--to", codec, "pub.pem", "encoded"});
            for (const std::string target : kKeyCodecs) {
                SCOPED_TRACE(target);
                SCOPED_TRACE(codec);
                ok({"convert", "--from", codec, "--type", "public-key", "--to", target, "--scheme", scheme, "encoded", "other"});
                ok({"convert", "--from", target, "--type", "public-key", "--to", codec, "--scheme", scheme, "other", "back"});
                EXPECT_EQ(read("back"), read("encoded"));
            }
            const bool words = codec == "words" || codec == "ethfalcon" || codec == "compact";
            if (words) {
                ok({"convert", "--to", codec + "+lines", "pub.pem", "lines"});
                ok({"convert", "--from", codec, "--to", "pem", "--scheme", scheme, "lines", "back.pem"});
                EXPECT_EQ(read("back.pem"), read("pub.pem"));
                refused(3, {"convert", "--to", "pem", "--scheme", scheme, "--type", "public-key", "encoded", "x"}, "ambiguous");
            }
        }
        // The standard form says itself what it is.
        ok({"convert", "--to", "nist", "pub.pem", "standard"});
        if (scheme == "falcon-512") {
            EXPECT_EQ(verify("sig", "standard"), 0);
        }
        // One coefficient not below q, in each codec: never a second encoding of a key.
        for (const std::string codec : kKeyCodecs) {
            ok({"convert", "--to", codec, "pub.pem", "encoded"});
            std::string bad = read("encoded");
            const std::size_t start = codec == "nist" ? 1 : 0;
            bad[start] = static_cast<char>(0xff);
            bad[start + 1] = static_cast<char>(0xff);
            write("bad", bad);
            refused(3, {"convert", "--from", codec, "--type", "public-key", "--to", "nist", "--scheme", scheme, "bad", "x"});
            write("bad", read("encoded") + '\0');
            refused(3, {"convert", "--from", codec, "--type", "public-key", "--to", "nist", "--scheme", scheme, "bad", "x"});
        }
        refused(2, {"convert", "--to", "padded", "pub.pem", "x"}, "unknown codec");
        refused(2, {"convert", "--to", "nist", "--message", "msg", "pub.pem", "x"}, "signed messages");
        refused(2, {"convert", "--to", "nist", "--encrypt", "pub.pem", "x"}, "private keys");
    }
}

TEST_F(Falcon, SignedMessagesOfTestFiles) {
    for (const std::string scheme : kPlain) {
        make_signature(scheme);
        ok({"convert", "--from", scheme.starts_with("eth") ? "ethfalcon" : "padded", "--to", "nist", "--scheme", scheme, "sig", "short"});
        for (const std::string form : {"sm", "sm-padded", "sm-eip8052"}) {
            SCOPED_TRACE(scheme);
            SCOPED_TRACE(form);
            ok({"convert", "--from", "nist", "--to", form, "--scheme", scheme, "--message", "msg", "short", "sm"});
            EXPECT_NE(read("sm").find("a message"), std::string::npos);
            ok({"convert", "--from", form, "--to", "nist", "--scheme", scheme, "--message", "found", "sm", "back"});
            EXPECT_EQ(read("found"), read("msg"));
            EXPECT_EQ(read("back"), read("short"));
            EXPECT_EQ(verify("back"), 0);
            ok({"convert", "--from", form, "--to", form, "--scheme", scheme, "sm", "same"});
            EXPECT_EQ(read("same"), read("sm"));
            const std::string good = read("sm");
            write("bad", good.substr(0, 30));
            refused(3, {"convert", "--from", form, "--to", "nist", "--scheme", scheme, "bad", "x"});
            // The header of the other degree.
            write("bad", good);
            const std::string other = scheme.ends_with("512") ? "falcon-1024" : "falcon-512";
            refused(3, {"convert", "--from", form, "--to", "nist", "--scheme", other, "bad", "x"});
        }
        refused(2, {"convert", "--from", "nist", "--to", "sm", "--scheme", scheme, "short", "x"}, "--message");
        refused(2, {"convert", "--from", "nist", "--to", "ct", "--scheme", scheme, "--message", "msg", "short", "x"}, "signed messages");
        refused(2, {"convert", "--from", "sm", "--to", "nist", "--scheme", "epervier-512", "sm", "x"}, "no signed messages");
    }
}

TEST_F(Falcon, DamagedSignatures) {
    make_signature("falcon-512");
    ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig", "--deterministic"});
    const std::string good = read("sig");
    ASSERT_EQ(good.size(), 666U);
    bad_signature(good.substr(0, 665));
    bad_signature(good.substr(0, 41));
    bad_signature(good + '\0');
    bad_signature(good + good);
    bad_signature("", "0 bytes");
    bad_signature("this is no signature\n");
    bad_signature(read("pub.pem"));
    for (const int header : {0x00, 0x09, 0x29, 0x3a, 0x49, 0x59, 0x5a, 0xb9}) {
        std::string bad = good;
        bad[0] = static_cast<char>(header);
        write("bad", bad);
        refused(3, {"convert", "--from", "padded", "--to", "nist", "--scheme", "falcon-512", "bad", "x"}, "header");
        EXPECT_NE(run({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "bad"}).code, 0);
    }
    std::string bad = good;
    bad[665] = 1;
    write("bad", bad);
    refused(3, {"convert", "--from", "padded", "--to", "nist", "--scheme", "falcon-512", "bad", "x"}, "padding");
    EXPECT_NE(run({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "bad"}).code, 0);
    // Coefficients all zero: 9 bits each, 000000001. As a signature refused, but well formed.
    std::string zeros = good.substr(0, 41);
    for (int i = 0; i < 64; ++i) zeros += std::string("\x00\x80\x40\x20\x10\x08\x04\x02\x01", 9);
    zeros.resize(666);
    write("zeros", zeros);
    EXPECT_EQ(verify("zeros"), 1);
    bad = zeros;
    bad[41] = static_cast<char>(0x80);
    write("bad", bad);
    refused(3, {"convert", "--from", "padded", "--to", "nist", "--scheme", "falcon-512", "bad", "x"}, "-0");
    bad = zeros;
    bad[42] = 0;  // 16 zeros and more before the one
    bad[43] = 0;
    bad[44] = 0;
    write("bad", bad);
    refused(3, {"convert", "--from", "padded", "--to", "nist", "--scheme", "falcon-512", "bad", "x"});
    // The same in the other codecs.
    ok({"convert", "--from", "padded", "--to", "nist", "sig", "nist"});
    write("bad", read("nist") + '\0');
    refused(3, {"convert", "--from", "nist", "--to", "ct", "--scheme", "falcon-512", "bad", "x"});
    ok({"convert", "--from", "padded", "--to", "ethfalcon", "zeros", "words"});
    bad = read("words");
    bad[40 + 30] = 0x30;  // q in place of 0
    bad[40 + 31] = 0x01;
    write("bad", bad);
    refused(3, {"convert", "--from", "ethfalcon", "--to", "nist", "--scheme", "falcon-512", "bad", "x"});
    bad_signature(bad);
    ok({"convert", "--from", "padded", "--to", "native", "zeros", "native"});
    bad = read("native");
    bad[40] = static_cast<char>(0xf8);  // -2048
    write("bad", bad);
    refused(3, {"convert", "--from", "native", "--to", "nist", "--scheme", "falcon-512", "bad", "x"});
    ok({"convert", "--from", "padded", "--to", "ct", "zeros", "ct"});
    bad = read("ct");
    bad[41] = static_cast<char>(0x80);  // -2048 in 12 bits
    write("bad", bad);
    refused(3, {"convert", "--from", "ct", "--to", "nist", "--scheme", "falcon-512", "bad", "x"});
    // Another scheme's.
    make_signature("falcon-1024");
    bad_signature(good);
    make_signature("ml-dsa-44");
    write("bad", good);
    refused(3, {"verify", "--key", "pub.pem", "--in", "msg", "--sig", "bad"});
}

TEST_F(Falcon, DamagedKeys) {
    make_signature("falcon-512");
    ok({"convert", "--to", "raw", "key.pem", "key"});
    ok({"convert", "--to", "nist", "pub.pem", "pub"});
    const std::string key = read("key");
    const std::string pub = read("pub");
    ASSERT_EQ(key.size(), 1281U);
    ASSERT_EQ(pub.size(), 897U);
    const auto bad_key = [&](const std::string& content, const std::string& text = {}) {
        write("bad", content);
        refused(3, {"sign", "--key", "bad", "--in", "msg", "--out", "new"}, text);
        refused(3, {"pubkey", "--key", "bad", "--out", "new"}, text);
    };
    ok({"sign", "--key", "key", "--in", "msg", "--out", "sig"});
    EXPECT_EQ(verify(), 0);
    bad_key(key.substr(0, 1280));
    bad_key(key + '\0');
    bad_key("");
    bad_key("not a key\n");
    bad_key(pub);
    bad_key(read("pub.pem"));
    std::string bad = key;
    bad[0] = 0x5a;
    bad_key(bad);
    bad = key;
    bad[100] = static_cast<char>(bad[100] ^ 1);
    bad_key(bad, "private key");
    const auto bad_pub = [&](const std::string& content) {
        write("bad", content);
        refused(3, {"verify", "--key", "bad", "--in", "msg", "--sig", "sig"});
    };
    bad_pub(pub.substr(0, 896) + "");
    bad_pub(pub + '\0');
    bad_pub("");
    bad_pub(key);
    bad_pub(read("key.pem"));
    bad = pub;
    bad[0] = 0x0a;
    bad_pub(bad);
    // A PEM block under the name of another scheme or degree.
    std::string pem = read("key.pem");
    for (auto at = pem.find("falcon-512"); at != std::string::npos; at = pem.find("falcon-512")) pem.replace(at, 10, "falcon-1024");
    for (auto at = pem.find("FALCON-512"); at != std::string::npos; at = pem.find("FALCON-512")) pem.replace(at, 10, "FALCON-1024");
    ASSERT_NE(pem, read("key.pem"));
    bad_key(pem);
    refused(3, {"sign", "--key", "key.pem", "--in", "msg", "--out", "new", "--scheme", "falcon-1024"}, "belongs to falcon-512");
    refused(2, {"keygen", "--scheme", "falcon-512", "--seed", std::string(64, '0'), "--out", "new"}, "48");
    refused(2, {"keygen", "--scheme", "falcon-768", "--out", "new"});
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "new", "--context", "c"}, "no context");
    refused(2, {"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig", "--prehash", "sha2-256"}, "no context");
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "new", "--encoding", "epervier"}, "unknown encoding");
    refused(2, {"convert", "--to", "hex", "--encrypt", "key.pem", "new"}, "--encrypt");
    refused(2, {"convert", "--to", "compact", "key.pem", "new"}, "unknown codec");
}

TEST_F(Falcon, FilesThatCannotBeReadOrWritten) {
    make_signature("falcon-512");
    refused(4, {"sign", "--key", "none", "--in", "msg", "--out", "new"}, "none");
    refused(4, {"verify", "--key", "pub.pem", "--in", "none", "--sig", "sig"}, "none");
    refused(4, {"sign", "--key", "key.pem", "--in", "msg", "--out", "missing/new"}, "missing/new");
    refused(4, {"keygen", "--scheme", "falcon-512", "--out", "missing/key", "--pub", "pub2"}, "missing/key");
    refused(4, {"keygen", "--scheme", "falcon-512", "--out", "key2", "--pub", "missing/pub"}, "missing/pub");
    refused(4, {"convert", "--to", "compact", "pub.pem", "missing/x"}, "missing/x");
    refused(4, {"recover", "--in", "none", "--sig", "none", "--scheme", "epervier-512"}, "none");
    ASSERT_EQ(::mkdir(path("folder").c_str(), 0755), 0);
    refused(4, {"sign", "--key", "key.pem", "--in", "msg", "--out", "folder"}, "directory");
}

TEST_F(Falcon, EncryptedKeysAndStreams) {
    write("phrase", "correct horse\n");
    ok({"keygen", "--scheme", "falcon-512", "--out", "key.pem", "--pub", "pub.pem", "--encrypt", "--passphrase-file", "phrase"});
    EXPECT_NE(read("key.pem").find("ENCRYPTED"), std::string::npos);
    write("msg", "text");
    ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig", "--passphrase-file", "phrase"});
    EXPECT_EQ(verify(), 0);
    write("wrong", "incorrect\n");
    refused(3, {"sign", "--key", "key.pem", "--in", "msg", "--out", "new", "--passphrase-file", "wrong"});
    ok({"convert", "--to", "pem", "--passphrase-file", "phrase", "key.pem", "plain.pem"});
    EXPECT_EQ(read("plain.pem").find("ENCRYPTED"), std::string::npos);
    const std::string hex = ok({"sign", "--key", "plain.pem", "--in", "-", "--out", "-", "--encoding", "padded+hex"}, "text");
    EXPECT_EQ(hex.size(), 2 * 666 + 1U);
    EXPECT_EQ(ok({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "-"}, hex), "valid\n");
}

TEST_F(Falcon, BenchHasEveryOperation) {
    for (const std::string scheme : {"ethfalcon-512", "falcon-recover-512"}) {
        const auto rows = json::parse(ok({"bench", "--scheme", scheme, "--seconds", "0.001", "--json"})).at("rows");
        std::vector<std::string> seen;
        for (const auto& row : rows) {
            EXPECT_EQ(row.at("scheme"), scheme);
            EXPECT_GT(row.at("median_us").get<double>(), 0.0);
            seen.push_back(row.at("operation").get<std::string>() + "/" + row.at("mode").get<std::string>());
        }
        std::vector<std::string> expected = {"keygen/seed", "sign/wire", "sign/expanded", "verify/wire"};
        if (scheme.starts_with("ethfalcon"))
            expected.insert(expected.end(), {"sign/batch", "verify/expanded", "verify/batch", "expand-public/wire", "expand-private/wire"});
        else
            expected.insert(expected.end(), {"recover/wire", "recover/decoded"});
        for (const auto& row : expected) EXPECT_NE(std::find(seen.begin(), seen.end(), row), seen.end()) << scheme << " " << row;
    }
}

}  // namespace
}  // namespace postern::test
