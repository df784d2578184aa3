#include "kat/document.hpp"

#include <fmt/format.h>
#include <lzma.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/hex.hpp"
#include "kat/kat.hpp"

namespace postern::kat {

namespace {

// Larger than any official file, small enough that a compression bomb does no harm.
constexpr std::size_t kLargest = std::size_t{1} << 29;

std::string read_file(const std::filesystem::path& path) {
    std::error_code ec;
    if (std::filesystem::is_directory(path, ec)) throw Unreadable("is a directory");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Unreadable(fmt::format("cannot open: {}", std::strerror(errno)));
    std::string out;
    std::string chunk(std::size_t{1} << 20, '\0');
    while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0) {
        out.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
        if (out.size() > kLargest) throw Malformed("has more than 512 MiB");
    }
    if (in.bad()) throw Unreadable("cannot read");
    return out;
}

struct LzmaStream {
    lzma_stream stream = LZMA_STREAM_INIT;
    LzmaStream() = default;
    LzmaStream(const LzmaStream&) = delete;
    LzmaStream& operator=(const LzmaStream&) = delete;
    ~LzmaStream() { lzma_end(&stream); }
};

std::string unpack_xz(std::string_view packed) {
    LzmaStream xz;
    if (lzma_stream_decoder(&xz.stream, std::uint64_t{1} << 28, LZMA_CONCATENATED) != LZMA_OK)
        throw std::runtime_error("liblzma does not start");
    std::string out;
    std::string buffer(std::size_t{1} << 16, '\0');
    xz.stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    xz.stream.avail_in = packed.size();
    while (true) {
        xz.stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
        xz.stream.avail_out = buffer.size();
        const lzma_ret code = lzma_code(&xz.stream, LZMA_FINISH);
        out.append(buffer, 0, buffer.size() - xz.stream.avail_out);
        if (out.size() > kLargest) throw Malformed("unpacks to more than 512 MiB");
        if (code == LZMA_STREAM_END) return out;
        if (code != LZMA_OK) throw Malformed("damaged or truncated .xz data");
    }
}

std::string_view trim(std::string_view s) {
    const auto first = s.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t\r\n") - first + 1);
}

bool looks_like_text(std::string_view s) {
    return std::none_of(s.begin(), s.end(), [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return u < 0x20 && u != '\n' && u != '\r' && u != '\t' && u != '\f';
    });
}

/// Blocks of `key = value` lines. A file with any other line gives none: it is not of this form.
std::vector<Entry> parse_entries(std::string_view text) {
    std::vector<Entry> entries;
    Entry current;
    std::size_t number = 0;
    const auto flush = [&] {
        if (!current.fields.empty()) entries.push_back(std::exchange(current, Entry{}));
    };
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line.empty()) {
            flush();
            continue;
        }
        if (line.front() == '#' || line.front() == '[') continue;
        const auto equals = line.find('=');
        if (equals == std::string_view::npos) return {};
        std::string key(trim(line.substr(0, equals)));
        if (key.empty()) return {};
        if (current.fields.empty()) current.line = number;
        if (!current.fields.emplace(std::move(key), trim(line.substr(equals + 1))).second)
            throw Malformed(fmt::format("line {}: the field '{}' comes twice in one entry", number, trim(line.substr(0, equals))));
    }
    flush();
    return entries;
}

}  // namespace

const std::string& Entry::at(std::string_view key) const {
    const auto it = fields.find(key);
    if (it == fields.end()) throw Malformed(fmt::format("entry at line {}: field '{}' is missing", line, key));
    return it->second;
}

Bytes Entry::hex(std::string_view key) const { return hex_bytes(at(key), fmt::format("entry at line {}: field '{}'", line, key)); }

std::size_t Entry::number(std::string_view key) const {
    const std::string& text = at(key);
    std::size_t value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc{} || end != text.data() + text.size())
        throw Malformed(fmt::format("entry at line {}: field '{}' is not a number", line, key));
    return value;
}

std::string Entry::id() const { return has("count") ? "count " + at("count") : fmt::format("line {}", line); }

Document::Document() = default;
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Document Document::load(const std::filesystem::path& path) {
    using namespace std::string_view_literals;
    Document d;
    d.path_ = path;
    d.name_ = path.filename().string();
    d.text_ = read_file(path);
    if (d.text_.empty()) throw Malformed("the file is empty");
    if (d.text_.starts_with("\xfd"
                            "7zXZ\0"sv)) {
        d.text_ = unpack_xz(d.text_);
        if (d.name_.ends_with(".xz")) d.name_.resize(d.name_.size() - 3);
    } else if (d.name_.ends_with(".xz")) {
        throw Malformed("is named .xz but holds no xz data");
    }
    if (!looks_like_text(d.text_)) return d;
    const std::string_view body = trim(d.text_);
    if (body.starts_with("{") || body.starts_with("[{") || body.starts_with("[\"")) {
        d.form_ = Form::json;
        try {
            d.json_ = std::make_unique<nlohmann::json>(nlohmann::json::parse(d.text_));
        } catch (const nlohmann::json::parse_error& e) {
            throw Malformed(fmt::format("is not JSON: error at byte {}", e.byte));
        }
    } else if (body.starts_with("-----BEGIN ")) {
        d.form_ = Form::pem;
    } else {
        d.form_ = Form::text;
        d.entries_ = parse_entries(d.text_);
    }
    return d;
}

bool Document::has(std::string_view key) const { return json_ && json_->is_object() && json_->contains(key); }

bool Document::has(std::string_view key, std::string_view value) const {
    if (!has(key)) return false;
    const auto& field = *json_->find(key);
    return field.is_string() && field.get_ref<const std::string&>() == value;
}

bool Document::tests_have(std::initializer_list<std::string_view> keys) const {
    if (!has("tests")) return false;
    const auto& tests = *json_->find("tests");
    if (!tests.is_array() || tests.empty() || !tests.front().is_object()) return false;
    return std::all_of(keys.begin(), keys.end(), [&](std::string_view key) { return tests.front().contains(key); });
}

bool Document::entries_have(std::initializer_list<std::string_view> keys) const {
    return !entries_.empty() && std::all_of(keys.begin(), keys.end(), [&](std::string_view key) { return entries_.front().has(key); });
}

std::string_view Document::heading() const {
    const std::string_view text = text_;
    std::size_t end = 0;
    while (end < text.size() && (text[end] == '#' || text[end] == '\n' || text[end] == '\r'))
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return text.substr(0, end);
}

std::size_t bounded_size(std::size_t size) {
    if (size > kLargest) throw Malformed(fmt::format("asks for {} bytes, more than 512 MiB", size));
    return size;
}

Bytes hex_bytes(std::string_view text, std::string_view what) {
    auto bytes = from_hex(text);
    if (!bytes) throw Malformed(fmt::format("{}: {}", what, bytes.error().message));
    return std::move(*bytes);
}

Bytes hex_field(const nlohmann::json& object, const char* name) {
    const auto it = object.find(name);
    if (it == object.end() || !it->is_string()) throw Malformed(fmt::format("field '{}' is missing or not a string", name));
    return hex_bytes(it->get_ref<const std::string&>(), fmt::format("field '{}'", name));
}

Bytes optional_hex_field(const nlohmann::json& object, const char* name) {
    const auto it = object.find(name);
    return it == object.end() || it->is_null() ? Bytes{} : hex_field(object, name);
}

}  // namespace postern::kat
