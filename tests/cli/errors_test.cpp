// Bad input: one clear line, the right exit code, nothing written.

#include <sys/stat.h>
#include <unistd.h>

#include <postern/mldsa.hpp>

#include "cli/command.hpp"

namespace postern::test {
namespace {

class Errors : public CommandTest {
  protected:
    Errors() { make_signature(); }
    std::vector<std::string> sign_with(const std::string& key) const { return {"sign", "--key", key, "--in", "msg", "--out", "new"}; }
    std::vector<std::string> verify_with(const std::string& key, const std::string& sig) const {
        return {"verify", "--key", key, "--in", "msg", "--sig", sig};
    }
};

TEST_F(Errors, WrongUsage) {
    refused(2, {}, "subcommand");
    refused(2, {"frobnicate"}, "unknown command 'frobnicate'");
    refused(2, {"sign"}, "--key");
    refused(2, {"sign", "--key", "key.pem", "--in", "msg"}, "--out");
    refused(2, {"keygen", "--scheme", "ml-dsa-45", "--out", "x"}, "known: ml-dsa-44");
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--seed", "00ff", "--out", "x"}, "32");
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--seed", "xyz", "--out", "x"}, "--seed");
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--form", "half", "--out", "x"}, "known: seed");
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--out", "-", "--pub", "-"}, "standard output");
    refused(2, {"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig", "--unknown"});
    refused(2, {"inspect", "sig", "--type", "photograph", "--scheme", "ml-dsa-44"}, "unknown type");
}

TEST_F(Errors, TwoResultsInOneFile) {
    const std::string key = read("key.pem");
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--out", "same", "--pub", "same"}, "same file");
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--out", "same", "--pub", "./same"}, "same file");
    refused(2, {"keygen", "--scheme", "falcon-512", "--out", "same", "--pub", "same"}, "same file");
    ASSERT_EQ(::symlink(path("key.pem").c_str(), path("link").c_str()), 0);
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--out", "key.pem", "--pub", "link"}, "same file");
    EXPECT_EQ(read("key.pem"), key);
}

// A result never takes the place of something that the command has read, under whatever name.
TEST_F(Errors, ResultsDoNotReplaceInputs) {
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "key.pem"}, "would be overwritten");
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", "./msg"}, "would be overwritten");
    ASSERT_EQ(::link(path("key.pem").c_str(), path("hard").c_str()), 0);
    refused(2, {"pubkey", "--key", "key.pem", "--out", "hard"}, "would be overwritten");
    write("blob.1", read("pub.pem"));
    refused(2, {"evm", "expand-key", "blob.1", "--out", "blob"}, "would be overwritten");
    // Converting a file in place is asked for by name.
    ok({"convert", "--to", "der", "pub.pem", "pub.pem"});
    ok({"verify", "--key", "pub.pem", "--in", "msg", "--sig", "sig"});
}

TEST_F(Errors, EmptyNamesOfResults) {
    refused(2, {"sign", "--key", "key.pem", "--in", "msg", "--out", ""}, "empty");
    refused(2, {"keygen", "--scheme", "ml-dsa-44", "--out", ""}, "empty");
    refused(2, {"pubkey", "--key", "key.pem", "--out", ""}, "empty");
}

TEST_F(Errors, PassphraseWithoutEncryption) {
    write("phrase", "secret");
    for (const char* scheme : {"ml-dsa-44", "falcon-512"}) {
        refused(2, {"keygen", "--scheme", scheme, "--out", "new", "--passphrase-file", "phrase"}, "--encrypt");
        refused(2, {"keygen", "--scheme", scheme, "--out", "new", "--passphrase-env", "P"}, "--encrypt", {}, {{"P", "secret"}});
    }
}

TEST_F(Errors, UnrecognisedFilesUnderAFalconScheme) {
    write("empty", "");
    write("cut", read("pub.pem").substr(0, 100));
    for (const char* file : {"empty", "cut"}) {
        refused(3, {"verify", "--scheme", "falcon-512", "--key", file, "--in", "msg", "--sig", "sig"});
        refused(3, {"inspect", "--scheme", "falcon-512", file});
        refused(3, {"pubkey", "--scheme", "epervier-512", "--key", file, "--out", "new"});
    }
    refused(2, {"keygen", "--scheme", "nope", "--out", "new"}, "falcon-512");
}

TEST_F(Errors, OptionsThatFalconDoesNotHave) {
    ok({"keygen", "--scheme", "falcon-512", "--out", "fk", "--pub", "fp"});
    refused(2, {"keygen", "--scheme", "falcon-512", "--form", "both", "--out", "new"}, "--form");
    refused(2, {"convert", "--to", "pem", "--form", "seed", "fp", "new"}, "--form");
    refused(3, {"convert", "--to", "pem", "--type", "signature", "fp", "new"}, "expected a signature");
    ok({"convert", "--to", "pem", "--type", "public-key", "fp", "new"});
}

TEST_F(Errors, ContractsThatVerifyNothing) {
    for (const char* name : {"shake-library", "turbo-shake-library", "ml-dsa-44-registry"})
        refused(2, {"evm", "run", name, "--key", "pub.pem", "--in", "msg", "--sig", "sig"}, "verifies nothing");
}

