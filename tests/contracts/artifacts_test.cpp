// The committed artifacts are what the generator makes, byte for byte. POSTERN_UPDATE_ARTIFACTS=1 writes them anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "contracts/harness.hpp"
#include "core/hex.hpp"
#include "hash/sha3.hpp"
#include "support/vectors.hpp"

namespace postern::test {
namespace {

std::map<std::string, std::string> files_of(const contracts::Contract& c) {
    nlohmann::ordered_json regions = nlohmann::ordered_json::array();
    for (const auto& r : c.regions) regions.push_back({{"begin", r.begin}, {"end", r.end}, {"name", r.name}});
    return {{"runtime.hex", to_hex(c.runtime) + "\n"},
            {"init.hex", to_hex(c.init) + "\n"},
            {"abi.json", c.abi_json + "\n"},
            {"regions.json", regions.dump(1) + "\n"}};
}

/// Verifiers contain the address of their registry, from a table in the sources: after an update of the table, build and update again.
TEST(RegistryPins, AreWhatTheGeneratorsMake) {
    std::string table;
    for (const auto& info : contracts::list_contracts()) {
        if (!info.name.ends_with("-registry")) continue;
        const auto built = contracts::build_contract(info.name).value();
        table += "        {\"" + info.name + "\",\n         \"" + to_hex(hash::keccak256(built.init)) + "\",\n         \"" +
                 to_hex(hash::keccak256(built.runtime)) + "\"},\n";
    }
    const auto file = source_dir() / "src" / "contracts" / "registry_pins.inc";
    if (std::getenv("POSTERN_UPDATE_ARTIFACTS") != nullptr) std::ofstream(file) << table;
    std::ifstream in(file);
    std::stringstream committed;
    committed << in.rdbuf();
    EXPECT_EQ(committed.str(), table) << "make artifacts";
}

TEST(Artifacts, AreRebuiltByteForByte) {
    const bool update = std::getenv("POSTERN_UPDATE_ARTIFACTS") != nullptr;
    for (const auto& info : contracts::list_contracts()) {
        const std::string& name = info.name;
        const auto folder = source_dir() / "artifacts" / name;
        for (const auto& [file, text] : files_of(contracts::build_contract(name).value())) {
            if (update) {
                std::filesystem::create_directories(folder);
                std::ofstream(folder / file) << text;
            }
            std::ifstream in(folder / file);
            ASSERT_TRUE(in) << folder / file;
            std::stringstream committed;
            committed << in.rdbuf();
            EXPECT_TRUE(committed.str() == text) << name << "/" << file << " differs from what the generator makes";
        }
    }
}

}  // namespace
}  // namespace postern::test
