// postern evm contracts and postern evm build.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/files.hpp"
#include "core/hex.hpp"
#include "hash/sha3.hpp"

namespace postern::cli {

namespace {

using nlohmann::ordered_json;

std::string selector_text(std::uint32_t selector) { return fmt::format("0x{:08x}", selector); }

void list(bool json, Console& console) {
    auto rows = ordered_json::array();
    for (const auto& info : contracts::list_contracts()) {
        const auto contract = build_or_fail(info.name);
        auto entries = ordered_json::array();
        for (const auto& e : info.entry_points)
            entries.push_back({{"signature", e.signature}, {"selector", selector_text(e.selector)}, {"returns", e.returns}});
        rows.push_back({{"contract", info.name},
                        {"scheme", info.scheme},
                        {"form", contracts::name(info.key_form)},
                        {"code_bytes", contract.runtime.size()},
                        {"init_bytes", contract.init.size()},
                        {"entry_points", std::move(entries)}});
    }
    if (json) {
        console.print("{}\n", ordered_json{{"contracts", rows}}.dump(2));
        return;
    }
    for (const auto& row : rows) {
        console.print("{}: scheme {}, key {}, {} bytes of code\n", row["contract"].get<std::string>(), row["scheme"].get<std::string>(),
                      row["form"].get<std::string>(), grouped(row["code_bytes"].get<std::uint64_t>()));
        for (const auto& e : row["entry_points"])
            console.print("  {} {} returns {}\n", e["selector"].get<std::string>(), e["signature"].get<std::string>(),
                          e["returns"].get<std::string>());
    }
}

struct BuildArguments {
    std::string contract, fork = "osaka", out;
};

/// As in artifacts/: where each region of the runtime code lies.
std::string region_map(const contracts::Contract& contract) {
    auto regions = ordered_json::array();
    for (const auto& r : contract.regions) regions.push_back({{"begin", r.begin}, {"end", r.end}, {"name", r.name}});
    return regions.dump(1) + "\n";
}

void build(const BuildArguments& a, Console& console) {
    const auto contract = build_or_fail(a.contract, a.fork);
    std::error_code ec;
    const bool made = std::filesystem::create_directory(a.out, ec);
    if (ec) fail(Exit::io, "cannot make the folder {}: {}", a.out, ec.message());
    try {
        const std::filesystem::path folder(a.out);
        Outputs outputs(console);
        const auto add = [&](const char* name, const std::string& text) { outputs.add((folder / name).string(), text); };
        add("runtime.hex", to_hex(contract.runtime) + "\n");
        add("init.hex", to_hex(contract.init) + "\n");
        add("abi.json", contract.abi_json + "\n");
        add("regions.json", region_map(contract));
        add("listing.txt", contract.listing);
        outputs.commit();
    } catch (...) {
        if (made) std::filesystem::remove(a.out, ec);
        throw;
    }
    console.print("{}: {} bytes of code (limit {}), code hash {}\n", contract.info.name, grouped(contract.runtime.size()),
                  grouped(evm::limits(contract.fork).code_size), to_hex_0x(hash::keccak256(contract.runtime)));
}

}  // namespace

void add_evm_contracts(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("contracts", "List the contracts that can be generated");
    const auto json = std::make_shared<bool>(false);
    cmd->add_flag("--json", *json, "Print JSON");
    cmd->footer("Example:\n  postern evm contracts --json");
    cmd->callback([json, &console] { list(*json, console); });
}

void add_evm_build(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("build", "Generate a contract: runtime code, init code, ABI, region map, annotated listing");
    const auto a = std::make_shared<BuildArguments>();
    cmd->add_option("contract", a->contract, "Name of the contract (see postern evm contracts)")->required();
    cmd->add_option("--fork", a->fork, "Rules to generate for")->type_name("F");
    cmd->add_option("--out", a->out, "Folder for the files")->required()->type_name("DIR");
    cmd->footer("Example:\n  postern evm build ml-dsa-44 --out contract");
    cmd->callback([a, &console] { build(*a, console); });
}

}  // namespace postern::cli
