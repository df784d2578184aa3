#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <postern/bytes.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace postern::kat {

/// An entry of a `key = value` file.
struct Entry {
    std::size_t line = 0;
    std::map<std::string, std::string, std::less<>> fields;

    bool has(std::string_view key) const { return fields.contains(key); }
    const std::string& at(std::string_view key) const;
    Bytes hex(std::string_view key) const;
    std::size_t number(std::string_view key) const;
    std::string id() const;
};

/// A vector file, unpacked if it was packed (.xz), and parsed as far as its form is known.
class Document {
  public:
    enum class Form { json, pem, text, binary };

    /// Throws Unreadable or Malformed.
    static Document load(const std::filesystem::path& path);
    ~Document();
    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;

    const std::filesystem::path& path() const { return path_; }
    /// File name without .xz.
    const std::string& name() const { return name_; }
    Form form() const { return form_; }
    std::string_view text() const { return text_; }
    /// Only for Form::json.
    const nlohmann::json& json() const { return *json_; }
    /// JSON object with this key at the top.
    bool has(std::string_view key) const;
    /// JSON object with this string value at the top.
    bool has(std::string_view key, std::string_view value) const;
    /// JSON object with a non-empty array `tests` whose first object has all these keys.
    bool tests_have(std::initializer_list<std::string_view> keys) const;

    /// The blocks of a `key = value` file (Form::text only; empty if it is no such file). Lines starting with # or [ are
    /// comments.
    const std::vector<Entry>& entries() const { return entries_; }
    /// Some entry, the first one, has all these keys.
    bool entries_have(std::initializer_list<std::string_view> keys) const;
    /// The comment lines in front of the first entry.
    std::string_view heading() const;

  private:
    Document();
    std::filesystem::path path_;
    std::string name_;
    Form form_ = Form::binary;
    std::string text_;
    std::unique_ptr<nlohmann::json> json_;
    std::vector<Entry> entries_;
};

/// Hex of a string field; throws Malformed naming the field.
Bytes hex_field(const nlohmann::json& object, const char* name);
/// Empty if the field is absent or null.
Bytes optional_hex_field(const nlohmann::json& object, const char* name);
/// A size in bytes that a file asks for; Malformed beyond 512 MiB, so that no file can exhaust the memory.
std::size_t bounded_size(std::size_t size);
Bytes hex_bytes(std::string_view text, std::string_view what);

}  // namespace postern::kat
