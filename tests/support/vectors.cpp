#include "support/vectors.hpp"

#include <cstdlib>

namespace postern::test {

std::filesystem::path source_dir() { return POSTERN_SOURCE_DIR; }

std::optional<std::filesystem::path> vectors_dir() {
    const char* env = std::getenv("POSTERN_VECTORS");
    std::filesystem::path dir = env != nullptr && *env != '\0' ? std::filesystem::path(env) : source_dir() / ".." / "shared" / "vectors";
    std::error_code ec;
    if (!std::filesystem::is_directory(dir, ec)) return std::nullopt;
    return std::filesystem::canonical(dir, ec);
}

}  // namespace postern::test
