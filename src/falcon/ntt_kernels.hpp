#pragma once

// The butterflies of the number-theoretic transform modulo q = 12289 on 16-bit lanes, written so that a compiler turns
// the loops into vector code. Included by one translation unit for each instruction set; each puts it into a namespace
// of its own, so that no two copies are merged by the linker.

#include <array>
#include <cstddef>
#include <cstdint>

#include "falcon/ntt_tables.hpp"

namespace postern::falcon::POSTERN_NTT_NAMESPACE {

using i16 = std::int16_t;

/// a w R^-1 mod q in (-q, q), R = 2^16, for w given as Montgomery form and w q^-1 mod R.
inline i16 montgomery(i16 a, i16 w, i16 w_qinv) {
    const auto hi = static_cast<i16>((std::int32_t{a} * w) >> 16);
    const auto lo = static_cast<i16>(std::int32_t{a} * w_qinv);
    const auto fix = static_cast<i16>((std::int32_t{lo} * static_cast<i16>(q)) >> 16);
    return static_cast<i16>(hi - fix);
}
/// [-q, q) to [0, q).
inline i16 add_if_negative(i16 a) { return static_cast<i16>(a + ((a >> 15) & static_cast<i16>(q))); }

template <class P>
void forward(std::uint16_t* __restrict data) {
    auto* __restrict a = reinterpret_cast<i16*>(data);
    constexpr const auto& t = kTwiddles<P>;
    std::size_t k = 1;
    for (std::size_t len = P::n / 2; len >= 1; len /= 2)
        for (std::size_t start = 0; start < P::n; start += 2 * len, ++k) {
            const i16 w = t.forward[k];
            const i16 wq = t.forward_qinv[k];
            i16* __restrict x = a + start;
            i16* __restrict y = a + start + len;
            for (std::size_t j = 0; j < len; ++j) {
                const i16 v = add_if_negative(montgomery(y[j], w, wq));
                const i16 u = x[j];
                x[j] = add_if_negative(static_cast<i16>(u + v - static_cast<i16>(q)));
                y[j] = add_if_negative(static_cast<i16>(u - v));
            }
        }
}

template <class P>
void inverse(std::uint16_t* __restrict data) {
    auto* __restrict a = reinterpret_cast<i16*>(data);
    constexpr const auto& t = kTwiddles<P>;
    for (std::size_t len = 1; len < P::n; len *= 2) {
        std::size_t k = P::n / (2 * len);
        for (std::size_t start = 0; start < P::n; start += 2 * len, ++k) {
            const i16 w = t.inverse[k];
            const i16 wq = t.inverse_qinv[k];
            i16* __restrict x = a + start;
            i16* __restrict y = a + start + len;
            for (std::size_t j = 0; j < len; ++j) {
                const i16 u = x[j];
                const i16 v = y[j];
                x[j] = add_if_negative(static_cast<i16>(u + v - static_cast<i16>(q)));
                y[j] = add_if_negative(montgomery(static_cast<i16>(u - v), w, wq));
            }
        }
    }
    for (std::size_t i = 0; i < P::n; ++i) a[i] = add_if_negative(montgomery(a[i], t.scale, t.scale_qinv));
}

template <class P>
void multiply(std::uint16_t* __restrict a, const std::uint16_t* __restrict b) {
    constexpr i16 r2 = static_cast<i16>((std::uint64_t{1} << 32) % q);
    constexpr i16 r2_qinv = static_cast<i16>(r2 * kQInverse);
    for (std::size_t i = 0; i < P::n; ++i) {
        const auto x = static_cast<i16>(a[i]);
        const auto y = static_cast<i16>(b[i]);
        const auto hi = static_cast<i16>((std::int32_t{x} * y) >> 16);
        const auto lo = static_cast<i16>(static_cast<std::uint32_t>(std::int32_t{x} * y) * std::uint32_t{kQInverse});
        const auto r = static_cast<i16>(hi - static_cast<i16>((std::int32_t{lo} * static_cast<i16>(q)) >> 16));
        a[i] = static_cast<std::uint16_t>(add_if_negative(montgomery(r, r2, r2_qinv)));
    }
}

}  // namespace postern::falcon::POSTERN_NTT_NAMESPACE
