#include "cli/forms.hpp"

#include <algorithm>

#include "cli/failure.hpp"
#include "core/base64.hpp"
#include "core/hex.hpp"

namespace postern::cli {

namespace {

bool is_space(std::uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::string_view name(Form form) {
    switch (form) {
        case Form::raw:
            return "raw";
        case Form::hex:
            return "hex";
        case Form::base64:
            return "base64";
    }
    return "";
}

std::string_view as_text(ByteView content) { return {reinterpret_cast<const char*>(content.data()), content.size()}; }

bool is_pem(ByteView content) {
    const auto first = std::find_if_not(content.begin(), content.end(), is_space);
    return as_text(content).substr(static_cast<std::size_t>(first - content.begin())).starts_with("-----BEGIN ");
}

std::vector<Reading> readings(ByteView content) {
    std::vector<Reading> out;
    out.push_back({Form::raw, Bytes(content.begin(), content.end())});
    std::string text;
    for (const std::uint8_t c : content) {
        if (c >= 0x7f || (c < 0x20 && !is_space(c))) return out;
        if (!is_space(c)) text += static_cast<char>(c);
    }
    if (text.empty()) return out;
    if (auto bytes = from_hex(text); bytes && !bytes->empty()) out.push_back({Form::hex, std::move(*bytes)});
    if (auto bytes = from_base64(text)) out.push_back({Form::base64, std::move(*bytes)});
    return out;
}

Reading pick(const std::string& path, ByteView content, const std::function<bool(ByteView)>& fits, const std::string& expected) {
    if (content.empty()) fail(Exit::malformed, "{} is empty, expected {}", path, expected);
    std::vector<Reading> all = readings(content);
    std::vector<Reading> fitting;
    std::copy_if(all.begin(), all.end(), std::back_inserter(fitting), [&](const Reading& r) { return fits(r.bytes); });
    if (fitting.size() == 1) return std::move(fitting.front());
    std::string seen;
    for (const Reading& r : fitting.empty() ? all : fitting)
        seen += fmt::format("{}{} bytes as {}", seen.empty() ? "" : ", ", r.bytes.size(), name(r.form));
    if (fitting.empty()) fail(Exit::malformed, "{}: {}; expected {}", path, seen, expected);
    fail(Exit::malformed, "{} is ambiguous: {}; write it in one form that cannot be mistaken", path, seen);
}

Bytes write_form(Form form, ByteView bytes) {
    if (form == Form::raw) return {bytes.begin(), bytes.end()};
    const std::string text = (form == Form::hex ? to_hex(bytes) : to_base64(bytes)) + "\n";
    return {text.begin(), text.end()};
}

}  // namespace postern::cli
