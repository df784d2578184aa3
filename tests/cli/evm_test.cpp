// postern evm and postern gas.

#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <postern/contracts.hpp>
#include <sstream>

#include "cli/command.hpp"
#include "core/hex.hpp"
#include "support/vectors.hpp"

namespace postern::test {
namespace {

using nlohmann::json;

class Evm : public CommandTest {};

TEST_F(Evm, ListsContracts) {
    const auto listed = json::parse(ok({"evm", "contracts", "--json"})).at("contracts");
    EXPECT_EQ(listed.size(), contracts::list_contracts().size());
    EXPECT_EQ(listed.at(0).at("contract"), "ml-dsa-44");
    EXPECT_EQ(listed.at(0).at("form"), "expanded");
    EXPECT_EQ(listed.at(0).at("entry_points").at(0).at("selector"), "0x024ad318");
}

TEST_F(Evm, BuildWritesTheCommittedArtifacts) {
    const auto contract = contracts::build_contract("ml-dsa-44").value();
    ok({"evm", "build", "ml-dsa-44", "--out", "made"});
    EXPECT_EQ(read("made/listing.txt"), contract.listing);
    // The other files are the committed ones.
    for (const char* file : {"runtime.hex", "init.hex", "abi.json", "regions.json"}) {
        std::ifstream in(source_dir() / "artifacts" / "ml-dsa-44" / file);
        ASSERT_TRUE(in) << file;
        std::stringstream committed;
        committed << in.rdbuf();
        EXPECT_TRUE(read(std::string("made/") + file) == committed.str()) << file;
    }
    ok({"evm", "build", "ml-dsa-44", "--out", "made"});  // again, over the old files
    refused(2, {"evm", "build", "ml-dsa-45", "--out", "x"}, "ml-dsa-44");
    refused(2, {"evm", "build", "ml-dsa-44", "--fork", "london", "--out", "x"}, "osaka");
}

TEST_F(Evm, RunGivesVerdictGasAndRegions) {
    make_signature();
    write("msg", std::string(32, 'h'));
    ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig"});
    const std::vector<std::string> files{"--key", "pub.pem", "--in", "msg", "--sig", "sig"};
    const auto with = [&](std::vector<std::string> first, const std::vector<std::string>& more = {}) {
        first.insert(first.end(), files.begin(), files.end());
        first.insert(first.end(), more.begin(), more.end());
        return first;
    };
    EXPECT_TRUE(ok(with({"evm", "run", "ml-dsa-44"})).starts_with("accepted (success), exec gas "));
    const auto out = json::parse(ok(with({"evm", "run", "ml-dsa-44"}, {"--json"})));
    EXPECT_EQ(out.at("status"), "success");
    EXPECT_EQ(out.at("accepted"), true);
    EXPECT_EQ(out.at("return"), "0x024ad318" + std::string(56, '0'));
    std::uint64_t sum = 0;
    for (const auto& r : out.at("regions")) sum += r.at("gas").get<std::uint64_t>();
    EXPECT_EQ(sum, out.at("exec_gas").get<std::uint64_t>());
    for (const char* door : {"erc7913", "message", "context"})
        EXPECT_EQ(run(with({"evm", "run", "ml-dsa-44"}, {"--door", door})).code, 0) << door;
    const auto rejected = run(with({"evm", "run", "ml-dsa-44"}, {"--context", "other"}));
    EXPECT_EQ(rejected.code, 1);
    EXPECT_TRUE(rejected.out.starts_with("rejected (success)"));
    EXPECT_EQ(rejected.err, "");
    ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig", "--context", "other"});
    EXPECT_EQ(run(with({"evm", "run", "ml-dsa-44"}, {"--context", "other"})).code, 0);

    refused(2, with({"evm", "run", "nothing"}), "nothing");
    refused(2, with({"evm", "run", "ml-dsa-44"}, {"--door", "back"}), "unknown door");
    refused(2, with({"evm", "run", "ml-dsa-44"}, {"--door", "message", "--context", "c"}), "context");
    refused(2, with({"evm", "run", "ml-dsa-44"}, {"--context", std::string(256, 'c')}), "255");
    refused(3, with({"evm", "run", "ml-dsa-65"}), "belongs to ml-dsa-44");
    write("sig", "short");
    refused(3, with({"evm", "run", "ml-dsa-44"}), "2420");
}

TEST_F(Evm, ExecRunsAnyCode) {
    // Returns the sum of the first two words of calldata.
    const std::string code = "0x6020355f35015f5260205ff3";
    const std::string data = std::string(63, '0') + "2" + std::string(63, '0') + "3";
    auto out = json::parse(ok({"evm", "exec", "--code", code, "--calldata", data, "--json"}));
    EXPECT_EQ(out.at("status"), "success");
    EXPECT_EQ(out.at("return"), "0x" + std::string(63, '0') + "5");
    EXPECT_EQ(out.at("exec_gas"), 27);
    write("code.hex", code.substr(2) + "\n");
    write("code.bin", std::string("\x60\x20\x35\x5f\x35\x01\x5f\x52\x60\x20\x5f\xf3", 12));
    for (const char* file : {"code.hex", "code.bin"})
        EXPECT_EQ(json::parse(ok({"evm", "exec", "--code", file, "--calldata", data, "--json"})).at("exec_gas"), 27);
    EXPECT_EQ(json::parse(ok({"evm", "exec", "--code", "0x5f5ffd", "--json"})).at("status"), "revert");
    EXPECT_EQ(json::parse(ok({"evm", "exec", "--code", "0xfe", "--gas", "100", "--json"})).at("exec_gas"), 100);
    EXPECT_TRUE(json::parse(ok({"evm", "exec", "--code", "0x01", "--json"})).at("status").get<std::string>().starts_with("halt:"));
    // CLZ exists from Osaka on.
    EXPECT_EQ(json::parse(ok({"evm", "exec", "--code", "0x5f1e", "--json"})).at("status"), "success");
    EXPECT_NE(json::parse(ok({"evm", "exec", "--code", "0x5f1e", "--fork", "prague", "--json"})).at("status"), "success");
    // A trace has one line a step, then the summary.
    const std::string trace = ok({"evm", "exec", "--code", "0x5f5f01", "--trace"});
    EXPECT_EQ(json::parse(trace.substr(0, trace.find('\n'))).at("opName"), "PUSH0");
    // Another contract in the state: EXTCODESIZE of it.
    out = json::parse(ok({"evm", "exec", "--code", "0x73" + std::string(39, '0') + "73b5f5260205ff3", "--account",
                          "0x" + std::string(39, '0') + "7=0x0102", "--json"}));
    EXPECT_EQ(out.at("return"), "0x" + std::string(63, '0') + "2");
    refused(2, {"evm", "exec", "--code", "0xabc"}, "not hex");
    refused(4, {"evm", "exec", "--code", "missing-file"}, "no such file");
    refused(2, {"evm", "exec", "--code", "0x00", "--account", "0x00"}, "ADDRESS=CODE");
    refused(2, {"evm", "exec", "--code", "0x00", "--account", "0x00=0x00"}, "--account");
    refused(2, {"evm", "exec", "--code", "0x00", "--fork", "homestead"}, "osaka");
}

TEST_F(Evm, ExpandKeyWritesEveryPartAndItsInitCode) {
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "key.pem", "--pub", "pub.pem"});
    const auto parts = json::parse(ok({"evm", "expand-key", "pub.pem", "--out", "blob", "--json"})).at("parts");
    for (const auto& part : parts) {
        const auto file = part.at("file").get<std::string>();
        EXPECT_EQ(read(file).size(), part.at("bytes").get<std::size_t>());
        EXPECT_LE(read(file).size(), 24576U);
        // The init code deploys exactly the part.
        const auto made = json::parse(ok({"evm", "exec", "--code", file + ".init", "--json"}));
        const std::string content = read(file);
        EXPECT_EQ(made.at("return"), to_hex_0x({reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}));
    }
    refused(2, {"evm", "expand-key", "pub.pem", "--out", "-"}, "standard output");
    refused(2, {"evm", "expand-key", "pub.pem", "--out", "x", "--layout", "mine"}, "unknown layout");
}

