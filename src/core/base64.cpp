#include "core/base64.hpp"

#include <cstdint>

#include "core/secure.hpp"

namespace postern {

namespace {

/// All ones if low <= c <= high, for values below 2^31.
constexpr std::int32_t in_range(std::int32_t c, std::int32_t low, std::int32_t high) { return ~((c - low) | (high - c)) >> 31; }

char encode(std::int32_t v) {
    std::int32_t c = in_range(v, 0, 25) & ('A' + v);
    c |= in_range(v, 26, 51) & ('a' + v - 26);
    c |= in_range(v, 52, 61) & ('0' + v - 52);
    c |= in_range(v, 62, 62) & '+';
    c |= in_range(v, 63, 63) & '/';
    return static_cast<char>(c);
}

/// The value of a digit, or -1.
std::int32_t decode(char digit) {
    const std::int32_t c = static_cast<unsigned char>(digit);
    std::int32_t v = -1;
    v += in_range(c, 'A', 'Z') & (c - 'A' + 1);
    v += in_range(c, 'a', 'z') & (c - 'a' + 27);
    v += in_range(c, '0', '9') & (c - '0' + 53);
    v += in_range(c, '+', '+') & 63;
    v += in_range(c, '/', '/') & 64;
    return v;
}

}  // namespace

std::string to_base64(ByteView bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        const std::int32_t group = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        out += encode(group >> 18);
        out += encode(group >> 12 & 63);
        out += left > 1 ? encode(group >> 6 & 63) : '=';
        out += left > 2 ? encode(group & 63) : '=';
    }
    return out;
}

Result<Bytes> from_base64(std::string_view text) {
    if (text.size() % 4 != 0) return Error{"base64: " + std::to_string(text.size()) + " characters, not a multiple of 4"};
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
    const std::string_view digits = text.substr(0, text.size() - padding);
    Bytes out;
    out.reserve(text.size() / 4 * 3);
    std::uint32_t pending = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const std::int32_t v = decode(digits[i]);
        if (declassify(v < 0)) return Error{"base64: character " + std::to_string(i + 1) + " is not a base64 digit"};
        pending = pending << 6 | static_cast<std::uint32_t>(v);
        if (i % 4 == 3) {
            for (int shift = 16; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(pending >> shift));
            pending = 0;
        }
    }
    if (padding == 1) {
        if (declassify((pending & 3U) != 0)) return Error{"base64: unused bits are not zero"};
        out.push_back(static_cast<std::uint8_t>(pending >> 10));
        out.push_back(static_cast<std::uint8_t>(pending >> 2));
    } else if (padding == 2) {
        if (declassify((pending & 15U) != 0)) return Error{"base64: unused bits are not zero"};
        out.push_back(static_cast<std::uint8_t>(pending >> 4));
    }
    return out;
}

}  // namespace postern
