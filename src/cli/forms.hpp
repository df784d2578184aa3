#pragma once

// Byte forms in which keys and signatures come: the plain bytes, hex, base64. Told apart by content.

#include <functional>
#include <optional>
#include <postern/bytes.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace postern::cli {

enum class Form { raw, hex, base64 };
std::string_view name(Form form);

struct Reading {
    Form form;
    Bytes bytes;
};

/// Everything that this content can be read as: always raw; hex (0x optional) and base64 if all of it is such text, white space
/// apart.
std::vector<Reading> readings(ByteView content);

/// The one reading for which `fits` holds. None or several: Failure(malformed) that says what was found, naming the choices;
/// `expected` says what would have fitted.
Reading pick(const std::string& path, ByteView content, const std::function<bool(ByteView)>& fits, const std::string& expected);

/// Text starting with a PEM header line?
bool is_pem(ByteView content);
std::string_view as_text(ByteView content);

/// In that form, text forms with a line end.
Bytes write_form(Form form, ByteView bytes);

}  // namespace postern::cli
