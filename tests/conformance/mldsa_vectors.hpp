#pragma once

// Reading the JSON vector files of ML-DSA in tests.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <postern/mldsa.hpp>
#include <string>

#include "core/hex.hpp"
#include "support/vectors.hpp"

namespace postern::test {

inline nlohmann::json load_json(const std::filesystem::path& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return nlohmann::json::parse(in);
}

/// The bytes of a hex field; empty if it is absent.
inline Bytes hex_field(const nlohmann::json& object, const char* name) {
    if (!object.contains(name) || object.at(name).is_null()) return {};
    return from_hex(object.at(name).get<std::string>()).value();
}

/// "ML-DSA-44" to the scheme.
inline const mldsa::Scheme& scheme_of(std::string name) {
    for (auto& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto* scheme = mldsa::find_scheme(name);
    if (scheme == nullptr) throw std::runtime_error("unknown scheme " + name);
    return *scheme;
}

inline mldsa::Randomness randomness(const Bytes& rnd) {
    if (rnd.empty()) return mldsa::Randomness::deterministic();
    return mldsa::Randomness(std::span<const std::uint8_t, 32>(rnd));
}

}  // namespace postern::test
