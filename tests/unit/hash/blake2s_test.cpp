#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/hex.hpp"
#include "hash/blake2s.hpp"
#include "support/vectors.hpp"

namespace postern::hash {
namespace {

TEST(Blake2s, OfficialKnownAnswers) {
    POSTERN_REQUIRE_VECTORS(dir);
    std::ifstream in(dir / "blake2s/blake2s-kat.json");
    const auto file = nlohmann::json::parse(in);
    ASSERT_EQ(file["tests"].size(), 512U);
    for (const auto& test : file["tests"]) {
        const Bytes message = *from_hex(test["in"].get<std::string>());
        const Bytes key = *from_hex(test["key"].get<std::string>());
        Blake2s whole(key);
        whole.update(message);
        EXPECT_EQ(to_hex(whole.finish()), test["out"]);
        Blake2s parts(key);  // in uneven pieces
        for (std::size_t i = 0, step = 1; i < message.size(); i += step, step = step % 67 + 1)
            parts.update(ByteView(message).subspan(i, std::min(step, message.size() - i)));
        EXPECT_EQ(to_hex(parts.finish()), test["out"]);
    }
    EXPECT_THROW(Blake2s(Bytes(33)), std::invalid_argument);
}

}  // namespace
}  // namespace postern::hash
