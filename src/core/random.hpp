#pragma once

#include <cstdint>
#include <span>

namespace postern {

/// Fills `out` from the operating system's generator (getrandom). Throws std::runtime_error where the
/// system cannot deliver: never returns with less than asked for.
void os_random(std::span<std::uint8_t> out);

}  // namespace postern
