#pragma once

#include <array>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>

namespace postern::kat {

/// The generator behind NIST's known-answer files: AES-256-CTR-DRBG without derivation function (SP 800-90A section
/// 10.2.1), seeded with 48 bytes.
class Drbg {
  public:
    explicit Drbg(std::span<const std::uint8_t, 48> seed);
    Bytes read(std::size_t size);

  private:
    void update(std::span<const std::uint8_t, 48> provided);
    std::array<std::uint8_t, 16> next_block();
    std::array<std::uint8_t, 32> key_{};
    std::array<std::uint8_t, 16> v_{};
};

}  // namespace postern::kat