TEST_F(Errors, UnknownWordsAreNamed) {
    refused(2, {"evm", "nope"}, "unknown command 'nope' (see postern evm --help)");
    refused(2, {"--bogus"}, "unknown option '--bogus'");
    refused(2, {"evm", "--bogus", "run"}, "unknown option '--bogus'");
    refused(2, {"evm", "register", "pub.pem", "--fork", "frontier"}, "cancun");
    refused(2, {"evm", "exec", "--code", "00", "--gas", "-1"});
    refused(2, {"evm", "exec", "--code", "00", "--gas", "99999999999999999999999"});
}

TEST_F(Errors, VectorFileWithoutEnd) {
    write("sparse.rsp", "");
    ASSERT_EQ(::truncate(path("sparse.rsp").c_str(), off_t{6} << 30), 0);
    const auto result = run({"kat", "sparse.rsp"});
    EXPECT_EQ(result.code, 3);
    EXPECT_NE(result.err.find("512 MiB"), std::string::npos) << result.err;
}

TEST_F(Errors, DamagedSignatures) {
    const std::string good = read("sig");
    const std::pair<const char*, std::string> cases[] = {
        {"truncated", good.substr(0, good.size() - 1)},
        {"half", good.substr(0, good.size() / 2)},
        {"oversized", good + "x"},
        {"twice", good + good},
        {"empty", ""},
        {"text", "this is not a signature\n"},
        {"binary", noise(100)},
    };
    for (const auto& [name, content] : cases) {
        write(name, content);
        refused(3, verify_with("pub.pem", name), name);
        refused(3, verify_with("pub.pem", name), "2420");
        refused(3, {"inspect", name}, name);
        refused(3, {"convert", "--to", "hex", name, "new"}, name);
    }
    // In the wrong place.
    refused(3, verify_with("pub.pem", "pub.pem"), "PUBLIC KEY");
    refused(3, verify_with("pub.pem", "key.pem"), "PRIVATE KEY");
    // Of another scheme.
    ok({"keygen", "--scheme", "ml-dsa-65", "--out", "key65.pem", "--pub", "pub65.pem"});
    ok({"sign", "--key", "key65.pem", "--in", "msg", "--out", "sig65"});
    refused(3, verify_with("pub.pem", "sig65"), "2420");
    refused(3, verify_with("pub65.pem", "sig"), "3309");
    ok({"sign", "--key", "key65.pem", "--in", "msg", "--out", "sig65.pem", "--encoding", "pem"});
    refused(3, verify_with("pub.pem", "sig65.pem"), "ML-DSA-65 SIGNATURE");
    refused(3, {"inspect", "sig65.pem", "--scheme", "ml-dsa-44"});
}

TEST_F(Errors, DamagedKeys) {
    const std::string pem = read("key.pem"), pub = read("pub.pem");
    ok({"convert", "--to", "der", "pub.pem", "pub.der"});
    ok({"convert", "--to", "der", "--form", "expanded", "key.pem", "key.der"});
    const std::string der = read("key.der"), pub_der = read("pub.der");
    std::string flipped = der;
    flipped[der.size() - 100] = static_cast<char>(flipped[der.size() - 100] ^ 1);  // in t0
    std::string null_parameters = pub_der;
    const std::pair<const char*, std::string> cases[] = {
        {"empty", ""},
        {"truncated-pem", pem.substr(0, pem.size() / 2)},
        {"cut-pem", pem.substr(0, pem.size() - 20)},
        {"two-pems", pem + pem},
        {"text-after", pem + "x"},
        {"truncated-der", der.substr(0, der.size() - 1)},
        {"der-with-tail", der + '\0'},
        {"damaged-t0", flipped},
        {"text", "my key\n"},
        {"hex-of-nothing", "0x\n"},
        {"odd-hex", "abc"},
        {"bad-label", "-----BEGIN PHOTOGRAPH-----\nAAAA\n-----END PHOTOGRAPH-----\n"},
        {"rsa-label", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"},
        {"binary", noise(500)},
    };
    for (const auto& [name, content] : cases) {
        write(name, content);
        refused(3, sign_with(name), name);
        refused(3, {"pubkey", "--key", name, "--out", "new"}, name);
        refused(3, verify_with(name, "sig"), name);
        refused(3, {"inspect", name}, name);
        refused(3, {"convert", "--to", "hex", name, "new"}, name);
    }
    refused(3, sign_with("pub.pem"), "PUBLIC KEY");
    refused(3, sign_with("pub.der"), "pub.der");
    refused(3, verify_with("key.pem", "sig"), "PRIVATE KEY");
    refused(3, verify_with("key.der", "sig"), "key.der");
    write("pub-truncated", pub.substr(0, 500));
    refused(3, verify_with("pub-truncated", "sig"), "pub-truncated");
    write("pub-der-tail", pub_der + '\0');
    refused(3, verify_with("pub-der-tail", "sig"), "pub-der-tail");
    // The wrong scheme for what it holds.
    refused(3, {"sign", "--key", "key.pem", "--scheme", "ml-dsa-65", "--in", "msg", "--out", "new"}, "belongs to ml-dsa-44");
    // Keys that contradict themselves: the seed of one, the expanded form of another.
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "other.pem"});
    ok({"convert", "--to", "raw", "--form", "seed", "key.pem", "seed.raw"});
    ok({"convert", "--to", "raw", "--form", "expanded", "other.pem", "other.raw"});
    write("mixed", read("seed.raw") + read("other.raw"));
    refused(3, {"sign", "--key", "mixed", "--scheme", "ml-dsa-44", "--in", "msg", "--out", "new"}, "seed");
}

