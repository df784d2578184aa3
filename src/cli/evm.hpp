#pragma once

// What the `postern evm` verbs and `postern gas` share.

#include <nlohmann/json_fwd.hpp>
#include <postern/contracts.hpp>
#include <postern/mldsa.hpp>
#include <string>

namespace CLI {
class App;
}

namespace postern::cli {

class Console;

// Each adds one verb below `postern evm`.
void add_evm_contracts(CLI::App& evm, Console& console);
void add_evm_build(CLI::App& evm, Console& console);
void add_evm_run(CLI::App& evm, Console& console);
void add_evm_exec(CLI::App& evm, Console& console);
void add_evm_expand_key(CLI::App& evm, Console& console);
void add_evm_check_key(CLI::App& evm, Console& console);
void add_evm_register(CLI::App& evm, Console& console);

/// Registering a key in an empty state: one transaction for each part, in order.
struct Registration {
    struct Call {
        std::size_t part = 0;
        evm::Address address{};
        Bytes data;
        std::uint64_t gas = 0;  ///< of the whole transaction
    };
    contracts::Registry registry;
    evm::Word key_hash{};
    std::vector<Call> calls;
};
/// The error says why the registry refuses the key, or that the fork cannot do it.
Result<Registration> simulate_registration(evm::Fork fork, const mldsa::PublicKey& key);

/// Failure(usage) for an unknown name.
contracts::ContractInfo contract_or_fail(const std::string& contract);
/// Failure(usage) for an unknown name or fork, or a contract that does not exist under that fork.
contracts::Contract build_or_fail(const std::string& contract, const std::string& fork = "osaka");
evm::Fork fork_option(const std::string& name);

/// "success", "revert", "halt:out of gas", "invalid".
std::string status_text(const evm::ExecutionResult& result);
nlohmann::ordered_json regions_json(const std::vector<evm::Profile::Row>& rows);
/// A table of gas by region, dearest first.
std::string regions_text(const std::vector<evm::Profile::Row>& rows);
/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t value);

}  // namespace postern::cli
