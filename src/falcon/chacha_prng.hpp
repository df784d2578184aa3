#pragma once

// The generator of the reference implementation: eight ChaCha20 blocks at a time, interleaved word by word. Seeds give the
// same signatures as there, so the round-3 known answers can be reproduced.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/secure.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

class ChaChaPrng {
  public:
    static constexpr std::size_t kSeedBytes = 56;

    explicit ChaChaPrng(const std::uint8_t* seed) {
        for (std::size_t i = 0; i < 12; ++i) key_[i] = load32(seed + 4 * i);
        counter_ = load32(seed + 48) | static_cast<std::uint64_t>(load32(seed + 52)) << 32;
        refill();
    }
    ~ChaChaPrng() { secure_wipe(this, sizeof *this); }
    ChaChaPrng(const ChaChaPrng&) = delete;
    ChaChaPrng& operator=(const ChaChaPrng&) = delete;

    std::uint64_t next_u64() {
        if (position_ >= kBuffer - 9) refill();  // as the reference: the last bytes may go unused
        std::uint64_t x = 0;
        std::memcpy(&x, bytes() + position_, 8);
        if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap64(x);
        position_ += 8;
        return x;
    }
    std::uint8_t next_u8() {
        const std::uint8_t x = bytes()[position_++];
        if (position_ == kBuffer) refill();
        return x;
    }

  private:
    static constexpr std::size_t kBuffer = 512;
    static constexpr std::uint32_t kConstant[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

    static std::uint32_t load32(const std::uint8_t* p) {
        return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 | static_cast<std::uint32_t>(p[2]) << 16 |
               static_cast<std::uint32_t>(p[3]) << 24;
    }
    const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(words_); }

    using Row = std::uint32_t[8];
    static void quarter(Row& a, Row& b, Row& c, Row& d) {
        for (std::size_t u = 0; u < 8; ++u) {
            a[u] += b[u];
            d[u] = std::rotl(d[u] ^ a[u], 16);
            c[u] += d[u];
            b[u] = std::rotl(b[u] ^ c[u], 12);
            a[u] += b[u];
            d[u] = std::rotl(d[u] ^ a[u], 8);
            c[u] += d[u];
            b[u] = std::rotl(b[u] ^ c[u], 7);
        }
    }

    void refill() {
        Row start[16];
        for (std::size_t u = 0; u < 8; ++u) {
            const std::uint64_t cc = counter_ + u;
            for (std::size_t v = 0; v < 4; ++v) start[v][u] = kConstant[v];
            for (std::size_t v = 0; v < 12; ++v) start[4 + v][u] = key_[v];
            start[14][u] ^= static_cast<std::uint32_t>(cc);
            start[15][u] ^= static_cast<std::uint32_t>(cc >> 32);
        }
        counter_ += 8;
        std::memcpy(words_, start, sizeof words_);
        auto& s = words_;
        for (int round = 0; round < 10; ++round) {
            quarter(s[0], s[4], s[8], s[12]);
            quarter(s[1], s[5], s[9], s[13]);
            quarter(s[2], s[6], s[10], s[14]);
            quarter(s[3], s[7], s[11], s[15]);
            quarter(s[0], s[5], s[10], s[15]);
            quarter(s[1], s[6], s[11], s[12]);
            quarter(s[2], s[7], s[8], s[13]);
            quarter(s[3], s[4], s[9], s[14]);
        }
        for (std::size_t v = 0; v < 16; ++v)
            for (std::size_t u = 0; u < 8; ++u) {
                s[v][u] += start[v][u];
                if constexpr (std::endian::native == std::endian::big) s[v][u] = __builtin_bswap32(s[v][u]);
            }
        secure_wipe(start, sizeof start);
        position_ = 0;
    }

    alignas(32) Row words_[16];
    std::uint32_t key_[12];
    std::uint64_t counter_;
    std::size_t position_ = 0;
};

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
