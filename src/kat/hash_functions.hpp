#pragma once

#include <postern/bytes.hpp>
#include <string_view>

namespace postern::kat {

/// SHA3-224, SHA3-256, SHA3-384, SHA3-512, Keccak-256, Keccak-512; empty for any other name.
Bytes digest_of(std::string_view function, ByteView message);
/// SHAKE-128 or SHAKE-256.
Bytes shake(unsigned security, ByteView message, std::size_t output);

}  // namespace postern::kat
