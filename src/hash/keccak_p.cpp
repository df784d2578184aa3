#include "hash/keccak_p.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>

namespace postern::hash {

namespace {

// FIPS 202 algorithm 5: rc(t) is the low bit of an 8-bit LFSR; bit 2^j - 1 of round constant i is rc(j + 7 i).
constexpr std::array<std::uint64_t, 24> round_constants() {
    std::array<std::uint64_t, 24> rc{};
    unsigned lfsr = 1;
    for (auto& constant : rc) {
        for (unsigned j = 0; j < 7; ++j) {
            if ((lfsr & 1U) != 0) constant |= 1ULL << ((1U << j) - 1);
            lfsr <<= 1;
            if ((lfsr & 0x100U) != 0) lfsr ^= 0x171U;
        }
    }
    return rc;
}

// FIPS 202 algorithm 2: offsets along the walk (x, y) -> (y, 2x + 3y); index x + 5 y.
constexpr std::array<unsigned, 25> rho_offsets() {
    std::array<unsigned, 25> r{};
    unsigned x = 1, y = 0;
    for (unsigned t = 0; t < 24; ++t) {
        r[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        const unsigned next = (2 * x + 3 * y) % 5;
        x = y;
        y = next;
    }
    return r;
}

constexpr auto kRoundConstants = round_constants();
constexpr auto kRho = rho_offsets();

// A word of one or more parallel lanes; the round is written once for both widths.
using Lane1 = std::uint64_t;
typedef std::uint64_t Lane4 __attribute__((vector_size(32)));  // NOLINT(modernize-use-using): attributes need the typedef

// By reference: vector values must not cross a function boundary by value where the ABI depends on the CPU.
template <class Lane>
inline __attribute__((always_inline)) void rotate(Lane& out, const Lane& v, unsigned n) {
    if (n == 0) {
        out = v;
    } else {
        out = v << n | v >> (64 - n);
    }
}

template <class Lane>
inline __attribute__((always_inline)) void round(Lane (&a)[25], std::uint64_t constant) {
    Lane c[5], d[5], b[25];
#pragma GCC unroll 5
    for (std::size_t x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
    for (std::size_t x = 0; x < 5; ++x) {
        rotate(d[x], c[(x + 1) % 5], 1);
        d[x] ^= c[(x + 4) % 5];
    }
    // rho and pi: lane (x, y) moves to (y, 2x + 3y).
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) {
        const std::size_t x = i % 5, y = i / 5;
        a[i] ^= d[x];
        rotate(b[y + 5 * ((2 * x + 3 * y) % 5)], a[i], kRho[i]);
    }
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) {
        const std::size_t x = i % 5, row = i - x;
        a[i] = b[i] ^ (~b[row + (x + 1) % 5] & b[row + (x + 2) % 5]);
    }
    a[0] = a[0] ^ constant;
}

}  // namespace

void keccak_p1600(std::span<std::uint64_t, 25> state, unsigned rounds) noexcept {
    assert(rounds <= 24);
    Lane1 a[25];
    for (std::size_t i = 0; i < 25; ++i) a[i] = state[i];
    for (unsigned r = 24 - rounds; r < 24; ++r) round(a, kRoundConstants[r]);
    for (std::size_t i = 0; i < 25; ++i) state[i] = a[i];
}

void keccak_p1600_x4(std::span<std::uint64_t, 100> states, unsigned rounds) noexcept {
    assert(rounds <= 24);
    Lane4 a[25];
    for (std::size_t i = 0; i < 25; ++i) a[i] = Lane4{states[4 * i], states[4 * i + 1], states[4 * i + 2], states[4 * i + 3]};
    for (unsigned r = 24 - rounds; r < 24; ++r) round(a, kRoundConstants[r]);
    for (std::size_t i = 0; i < 25; ++i) {
        for (std::size_t s = 0; s < 4; ++s) states[4 * i + s] = a[i][s];
    }
}

}  // namespace postern::hash