TEST_F(Errors, UnreadablePaths) {
    for (const std::string missing : {"missing", "missing/file", "msg/below-a-file", "."}) {
        refused(4, sign_with(missing));
        refused(4, {"sign", "--key", "key.pem", "--in", missing, "--out", "new"});
        refused(4, verify_with(missing, "sig"));
        refused(4, verify_with("pub.pem", missing));
        refused(4, {"verify", "--key", "pub.pem", "--in", missing, "--sig", "sig"});
        refused(4, {"inspect", missing});
        refused(4, {"convert", "--to", "hex", missing, "new"});
        refused(4, {"kat", missing});
        refused(4, {"evm", "expand-key", missing, "--out", "new"});
        refused(4, {"evm", "run", "ml-dsa-44", "--key", "pub.pem", "--in", missing, "--sig", "sig"});
        refused(4, {"gas", "--check", missing});
    }
    if (::geteuid() != 0) {
        ::chmod(path("msg").c_str(), 0);
        refused(4, {"sign", "--key", "key.pem", "--in", "msg", "--out", "new"}, "Permission denied");
    }
}

TEST_F(Errors, UnwritablePaths) {
    std::filesystem::create_directory(path("folder"));
    for (const std::string target : {"missing/file", "msg/below-a-file", "folder", "/dev/full"}) {
        refused(4, {"sign", "--key", "key.pem", "--in", "msg", "--out", target}, target);
        refused(4, {"keygen", "--scheme", "ml-dsa-44", "--out", target}, target);
        // Neither file appears where one cannot be written.
        refused(4, {"keygen", "--scheme", "ml-dsa-44", "--out", "new", "--pub", target}, target);
        refused(4, {"pubkey", "--key", "key.pem", "--out", target}, target);
        refused(4, {"convert", "--to", "hex", "pub.pem", target}, target);
        refused(4, {"evm", "expand-key", "pub.pem", "--out", target}, target);
    }
    for (const std::string target : {"missing/folder", "msg", "msg/below-a-file"})
        refused(4, {"evm", "build", "ml-dsa-44", "--out", target}, target);
    if (::geteuid() != 0) {
        ::chmod(path("folder").c_str(), 0500);
        refused(4, {"sign", "--key", "key.pem", "--in", "msg", "--out", "folder/new"}, "Permission denied");
        ::chmod(path("folder").c_str(), 0700);
    }
}

TEST_F(Errors, AFullDiskLeavesTheOldFile) {
    CommandLimits limits;
    limits.file_size = 1000;  // as a full disk would: the write comes to an end before the signature does
    write("old", "precious");
    refused(4, {"sign", "--key", "key.pem", "--in", "msg", "--out", "old"}, "old", {}, {}, limits);
    EXPECT_EQ(read("old"), "precious");
    refused(4, {"keygen", "--scheme", "ml-dsa-44", "--form", "expanded", "--out", "old", "--pub", "new"}, "old", {}, {}, limits);
}

TEST_F(Errors, StandardOutputThatCannotBeWritten) {
    for (const char* command : {"schemes", "--help", "evm contracts", "verify --key pub.pem --in msg --sig sig"}) {
        const std::string line = std::string("cd ") + path("") + " && " POSTERN_COMMAND " " + command + " >/dev/full 2>err";
        EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 4) << command;
        EXPECT_NE(read("err").find("standard output"), std::string::npos);
    }
}

TEST_F(Errors, HelpEverywhereWithExamples) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{},
                                                                                         {"schemes"},
                                                                                         {"keygen"},
                                                                                         {"pubkey"},
                                                                                         {"sign"},
                                                                                         {"verify"},
                                                                                         {"inspect"},
                                                                                         {"convert"},
                                                                                         {"kat"},
                                                                                         {"evm"},
                                                                                         {"evm", "contracts"},
                                                                                         {"evm", "build"},
                                                                                         {"evm", "run"},
                                                                                         {"evm", "exec"},
                                                                                         {"evm", "expand-key"},
                                                                                         {"gas"},
                                                                                         {"bench"}}) {
        auto arguments = command;
        arguments.emplace_back("--help");
        EXPECT_NE(ok(arguments).find("Example"), std::string::npos) << (command.empty() ? "postern" : command.back());
    }
    EXPECT_TRUE(ok({"--version"}).starts_with("postern "));
}

}  // namespace
}  // namespace postern::test
