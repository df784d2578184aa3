#pragma once

// SHAKE256 as the sampler's generator: the FN-DSA preview.

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>

#include "core/secure.hpp"
#include "hash/sha3.hpp"

namespace postern::falcon {

/// Little-endian numbers, byte by byte without gaps.
class ShakePrng {
  public:
    explicit ShakePrng(ByteView seed) { xof_.absorb(seed); }
    ~ShakePrng() { secure_wipe(block_); }
    ShakePrng(const ShakePrng&) = delete;
    ShakePrng& operator=(const ShakePrng&) = delete;

    std::uint8_t next_u8() {
        if (position_ == block_.size()) {
            xof_.squeeze(block_);
            position_ = 0;
        }
        return block_[position_++];
    }
    std::uint64_t next_u64() {
        std::uint64_t x = 0;
        for (unsigned i = 0; i < 8; ++i) x |= static_cast<std::uint64_t>(next_u8()) << (8 * i);
        return x;
    }
    std::uint32_t next_u16() {
        const std::uint32_t low = next_u8();
        return low | static_cast<std::uint32_t>(next_u8()) << 8;
    }

  private:
    hash::Shake256 xof_;
    std::array<std::uint8_t, hash::Shake256::kRate> block_{};
    std::size_t position_ = hash::Shake256::kRate;
};

}  // namespace postern::falcon
