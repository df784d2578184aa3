#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/falcon.hpp>
#include <span>

namespace postern::falcon {

/// Words from here on would make some residues likelier than others.
inline constexpr std::uint32_t kPointLimit = 5 * q;

/// Reads big-endian 16-bit words into `out` until either side ends; returns how many coefficients were written.
std::size_t read_point_words(std::span<std::uint16_t> out, ByteView stream);

/// The point from any stream that has squeeze(span of bytes).
template <class P, class Stream>
Poly<P> point_from_stream(Stream& stream) {
    Poly<P> c;
    std::array<std::uint8_t, 136> block;  // whole blocks of SHAKE256; the counter streams do not care
    std::size_t filled = 0;
    while (filled < P::n) {
        stream.squeeze(block);
        filled += read_point_words(std::span(c).subspan(filled), block);
    }
    return c;
}

}  // namespace postern::falcon
