#pragma once

#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <string>
#include <string_view>

namespace postern {

/// Lower-case hex, without a prefix.
std::string to_hex(ByteView bytes);
/// Lower-case hex with the prefix 0x.
std::string to_hex_0x(ByteView bytes);
/// Strict: optional 0x, then an even number of hex digits and nothing else.
Result<Bytes> from_hex(std::string_view text);

}  // namespace postern