TEST_F(Evm, RegisterGivesTheCallsAndTheKeysAddress) {
    ok({"keygen", "--scheme", "keccak-ml-dsa-44", "--out", "key.pem", "--pub", "pub.pem"});
    const auto made = json::parse(ok({"evm", "register", "pub.pem", "--json"}));
    const auto parts = json::parse(ok({"evm", "expand-key", "pub.pem", "--out", "blob", "--json"})).at("parts");
    const auto& calls = made.at("calls");
    ASSERT_EQ(calls.size(), parts.size());
    std::uint64_t total = 0;
    for (const auto& call : calls) {
        EXPECT_EQ(call.at("address"), parts.at(call.at("part").get<std::size_t>()).at("address"));
        EXPECT_LT(call.at("gas").get<std::uint64_t>(), 16'777'216U);
        total += call.at("gas").get<std::uint64_t>();
    }
    EXPECT_EQ(calls.back().at("part"), 0);
    EXPECT_EQ(made.at("key"), calls.back().at("address"));
    EXPECT_EQ(made.at("gas"), total);
    EXPECT_EQ(made.at("registry").at("address"), to_hex_0x(contracts::find_registry("keccak-ml-dsa-44").value().address));
    // A part's first links: the other part's address, behind the zero byte, the key's hash and tr.
    EXPECT_EQ(to_hex_0x({reinterpret_cast<const std::uint8_t*>(read("blob").data()) + 97, 20}), parts.at(1).at("address"));
    EXPECT_NE(ok({"evm", "register", "pub.pem"}).find("key " + made.at("key").get<std::string>()), std::string::npos);
    write("weak", std::string(1312, 0));
    refused(1, {"evm", "register", "weak", "--scheme", "keccak-ml-dsa-44"}, "degenerate");
}

