#pragma once

#include <fmt/format.h>

#include <postern/falcon.hpp>

#include "falcon/zq.hpp"

namespace postern::falcon {

/// 256-bit big-endian words of 16 coefficients, coefficient i at bit 16 (i mod 16) of word i / 16.
constexpr std::size_t word_offset(std::size_t i) { return i / 16 * 32 + 30 - 2 * (i % 16); }

template <class P>
void append_words(Bytes& out, const Poly<P>& a) {
    const std::size_t base = out.size();
    out.resize(base + 2 * P::n);
    for (std::size_t i = 0; i < P::n; ++i) {
        out[base + word_offset(i)] = static_cast<std::uint8_t>(a[i] >> 8);
        out[base + word_offset(i) + 1] = static_cast<std::uint8_t>(a[i]);
    }
}

/// The lanes as they stand, canonical or not; `bytes` has 2n bytes.
template <class P>
Poly<P> words_to_coefficients(ByteView bytes) {
    Poly<P> a;
    for (std::size_t i = 0; i < P::n; ++i) a[i] = static_cast<std::uint16_t>(bytes[word_offset(i)] << 8 | bytes[word_offset(i) + 1]);
    return a;
}

/// Residues to small numbers; refuses what is not canonical or not small.
template <class P>
Result<SmallPoly<P>> small_from_residues(const Poly<P>& a) {
    SmallPoly<P> out;
    for (std::size_t i = 0; i < P::n; ++i) {
        if (a[i] >= q) return Error{fmt::format("coefficient {} is {}, expected less than {}", i, a[i], q)};
        out[i] = to_centred(a[i]);
        if (out[i] < -2047 || out[i] > 2047)
            return Error{fmt::format("coefficient {} is {}, expected at most 2047 in magnitude", i, out[i])};
    }
    return out;
}

}  // namespace postern::falcon
