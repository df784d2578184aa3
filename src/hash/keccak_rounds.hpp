#pragma once

// Keccak-p[1600] written once for every instruction set. Each translation unit that includes this gives operations on a
// word of one or more parallel lanes:
//
//   struct O { using Lane = ...; static void xor_to(Lane&, const Lane&);           // a ^= b
//              static void xor5(Lane& out, const Lane& a, ... e);                     // a ^ b ^ c ^ d ^ e
//              template <unsigned N> static void rotate(Lane& out, const Lane& v);  // left by N bits, 0 <= N < 64
//              static void theta(Lane& out, const Lane& left, const Lane& right);    // left ^ rotate<1>(right)
//              static void chi(Lane& out, const Lane& a, const Lane& b, const Lane& c);  // a ^ (~b & c)
//              static void iota(Lane& a, std::uint64_t constant); };
//
// Everything is in an unnamed namespace and inlined, so that no code of one instruction set is shared with another.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace postern::hash {
namespace {

// FIPS 202 algorithm 5: rc(t) is the low bit of an 8-bit LFSR; bit 2^j - 1 of round constant i is rc(j + 7 i).
constexpr std::array<std::uint64_t, 24> make_round_constants() {
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
constexpr std::array<unsigned, 25> make_rho_offsets() {
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

struct KeccakConstants {
    std::uint64_t round[24];
    unsigned rho[25];
};
constexpr KeccakConstants make_constants() {
    KeccakConstants c{};
    for (std::size_t i = 0; i < 24; ++i) c.round[i] = make_round_constants()[i];
    for (std::size_t i = 0; i < 25; ++i) c.rho[i] = make_rho_offsets()[i];
    return c;
}
constexpr KeccakConstants kKeccak = make_constants();

#define POSTERN_INLINE inline __attribute__((always_inline))

/// One lane of row Y after rho and pi: place (X, Y) takes its lane from x = X + 3 Y, y = X.
template <class O, std::size_t X, std::size_t Y>
POSTERN_INLINE void moved_lane(typename O::Lane& out, const typename O::Lane (&in)[25], const typename O::Lane (&d)[5]) {
    constexpr std::size_t x = (X + 3 * Y) % 5;
    typename O::Lane lane = in[x + 5 * X];
    O::xor_to(lane, d[x]);
    O::template rotate<kKeccak.rho[x + 5 * X]>(out, lane);
}

template <class O, std::size_t Y>
POSTERN_INLINE void row(typename O::Lane (&out)[25], const typename O::Lane (&in)[25], const typename O::Lane (&d)[5]) {
    typename O::Lane b[5];
    moved_lane<O, 0, Y>(b[0], in, d);
    moved_lane<O, 1, Y>(b[1], in, d);
    moved_lane<O, 2, Y>(b[2], in, d);
    moved_lane<O, 3, Y>(b[3], in, d);
    moved_lane<O, 4, Y>(b[4], in, d);
#pragma GCC unroll 5
    for (std::size_t x = 0; x < 5; ++x) O::chi(out[x + 5 * Y], b[x], b[(x + 1) % 5], b[(x + 2) % 5]);
}

template <class O>
POSTERN_INLINE void keccak_round(typename O::Lane (&out)[25], const typename O::Lane (&in)[25], std::uint64_t constant) {
    typename O::Lane c[5], d[5];
#pragma GCC unroll 5
    for (std::size_t x = 0; x < 5; ++x) O::xor5(c[x], in[x], in[x + 5], in[x + 10], in[x + 15], in[x + 20]);
#pragma GCC unroll 5
    for (std::size_t x = 0; x < 5; ++x) O::theta(d[x], c[(x + 4) % 5], c[(x + 1) % 5]);
    row<O, 0>(out, in, d);
    O::iota(out[0], constant);
    row<O, 1>(out, in, d);
    row<O, 2>(out, in, d);
    row<O, 3>(out, in, d);
    row<O, 4>(out, in, d);
}

/// The last `rounds` rounds, two at a time so that the state changes places without copies.
template <class O>
POSTERN_INLINE void keccak_permute(typename O::Lane (&a)[25], unsigned rounds) {
    typename O::Lane b[25];
    unsigned r = 24 - rounds;
    if (rounds % 2 != 0) {
        keccak_round<O>(b, a, kKeccak.round[r++]);
#pragma GCC unroll 25
        for (std::size_t i = 0; i < 25; ++i) a[i] = b[i];
    }
    for (; r < 24; r += 2) {
        keccak_round<O>(b, a, kKeccak.round[r]);
        keccak_round<O>(a, b, kKeccak.round[r + 1]);
    }
}

}  // namespace
}  // namespace postern::hash
