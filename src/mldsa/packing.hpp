#pragma once

// Encodings of FIPS 204 section 7.1 and 7.2, one polynomial at a time. Positions and lengths depend on the parameters only.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>

#include "mldsa/poly.hpp"

namespace postern::mldsa {

/// Algorithms 16 and 17 after the offset: 256 values of `Bits` bits, least significant bit first.
/// `value(i)` gives the i-th one.
template <std::size_t Bits, class Value>
void pack_bits(std::span<std::uint8_t, 32 * Bits> out, Value value) {
    std::uint64_t pending = 0;
    std::size_t filled = 0, at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        pending |= static_cast<std::uint64_t>(value(i)) << filled;
        filled += Bits;
        while (filled >= 8) {
            out[at++] = static_cast<std::uint8_t>(pending);
            pending >>= 8;
            filled -= 8;
        }
    }
}
/// The reverse, algorithms 18 and 19 before the offset: `store(i, v)` takes the i-th value.
template <std::size_t Bits, class Store>
void unpack_bits(std::span<const std::uint8_t, 32 * Bits> in, Store store) {
    std::uint64_t pending = 0;
    std::size_t filled = 0, at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        while (filled < Bits) {
            pending |= static_cast<std::uint64_t>(in[at++]) << filled;
            filled += 8;
        }
        store(i, static_cast<std::uint32_t>(pending & ((std::uint64_t{1} << Bits) - 1)));
        pending >>= Bits;
        filled -= Bits;
    }
}

/// SimpleBitPack / SimpleBitUnpack: non-negative coefficients.
template <std::size_t Bits>
void simple_pack(const Poly& f, std::span<std::uint8_t, 32 * Bits> out) {
    pack_bits<Bits>(out, [&](std::size_t i) { return static_cast<std::uint32_t>(f[i]); });
}
template <std::size_t Bits>
void simple_unpack(std::span<const std::uint8_t, 32 * Bits> in, Poly& f) {
    unpack_bits<Bits>(in, [&](std::size_t i, std::uint32_t v) { f[i] = static_cast<std::int32_t>(v); });
}
/// BitPack / BitUnpack with upper end `Top`: the value stored is Top - coefficient.
template <std::size_t Bits, std::int32_t Top>
void offset_pack(const Poly& f, std::span<std::uint8_t, 32 * Bits> out) {
    pack_bits<Bits>(out, [&](std::size_t i) { return static_cast<std::uint32_t>(Top - f[i]); });
}
template <std::size_t Bits, std::int32_t Top>
void offset_unpack(std::span<const std::uint8_t, 32 * Bits> in, Poly& f) {
    unpack_bits<Bits>(in, [&](std::size_t i, std::uint32_t v) { f[i] = Top - static_cast<std::int32_t>(v); });
}

template <class P>
void pack_t1(const Poly& t1, std::span<std::uint8_t, Sizes<P>::t1_poly> out) {
    simple_pack<10>(t1, out);
}
template <class P>
void unpack_t1(std::span<const std::uint8_t, Sizes<P>::t1_poly> in, Poly& t1) {
    simple_unpack<10>(in, t1);
}
template <class P>
void pack_t0(const Poly& t0, std::span<std::uint8_t, Sizes<P>::t0_poly> out) {
    offset_pack<13, 1 << (d - 1)>(t0, out);
}
template <class P>
void unpack_t0(std::span<const std::uint8_t, Sizes<P>::t0_poly> in, Poly& t0) {
    offset_unpack<13, 1 << (d - 1)>(in, t0);
}
template <class P>
void pack_eta(const Poly& s, std::span<std::uint8_t, Sizes<P>::eta_poly> out) {
    offset_pack<Sizes<P>::eta_bits, P::eta>(s, out);
}
/// Coefficients may come out below -eta: the caller checks (norm_below(s, eta + 1)).
template <class P>
void unpack_eta(std::span<const std::uint8_t, Sizes<P>::eta_poly> in, Poly& s) {
    offset_unpack<Sizes<P>::eta_bits, P::eta>(in, s);
}
template <class P>
void pack_z(const Poly& z, std::span<std::uint8_t, Sizes<P>::z_poly> out) {
    offset_pack<Sizes<P>::z_bits, P::gamma1>(z, out);
}
/// -gamma1 + 1 .. gamma1; also the last step of ExpandMask.
template <class P>
void unpack_z(std::span<const std::uint8_t, Sizes<P>::z_poly> in, Poly& z) {
    offset_unpack<Sizes<P>::z_bits, P::gamma1>(in, z);
}
/// Algorithm 28, one polynomial.
template <class P>
void pack_w1(const Poly& w1, std::span<std::uint8_t, Sizes<P>::w1_poly> out) {
    simple_pack<Sizes<P>::w1_bits>(w1, out);
}

enum class HintFault : std::uint8_t { none, count_decreasing, too_many, not_increasing, padding_not_zero };

/// Algorithm 21, HintBitUnpack, strict: per polynomial strictly increasing indices, counts that never decrease and never
/// pass omega, zeros after the last index. `take(i, j)` gets every hint: coefficient j of polynomial i.
template <class P, class Take>
HintFault read_hint(std::span<const std::uint8_t, Sizes<P>::hint> in, Take take) {
    std::size_t index = 0;
    for (std::size_t i = 0; i < P::k; ++i) {
        const std::size_t end = in[P::omega + i];
        if (end < index) return HintFault::count_decreasing;
        if (end > P::omega) return HintFault::too_many;
        for (const std::size_t first = index; index < end; ++index) {
            if (index > first && in[index - 1] >= in[index]) return HintFault::not_increasing;
            take(i, std::size_t{in[index]});
        }
    }
    for (; index < P::omega; ++index) {
        if (in[index] != 0) return HintFault::padding_not_zero;
    }
    return HintFault::none;
}
template <class P>
HintFault check_hint(std::span<const std::uint8_t, Sizes<P>::hint> in) {
    return read_hint<P>(in, [](std::size_t, std::size_t) {});
}
/// The same; `h` gets 0 and 1 as coefficients.
template <class P>
HintFault unpack_hint(std::span<const std::uint8_t, Sizes<P>::hint> in, std::span<Poly, P::k> h) {
    for (auto& f : h) f = Poly{};
    return read_hint<P>(in, [&](std::size_t i, std::size_t j) { h[i][j] = 1; });
}
/// Algorithm 20, HintBitPack; `h` is public here and has at most omega ones.
template <class P>
void pack_hint(std::span<const Poly, P::k> h, std::span<std::uint8_t, Sizes<P>::hint> out) {
    for (auto& byte : out) byte = 0;
    std::size_t index = 0;
    for (std::size_t i = 0; i < P::k; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            if (h[i][j] != 0) out[index++] = static_cast<std::uint8_t>(j);
        }
        out[P::omega + i] = static_cast<std::uint8_t>(index);
    }
}
const char* describe(HintFault fault) noexcept;

}  // namespace postern::mldsa
