#pragma once

#include <cstdint>
#include <postern/bytes.hpp>

namespace postern::falcon {

/// Appends big-endian bit fields; finish() pads the last byte with zeros.
class BitWriter {
  public:
    explicit BitWriter(Bytes& out) : out_(out) {}
    /// `width` at most 32.
    void put(std::uint32_t value, unsigned width) {
        window_ = (window_ << width) | value;
        held_ += width;
        while (held_ >= 8) {
            held_ -= 8;
            out_.push_back(static_cast<std::uint8_t>(window_ >> held_));
        }
    }
    void finish() {
        if (held_ != 0) put(0, 8 - held_);
    }

  private:
    Bytes& out_;
    std::uint64_t window_ = 0;
    unsigned held_ = 0;
};

/// Reads big-endian bit fields of a fixed width; the caller knows that there are enough bytes.
class BitReader {
  public:
    explicit BitReader(ByteView in) : in_(in) {}
    std::uint32_t get(unsigned width) {
        while (held_ < width) {
            window_ = (window_ << 8) | in_[position_++];
            held_ += 8;
        }
        held_ -= width;
        return static_cast<std::uint32_t>(window_ >> held_) & ((std::uint32_t{1} << width) - 1);
    }
    /// The bits left over in the last byte read.
    std::uint32_t rest() const { return static_cast<std::uint32_t>(window_) & ((std::uint32_t{1} << held_) - 1); }

  private:
    ByteView in_;
    std::size_t position_ = 0;
    std::uint64_t window_ = 0;
    unsigned held_ = 0;
};

}  // namespace postern::falcon
