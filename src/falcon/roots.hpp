#pragma once

#include <array>
#include <cstddef>

namespace postern::falcon {

/// exp(i pi rev10(k) / 1024), rev10 = reversal of ten bits, correctly rounded to doubles. The entries [m, 2m) are what a
/// transform level with m groups needs, for every degree up to 1024.
struct Roots {
    std::array<double, 1024> re{};
    std::array<double, 1024> im{};
};
extern const Roots kRoots;

}  // namespace postern::falcon
