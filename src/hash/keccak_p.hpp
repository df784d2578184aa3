#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace postern::hash {

/// Keccak-p[1600, rounds] of FIPS 202 section 3.3, in place: the last `rounds` rounds of Keccak-f[1600].
/// Lane (x, y) is state[x + 5 y]. `rounds` is at most 24 (24 for SHA-3 and SHAKE, 12 for TurboSHAKE).
void keccak_p1600(std::span<std::uint64_t, 25> state, unsigned rounds) noexcept;

/// The same on four independent states, interleaved by lane: lane l of state s is states[4 l + s].
/// Which kernel runs is decided by cpu_level(); the results are the same.
void keccak_p1600_x4(std::span<std::uint64_t, 100> states, unsigned rounds) noexcept;

/// The same on eight: lane l of state s is states[8 l + s].
void keccak_p1600_x8(std::span<std::uint64_t, 200> states, unsigned rounds) noexcept;

/// Four of `stride` (4 or 8) interleaved states, the one `states` points to and its three right neighbours: writes the first
/// `words` lanes of number s as 8 `words` bytes to out[s].
void keccak_extract_x4(const std::uint64_t* states, std::size_t stride, std::size_t words,
                       const std::array<std::uint8_t*, 4>& out) noexcept;
/// The reverse: adds 8 `words` bytes of in[s] to the first lanes of number s.
void keccak_absorb_x4(std::uint64_t* states, std::size_t stride, std::size_t words, const std::array<const std::uint8_t*, 4>& in) noexcept;

}  // namespace postern::hash
