#pragma once

// NIST-style known-answer text files ("key = value" lines, blank lines between entries), plain or .xz, and the
// generator their seeds are for.

#include <array>
#include <filesystem>
#include <map>
#include <postern/bytes.hpp>
#include <string>
#include <vector>

namespace postern::test {

using RspEntry = std::map<std::string, std::string>;
std::vector<RspEntry> read_rsp(const std::filesystem::path& path);

/// AES-256-CTR-DRBG without derivation function (SP 800-90A), as the NIST KAT programs use it.
class NistDrbg {
  public:
    explicit NistDrbg(const Bytes& seed48);
    Bytes draw(std::size_t size);

  private:
    void update(const std::array<std::uint8_t, 48>& provided);
    std::array<std::uint8_t, 16> block();
    std::array<std::uint8_t, 32> key_{};
    std::array<std::uint8_t, 16> counter_{};
};

}  // namespace postern::test
