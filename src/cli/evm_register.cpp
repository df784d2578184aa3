// postern evm register: what registering a key takes: the calls to its registry, their gas, and where the key will be.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/files.hpp"
#include "cli/keys.hpp"
#include "core/hex.hpp"

namespace postern::cli {

namespace {

using nlohmann::ordered_json;

struct Arguments {
    std::string pub, scheme, fork = "osaka";
    bool json = false;
};

void run(const Arguments& a, Console& console) {
    const auto fork = fork_option(a.fork);
    if (fork < evm::Fork::cancun) fail(Exit::usage, "--fork: registries need cancun or later");
    const auto key = load_public_key(a.pub, read_file(a.pub), scheme_option(a.scheme)).value;
    const auto registration = simulate_registration(fork, key);
    if (!registration) fail(Exit::refused, "{}", registration.error().message);
    const auto& r = *registration;
    std::uint64_t total = 0;
    auto calls = ordered_json::array();
    for (const auto& call : r.calls) {
        total += call.gas;
        calls.push_back({{"part", call.part}, {"address", to_hex_0x(call.address)}, {"gas", call.gas}, {"data", to_hex_0x(call.data)}});
    }
    if (a.json) {
        console.print("{}\n", ordered_json{{"scheme", r.registry.scheme},
                                           {"form", contracts::name(r.registry.form)},
                                           {"registry",
                                            {{"contract", r.registry.contract},
                                             {"address", to_hex_0x(r.registry.address)},
                                             {"init_hash", to_hex_0x(r.registry.init_hash)},
                                             {"code_hash", to_hex_0x(r.registry.code_hash)}}},
                                           {"key_hash", to_hex_0x(r.key_hash)},
                                           {"key", to_hex_0x(r.calls.back().address)},
                                           {"calls", std::move(calls)},
                                           {"gas", total}}
                                  .dump(2));
        return;
    }
    console.print("{} at {}\n", r.registry.contract, to_hex_0x(r.registry.address));
    for (const auto& call : r.calls) console.print("  part {} to {}: {} gas\n", call.part, to_hex_0x(call.address), grouped(call.gas));
    console.print("  total {:>11} gas\nkey {}\n", grouped(total), to_hex_0x(r.calls.back().address));
}

}  // namespace

Result<Registration> simulate_registration(evm::Fork fork, const mldsa::PublicKey& key) {
    constexpr evm::Address kSender{0x73, 0x65, 0x6e, 0x64, 0x65, 0x72, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    const auto registry = contracts::find_registry(key.scheme().name);
    if (!registry) return Error{"no registry makes keys of " + std::string(key.scheme().name)};
    if (const auto good = contracts::check_key(registry->scheme, key.bytes()); !good) return good.error();
    const auto blob = contracts::expand_key(registry->scheme, key.bytes());
    if (!blob) return blob.error();
    Registration out{*registry, blob->key_hash, {}};
    const auto addresses = contracts::key_addresses(*registry, blob->key_hash);
    evm::State state;
    contracts::place_registry(state, *registry);
    for (const std::size_t part : contracts::registration_order(*registry)) {
        evm::Transaction transaction;
        transaction.from = kSender;
        transaction.to = registry->address;
        transaction.data = contracts::encode_register(key.bytes(), part);
        // From EIP-8037 on state gas lies outside the transaction cap.
        transaction.gas_limit = fork == evm::Fork::amsterdam ? 200'000'000 : evm::limits(fork).transaction_gas;
        evm::Options options;
        options.fork = fork;
        options.block.gas_limit = 1'000'000'000;
        const auto result = evm::execute(state, transaction, options);
        const ByteView code = state.code(addresses[part]);
        if (!result.success()) return Error{"part " + std::to_string(part) + " does not register: " + result.reason};
        if (!std::equal(code.begin(), code.end(), blob->parts[part].begin(), blob->parts[part].end()))
            throw std::logic_error("the registry makes another blob than this library");
        out.calls.push_back({part, addresses[part], transaction.data, result.gas_used});
    }
    return out;
}

void add_evm_register(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("register", "The calls that register a public key, with their gas, and the address of the key");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("pub", a->pub, "Public key file")->required()->type_name("PUB");
    add_scheme_option(*cmd, a->scheme);
    cmd->add_option("--fork", a->fork, "Rules to run under")->type_name("F");
    cmd->add_flag("--json", a->json, "Print JSON: also the calldata of every call");
    cmd->footer(
        "The calls are run in the embedded EVM. Anybody may send them, in several transactions, the one for part 0 last. Exit\n"
        "code 1 if the registry refuses the key.\n\n"
        "Example:\n  postern evm register pub.pem --json");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
