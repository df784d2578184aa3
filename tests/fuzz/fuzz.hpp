#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <postern/bytes.hpp>
#include <string_view>

/// A property that must hold for every input.
inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "property broken: %s\n", what);
    std::abort();
}

inline std::string_view as_text(postern::ByteView bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
