// The committed artifacts are what the generator makes, byte for byte. POSTERN_UPDATE_ARTIFACTS=1 writes them anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "contracts/harness.hpp"
#include "core/hex.hpp"
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

TEST(Artifacts, AreRebuiltByteForByte) {
    const bool update = std::getenv("POSTERN_UPDATE_ARTIFACTS") != nullptr;
    for (const std::string& name : contract_names()) {
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
