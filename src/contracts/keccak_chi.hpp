#pragma once

// chi for kernels that keep every lane in a word of its own: which lanes are stored complemented, and where the few NOTs go.

#include <array>

namespace postern::contracts::keccak::unpaired {

/// Lanes stored complemented between rounds, by x + 5y: chi then needs the fewest NOTs.
constexpr std::array<unsigned, 8> kComplemented{0, 4, 8, 9, 13, 14, 18, 20};
constexpr bool complemented(unsigned lane) {
    for (const unsigned l : kComplemented) {
        if (l == lane) return true;
    }
    return false;
}

struct ChiStep {
    bool use_or = false;
    bool invert1 = false, invert2 = false, invert_result = false;
    unsigned cost() const { return static_cast<unsigned>(invert1) + static_cast<unsigned>(invert2) + static_cast<unsigned>(invert_result); }
};

struct RowPlan {
    std::array<bool, 5> invert_b{};
    std::array<ChiStep, 5> step{};
    unsigned cost = 100;
};

/// The cheapest NOTs for output row Y.
RowPlan plan_row(unsigned Y);

/// Does the word of lane 0 still have the wrong complement when iota is added?
bool iota_inverts();

}  // namespace postern::contracts::keccak::unpaired
