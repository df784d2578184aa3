#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <postern/falcon.hpp>
#include <postern/falcon_codec.hpp>
#include <string>
#include <vector>

#include "conformance/rsp.hpp"

namespace postern::test {

nlohmann::json read_json(const std::filesystem::path& file);

/// Hex that is known to be good; throws otherwise.
Bytes unhex(const std::string& text);
/// "[1, 2, 3]" with an optional trailing comma.
std::vector<int> read_list(const std::string& text);
/// 32 hex words in a row.
Bytes words_bytes(const nlohmann::json& words);
falcon::Salt salt_from(ByteView bytes);

/// Value of a result that is expected to be there; the error becomes the test's message.
template <class T>
T must(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return *std::move(result);
}

/// Small deterministic generator for test inputs.
class TestRandom {
  public:
    explicit TestRandom(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }

  private:
    std::uint64_t state_;
};

}  // namespace postern::test
