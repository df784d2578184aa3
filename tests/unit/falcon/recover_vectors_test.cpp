// The published vectors of falcon-recover-512 are what the code makes, byte for byte.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>
#include <sstream>

#include "core/hex.hpp"
#include "support.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

std::string made() {
    std::string out =
        "{\n  \"description\": \"falcon-recover-512: deterministic signatures; layout in docs/falcon-variants.md\",\n  \"tests\": [\n";
    for (std::uint8_t i = 0; i < 4; ++i) {
        const Bytes seed(48, static_cast<std::uint8_t>(i + 1));
        const Bytes message(std::size_t{16} * i, static_cast<std::uint8_t>(0xa0 + i));
        const auto key = PrivateKey<Falcon512>::from_seed(seed);
        const auto signature = sign_recoverable_deterministic(ExpandedPrivateKey<Falcon512>(key), message);
        const auto point = recover_point(key.public_key(), signature.signature.salt, message);
        std::string head;
        for (std::size_t k = 0; k < 4; ++k) head += (k == 0 ? "" : ", ") + std::to_string(point[k]);
        out += "    {\"seed\": \"" + to_hex(seed) + "\", \"publicKey\": \"" +
               to_hex(encode_public_key<Falcon512>(PublicKeyCodec::nist, key.public_key())) + "\", \"message\": \"" + to_hex(message) +
               "\", \"signature\": \"" + to_hex(must(encode_recoverable(signature))) + "\", \"pointHead\": [" + head +
               "], \"address\": \"" + to_hex_0x(recover_address(key.public_key())) + "\"}" + (i < 3 ? "," : "") + "\n";
    }
    return out + "  ]\n}\n";
}

TEST(FalconRecoverVectors, FileIsWhatTheCodeMakes) {
    const std::string path = POSTERN_RECOVER_VECTORS;
    if (std::getenv("POSTERN_UPDATE_VECTORS") != nullptr) std::ofstream(path) << made();
    std::ifstream in(path);
    ASSERT_TRUE(in) << path;
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_EQ(text.str(), made());
}

}  // namespace
}  // namespace postern::falcon
