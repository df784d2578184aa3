#include "core/hex.hpp"

namespace postern {

namespace {

constexpr char kDigits[] = "0123456789abcdef";

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string to_hex(ByteView bytes) {
    std::string out;
    out.reserve(2 * bytes.size());
    for (std::uint8_t b : bytes) {
        out.push_back(kDigits[b >> 4]);
        out.push_back(kDigits[b & 15]);
    }
    return out;
}

std::string to_hex_0x(ByteView bytes) { return "0x" + to_hex(bytes); }

Result<Bytes> from_hex(std::string_view text) {
    const std::size_t prefix = text.starts_with("0x") || text.starts_with("0X") ? 2 : 0;
    text.remove_prefix(prefix);
    if (text.size() % 2 != 0) return Error{"odd number of hex digits (" + std::to_string(text.size()) + ")"};
    Bytes out(text.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int hi = digit(text[2 * i]);
        const int lo = digit(text[2 * i + 1]);
        if (hi < 0 || lo < 0) return Error{"not a hex digit at position " + std::to_string(prefix + 2 * i + (hi < 0 ? 0U : 1U))};
        out[i] = static_cast<std::uint8_t>(hi << 4 | lo);
    }
    return out;
}

}  // namespace postern
