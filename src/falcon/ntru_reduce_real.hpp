#pragma once

// Reduction of (F, G) by (f, g) with floating point, for the rare levels at which the fixed-point one loses the race against a
// badly conditioned (f, g). Where both succeed the final F and G are the same: the last level rounds to a unique result.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "falcon/bigint31.hpp"
#include "falcon/fft.hpp"
#include "falcon/ntru_sizes.hpp"
#include "falcon/real.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

template <class R>
class RealReduction {
  public:
    /// `fg` and FG are matrices of 2n columns; f and g have `fg_words` rows.
    RealReduction(unsigned logn, unsigned depth, const u32* fg, std::size_t fg_words)
        : logn_(logn),
          n_(std::size_t{1} << logn),
          used_(std::min(fg_words, kTopWords)),
          scale_fg_(31 * (fg_words - used_)),
          af_(n_),
          ag_(n_),
          t_(n_) {
        const std::size_t hn = n_ / 2;
        const u32* top = fg + (fg_words - used_) * 2 * n_;
        columns_to_real(af_.data(), top, used_, 0);
        columns_to_real(ag_.data(), top, used_, n_);
        transform(af_.data());
        transform(ag_.data());
        for (std::size_t u = 0; u < hn; ++u) {
            const R norm = (af_[u] * af_[u] + af_[hn + u] * af_[hn + u]) + (ag_[u] * ag_[u] + ag_[hn + u] * ag_[hn + u]);
            const R inverse = R(1.0) / norm;
            af_[u] = af_[u] * inverse;
            af_[hn + u] = -(af_[hn + u] * inverse);
            ag_[u] = ag_[u] * inverse;
            ag_[hn + u] = -(ag_[hn + u] * inverse);
        }
        const auto& bits = kBitLength[depth];
        least_bits_ = bits.average - 6 * bits.deviation;
        most_bits_ = bits.average + 6 * bits.deviation;
    }

    /// Bits by which k is to be scaled in the first round.
    int first_scale(std::size_t FG_words) const { return std::max(0, 31 * static_cast<int>(FG_words) - least_bits_); }
    /// What (F, G) are shorter than after a round with that scale.
    int bits_after(int scale) const { return scale + most_bits_ + 10; }

    /// k = round((F adj f + G adj g) / (|f|^2 + |g|^2) / 2^scale); false if it does not fit 31 bits.
    bool quotient(std::int32_t* k, const u32* FG, std::size_t words, int scale) {
        const std::size_t used = std::min(words, kTopWords);
        const u32* top = FG + (words - used) * 2 * n_;
        columns_to_real(t_.data(), top, used, 0);
        transform(t_.data());
        multiply(t_.data(), af_.data());
        std::vector<R, WipingAllocator<R>> g(n_);
        columns_to_real(g.data(), top, used, n_);
        transform(g.data());
        multiply(g.data(), ag_.data());
        for (std::size_t j = 0; j < n_; ++j) t_[j] = t_[j] + g[j];
        inverse_transform(t_.data());
        const R unit(power_of_two(31 * static_cast<int>(words - used) - static_cast<int>(scale_fg_) - scale));
        const R bound(2147483647.0);
        std::int64_t fits = 1;
        for (std::size_t j = 0; j < n_; ++j) {
            const R x = t_[j] * unit;
            fits &= less(x, bound) & less(-bound, x);
            k[j] = static_cast<std::int32_t>(round_to_int(x));
        }
        return declassify(fits) != 0;
    }

  private:
    static constexpr std::size_t kTopWords = 10;
    struct Length {
        int average, deviation;
    };
    /// Bits of f and g at a depth, measured on Falcon's distributions.
    static constexpr Length kBitLength[11] = {{4, 0},   {11, 1},  {24, 1},   {50, 1},    {102, 1},  {202, 2},
                                              {401, 4}, {794, 5}, {1577, 8}, {3138, 13}, {6308, 25}};

    static double power_of_two(int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52); }

    void columns_to_real(R* out, const u32* rows, std::size_t words, std::size_t first) const {
        const R word(2147483648.0);
        for (std::size_t j = 0; j < n_; ++j) {
            const u32 top = rows[(words - 1) * 2 * n_ + first + j];
            R x = from_int<R>(static_cast<std::int32_t>(top | (top & 0x40000000) << 1));
            for (std::size_t i = words - 1; i-- > 0;) x = x * word + from_int<R>(rows[i * 2 * n_ + first + j]);
            out[j] = x;
        }
    }

    template <unsigned L, class Run>
    static void at_length(unsigned logn, const Run& run) {
        if (logn == L)
            run.template operator()<L>();
        else if constexpr (L > 1)
            at_length<L - 1>(logn, run);
    }
    void transform(R* a) const {
        at_length<9>(logn_, [a]<unsigned L>() { fft<R, L>(a); });
    }
    void inverse_transform(R* a) const {
        at_length<9>(logn_, [a]<unsigned L>() { inverse_fft<R, L>(a); });
    }
    void multiply(R* a, const R* b) const {
        at_length<9>(logn_, [a, b]<unsigned L>() { multiply_fft<R, L>(a, b); });
    }

    unsigned logn_;
    std::size_t n_;
    std::size_t used_;
    std::size_t scale_fg_;
    std::vector<R, WipingAllocator<R>> af_, ag_, t_;
    int least_bits_ = 0;
    int most_bits_ = 0;
};

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
