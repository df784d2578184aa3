#include "vectors/mldsa_vectors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "support/vectors.hpp"

namespace postern::test {
namespace {

std::string slurp(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The published files are what the code makes today, byte for byte.
TEST(PublishedMlDsaVectors, AreReproduced) {
    const auto folder = source_dir() / "tests" / "vectors";
    std::set<std::string> committed;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") committed.insert(entry.path().filename().string());
    }
    const auto made = make_mldsa_vectors();
    EXPECT_EQ(made.size(), 18U);
    for (const auto& [name, text] : made) {
        EXPECT_TRUE(slurp(folder / name) == text) << name << " differs: run mldsa_vectors_generate and look at the difference";
        committed.erase(name);
    }
    EXPECT_TRUE(committed.empty()) << *committed.begin() << " is made by nothing";
}

TEST(PublishedMlDsaVectors, CoverEveryReasonToRefuse) {
    std::set<std::string> reasons;
    std::size_t valid = 0;
    const auto file = nlohmann::json::parse(slurp(source_dir() / "tests" / "vectors" / "keccak-ml-dsa-44.sigVer.json"));
    for (const auto& test : file.at("testGroups").at(0).at("tests")) {
        valid += test.at("testPassed").get<bool>() ? 1U : 0U;
        reasons.insert(test.at("reason").get<std::string>());
    }
    EXPECT_EQ(valid, 1U);
    const std::set<std::string> expected{"",
                                         "commitment hash differs",
                                         "hint count above omega",
                                         "hint counts decreasing",
                                         "hint indices not increasing",
                                         "hint padding not zero",
                                         "norm of z too large (must be below 130994)",
                                         "signature is 2419 bytes, expected 2420",
                                         "signature is 2421 bytes, expected 2420"};
    EXPECT_EQ(reasons, expected);
}

}  // namespace
}  // namespace postern::test
