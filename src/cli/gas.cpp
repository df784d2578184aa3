// postern gas: what verification costs, beside the best published figures, with a ratchet.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/files.hpp"
#include "cli/forms.hpp"
#include "cli/gas_table.hpp"

namespace postern::cli {

namespace {

struct Arguments {
    std::vector<std::string> contracts;
    std::string check, update;
    std::size_t samples = 200;
    bool json = false;
};

nlohmann::ordered_json read_baseline(const std::string& path) {
    const Bytes content = read_file(path);
    try {
        return nlohmann::ordered_json::parse(as_text(content));
    } catch (const nlohmann::json::parse_error& e) {
        fail(Exit::malformed, "{} is not JSON: error at byte {}", path, e.byte);
    }
}

std::string to_text(const GasRow& r) {
    std::string out = fmt::format("{} ({} key, {}, {} samples)\n", r.contract, r.form, r.input, r.samples);
    out += fmt::format("  exec gas          {} .. {} (median {})\n", grouped(r.exec_min), grouped(r.exec_max), grouped(r.exec_median));
    if (r.best_published) {
        const double share = 100.0 * static_cast<double>(r.exec_max) / static_cast<double>(r.best_published->gas);
        out += fmt::format("  best published    {} ({}); our maximum is {:.1f} % of it\n", grouped(r.best_published->gas),
                           r.best_published->source, share);
    }
    out += fmt::format("  calldata          {} bytes: {} gas, floor {} (EIP-7623), {} (EIP-7976)\n", grouped(r.calldata_bytes),
                       grouped(r.calldata_gas), grouped(r.calldata_floor_7623), grouped(r.calldata_floor_7976));
    out += fmt::format("  code              {} bytes, {} gas to deploy\n", grouped(r.code_bytes), grouped(r.deploy_gas));
    out += fmt::format("  key registration  {} gas, {} under EIP-8037\n", grouped(r.registration_gas), grouped(r.registration_gas_8037));
    return out + regions_text(r.regions);
}

/// After how many verifications a registered key is cheaper than the standard key sent along: for every pair in the table.
std::string break_even_text(const std::vector<GasRow>& rows) {
    std::string out;
    for (const GasRow& registered : rows) {
        const auto wire = std::find_if(rows.begin(), rows.end(), [&](const GasRow& r) {
            return r.form == "wire" && r.contract == registered.contract + "-wire" && r.input == registered.input;
        });
        if (registered.form == "wire" || wire == rows.end()) continue;
        const std::uint64_t once = registered.exec_median + registered.calldata_gas, each = wire->exec_median + wire->calldata_gas;
        if (each <= once) continue;
        const auto uses = [&](std::uint64_t registration) { return (registration + each - once - 1) / (each - once); };
        out += fmt::format("  {}: {} a verification against {} with the standard key; registering pays after {} uses, {} under EIP-8037\n",
                           registered.contract, grouped(once), grouped(each), grouped(uses(registered.registration_gas)),
                           grouped(uses(registered.registration_gas_8037)));
    }
    return out.empty() ? out : "key forms (execution and calldata, without the base cost of a transaction)\n" + out;
}

void run(const Arguments& a, Console& console) {
    std::optional<nlohmann::ordered_json> baseline;
    if (!a.check.empty()) baseline = read_baseline(a.check);
    std::vector<contracts::ContractInfo> chosen;
    for (const auto& name : a.contracts) {
        const auto info = contracts::find_contract(name);
        if (!info) fail(Exit::usage, "unknown contract '{}' (see postern evm contracts)", name);
        if (info->entry_points.empty()) fail(Exit::usage, "{} verifies nothing: registration is in the rows of the verifiers", name);
        chosen.push_back(*info);
    }
    if (chosen.empty()) {
        chosen = contracts::list_contracts();
        std::erase_if(chosen, [](const auto& info) { return info.entry_points.empty(); });
    }
    std::vector<GasRow> rows;
    for (const auto& info : chosen) {
        for (auto& row : measure_gas(info, a.samples)) rows.push_back(std::move(row));
    }
    const auto table = gas_json(rows);

    if (a.json) {
        console.print("{}\n", table.dump(2));
    } else {
        for (const auto& row : rows) console.write(to_text(row));
        console.write(break_even_text(rows));
    }
    if (baseline) {
        const auto risen = risen_figures(*baseline, table);
        std::string summary;
        for (const auto& line : risen) summary += (summary.empty() ? "" : "; ") + line;
        if (!risen.empty()) {
            Console::complain(fmt::format("gas check against {}: {}", a.check, summary));
            console.code = Exit::refused;
            return;
        }
    }
    if (!a.update.empty()) {
        Outputs outputs(console);
        outputs.add(a.update, table.dump(2) + "\n");
        outputs.commit();
    }
}

}  // namespace

void add_gas(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("gas", "The gas table of every contract on fixed inputs, next to the best published figures");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("--contract", a->contracts, "Only these contracts")->type_name("NAME");
    cmd->add_option("--samples", a->samples, "Signatures to measure")->check(CLI::Range(1, 100000))->type_name("N");
    cmd->add_option("--check", a->check, "Compare with this table: exit code 1 if any figure rose")->type_name("FILE");
    cmd->add_option("--update", a->update, "Write the table to this file (not if the check fell short)")->type_name("FILE");
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "Exec gas is the gas of a whole transaction without its base cost and calldata. Keys, messages and signatures\n"
        "come from a fixed seed, so every figure is reproducible. Gas by region is that of the median sample. Calldata gas\n"
        "and its floors are the price of the bytes alone, without the 21,000 of a transaction.\n\n"
        "Examples:\n  postern gas\n  postern gas --check gas-baseline.json");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
