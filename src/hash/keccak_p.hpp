#pragma once

#include <cstdint>
#include <span>

namespace postern::hash {

/// Keccak-p[1600, rounds] of FIPS 202 section 3.3, in place: the last `rounds` rounds of Keccak-f[1600].
/// Lane (x, y) is state[x + 5 y]. `rounds` is at most 24 (24 for SHA-3 and SHAKE, 12 for TurboSHAKE).
void keccak_p1600(std::span<std::uint64_t, 25> state, unsigned rounds) noexcept;

/// The same on four independent states, interleaved by lane: lane l of state s is states[4 l + s].
/// The portable version is plain code; a faster one may stand behind it with the same results.
void keccak_p1600_x4(std::span<std::uint64_t, 100> states, unsigned rounds) noexcept;

}  // namespace postern::hash
