#include <algorithm>
#include <cctype>
#include <postern/keys.hpp>

#include "core/base64.hpp"
#include "core/secure.hpp"

namespace postern::keys {

namespace {

constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ", kDashes = "-----";
constexpr std::size_t kLine = 64;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trim(std::string_view s) {
    while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
    return s;
}

/// Takes one line off `text`, without its line end.
std::string_view take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
}

/// RFC 7468 labels: printable, no hyphen at either end, single spaces.
bool good_label(std::string_view label) {
    if (label.empty() || label.front() == ' ' || label.back() == ' ' || label.front() == '-' || label.back() == '-') return false;
    return std::all_of(label.begin(), label.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

std::string encode_pem(std::string_view label, ByteView bytes) {
    std::string base64 = to_base64(bytes);
    std::string out;
    out.reserve(base64.size() + base64.size() / kLine + 2 * label.size() + 64);
    out.append(kBegin).append(label).append(kDashes).append("\n");
    for (std::size_t i = 0; i < base64.size(); i += kLine) out.append(base64, i, kLine).append("\n");
    out.append(kEnd).append(label).append(kDashes).append("\n");
    secure_wipe(base64.data(), base64.size());
    return out;
}

Result<PemBlock> decode_pem(std::string_view text) {
    text = trim(text);
    if (!text.starts_with(kBegin)) return Error{"PEM: the text does not start with -----BEGIN"};
    const std::string_view first = take_line(text);
    if (first.size() < kBegin.size() + kDashes.size() || !first.ends_with(kDashes)) return Error{"PEM: the first line is damaged"};
    const std::string_view label = first.substr(kBegin.size(), first.size() - kBegin.size() - kDashes.size());
    if (!good_label(label)) return Error{"PEM: the label is not allowed"};

    std::string base64;
    base64.reserve(text.size());
    bool short_line = false;
    while (true) {
        if (text.empty()) return Error{"PEM: the line -----END " + std::string(label) + "----- is missing"};
        const std::string_view line = take_line(text);
        if (line.starts_with(kDashes)) {
            if (line != std::string(kEnd) + std::string(label) + std::string(kDashes)) {
                return Error{"PEM: the last line is not -----END " + std::string(label) + "-----"};
            }
            break;
        }
        if (line.empty() || line.size() > kLine) return Error{"PEM: a line is empty or longer than 64 characters"};
        if (short_line) return Error{"PEM: a line before the last is shorter than 64 characters"};
        short_line = line.size() < kLine;
        base64.append(line);
    }
    if (!text.empty()) return Error{"PEM: more text after the block"};
    auto bytes = from_base64(base64);
    secure_wipe(base64.data(), base64.size());
    if (!bytes) return Error{"PEM: " + bytes.error().message};
    return PemBlock{std::string(label), std::move(*bytes)};
}

std::string postern_label(std::string_view scheme, std::string_view kind) {
    std::string label = "POSTERN ";
    for (const char c : scheme) label += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return label.append(" ").append(kind);
}

bool is_encrypted_label(std::string_view label) noexcept {
    constexpr std::string_view encrypted = "ENCRYPTED PRIVATE KEY";
    return label == encrypted ||
           (label.starts_with("POSTERN ") && label.ends_with(encrypted) && label[label.size() - encrypted.size() - 1] == ' ');
}

}  // namespace postern::keys