TEST_F(Evm, CheckKeyComparesEveryByteAndRefusesDegenerateKeys) {
    ok({"keygen", "--scheme", "ml-dsa-44", "--out", "key.pem", "--pub", "pub.pem"});
    const auto parts = json::parse(ok({"evm", "expand-key", "pub.pem", "--out", "blob", "--json"})).at("parts");
    const auto address = parts.at(0).at("address").get<std::string>();
    EXPECT_TRUE(ok({"evm", "check-key", "pub.pem"}).starts_with("valid: ml-dsa-44 key; registered at " + address));
    EXPECT_TRUE(ok({"evm", "check-key", "pub.pem", "blob", "--address", address}).starts_with("valid: "));
    const auto verdict = [&](int code, std::vector<std::string> more) {
        more.insert(more.begin(), {"evm", "check-key", "pub.pem"});
        more.emplace_back("--json");
        const auto result = run(more);
        EXPECT_EQ(result.code, code);
        const auto out = json::parse(result.out);
        EXPECT_EQ(out.at("valid"), code == 0);
        return out;
    };
    EXPECT_EQ(verdict(0, {"blob"}).at("checks").size(), 3U);
    EXPECT_NE(verdict(1, {"--address", "0x" + std::string(40, '1')}).at("reason").get<std::string>().find(address), std::string::npos);
    for (const std::string file : {"blob", "blob.1"}) {
        const std::string good = read(file);
        // As a node prints code.
        write(file, to_hex_0x({reinterpret_cast<const std::uint8_t*>(good.data()), good.size()}) + "\n");
        verdict(0, {"blob"});
        for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{60}, std::size_t{100}, good.size() / 2, good.size() - 1}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 1);
            write(file, bad);
            verdict(1, {"blob"});
        }
        for (const std::string& bad : {std::string(), good.substr(1), good + '\0', std::string(good.size(), '\0')}) {
            write(file, bad);
            verdict(1, {"blob"});
        }
        write(file, good);
    }
    write("blob.1", read("blob"));
    verdict(1, {"blob"});
    // t1 of zeros: anybody could sign.
    write("weak", std::string(1312, '\0'));
    const auto weak = run({"evm", "check-key", "weak", "--scheme", "ml-dsa-44"});
    EXPECT_EQ(weak.code, 1);
    EXPECT_TRUE(weak.out.starts_with("invalid: degenerate key"));
    refused(4, {"evm", "check-key", "pub.pem", "missing"}, "missing");
    refused(2, {"evm", "check-key", "pub.pem", "--address", "0x12"}, "--address");
    write("short", std::string(1311, '\1'));
    refused(3, {"evm", "check-key", "short", "--scheme", "ml-dsa-44"}, "1311");
}

