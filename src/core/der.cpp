#include "core/der.hpp"

#include "core/hex.hpp"

namespace postern::der {

namespace {

struct Header {
    std::size_t header_size;
    std::size_t content_size;
};

Result<Header> read_header(ByteView in, std::uint8_t tag, const std::string& what) {
    if (in.empty()) return Error{what + " is missing"};
    if (in[0] != tag) return Error{what + " has DER tag 0x" + to_hex(in.first(1)) + ", expected 0x" + to_hex(ByteView(&tag, 1))};
    if (in.size() < 2) return Error{what + " is cut off"};
    Header h{2, in[1]};
    if (in[1] == 0x80) return Error{what + " has indefinite length, which DER forbids"};
    if (in[1] > 0x80) {
        const std::size_t bytes = in[1] & 0x7fU;
        if (bytes > 4) return Error{what + " has a length of more than 4 bytes"};
        if (in.size() < 2 + bytes) return Error{what + " is cut off"};
        h = {2 + bytes, 0};
        for (std::size_t i = 0; i < bytes; ++i) h.content_size = h.content_size << 8 | in[2 + i];
        if (in[2] == 0 || h.content_size < 0x80) return Error{what + " has a length that is not in its shortest form"};
    }
    const std::size_t left = in.size() - h.header_size;
    if (h.content_size > left) {
        return Error{what + " is cut off: " + std::to_string(h.content_size) + " bytes announced, " + std::to_string(left) + " left"};
    }
    return h;
}

}  // namespace

Result<ByteView> Reader::read(std::uint8_t tag, const std::string& what) {
    const auto header = read_header(rest_, tag, what);
    if (!header) return header.error();
    const ByteView contents = rest_.subspan(header->header_size, header->content_size);
    rest_ = rest_.subspan(header->header_size + header->content_size);
    return contents;
}

Result<ByteView> Reader::read_whole(std::uint8_t tag, const std::string& what) {
    const ByteView before = rest_;
    if (const auto contents = read(tag, what); !contents) return contents.error();
    return before.first(before.size() - rest_.size());
}

Result<std::uint64_t> Reader::read_unsigned(const std::string& what) {
    const auto contents = read(integer, what);
    if (!contents) return contents.error();
    const ByteView bytes = *contents;
    if (bytes.empty()) return Error{what + " is an empty integer"};
    if ((bytes[0] & 0x80U) != 0) return Error{what + " is negative"};
    if (bytes.size() > 1 && bytes[0] == 0 && (bytes[1] & 0x80U) == 0) return Error{what + " is not in its shortest form"};
    if (bytes.size() > 9 || (bytes.size() == 9 && bytes[0] != 0)) return Error{what + " is too large"};
    std::uint64_t value = 0;
    for (const auto byte : bytes) value = value << 8 | byte;
    return value;
}

Status Reader::finish(const std::string& what) const {
    if (rest_.empty()) return ok();
    return Error{std::to_string(rest_.size()) + " bytes after " + what};
}

Bytes element(std::uint8_t tag, ByteView contents) {
    Bytes out{tag};
    const std::size_t size = contents.size();
    if (size < 0x80) {
        out.push_back(static_cast<std::uint8_t>(size));
    } else {
        unsigned bytes = 0;
        while (bytes < 8 && (size >> (8 * bytes)) != 0) ++bytes;
        out.push_back(static_cast<std::uint8_t>(0x80U | bytes));
        while (bytes-- > 0) out.push_back(static_cast<std::uint8_t>(size >> (8 * bytes)));
    }
    out.insert(out.end(), contents.begin(), contents.end());
    return out;
}

Bytes concatenate(std::initializer_list<ByteView> parts) {
    Bytes out;
    for (const auto part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
}

}  // namespace postern::der
