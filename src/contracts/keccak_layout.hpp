#pragma once

// Kernel P: where the 25 lanes of a Keccak state live in EVM memory.

#include <array>
#include <cstdint>

#include "core/u256.hpp"

namespace postern::contracts::keccak {

/// Rotation offsets of rho, lane x + 5 y (FIPS 202 table 2).
constexpr std::array<unsigned, 25> rho_offsets() {
    std::array<unsigned, 25> r{};
    unsigned x = 1;
    unsigned y = 0;
    for (unsigned t = 0; t < 24; ++t) {
        r[x + 5 * y] = ((t + 1) * (t + 2) / 2) % 64;
        const unsigned next = (2 * x + 3 * y) % 5;
        x = y;
        y = next;
    }
    return r;
}
inline constexpr std::array<unsigned, 25> kRho = rho_offsets();

/// Round constants of iota from the LFSR of FIPS 202 section 3.2.5.
constexpr std::array<std::uint64_t, 24> round_constants() {
    std::array<std::uint64_t, 24> rc{};
    unsigned lfsr = 1;
    for (auto& c : rc) {
        for (unsigned j = 0; j < 7; ++j) {
            if ((lfsr & 1U) != 0) c |= std::uint64_t{1} << ((1U << j) - 1);
            lfsr = (lfsr << 1) ^ ((lfsr >> 7) * 0x171U);
        }
    }
    return rc;
}
inline constexpr std::array<std::uint64_t, 24> kRoundConstants = round_constants();

/// How rows share words in one buffer. Group 0 holds rows 0 and 3, group 1 rows 1 and 4, group 2 row 2 (high half only).
/// The high lane occupies bits [192, 256), the low one [low_base, low_base + 64); the bit below each is a copy of the lane's top bit.
struct Packing {
    std::array<unsigned, 3> high_row;
    std::array<unsigned, 2> low_row;
    unsigned m;  // low lanes lie 8 m bits lower than bit 64
    constexpr unsigned low_base() const { return 64 - 8 * m; }
};
/// Between rounds 2k and 2k+2, where states enter and leave; and in the middle of the two-round body.
inline constexpr Packing kOuter{{0, 4, 2}, {3, 1}, 0};
inline constexpr Packing kInner{{3, 1, 2}, {0, 4}, 1};

/// Common rotation added by the first and by the second round of the body (12 (35 + 61) = 0 mod 64).
inline constexpr unsigned kGaugeFirst = 35;
inline constexpr unsigned kGaugeSecond = 61;

/// Is the word of this group and column stored complemented at round borders? (Both rows of a pair alike.)
constexpr bool complemented(unsigned group, unsigned x) {
    return group == 0 ? x == 0 || x == 3 || x == 4 : group == 1 ? x == 1 || x == 4 : x == 2;
}

/// Where a lane (x, y) of the outer packing is: group, and whether in the high half.
struct Place {
    unsigned group;
    bool high;
};
constexpr Place place(const Packing& p, unsigned y) {
    for (unsigned g = 0; g < 3; ++g) {
        if (p.high_row[g] == y) return {g, true};
    }
    return {p.low_row[0] == y ? 0U : 1U, false};
}

/// Memory of one instance: two buffers of 15 slots, then the table of iota words. Every slot is a gap of 24 zero bytes and a word.
struct Memory {
    std::uint64_t base = 0;
    static constexpr std::uint64_t kStride = 56;
    static constexpr std::uint64_t kGap = 24;
    static constexpr std::uint64_t kBuffer = 15 * kStride;

    constexpr std::uint64_t slot(unsigned buffer, unsigned group, unsigned x) const {
        return base + buffer * kBuffer + (5 * group + x) * kStride + kGap;
    }
    constexpr std::uint64_t table() const { return base + 2 * kBuffer; }
    /// 48 bytes for two rounds: all ones, the low half of the first word, the high half of the second; and all ones at the end.
    static constexpr std::uint64_t table_size(unsigned rounds) { return 24 * rounds + 16; }
    static constexpr std::uint64_t size(unsigned rounds) { return 2 * kBuffer + table_size(rounds); }
};

}  // namespace postern::contracts::keccak
