#pragma once

// Fixed-point reals (32 integer bits, 32 fractional bits, two's complement) and their FFT, for the reductions of the NTRU
// solver: integers only, so every processor rounds alike. Overflow wraps; a reduction that went wrong is caught by the
// solver's final check.

#include <cstddef>
#include <cstdint>

#include "falcon/roots.hpp"
#ifdef __AVX2__
#include <immintrin.h>
#endif

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
    static Fixed load(const Fixed* from) { return *from; }
    void store(Fixed* to) const { *to = *this; }
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

#ifdef __AVX2__
/// Four of them.
struct FixedX4 {
    __m256i v;

    static FixedX4 load(const Fixed* from) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))}; }
    static FixedX4 all(Fixed x) { return {_mm256_set1_epi64x(static_cast<std::int64_t>(x.v))}; }
    void store(Fixed* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
    friend FixedX4 operator+(FixedX4 a, FixedX4 b) { return {_mm256_add_epi64(a.v, b.v)}; }
    friend FixedX4 operator-(FixedX4 a, FixedX4 b) { return {_mm256_sub_epi64(a.v, b.v)}; }
    /// Bits 32 to 95 of the signed product, from products of unsigned halves; a negative factor a has 2^64 too much, which
    /// is corrected by b 2^32, and the same for b.
    friend FixedX4 operator*(FixedX4 a, FixedX4 b) {
        const __m256i a_high = _mm256_srli_epi64(a.v, 32);
        const __m256i b_high = _mm256_srli_epi64(b.v, 32);
        const __m256i low = _mm256_srli_epi64(_mm256_mul_epu32(a.v, b.v), 32);
        const __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(a_high, b.v), _mm256_mul_epu32(a.v, b_high));
        const __m256i high = _mm256_slli_epi64(_mm256_mul_epu32(a_high, b_high), 32);
        const __m256i from_a = _mm256_and_si256(_mm256_srai_epi32(a.v, 31), _mm256_slli_epi64(b.v, 32));
        const __m256i from_b = _mm256_and_si256(_mm256_srai_epi32(b.v, 31), _mm256_slli_epi64(a.v, 32));
        const __m256i sum = _mm256_add_epi64(_mm256_add_epi64(low, cross), high);
        return {_mm256_sub_epi64(sum, _mm256_add_epi64(from_a, from_b))};
    }
    FixedX4 half() const {
        const __m256i x = _mm256_add_epi64(v, _mm256_set1_epi64x(1));
        const __m256i sign = _mm256_set1_epi64x(static_cast<std::int64_t>(std::uint64_t{1} << 63));
        return {_mm256_or_si256(_mm256_srli_epi64(x, 1), _mm256_and_si256(x, sign))};
    }
};
#endif

template <class T>
struct FixedComplex {
    T re, im;
};
/// With three products.
template <class T>
FixedComplex<T> operator*(FixedComplex<T> a, FixedComplex<T> b) {
    const T re = a.re * b.re;
    const T im = a.im * b.im;
    const T cross = (a.re + a.im) * (b.re + b.im);
    return {re - im, cross - (re + im)};
}

/// x and y become x + w y and x - w y; imaginary parts are `hn` entries further on.
template <class T>
void fixed_butterfly(Fixed* x, Fixed* y, std::size_t hn, const FixedComplex<T>& w) {
    const T xr = T::load(x);
    const T xi = T::load(x + hn);
    const auto [re, im] = w * FixedComplex<T>{T::load(y), T::load(y + hn)};
    (xr - re).store(y);
    (xi - im).store(y + hn);
    (xr + re).store(x);
    (xi + im).store(x + hn);
}
/// x and y become (x + y) / 2 and w (x - y) / 2.
template <class T>
void fixed_inverse_butterfly(Fixed* x, Fixed* y, std::size_t hn, const FixedComplex<T>& w) {
    const T xr = T::load(x), xi = T::load(x + hn);
    const T yr = T::load(y), yi = T::load(y + hn);
    (xr + yr).half().store(x);
    (xi + yi).half().store(x + hn);
    const auto [re, im] = w * FixedComplex<T>{(xr - yr).half(), (xi - yi).half()};
    re.store(y);
    im.store(y + hn);
}

/// Body(tag, j) for j = 0, ..., count - 1, four at a time where that is possible.
template <class Body>
void in_fours(std::size_t count, const Body& body) {
    std::size_t j = 0;
#ifdef __AVX2__
    for (; j + 4 <= count; j += 4) body.template operator()<FixedX4>(j);
#endif
    for (; j < count; ++j) body.template operator()<Fixed>(j);
}
template <class T>
T fixed_all(Fixed x) {
    return T::all(x);
}
template <>
inline Fixed fixed_all<Fixed>(Fixed x) {
    return x;
}

inline void fixed_fft(unsigned logn, Fixed* f) {
    const std::size_t hn = (std::size_t{1} << logn) / 2;
    std::size_t half = hn;
    for (std::size_t groups = 1; groups < hn; groups *= 2) {
        half /= 2;
        for (std::size_t i = 0; i < groups; ++i) {
            const Fixed wr = Fixed::of(kRoots.re[2 * groups + i]);
            const Fixed wi = Fixed::of(kRoots.im[2 * groups + i]);
            Fixed* x = f + 2 * half * i;
            in_fours(half, [&]<class T>(std::size_t j) {
                fixed_butterfly<T>(x + j, x + half + j, hn, {fixed_all<T>(wr), fixed_all<T>(wi)});
            });
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
            Fixed* x = f + 2 * half * i;
            in_fours(half, [&]<class T>(std::size_t j) {
                fixed_inverse_butterfly<T>(x + j, x + half + j, hn, {fixed_all<T>(wr), fixed_all<T>(wi)});
            });
        }
        half *= 2;
    }
}

inline void fixed_multiply(unsigned logn, Fixed* a, const Fixed* b) {
    const std::size_t hn = (std::size_t{1} << logn) / 2;
    in_fours(hn, [&]<class T>(std::size_t u) {
        const auto [re, im] = FixedComplex<T>{T::load(a + u), T::load(a + hn + u)} * FixedComplex<T>{T::load(b + u), T::load(b + hn + u)};
        re.store(a + u);
        im.store(a + hn + u);
    });
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
