#pragma once

#include <cstdint>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <string>

namespace postern::der {

// The tags key files use (X.690 section 8).
inline constexpr std::uint8_t integer = 0x02, bit_string = 0x03, octet_string = 0x04, null = 0x05, object_identifier = 0x06,
                              sequence = 0x30;

/// Reads elements one after the other from a piece of DER: definite lengths in the shortest form only.
/// `what` names the element in the error message.
class Reader {
  public:
    explicit Reader(ByteView bytes) noexcept : rest_(bytes) {}
    bool empty() const noexcept { return rest_.empty(); }
    /// The tag of the next element; only if not empty.
    std::uint8_t peek() const noexcept { return rest_.front(); }
    /// The contents of the next element, which must have this tag.
    Result<ByteView> read(std::uint8_t tag, const std::string& what);
    /// The whole next element, header included.
    Result<ByteView> read_whole(std::uint8_t tag, const std::string& what);
    /// A non-negative INTEGER of at most 8 bytes in its shortest form.
    Result<std::uint64_t> read_unsigned(const std::string& what);
    /// Nothing may follow.
    Status finish(const std::string& what) const;

  private:
    ByteView rest_;
};

/// tag, length, contents.
Bytes element(std::uint8_t tag, ByteView contents);
Bytes concatenate(std::initializer_list<ByteView> parts);

}  // namespace postern::der
