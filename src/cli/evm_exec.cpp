// postern evm exec: any bytecode.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/files.hpp"
#include "cli/forms.hpp"
#include "core/hex.hpp"

namespace postern::cli {

namespace {

struct Arguments {
    std::string code, calldata, fork = "osaka";
    std::vector<std::string> accounts;
    std::uint64_t gas = 30'000'000;
    bool profile = false, trace = false, json = false;
};

constexpr evm::Address kCode{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0};
constexpr evm::Address kCaller{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20, 0};

/// Hex on the command line, or a file that holds hex text or plain bytes.
Bytes bytes_option(const std::string& option, const std::string& value) {
    std::error_code ec;
    const bool names_file = value == "-" || std::filesystem::exists(value, ec);
    if (!names_file) {
        auto bytes = from_hex(value);
        if (!bytes)
            fail(value.starts_with("0x") ? Exit::usage : Exit::io, "{} {}: no such file, and not hex: {}", option, value,
                 bytes.error().message);
        return std::move(*bytes);
    }
    Bytes content = read_file(value);
    for (auto& reading : readings(content))
        if (reading.form == Form::hex) return std::move(reading.bytes);
    return content;
}

/// ADDRESS=CODE
void place_account(evm::State& state, const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) fail(Exit::usage, "--account {}: expected ADDRESS=CODE", text);
    const auto address = evm::parse_address(text.substr(0, equals));
    if (!address) fail(Exit::usage, "--account {}: {}", text, address.error().message);
    state.set_code(*address, bytes_option("--account", text.substr(equals + 1)));
}

void run(const Arguments& a, Console& console) {
    evm::State state;
    state.set_code(kCode, bytes_option("--code", a.code));
    for (const auto& account : a.accounts) place_account(state, account);
    evm::Message message;
    message.from = kCaller;
    message.to = kCode;
    message.gas = a.gas;
    if (!a.calldata.empty()) message.data = bytes_option("--calldata", a.calldata);
    evm::Options options;
    options.fork = fork_option(a.fork);
    evm::Profile profile;
    profile.set_regions(kCode, "code", {});
    if (a.profile || a.json) options.profile = &profile;
    evm::JsonLinesTracer tracer(std::cout);
    if (a.trace) options.tracer = &tracer;
    const auto result = evm::call(state, message, options);
    if (a.trace) {
        tracer.finish(result);
        std::cout.flush();
        if (!std::cout) fail(Exit::io, "cannot write to standard output");
    }
    if (a.json) {
        console.print("{}\n", nlohmann::ordered_json{{"status", status_text(result)},
                                                     {"return", to_hex_0x(result.output)},
                                                     {"exec_gas", result.exec_gas},
                                                     {"regions", regions_json(profile.by_region())},
                                                     {"opcodes", regions_json(profile.by_opcode())},
                                                     {"accepted", result.success()}}
                                  .dump(a.trace ? -1 : 2));
        return;
    }
    console.print("{}, exec gas {}, {} steps\nreturn {}\n", status_text(result), grouped(result.exec_gas), grouped(result.steps),
                  to_hex_0x(result.output));
    if (a.profile) console.write(regions_text(profile.by_opcode()));
}

}  // namespace

void add_evm_exec(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("exec", "Run any bytecode in the embedded EVM");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("--code", a->code, "Runtime code: a file (hex or plain bytes) or hex")->required()->type_name("C");
    cmd->add_option("--calldata", a->calldata, "Calldata: a file (hex or plain bytes) or hex")->type_name("D");
    cmd->add_option("--account", a->accounts, "Another contract in the state: ADDRESS=CODE (repeatable)")->type_name("A=C");
    cmd->add_option("--fork", a->fork, "Rules to run under")->type_name("F");
    cmd->add_option("--gas", a->gas, "Gas to start with, at most 2^40")->type_name("N")->check(CLI::Range(0.0, 1099511627776.0));
    cmd->add_flag("--profile", a->profile, "Show gas by opcode");
    cmd->add_flag("--trace", a->trace, "Print every step first (EIP-3155, one JSON object a line)");
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "Gas is what the code burned, without the transaction around it. A revert or halt is a result, not an error.\n\n"
        "Example:\n  postern evm exec --code 0x5f356020355f5260205ff3 --calldata 0x01 --trace");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
