#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>

namespace postern::hash {

/// A sponge over Keccak-p[1600] with byte-aligned input (FIPS 202 section 4, RFC 9861 section 2):
/// absorb any number of times, then squeeze any number of times. Absorbing after squeezing throws
/// std::logic_error. The state is wiped when the object dies.
class Sponge {
  public:
    /// `rate` in bytes, a multiple of 8 below 200; `suffix` = domain separation bits and the first padding
    /// bit (0x06 SHA-3, 0x1f SHAKE, 0x01 Keccak as in Ethereum, 0x01..0x7f TurboSHAKE); `rounds` 24 or 12.
    Sponge(std::size_t rate, std::uint8_t suffix, unsigned rounds);
    ~Sponge();
    Sponge(const Sponge&) = default;
    Sponge& operator=(const Sponge&) = default;

    void absorb(ByteView data);
    void squeeze(std::span<std::uint8_t> out);
    /// Back to the empty state, with the same parameters.
    void reset() noexcept;
    std::size_t rate() const noexcept { return rate_; }

  private:
    void pad() noexcept;

    std::array<std::uint64_t, 25> state_{};
    std::size_t rate_;
    std::size_t position_ = 0;
    unsigned rounds_;
    std::uint8_t suffix_;
    bool squeezing_ = false;
};

/// Four or eight sponges in step: inputs of equal length in, outputs of equal length out.
template <std::size_t Lanes>
class SpongeLanes {
  public:
    static_assert(Lanes == 4 || Lanes == 8);
    static constexpr std::size_t kLanes = Lanes;
    SpongeLanes(std::size_t rate, std::uint8_t suffix, unsigned rounds);
    ~SpongeLanes();
    SpongeLanes(const SpongeLanes&) = default;
    SpongeLanes& operator=(const SpongeLanes&) = default;

    /// Throws std::invalid_argument if the lengths differ.
    void absorb(const std::array<ByteView, Lanes>& data);
    void squeeze(const std::array<std::span<std::uint8_t>, Lanes>& out);

  private:
    void permute() noexcept;

    alignas(64) std::array<std::uint64_t, 25 * Lanes> states_{};
    std::size_t rate_;
    std::size_t position_ = 0;
    unsigned rounds_;
    std::uint8_t suffix_;
    bool squeezing_ = false;
};

extern template class SpongeLanes<4>;
extern template class SpongeLanes<8>;
using SpongeX4 = SpongeLanes<4>;
using SpongeX8 = SpongeLanes<8>;

}  // namespace postern::hash
