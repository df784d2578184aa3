#pragma once

// The fast Fourier transform over R[x]/(x^n + 1), n = 2^L, in place. A transformed polynomial is n/2 complex numbers:
// the real parts in the first half of the array, the imaginary parts in the second. Order of roots as in the reference.

#include <cstddef>

#include "falcon/real.hpp"
#include "falcon/roots.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

template <class R, unsigned L>
void fft(R* __restrict f) {
    constexpr std::size_t hn = std::size_t{1} << (L - 1);
    R* __restrict g = f + hn;  // imaginary parts
    std::size_t half = hn;
    for (std::size_t groups = 1; groups < hn; groups *= 2) {
        half /= 2;
        for (std::size_t i = 0; i < groups; ++i) {
            const R wr(kRoots.re[2 * groups + i]);
            const R wi(kRoots.im[2 * groups + i]);
            R* __restrict xr = f + 2 * half * i;
            R* __restrict xi = g + 2 * half * i;
            R* __restrict yr = xr + half;
            R* __restrict yi = xi + half;
            for (std::size_t j = 0; j < half; ++j) {
                const R re = yr[j] * wr - yi[j] * wi;
                const R im = yr[j] * wi + yi[j] * wr;
                yr[j] = xr[j] - re;
                yi[j] = xi[j] - im;
                xr[j] = xr[j] + re;
                xi[j] = xi[j] + im;
            }
        }
    }
}

template <class R, unsigned L>
void inverse_fft(R* __restrict f) {
    constexpr std::size_t hn = std::size_t{1} << (L - 1);
    R* __restrict g = f + hn;
    std::size_t half = 1;
    for (std::size_t groups = hn / 2; groups >= 1; groups /= 2) {
        for (std::size_t i = 0; i < groups; ++i) {
            const R wr(kRoots.re[2 * groups + i]);
            const R wi(-kRoots.im[2 * groups + i]);
            R* __restrict xr = f + 2 * half * i;
            R* __restrict xi = g + 2 * half * i;
            R* __restrict yr = xr + half;
            R* __restrict yi = xi + half;
            for (std::size_t j = 0; j < half; ++j) {
                const R re = xr[j] - yr[j];
                const R im = xi[j] - yi[j];
                xr[j] = xr[j] + yr[j];
                xi[j] = xi[j] + yi[j];
                yr[j] = re * wr - im * wi;
                yi[j] = re * wi + im * wr;
            }
        }
        half *= 2;
    }
    const R scale(1.0 / static_cast<double>(hn));
    for (std::size_t i = 0; i < 2 * hn; ++i) f[i] = f[i] * scale;
}

/// f(x) = f0(x^2) + x f1(x^2), all three transformed; L is the logarithm of f's length, at least 2.
template <class R, unsigned L>
void split_fft(R* __restrict f0, R* __restrict f1, const R* __restrict f) {
    constexpr std::size_t hn = std::size_t{1} << (L - 1);
    constexpr std::size_t qn = hn / 2;
    const R half(0.5);
    for (std::size_t u = 0; u < qn; ++u) {
        const R ar = f[2 * u], br = f[2 * u + 1];
        const R ai = f[hn + 2 * u], bi = f[hn + 2 * u + 1];
        const R wr(kRoots.re[hn + u]);
        const R wi(-kRoots.im[hn + u]);
        f0[u] = (ar + br) * half;
        f0[qn + u] = (ai + bi) * half;
        const R re = ar - br;
        const R im = ai - bi;
        f1[u] = (re * wr - im * wi) * half;
        f1[qn + u] = (re * wi + im * wr) * half;
    }
}

template <class R, unsigned L>
void merge_fft(R* __restrict f, const R* __restrict f0, const R* __restrict f1) {
    constexpr std::size_t hn = std::size_t{1} << (L - 1);
    constexpr std::size_t qn = hn / 2;
    for (std::size_t u = 0; u < qn; ++u) {
        const R wr(kRoots.re[hn + u]);
        const R wi(kRoots.im[hn + u]);
        const R re = f1[u] * wr - f1[qn + u] * wi;
        const R im = f1[u] * wi + f1[qn + u] * wr;
        f[2 * u] = f0[u] + re;
        f[hn + 2 * u] = f0[qn + u] + im;
        f[2 * u + 1] = f0[u] - re;
        f[hn + 2 * u + 1] = f0[qn + u] - im;
    }
}

/// a *= b.
template <class R, unsigned L>
void multiply_fft(R* __restrict a, const R* __restrict b) {
    constexpr std::size_t hn = std::size_t{1} << (L - 1);
    for (std::size_t u = 0; u < hn; ++u) {
        const R re = a[u] * b[u] - a[hn + u] * b[hn + u];
        const R im = a[u] * b[hn + u] + a[hn + u] * b[u];
        a[u] = re;
        a[hn + u] = im;
    }
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
