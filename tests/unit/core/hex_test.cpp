#include "core/hex.hpp"

#include <gtest/gtest.h>

namespace postern {
namespace {

TEST(Hex, RoundTripsWithAndWithoutPrefix) {
    const Bytes bytes{0x00, 0x7f, 0x80, 0xff, 0x1a};
    EXPECT_EQ(to_hex(bytes), "007f80ff1a");
    EXPECT_EQ(to_hex_0x(bytes), "0x007f80ff1a");
    EXPECT_EQ(*from_hex("007F80ff1A"), bytes);
    EXPECT_EQ(*from_hex("0x007f80ff1a"), bytes);
    EXPECT_EQ(*from_hex(""), Bytes{});
}

TEST(Hex, RefusesEverythingElse) {
    for (const char* bad : {"0", "0x0", "zz", "0x0g", "00 ", " 00", "0x0x00", "1x00"}) EXPECT_FALSE(from_hex(bad).has_value()) << bad;
}

}  // namespace
}  // namespace postern
