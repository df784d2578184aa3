#pragma once

// Reading the JSON of the Ethereum test files.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <postern/evm.hpp>
#include <vector>

#include "core/hex.hpp"
#include "evm/words.hpp"

namespace postern::test {

using Json = nlohmann::json;

std::vector<std::filesystem::path> sorted_json_files(const std::filesystem::path& dir);
Json read_json(const std::filesystem::path& file);

/// Numbers and words in these files are hex of any length; anything else throws std::invalid_argument.
Bytes json_bytes(const Json& j);
evm::Word json_word(const Json& j);
std::uint64_t json_u64(const Json& j);
evm::Address json_address(const Json& j);
evm::Address address_of(const std::string& hex);

void load_accounts(evm::State& state, const Json& accounts);
evm::Block json_block(const Json& env);

/// keccak256(RLP(logs)).
std::array<std::uint8_t, 32> logs_hash(const std::vector<evm::Log>& logs);

/// Compares all accounts, reporting the first differences through GoogleTest.
void expect_same_accounts(const evm::State& actual, const evm::State& expected);

}  // namespace postern::test
