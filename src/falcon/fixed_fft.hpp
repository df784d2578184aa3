#pragma once

// Fixed-point reals (32 integer bits, 32 fractional bits, two's complement) and their FFT, for the reductions of the NTRU
// solver: integers only, so every processor rounds alike. Overflow wraps; a reduction that went wrong is caught by the
// solver's final check.

#include <cstddef>
#include <cstdint>

#include "core/u256.hpp"
#include "falcon/roots.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

struct Fixed {
    std::uint64_t v = 0;

    /// Of a public constant, rounded to nearest.
    static Fixed of(double x) { return {static_cast<std::uint64_t>(static_cast<std::int64_t>(x * 4294967296.0 + (x < 0 ? -0.5 : 0.5)))}; }
    friend Fixed operator+(Fixed a, Fixed b) { return {a.v + b.v}; }
    friend Fixed operator-(Fixed a, Fixed b) { return {a.v - b.v}; }
    friend Fixed operator*(Fixed a, Fixed b) {
        __extension__ using i128 = __int128;
        return {static_cast<std::uint64_t>((static_cast<i128>(static_cast<std::int64_t>(a.v)) * static_cast<std::int64_t>(b.v)) >> 32)};
    }
    Fixed operator-() const { return {0 - v}; }
    Fixed half() const { return {static_cast<std::uint64_t>(static_cast<std::int64_t>(v + 1) >> 1)}; }
    /// By a factor that may be secret: a product, since vector shifts by a secret count are beyond what valgrind can follow.
    Fixed times(std::uint64_t factor) const { return {v * factor}; }
    /// Nearest integer, halves upwards.
    std::int32_t round() const { return static_cast<std::int32_t>(static_cast<std::int64_t>(v + 0x80000000U) >> 32); }
};

/// Bit by bit, rounded to nearest; the quotient is assumed to fit.
inline Fixed operator/(Fixed a, Fixed b) {
    const std::uint64_t sa = 0 - (a.v >> 63);
    const std::uint64_t sb = 0 - (b.v >> 63);
    const std::uint64_t x = (a.v ^ sa) - sa;
    const std::uint64_t y = (b.v ^ sb) - sb;
    std::uint64_t quotient = 0;
    std::uint64_t rest = x >> 31;
    for (int i = 63; i >= 0; --i) {
        const std::uint64_t fits = ((rest - y) >> 63) - 1;
        quotient = (quotient << 1) | (fits & 1);
        rest -= y & fits;
        rest <<= 1;
        if (i >= 33) rest |= (x >> (i - 33)) & 1;
    }
    quotient += 1 - ((rest - y) >> 63);
    return {(quotient ^ (sa ^ sb)) - (sa ^ sb)};
}

struct FixedComplex {
    Fixed re, im;
};
/// With three products.
inline FixedComplex operator*(FixedComplex a, FixedComplex b) {
    const Fixed re = a.re * b.re;
    const Fixed im = a.im * b.im;
    const Fixed cross = (a.re + a.im) * (b.re + b.im);
    return {re - im, cross - (re + im)};
}

inline void fixed_fft(unsigned logn, Fixed* f) {
    const std::size_t hn = (std::size_t{1} << logn) / 2;
    std::size_t half = hn;
    for (std::size_t groups = 1; groups < hn; groups *= 2) {
        half /= 2;
        for (std::size_t i = 0; i < groups; ++i) {
            const Fixed wr = Fixed::of(kRoots.re[2 * groups + i]);
            const Fixed wi = Fixed::of(kRoots.im[2 * groups + i]);
            Fixed* __restrict x = f + 2 * half * i;
            Fixed* __restrict y = x + half;
            for (std::size_t j = 0; j < half; ++j) {
                const auto [re, im] = FixedComplex{wr, wi} * FixedComplex{y[j], y[hn + j]};
                y[j] = x[j] - re;
                y[hn + j] = x[hn + j] - im;
                x[j] = x[j] + re;
                x[hn + j] = x[hn + j] + im;
            }
        }
    }
}

inline void fixed_inverse_fft(unsigned logn, Fixed* f) {
    const std::size_t hn = (std::size_t{1} << logn) / 2;
    std::size_t half = 1;
    for (std::size_t groups = hn / 2; groups >= 1; groups /= 2) {
        for (std::size_t i = 0; i < groups; ++i) {
            const Fixed wr = Fixed::of(kRoots.re[2 * groups + i]);
            const Fixed wi = -Fixed::of(kRoots.im[2 * groups + i]);
            Fixed* __restrict x = f + 2 * half * i;
            Fixed* __restrict y = x + half;
            for (std::size_t j = 0; j < half; ++j) {
                const Fixed re = (x[j] - y[j]).half();
                const Fixed im = (x[hn + j] - y[hn + j]).half();
                x[j] = (x[j] + y[j]).half();
                x[hn + j] = (x[hn + j] + y[hn + j]).half();
                const FixedComplex z = FixedComplex{wr, wi} * FixedComplex{re, im};
                y[j] = z.re;
                y[hn + j] = z.im;
            }
        }
        half *= 2;
    }
}

inline void fixed_multiply(unsigned logn, Fixed* a, const Fixed* b) {
    const std::size_t hn = (std::size_t{1} << logn) / 2;
    for (std::size_t u = 0; u < hn; ++u) {
        const FixedComplex z = FixedComplex{a[u], a[hn + u]} * FixedComplex{b[u], b[hn + u]};
        a[u] = z.re;
        a[hn + u] = z.im;
    }
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
