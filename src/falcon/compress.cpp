#include <fmt/format.h>

#include <bit>
#include <postern/falcon_codec.hpp>

#include "falcon/bits.hpp"

namespace postern::falcon {

// Algorithm 17: sign, the 7 low bits of the magnitude, the rest as that many zeros and a one.
Result<Bytes> compress(std::span<const std::int16_t> coefficients) {
    for (std::size_t i = 0; i < coefficients.size(); ++i)
        if (coefficients[i] < -2047 || coefficients[i] > 2047)
            return Error{fmt::format("coefficient {} is {}: only magnitudes up to 2047 can be compressed", i, coefficients[i])};
    Bytes out;
    out.reserve(coefficients.size() * 5 / 4 + 8);
    BitWriter writer(out);
    for (const std::int16_t s : coefficients) {
        const auto magnitude = static_cast<std::uint32_t>(s < 0 ? -s : s);
        writer.put((s < 0 ? 0x80U : 0U) | (magnitude & 0x7f), 8);
        writer.put(1, (magnitude >> 7) + 1);
    }
    writer.finish();
    return out;
}

// Algorithm 18 with the checks that make the encoding unique.
Status decompress(std::span<std::int16_t> out, ByteView bytes, bool padded) {
    std::uint64_t window = 0;  // the next `held` bits, left aligned
    unsigned held = 0;
    std::size_t position = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        while (held <= 56 && position < bytes.size()) {
            window |= std::uint64_t{bytes[position++]} << (56 - held);
            held += 8;
        }
        // A symbol has at most 8 + 16 bits, so one refill is enough.
        const auto head = static_cast<std::uint32_t>(window >> 56);
        const auto high = static_cast<unsigned>(std::countl_zero((window << 8) | 1));
        const unsigned used = 8 + high + 1;
        if (high > 15 && held >= 24) return Error{fmt::format("coefficient {}: unary part over 15", i)};
        if (used > held) return Error{fmt::format("compressed string ends inside coefficient {} of {}", i, out.size())};
        const std::uint32_t magnitude = high << 7 | (head & 0x7f);
        if (head == 0x80 && high == 0) return Error{fmt::format("coefficient {} is written as -0", i)};
        out[i] = static_cast<std::int16_t>((head & 0x80) != 0 ? -static_cast<int>(magnitude) : static_cast<int>(magnitude));
        window <<= used;
        held -= used;
    }
    if (!padded && (held >= 8 || position < bytes.size()))
        return Error{fmt::format("{} bytes after the last coefficient, expected none", held / 8 + bytes.size() - position)};
    if (window != 0) return Error{"padding after the last coefficient is not zero"};
    for (; position < bytes.size(); ++position)
        if (bytes[position] != 0) return Error{"padding after the last coefficient is not zero"};
    return ok();
}

}  // namespace postern::falcon