// Eight coefficients of 32 bits a word, a zero byte and tr in front: checked with coefficients of the library.
TEST_F(Evm, PublishedLayout) {
    ok({"keygen", "--scheme", "ml-dsa-44", "--seed", std::string(64, '1'), "--out", "key.pem", "--pub", "pub.pem"});
    ok({"evm", "expand-key", "pub.pem", "--out", "blob", "--layout", "fireblocks"});
    const std::string blob = read("blob");
    ASSERT_EQ(blob.size(), 20545U);
    EXPECT_EQ(blob[0], '\0');
    const auto tr = json::parse(ok({"inspect", "pub.pem", "--json"})).at("tr").get<std::string>();
    EXPECT_EQ(to_hex({reinterpret_cast<const std::uint8_t*>(blob.data()) + 1, 64}), tr);
    for (std::size_t at = 65; at < blob.size(); at += 4) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(blob[at + i]);
        ASSERT_LT(value, 8380417U) << at;
    }
    ok({"keygen", "--scheme", "ml-dsa-65", "--out", "key65.pem", "--pub", "pub65.pem"});
    refused(2, {"evm", "expand-key", "pub65.pem", "--out", "x", "--layout", "fireblocks"}, "ml-dsa-44 only");
}

TEST_F(Evm, GasTableAndRatchet) {
    const std::vector<std::string> base{"gas", "--contract", "ml-dsa-44", "--samples", "3"};
    const auto with = [&](const std::vector<std::string>& more) {
        auto arguments = base;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    const auto table = json::parse(ok(with({"--json", "--update", "gas.json"})));
    EXPECT_EQ(table, json::parse(read("gas.json")));
    EXPECT_EQ(table.at("fork"), "osaka");
    const auto& row = table.at("rows").at(0);
    EXPECT_EQ(row.at("contract"), "ml-dsa-44");
    EXPECT_EQ(row.at("samples"), 3);
    std::uint64_t sum = 0;
    for (const auto& r : row.at("regions")) sum += r.at("gas").get<std::uint64_t>();
    EXPECT_EQ(sum, row.at("exec").at("median").get<std::uint64_t>());
    EXPECT_LE(row.at("exec").at("max").get<std::uint64_t>(), 700'000U);
    EXPECT_EQ(row.at("best_published").at("gas"), 1222945);
    EXPECT_LE(row.at("code_bytes").get<std::uint64_t>(), 24576U);
    EXPECT_EQ(row.at("calldata_floor_7976").get<std::uint64_t>(), 64 * row.at("calldata_bytes").get<std::uint64_t>());

    ok(with({"--check", "gas.json"}));
    json better = table;
    better["rows"][0]["exec"]["max"] = row.at("exec").at("max").get<std::uint64_t>() - 1;
    write("better.json", better.dump());
    const auto risen = run(with({"--check", "better.json", "--update", "gas.json"}));
    EXPECT_EQ(risen.code, 1);
    EXPECT_NE(risen.err.find("exec max rose from"), std::string::npos) << risen.err;
    EXPECT_EQ(table, json::parse(read("gas.json"))) << "a check that falls short must not update";
    json gone = table;
    gone["rows"][0]["contract"] = "another";
    write("gone.json", gone.dump());
    EXPECT_EQ(run(with({"--check", "gone.json"})).code, 1);

    write("bad.json", "{\"rows\":[{}]}");
    EXPECT_EQ(run(with({"--check", "bad.json"})).code, 3);
    write("text.json", "nothing");
    refused(3, with({"--check", "text.json"}), "not JSON");
    refused(2, {"gas", "--contract", "nothing"}, "nothing");
    refused(2, {"gas", "--samples", "0"});
    refused(4, with({"--update", "missing/gas.json"}), "missing/gas.json");
}

TEST_F(Evm, BenchPrintsItsShape) {
    const auto out = json::parse(ok({"bench", "--scheme", "ml-dsa-44", "--seconds", "0.001", "--json"}));
    EXPECT_TRUE(out.at("cpu").is_string());
    ASSERT_GE(out.at("rows").size(), 5U);
    for (const auto& row : out.at("rows")) {
        EXPECT_EQ(row.at("scheme"), "ml-dsa-44");
        EXPECT_GT(row.at("median_us").get<double>(), 0.0);
        EXPECT_TRUE(row.at("instructions").is_number_unsigned());
    }
    refused(2, {"bench", "--scheme", "nothing"}, "known: ml-dsa-44");
    refused(2, {"bench", "--scheme", "falcon-512", "--scheme", "falcon"}, "falcon-recover-512");
}

}  // namespace
}  // namespace postern::test
