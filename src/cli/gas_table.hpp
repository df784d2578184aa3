#pragma once

// The gas table: every contract on fixed inputs, measured in the embedded EVM.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <postern/contracts.hpp>
#include <string>
#include <vector>

namespace postern::cli {

struct Published {
    std::uint64_t gas = 0;
    std::string source;
};

struct GasRow {
    std::string contract, form, input;
    std::size_t samples = 0;
    std::uint64_t exec_min = 0, exec_median = 0, exec_max = 0;
    std::uint64_t code_bytes = 0;
    std::uint64_t calldata_bytes = 0, calldata_gas = 0, calldata_floor_7623 = 0, calldata_floor_7976 = 0;
    std::uint64_t deploy_gas = 0, registration_gas = 0, registration_gas_8037 = 0;
    std::vector<evm::Profile::Row> regions;  ///< of the sample with the median
    std::optional<Published> best_published;
};

/// `samples` signatures by as many keys, all from a fixed seed, through the ERC-7913 door.
/// Verifiers of the wire form of ML-DSA-65 have a second row: the message and context of the ACVP case that others have published
/// figures for (and, for the standard scheme, its key and signature).
std::vector<GasRow> measure_gas(const contracts::ContractInfo& info, std::size_t samples);

nlohmann::ordered_json gas_json(const std::vector<GasRow>& rows);
/// Compares two tables in the JSON form: a line for every figure that rose, and for every contract that is gone. Throws Failure(malformed)
/// if `baseline` is no such table.
std::vector<std::string> risen_figures(const nlohmann::ordered_json& baseline, const nlohmann::ordered_json& now);

}  // namespace postern::cli
