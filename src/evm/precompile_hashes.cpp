// RIPEMD-160, which not every OpenSSL offers, and the BLAKE2b compression function (EIP-152, RFC 7693).

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "evm/precompiles.hpp"

namespace postern::evm::precompile {

namespace {

// The message word order of both lines, from the permutations of the RIPEMD-160 paper: rho, and pi(i) = 9i + 5 mod 16.
constexpr std::array<std::uint8_t, 16> kRho{7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8};

constexpr std::array<std::array<std::uint8_t, 80>, 2> make_order() {
    std::array<std::array<std::uint8_t, 80>, 2> order{};
    for (unsigned line = 0; line < 2; ++line) {
        for (unsigned i = 0; i < 80; ++i) {
            if (i < 16) {
                order[line][i] = static_cast<std::uint8_t>(line == 0 ? i : (9 * i + 5) % 16);
            } else {
                order[line][i] = kRho[order[line][i - 16]];
            }
        }
    }
    return order;
}
constexpr auto kOrder = make_order();

// Rotation by round and message word.
constexpr std::array<std::array<std::uint8_t, 16>, 5> kShift{{{11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8},
                                                              {12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7},
                                                              {13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9},
                                                              {14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6},
                                                              {15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5}}};
constexpr std::array<std::array<std::uint32_t, 5>, 2> kConstant{
    {{0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e}, {0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0}}};

std::uint32_t boolean(unsigned round, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    switch (round) {
        case 0:
            return x ^ y ^ z;
        case 1:
            return (x & y) | (~x & z);
        case 2:
            return (x | ~y) ^ z;
        case 3:
            return (x & z) | (y & ~z);
        default:
            return x ^ (y | ~z);
    }
}

using RipemdState = std::array<std::uint32_t, 5>;

RipemdState ripemd_line(unsigned line, RipemdState h, const std::array<std::uint32_t, 16>& m) {
    for (unsigned i = 0; i < 80; ++i) {
        const unsigned round = i / 16;
        const unsigned w = kOrder[line][i];
        const std::uint32_t f = boolean(line == 0 ? round : 4 - round, h[1], h[2], h[3]);
        const std::uint32_t t = std::rotl(h[0] + f + m[w] + kConstant[line][round], kShift[round][w]) + h[4];
        h = {h[4], t, h[1], std::rotl(h[2], 10), h[3]};
    }
    return h;
}

void ripemd_block(RipemdState& h, const std::uint8_t* block) {
    std::array<std::uint32_t, 16> m;
    std::memcpy(m.data(), block, 64);
    const RipemdState a = ripemd_line(0, h, m);
    const RipemdState b = ripemd_line(1, h, m);
    h = {h[1] + a[2] + b[3], h[2] + a[3] + b[4], h[3] + a[4] + b[0], h[4] + a[0] + b[1], h[0] + a[1] + b[2]};
}

constexpr std::array<std::uint64_t, 8> kBlakeIv{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                                0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
constexpr std::array<std::array<std::uint8_t, 16>, 10> kSigma{{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                                               {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                                               {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                                               {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                                               {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                                               {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                                               {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                                               {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                                               {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                                               {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}}};

void blake_round(std::array<std::uint64_t, 16>& v, const std::array<std::uint64_t, 16>& m, const std::array<std::uint8_t, 16>& s) {
    const auto g = [&v](unsigned a, unsigned b, unsigned c, unsigned d, std::uint64_t x, std::uint64_t y) {
        v[a] += v[b] + x;
        v[d] = std::rotr(v[d] ^ v[a], 32);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 24);
        v[a] += v[b] + y;
        v[d] = std::rotr(v[d] ^ v[a], 16);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 63);
    };
    for (unsigned i = 0; i < 4; ++i) g(i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
    for (unsigned i = 0; i < 4; ++i) g(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
}

}  // namespace

Bytes ripemd160(ByteView input) {
    RipemdState h{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    std::size_t at = 0;
    for (; input.size() - at >= 64; at += 64) ripemd_block(h, input.data() + at);
    std::array<std::uint8_t, 128> tail{};
    const std::size_t rest = input.size() - at;
    std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(at), rest, tail.begin());
    tail[rest] = 0x80;
    const std::size_t blocks = rest < 56 ? 1 : 2;
    const std::uint64_t bits = 8 * static_cast<std::uint64_t>(input.size());
    std::memcpy(tail.data() + 64 * blocks - 8, &bits, 8);
    for (std::size_t i = 0; i < blocks; ++i) ripemd_block(h, tail.data() + 64 * i);
    Bytes out(32);
    std::memcpy(out.data() + 12, h.data(), 20);
    return out;
}

std::optional<Bytes> blake2f(ByteView input) {
    if (input.size() != 213 || input[212] > 1) return std::nullopt;
    std::uint32_t rounds = 0;
    for (std::size_t i = 0; i < 4; ++i) rounds = rounds << 8 | input[i];
    std::array<std::uint64_t, 8> h;
    std::array<std::uint64_t, 16> m;
    std::array<std::uint64_t, 2> t;
    std::memcpy(h.data(), input.data() + 4, 64);
    std::memcpy(m.data(), input.data() + 68, 128);
    std::memcpy(t.data(), input.data() + 196, 16);
    std::array<std::uint64_t, 16> v;
    std::copy(h.begin(), h.end(), v.begin());
    std::copy(kBlakeIv.begin(), kBlakeIv.end(), v.begin() + 8);
    v[12] ^= t[0];
    v[13] ^= t[1];
    if (input[212] == 1) v[14] = ~v[14];
    for (std::uint32_t r = 0; r < rounds; ++r) blake_round(v, m, kSigma[r % 10]);
    for (std::size_t i = 0; i < 8; ++i) h[i] ^= v[i] ^ v[i + 8];
    Bytes out(64);
    std::memcpy(out.data(), h.data(), 64);
    return out;
}

}  // namespace postern::evm::precompile
