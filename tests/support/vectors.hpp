#pragma once

#include <filesystem>
#include <optional>

namespace postern::test {

/// The folder of official test data: $POSTERN_VECTORS, else ../shared/vectors beside the source tree.
/// Empty where there is none: tests that need it skip and say so.
std::optional<std::filesystem::path> vectors_dir();

/// The root of the source tree (committed vectors and artifacts are found from here).
std::filesystem::path source_dir();

}  // namespace postern::test

/// First line of a test that needs the official vectors; `dir` is then their folder.
#define POSTERN_REQUIRE_VECTORS(dir)                                                      \
    const auto dir##_found = ::postern::test::vectors_dir();                              \
    if (!dir##_found) GTEST_SKIP() << "official vectors not found (set POSTERN_VECTORS)"; \
    const std::filesystem::path dir = *dir##_found
