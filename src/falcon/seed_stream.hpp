#pragma once

// The numbers key generation draws: SHAKE256 of a seed, read as 64-bit little-endian numbers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>

#include "core/secure.hpp"
#include "hash/sha3.hpp"

namespace postern::falcon {

inline std::uint64_t load_le64(const std::uint8_t* bytes) {
    std::uint64_t x = 0;
    for (std::size_t i = 0; i < 8; ++i) x |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
    return x;
}

/// Of one seed.
class SeedStream {
  public:
    explicit SeedStream(ByteView seed) { xof_.absorb(seed); }
    void fill(std::span<std::uint64_t> out) {
        SecureBytes bytes(8 * out.size());
        xof_.squeeze(bytes);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = load_le64(bytes.data() + 8 * i);
    }

  private:
    hash::Shake256 xof_;
};

/// Of four seeds, hashed side by side. Each stream is the one its seed would give alone; they may be read at different speeds.
class SeedStreamsX4 {
  public:
    explicit SeedStreamsX4(const std::array<ByteView, 4>& seeds) { xof_.absorb(seeds); }
    void fill(std::size_t stream, std::span<std::uint64_t> out) {
        Lane& lane = lanes_.at(stream);
        while (lane.bytes.size() - lane.read < 8 * out.size()) refill();
        for (auto& x : out) {
            x = load_le64(lane.bytes.data() + lane.read);
            lane.read += 8;
        }
    }

  private:
    static constexpr std::size_t kChunk = 120 * hash::Shake256::kRate;  // about what one polynomial takes
    struct Lane {
        SecureBytes bytes;
        std::size_t read = 0;
    };
    /// A chunk more for each of the four.
    void refill() {
        std::array<std::span<std::uint8_t>, 4> chunks;
        for (std::size_t i = 0; i < 4; ++i) {
            Lane& lane = lanes_[i];
            SecureBytes rest(lane.bytes.begin() + static_cast<std::ptrdiff_t>(lane.read), lane.bytes.end());
            lane.read = 0;
            const std::size_t kept = rest.size();
            rest.resize(kept + kChunk);
            lane.bytes.swap(rest);
            chunks[i] = std::span(lane.bytes).subspan(kept);
        }
        xof_.squeeze(chunks);
    }
    hash::Shake256X4 xof_;
    std::array<Lane, 4> lanes_;
};

}  // namespace postern::falcon
