#pragma once

// Coefficients of f and g: sums of 2^(10 - logn) values of the discrete Gaussian of deviation 1.17 sqrt(q / 2048), as the
// reference implementation tabulates it, from 64-bit draws. Many at a time, so that compilers turn the loops into vector code.

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/secure.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

/// On 63 bits: entry 0 is P(x = 0), entry k is P(x > k | x > 0).
inline constexpr std::uint64_t kGaussian1024[] = {1283868770400643928,
                                                  6416574995475331444,
                                                  4078260278032692663,
                                                  2353523259288686585,
                                                  1227179971273316331,
                                                  575931623374121527,
                                                  242543240509105209,
                                                  91437049221049666,
                                                  30799446349977173,
                                                  9255276791179340,
                                                  2478152334826140,
                                                  590642893610164,
                                                  125206034929641,
                                                  23590435911403,
                                                  3948334035941,
                                                  586753615614,
                                                  77391054539,
                                                  9056793210,
                                                  940121950,
                                                  86539696,
                                                  7062824,
                                                  510971,
                                                  32764,
                                                  1862,
                                                  94,
                                                  4,
                                                  0};
// Two values together always fit a coefficient: the reference's check for more than 127 never strikes here.
static_assert(2 * (std::size(kGaussian1024) - 1) <= 127);

/// Two draws a value: the first decides about zero and sign, the second about the magnitude. Every entry of the table is
/// compared with every draw.
template <std::size_t Lanes>
void gaussian_values(std::int64_t* __restrict out, const std::uint64_t* __restrict draws) {
    constexpr std::uint64_t mask63 = ~(std::uint64_t{1} << 63);
    std::uint64_t second[Lanes];
    std::uint64_t magnitude[Lanes];
    for (std::size_t i = 0; i < Lanes; ++i) {
        second[i] = draws[2 * i + 1] & mask63;
        magnitude[i] = 1;
    }
    // The entries fall, so that those above the draw come first; the last one, 0, is above none.
    for (std::size_t k = 1; k + 1 < std::size(kGaussian1024); ++k)
        for (std::size_t i = 0; i < Lanes; ++i) magnitude[i] += (second[i] - kGaussian1024[k]) >> 63;
    for (std::size_t i = 0; i < Lanes; ++i) {
        const std::uint64_t first = draws[2 * i];
        const std::uint64_t negative = first >> 63;
        const std::uint64_t zero = ((first & mask63) - kGaussian1024[0]) >> 63;
        const std::uint64_t v = magnitude[i] & (zero - 1);
        out[i] = static_cast<std::int64_t>((v ^ (0 - negative)) + negative);
    }
}

/// `count` coefficients of degree 2^logn; `draws` has 2^(11 - logn) numbers for each.
inline void gaussian_sums(unsigned logn, std::int8_t* out, const std::uint64_t* draws, std::size_t count) {
    constexpr std::size_t lanes = 8;
    const std::size_t terms = std::size_t{1} << (10 - logn);
    std::int64_t values[lanes];
    std::int64_t sum = 0;
    std::size_t term = 0;
    const auto add = [&](std::int64_t v) {
        sum += v;
        if (++term < terms) return;
        *out++ = static_cast<std::int8_t>(sum);
        sum = 0;
        term = 0;
    };
    std::size_t left = count * terms;
    for (; left >= lanes; left -= lanes, draws += 2 * lanes) {
        gaussian_values<lanes>(values, draws);
        for (const auto v : values) add(v);
    }
    for (; left > 0; --left, draws += 2) {
        gaussian_values<1>(values, draws);
        add(values[0]);
    }
    secure_wipe(values);
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
