// sign and verify: options, streams, encodings.

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace postern::test {
namespace {

using nlohmann::json;

class Sign : public CommandTest {
  protected:
    /// Verifies sig over msg; the exit code.
    int verify(const std::vector<std::string>& options = {}) const {
        std::vector<std::string> arguments{"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto result = run(arguments);
        EXPECT_EQ(result.err, "");
        return result.code;
    }
    void sign(const std::vector<std::string>& options = {}) const {
        std::vector<std::string> arguments{"sign", "--key", "key.pem", "--in", "msg", "--out", "sig"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        ok(arguments);
    }
};

TEST_F(Sign, HedgedByDefaultDeterministicOnDemand) {
    make_signature();
    const std::string first = read("sig");
    sign();
    EXPECT_NE(read("sig"), first);
    sign({"--deterministic"});
    const std::string deterministic = read("sig");
    sign({"--deterministic"});
    EXPECT_EQ(read("sig"), deterministic);
    EXPECT_EQ(verify(), 0);
}

TEST_F(Sign, ChangedMessageSignatureOrKeyIsInvalid) {
    make_signature();
    const std::string good = read("sig");
    for (const std::size_t at : {std::size_t{0}, std::size_t{1000}, good.size() - 1}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        write("sig", bad);
        EXPECT_EQ(verify(), 1) << at;
    }
    write("sig", good);
    EXPECT_EQ(verify(), 0);
    const auto verdict = run({"verify", "--key", "pub.pem", "--in", "sig", "--sig", "sig"});
    EXPECT_EQ(verdict.code, 1);
    EXPECT_TRUE(verdict.out.starts_with("invalid: ")) << verdict.out;
    EXPECT_EQ(json::parse(run({"verify", "--key", "pub.pem", "--in", "sig", "--sig", "sig", "--json"}).out).at("valid"), false);
    EXPECT_EQ(ok({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig", "--json"}), "{\"valid\":true}\n");
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "key2.pem", "--pub", "pub.pem"});
    EXPECT_EQ(verify(), 1);
}

TEST_F(Sign, ContextsBindAndAreAtMost255Bytes) {
    make_signature();
    for (const std::size_t size : {1U, 255U}) {
        const std::string context(size, 'c');
        sign({"--context", context});
        EXPECT_EQ(verify({"--context", context}), 0);
        EXPECT_EQ(verify(), 1);
        std::string hex;
        for (std::size_t i = 0; i < size; ++i) hex += "63";
        EXPECT_EQ(verify({"--context-hex", hex}), 0);
    }
    const std::string too_long(256, 'c');
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--context", too_long}, "255");
    refused(2, {"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig", "--context", too_long}, "255");
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--context-hex", std::string(512, '0')}, "255");
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--context-hex", "abc"}, "--context-hex");
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--context", "a", "--context-hex", "61"});
}

TEST_F(Sign, EveryPreHash) {
    make_signature();
    for (const char* hash : {"sha2-224", "sha2-256", "sha2-384", "sha2-512", "sha2-512/224", "sha2-512/256", "sha3-224", "sha3-256",
                             "sha3-384", "sha3-512", "shake-128", "shake-256"}) {
        sign({"--prehash", hash, "--context", "c"});
        EXPECT_EQ(verify({"--prehash", hash, "--context", "c"}), 0) << hash;
        EXPECT_EQ(verify({"--context", "c"}), 1) << hash;
    }
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--prehash", "md5"}, "sha2-256");
}

TEST_F(Sign, ExternalMu) {
    make_signature();
    write("msg", std::string(64, 'm'));
    sign({"--mu"});
    EXPECT_EQ(verify({"--mu"}), 0);
    EXPECT_EQ(verify(), 1);
    write("short", std::string(63, 'm'));
    refused(3, {"sign", "--key", "key.pem", "--in", "short", "--out", "x", "--mu"}, "64 bytes");
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--mu", "--context", "c"});
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--mu", "--prehash", "sha2-256"});
}

TEST_F(Sign, StandardInputAndOutput) {
    make_signature();
    const std::string message = read("msg"), key = read("key.pem");
    write("sig", ok({"sign", "--key", "key.pem", "--in", "-", "--out", "-"}, message));
    EXPECT_EQ(verify(), 0);
    write("sig", ok({"sign", "--key", "-", "--in", "msg", "--out", "-", "--encoding", "hex"}, key));
    EXPECT_EQ(verify(), 0);
    EXPECT_EQ(ok({"verify", "--key", "pub.pem", "--in", "-", "--sig", "sig"}, message), "valid\n");
    refused(2, {"sign", "--key", "-", "--in", "-", "--out", "x"}, "standard input");
}

TEST_F(Sign, MessagesAreTakenByteForByte) {
    make_signature();
    for (const std::string& message : {std::string(), std::string("0x6162"), std::string("line\r\n"), std::string("\0\xff\x1a", 3)}) {
        write("msg", message);
        sign();
        EXPECT_EQ(verify(), 0);
        write("msg", message + "\n");
        EXPECT_EQ(verify(), 1);
    }
}

TEST_F(Sign, EncodingsOfTheSignature) {
    make_signature();
    for (const char* encoding : {"raw", "hex", "base64", "pem"}) {
        sign({"--encoding", encoding});
        EXPECT_EQ(verify(), 0) << encoding;
    }
    EXPECT_TRUE(read("sig").starts_with("-----BEGIN POSTERN ML-DSA-44 SIGNATURE-----"));
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "x", "--encoding", "xml"}, "unknown encoding");
}

// A message much larger than the memory that the command may take.
TEST_F(Sign, LargeMessagesNeedLittleMemory) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer reserves address space";
#endif
    make_signature();
    write("msg", "");
    std::filesystem::resize_file(path("msg"), std::uintmax_t{160} << 20);
    CommandLimits limits;
    limits.address_space = std::uint64_t{96} << 20;
    const auto made = run({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig"}, {}, {}, limits);
    EXPECT_EQ(made.code, 0) << made.err;
    const auto checked = run({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig"}, {}, {}, limits);
    EXPECT_EQ(checked.out, "valid\n") << checked.err;
}

}  // namespace
}  // namespace postern::test
