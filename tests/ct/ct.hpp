#pragma once

// What the constant-time programs share: secrets that valgrind knows of, and the two kinds of planted leak.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/secure.hpp"

namespace postern::ct {

inline void require(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "constant-time check: %s\n", what.c_str());
    std::exit(1);
}

/// N bytes that count as unknown from here on.
template <std::size_t N>
std::array<std::uint8_t, N> secret_bytes(std::uint8_t fill) {
    std::array<std::uint8_t, N> bytes{};
    bytes.fill(fill);
    mark_secret(bytes.data(), bytes.size());
    return bytes;
}

/// Uses a secret as it must not be used. Exit code 3 where valgrind does not end the program before.
inline int leak(const std::string& kind, std::uint8_t secret) {
    static const std::array<std::uint8_t, 256> table{1, 2, 3};
    if (kind == "branch") {
        if ((secret & 1U) != 0) std::puts("odd");
        return 3;
    }
    if (kind == "index") {
        const volatile std::uint8_t* entry = table.data() + secret;
        return *entry == 0 ? 0 : 3;
    }
    std::fprintf(stderr, "constant-time check: unknown leak %s\n", kind.c_str());
    return 2;
}

/// Runs `all`, or with --leak KIND the leak of a byte of `make_secret()`.
template <class All, class MakeSecret>
int main(int argc, char** argv, const All& all, const MakeSecret& make_secret) {
#ifndef POSTERN_CT_CHECK
    std::fprintf(stderr, "constant-time check: this build does not mark secrets (preset ct)\n");
    return 2;
#endif
    if (argc == 3 && std::strcmp(argv[1], "--leak") == 0) return leak(argv[2], make_secret());
    all();
    return 0;
}

}  // namespace postern::ct
