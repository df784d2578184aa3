// postern evm run: one verification in the embedded EVM.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/falcon.hpp"
#include "cli/files.hpp"
#include "cli/keys.hpp"
#include "cli/message_options.hpp"
#include "core/hex.hpp"

namespace postern::cli {

namespace {

struct Arguments {
    std::string contract, fork = "osaka", key, in, signature, context, context_hex, door;
    bool profile = false, json = false;
};

std::optional<contracts::Door> door_option(const std::string& name) {
    if (name.empty()) return std::nullopt;
    if (name == "erc7913") return contracts::Door::erc7913;
    if (name == "message") return contracts::Door::message;
    if (name == "context") return contracts::Door::context;
    fail(Exit::usage, "unknown door '{}' (known: erc7913, message, context)", name);
}

struct Inputs {
    Bytes key, signature;
};

/// Public key and signature as the contract takes them.
Inputs load_inputs(const Arguments& a, const contracts::ContractInfo& info) {
    if (falcon::find_scheme(info.scheme) != nullptr)
        return {falcon_public_key(a.key, info.scheme), falcon_signature(a.signature, info.scheme, info.signature_codec)};
    const mldsa::Scheme* scheme = scheme_option(info.scheme);
    const auto key = load_public_key(a.key, read_file(a.key), scheme).value;
    return {Bytes(key.bytes().begin(), key.bytes().end()), load_signature(a.signature, read_file(a.signature), *scheme).value};
}

void run(const Arguments& a, Console& console) {
    const auto info = contract_or_fail(a.contract);
    if (info.entry_points.empty() || info.scheme.empty()) fail(Exit::usage, "{} verifies nothing itself", info.name);
    fork_option(a.fork);
    const auto door = door_option(a.door);
    MessageOptions options;
    options.context = a.context;
    options.context_hex = a.context_hex;
    const auto context = options.context_value();
    const auto [key, signature] = load_inputs(a, info);
    const Bytes message = read_file(a.in);
    const auto contract = build_or_fail(a.contract, a.fork);  // the slow part comes when all input has been read
    const auto verdict = contracts::run_verifier(contract, key, message, signature, context.bytes(), door, a.profile || a.json);
    if (!verdict) fail(Exit::usage, "{}", verdict.error().message);
    if (!verdict->accepted) console.code = Exit::refused;
    if (a.json) {
        console.print("{}\n", nlohmann::ordered_json{{"status", status_text(verdict->result)},
                                                     {"return", to_hex_0x(verdict->result.output)},
                                                     {"exec_gas", verdict->result.exec_gas},
                                                     {"regions", regions_json(verdict->regions)},
                                                     {"accepted", verdict->accepted}}
                                  .dump(2));
        return;
    }
    console.print("{} ({}), exec gas {}\n", verdict->accepted ? "accepted" : "rejected", status_text(verdict->result),
                  grouped(verdict->result.exec_gas));
    if (a.profile) console.write(regions_text(verdict->regions));
}

}  // namespace

void add_evm_run(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("run", "Verify a signature with a contract in the embedded EVM: verdict and exact gas");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("contract", a->contract, "Name of the contract (see postern evm contracts)")->required();
    cmd->add_option("--key", a->key, "Public key file")->required()->type_name("PUB");
    cmd->add_option("--in", a->in, "Message file, taken byte for byte")->required()->type_name("MSG");
    cmd->add_option("--sig", a->signature, "Signature file")->required()->type_name("SIG");
    auto* text = cmd->add_option("--context", a->context, "Context string, at most 255 bytes")->type_name("STR");
    cmd->add_option("--context-hex", a->context_hex, "Context in hex")->type_name("HEX")->excludes(text);
    cmd->add_option("--door", a->door, "Entry point: erc7913, message or context (default: the cheapest that fits)")->type_name("DOOR");
    cmd->add_option("--fork", a->fork, "Rules to run under")->type_name("F");
    cmd->add_flag("--profile", a->profile, "Show gas by region");
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "Exit code 0 if the contract accepts, 1 if it rejects.\n\n"
        "Example:\n  postern evm run ml-dsa-44 --key pub.pem --in message --sig sig --profile");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
