// postern evm: the verbs' common parts.

#include "cli/evm.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"

namespace postern::cli {

evm::Fork fork_option(const std::string& name) {
    const auto fork = evm::parse_fork(name);
    if (!fork) fail(Exit::usage, "--fork: {}", fork.error().message);
    return *fork;
}

contracts::ContractInfo contract_or_fail(const std::string& contract) {
    auto info = contracts::find_contract(contract);
    // Building says what is known.
    if (!info) fail(Exit::usage, "{}", contracts::build_contract(contract).error().message);
    return std::move(*info);
}

contracts::Contract build_or_fail(const std::string& contract, const std::string& fork) {
    auto built = contracts::build_contract(contract, fork_option(fork));
    if (!built) fail(Exit::usage, "{}", built.error().message);
    return std::move(*built);
}

std::string status_text(const evm::ExecutionResult& result) {
    if (result.status == evm::Status::halt) return fmt::format("halt:{}", evm::name(result.halt));
    return std::string(evm::name(result.status));
}

nlohmann::ordered_json regions_json(const std::vector<evm::Profile::Row>& rows) {
    auto out = nlohmann::ordered_json::array();
    for (const auto& row : rows) out.push_back({{"name", row.name}, {"gas", row.gas}});
    return out;
}

std::string regions_text(const std::vector<evm::Profile::Row>& rows) {
    auto sorted = rows;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.gas > b.gas; });
    std::uint64_t total = 0;
    std::size_t width = 6;
    for (const auto& row : sorted) {
        total += row.gas;
        width = std::max(width, row.name.size());
    }
    std::string out;
    const auto line = [&](std::string_view name, std::uint64_t gas) {
        const double share = total == 0 ? 0.0 : 100.0 * static_cast<double>(gas) / static_cast<double>(total);
        out += fmt::format("  {:<{}} {:>11} {:>6.1f} %\n", name, width, grouped(gas), share);
    };
    for (const auto& row : sorted) line(row.name, row.gas);
    line("total", total);
    return out;
}

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
    return digits;
}

void add_evm(CLI::App& app, Console& console) {
    CLI::App* evm = app.add_subcommand("evm", "Verifier contracts and the embedded EVM");
    evm->require_subcommand(1);
    add_evm_contracts(*evm, console);
    add_evm_build(*evm, console);
    add_evm_run(*evm, console);
    add_evm_exec(*evm, console);
    add_evm_expand_key(*evm, console);
    add_evm_check_key(*evm, console);
    add_evm_register(*evm, console);
    evm->footer(
        "Examples:\n  postern evm contracts\n  postern evm build ml-dsa-44 --out contract\n"
        "  postern evm run ml-dsa-44 --key pub.pem --in message --sig sig --profile");
}

}  // namespace postern::cli
