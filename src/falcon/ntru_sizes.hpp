#pragma once

#include <array>
#include <cstddef>

namespace postern::falcon {

// Sizes of the intermediate values of the NTRU solver in 31-bit words, for the distributions of f and g in Falcon: measured
// maxima with a margin of several deviations. A value that does not fit makes key generation start over.

/// f and g at a depth (and the reduced F and G there).
inline constexpr std::array<std::size_t, 11> kSmallWords = {1, 1, 2, 3, 4, 8, 14, 27, 53, 104, 207};
/// F and G at a depth, before reduction.
inline constexpr std::array<std::size_t, 10> kLargeWords = {1, 2, 3, 6, 11, 21, 40, 78, 155, 308};
/// How many top words of f and g the reduction looks at.
inline constexpr std::array<std::size_t, 10> kWindowWords = {1, 1, 2, 2, 2, 3, 3, 4, 5, 7};

}  // namespace postern::falcon
