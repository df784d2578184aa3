#include "hash/blake2s.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace postern::hash {

namespace {

constexpr std::array<std::uint32_t, 8> kIv = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
// RFC 7693 section 2.7.
constexpr std::uint8_t kSigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

void mix(std::array<std::uint32_t, 16>& v, std::size_t a, std::size_t b, std::size_t c, std::size_t d, std::uint32_t x, std::uint32_t y) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 7);
}

}  // namespace

Blake2s::Blake2s(ByteView key) : h_(kIv) {
    if (key.size() > 32) throw std::invalid_argument("a BLAKE2s key has at most 32 bytes");
    h_[0] ^= 0x01010000U ^ (static_cast<std::uint32_t>(key.size()) << 8) ^ 32U;
    if (!key.empty()) {
        std::copy(key.begin(), key.end(), buffer_.begin());
        filled_ = kBlock;
    }
}

void Blake2s::update(ByteView data) {
    while (!data.empty()) {
        if (filled_ == kBlock) {  // the last block is compressed by finish() only
            counter_ += kBlock;
            compress(false);
            filled_ = 0;
        }
        const std::size_t take = std::min(kBlock - filled_, data.size());
        std::copy_n(data.begin(), take, buffer_.begin() + static_cast<std::ptrdiff_t>(filled_));
        filled_ += take;
        data = data.subspan(take);
    }
}

Blake2s::Digest Blake2s::finish() {
    counter_ += filled_;
    std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.end(), std::uint8_t{0});
    compress(true);
    Digest out;
    for (std::size_t i = 0; i < 32; ++i) out[i] = static_cast<std::uint8_t>(h_[i / 4] >> (8 * (i % 4)));
    return out;
}

void Blake2s::compress(bool last) {
    std::array<std::uint32_t, 16> m;
    for (std::size_t i = 0; i < 16; ++i)
        m[i] = std::uint32_t{buffer_[4 * i]} | std::uint32_t{buffer_[4 * i + 1]} << 8 | std::uint32_t{buffer_[4 * i + 2]} << 16 |
               std::uint32_t{buffer_[4 * i + 3]} << 24;
    std::array<std::uint32_t, 16> v;
    for (std::size_t i = 0; i < 8; ++i) {
        v[i] = h_[i];
        v[i + 8] = kIv[i];
    }
    v[12] ^= static_cast<std::uint32_t>(counter_);
    v[13] ^= static_cast<std::uint32_t>(counter_ >> 32);
    if (last) v[14] = ~v[14];
    for (const auto& s : kSigma) {
        for (std::size_t i = 0; i < 4; ++i) mix(v, i, i + 4, i + 8, i + 12, m[s[2 * i]], m[s[2 * i + 1]]);
        for (std::size_t i = 0; i < 4; ++i) mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
    }
    for (std::size_t i = 0; i < 8; ++i) h_[i] ^= v[i] ^ v[i + 8];
}

}  // namespace postern::hash
