#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>

namespace postern::hash {

/// BLAKE2s (RFC 7693) with a 32-byte digest, unkeyed or keyed.
class Blake2s {
  public:
    static constexpr std::size_t kBlock = 64;
    using Digest = std::array<std::uint8_t, 32>;

    /// `key` is at most 32 bytes; throws std::invalid_argument if longer.
    explicit Blake2s(ByteView key = {});
    void update(ByteView data);
    /// The digest; the object must not be used afterwards.
    Digest finish();
    static Digest hash(ByteView data) {
        Blake2s h;
        h.update(data);
        return h.finish();
    }

  private:
    void compress(bool last);

    std::array<std::uint32_t, 8> h_{};
    std::array<std::uint8_t, kBlock> buffer_{};
    std::size_t filled_ = 0;
    std::uint64_t counter_ = 0;
};

}  // namespace postern::hash
