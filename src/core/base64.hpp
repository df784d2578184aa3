#pragma once

#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <string>
#include <string_view>

namespace postern {

/// RFC 4648 section 4, with padding, on one line.
std::string to_base64(ByteView bytes);
/// Canonical only: no white space, full padding, unused bits zero. No table is indexed by the data, which may be a key.
Result<Bytes> from_base64(std::string_view text);

}  // namespace postern
