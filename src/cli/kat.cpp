// postern kat: official vector files.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "kat/kat.hpp"

namespace postern::cli {

namespace {

struct Arguments {
    std::vector<std::string> files;
    std::string contract;
    bool json = false;
};

nlohmann::ordered_json to_json(const kat::FileReport& r) {
    nlohmann::ordered_json out{{"file", r.file},     {"kind", r.kind},       {"passed", r.passed},
                               {"failed", r.failed}, {"skipped", r.skipped}, {"reasons", nlohmann::ordered_json::object()}};
    for (const auto& [reason, count] : r.reasons) out["reasons"][reason] = count;
    if (!r.failures.empty()) {
        auto& list = out["failures"] = nlohmann::ordered_json::array();
        for (const auto& f : r.failures) list.push_back({{"test", f.test}, {"reason", f.reason}});
    }
    return out;
}

std::string to_line(const kat::FileReport& r) {
    std::string line = fmt::format("{}: {}: {} passed, {} failed, {} skipped", r.file, r.kind, r.passed, r.failed, r.skipped);
    std::string_view separator = " (";
    for (const auto& [reason, count] : r.reasons) {
        line += fmt::format("{}{} {}", std::exchange(separator, "; "), count, reason);
    }
    if (!r.reasons.empty()) line += ")";
    if (!r.failures.empty()) line += fmt::format(" first failure: {}: {}", r.failures.front().test, r.failures.front().reason);
    return line + "\n";
}

/// A contract that is asked in a fresh state each time, with the key blob placed directly.
kat::ContractRunner contract_runner(contracts::Contract contract) {
    kat::ContractRunner runner;
    runner.scheme = contract.info.scheme;
    runner.accepts = [contract = std::move(contract)](ByteView key, ByteView message, ByteView signature,
                                                      ByteView context) -> Result<bool> {
        const auto verdict = contracts::run_verifier(contract, key, message, signature, context, std::nullopt, false);
        if (!verdict) return verdict.error();
        if (!verdict->result.success()) return Error{"the contract did not answer: " + verdict->result.reason};
        return verdict->accepted;
    };
    return runner;
}

void run(const Arguments& a, Console& console) {
    kat::Options options;
    kat::ContractRunner runner;
    if (!a.contract.empty()) {
        runner = contract_runner(build_or_fail(a.contract));
        options.contract = &runner;
    }
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    // The worst of what happened decides: a file that cannot be run at all outranks a case that fails.
    const auto worse = [&](Exit code) { console.code = std::max(console.code, code); };
    for (const auto& file : a.files) {
        try {
            const auto report = kat::run_file(file, options);
            if (report.failed > 0) worse(Exit::refused);
            if (a.json) {
                files.push_back(to_json(report));
            } else {
                console.write(to_line(report));
                console.flush();
            }
        } catch (const kat::Malformed& e) {
            Console::complain(fmt::format("{}: {}", file, e.what()));
            worse(Exit::malformed);
        } catch (const kat::Unreadable& e) {
            Console::complain(fmt::format("{}: {}", file, e.what()));
            worse(Exit::io);
        }
    }
    if (a.json) console.print("{}\n", nlohmann::ordered_json{{"files", files}}.dump(2));
}

}  // namespace

void add_kat(CLI::App& app, Console& console) {
    const auto a = std::make_shared<Arguments>();
    CLI::App* cmd = app.add_subcommand("kat", "Run official test vector files");
    cmd->add_option("files", a->files, "Vector files, packed with xz or not; the kind is recognised by content")->required();
    cmd->add_option("--evm", a->contract, "Run verification cases in the embedded EVM through this contract, skip all others")
        ->type_name("CONTRACT");
    cmd->add_flag("--json", a->json, "Print JSON");
    std::string kinds;
    for (const auto& name : kat::kind_names()) kinds += "\n  " + name;
    cmd->footer("Exit code 1 if a case fails, 3 if a file is of no known kind or malformed.\n\nKinds:" + kinds +
                "\n\nExamples:\n  postern kat vectors/mldsa/acvp/*.json\n  postern kat --evm ml-dsa-44 "
                "vectors/mldsa/wycheproof/mldsa_44_verify_test.json");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
