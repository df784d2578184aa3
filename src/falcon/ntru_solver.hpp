#pragma once

// The NTRU equation f G - g F = q (algorithm 6, NTRUSolve): down the tower of fields by norms, an extended GCD at the
// bottom, and back up, reducing F and G by f and g at every level. Integers only. Every reason to give up is public, the
// values are not.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "falcon/bezout.hpp"
#include "falcon/bigint31.hpp"
#include "falcon/fixed_fft.hpp"
#include "falcon/ntru_reduce_real.hpp"
#include "falcon/ntru_sizes.hpp"
#include "falcon/ntru_subtract.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

#ifdef POSTERN_FALCON_SOFT
using KernelReal = SoftDouble;
#else
using KernelReal = double;
#endif

class NtruSolver {
  public:
    /// F and G of n = 2^logn coefficients; false where the equation has no solution that fits.
    /// `fixed_only` gives up where the fixed-point reduction fails, as c-fn-dsa does.
    static bool solve(unsigned logn, std::int8_t* F, std::int8_t* G, const std::int8_t* f, const std::int8_t* g, bool fixed_only) {
        NtruSolver s(logn);
        s.fixed_only_ = fixed_only;
        if (!s.descend(f, g) || !s.bottom()) return false;
        for (unsigned depth = logn; depth-- > 1;)
            if (!s.ascend(depth)) return false;
        return s.top(F, G);
    }

  private:
    /// f and g of one depth: rows of 2n columns, f's coefficients first. `ntt` modulo each prime; `plain` in words.
    struct Level {
        Words ntt;
        Words plain;
    };

    explicit NtruSolver(unsigned logn) : logn_(logn), primes_(small_primes()), levels_(logn + 1) {}

    void transform_pair(unsigned logn, u32* row, const SmallPrime& s) const {
        mp_ntt(logn, row, s);
        mp_ntt(logn, row + (std::size_t{1} << logn), s);
    }
    void inverse_pair(unsigned logn, u32* row, const SmallPrime& s) const {
        mp_inverse_ntt(logn, row, s);
        mp_inverse_ntt(logn, row + (std::size_t{1} << logn), s);
    }

    /// All (f, g) from the top to the bottom: f'(x^2) = f(x) f(-x).
    bool descend(const std::int8_t* f, const std::int8_t* g) {
        const std::size_t n = std::size_t{1} << logn_;
        const SmallPrime& first = primes_[0];
        levels_[0].plain.resize(2 * n);
        levels_[0].ntt.resize(2 * n);
        for (std::size_t i = 0; i < n; ++i) {
            levels_[0].ntt[i] = mp_set(f[i], first.p);
            levels_[0].ntt[n + i] = mp_set(g[i], first.p);
            levels_[0].plain[i] = static_cast<u32>(f[i]) & kMask31;
            levels_[0].plain[n + i] = static_cast<u32>(g[i]) & kMask31;
        }
        transform_pair(logn_, levels_[0].ntt.data(), first);
        u32 zero = 0;
        for (std::size_t i = 0; i < n; ++i) zero |= (levels_[0].ntt[i] - 1U) >> 31;
        if (declassify(zero) != 0) return false;
        for (unsigned depth = 0; depth < logn_; ++depth) norm_step(depth);
        return true;
    }

    static void multiply_neighbours(u32* out, const u32* in, std::size_t count, const SmallPrime& s) {
        for (std::size_t j = 0; j < count; ++j)
            out[j] = mp_mul(mp_mul(in[2 * j], in[2 * j + 1], s.p, s.minus_inverse), s.r2, s.p, s.minus_inverse);
    }

    void norm_step(unsigned depth) {
        const unsigned logn = logn_ - depth;
        const std::size_t n = std::size_t{1} << logn;
        const std::size_t from = kSmallWords[depth];
        const std::size_t to = kSmallWords[depth + 1];
        Level& here = levels_[depth];
        Level& next = levels_[depth + 1];
        next.ntt.resize(to * n);
        next.plain.resize(to * n);
        if (depth > 0) {
            here.plain = here.ntt;
            for (std::size_t i = 0; i < from; ++i) inverse_pair(logn, here.plain.data() + i * 2 * n, primes_[i]);
            rebuild_crt(here.plain.data(), from, 2 * n, true);
        }
        for (std::size_t i = 0; i < from; ++i) multiply_neighbours(next.ntt.data() + i * n, here.ntt.data() + i * 2 * n, n, primes_[i]);
        Words row(2 * n);
        for (std::size_t i = from; i < to; ++i) {
            columns_mod_signed(row.data(), here.plain.data(), from, 2 * n, primes_[i]);
            transform_pair(logn, row.data(), primes_[i]);
            multiply_neighbours(next.ntt.data() + i * n, row.data(), n, primes_[i]);
        }
    }

    /// f and g are integers: G f - F g = q from an extended GCD. Leaves (F, G) in fg_.
    bool bottom() {
        const std::size_t len = kSmallWords[logn_];
        Words rows = levels_[logn_].ntt;
        rebuild_crt(rows.data(), len, 2, false);
        Words separate(4 * len);
        u32* f = separate.data();
        u32* g = f + len;
        u32* F = g + len;
        u32* G = F + len;
        for (std::size_t i = 0; i < len; ++i) {
            f[i] = rows[2 * i];
            g[i] = rows[2 * i + 1];
        }
        if (!bezout(G, F, f, g, len)) return false;
        fg_.assign(2 * len, 0);
        u32 cf = 0;
        u32 cg = 0;
        for (std::size_t i = 0; i < len; ++i) {
            const u64 zf = u64{F[i]} * kQ + cf;
            const u64 zg = u64{G[i]} * kQ + cg;
            fg_[2 * i] = static_cast<u32>(zf) & kMask31;
            fg_[2 * i + 1] = static_cast<u32>(zg) & kMask31;
            cf = static_cast<u32>(zf >> 31);
            cg = static_cast<u32>(zg >> 31);
        }
        return declassify(cf | cg) == 0;
    }

    /// Row of F(x) = F'(x^2) g(-x), G(x) = G'(x^2) f(-x) modulo one prime; `deep` is (F', G') transformed, `fg` (f, g).
    static void lift_row(u32* out, const u32* deep, const u32* fg, std::size_t n, const SmallPrime& s) {
        const std::size_t hn = n / 2;
        for (std::size_t j = 0; j < hn; ++j) {
            const u32 F = mp_mul(deep[j], s.r2, s.p, s.minus_inverse);
            const u32 G = mp_mul(deep[hn + j], s.r2, s.p, s.minus_inverse);
            out[2 * j] = mp_mul(fg[n + 2 * j + 1], F, s.p, s.minus_inverse);
            out[2 * j + 1] = mp_mul(fg[n + 2 * j], F, s.p, s.minus_inverse);
            out[n + 2 * j] = mp_mul(fg[2 * j + 1], G, s.p, s.minus_inverse);
            out[n + 2 * j + 1] = mp_mul(fg[2 * j], G, s.p, s.minus_inverse);
        }
    }

    bool ascend(unsigned depth) {
        const unsigned logn = logn_ - depth;
        const std::size_t n = std::size_t{1} << logn;
        const std::size_t width = 2 * n;
        const std::size_t small = kSmallWords[depth];
        const std::size_t large = kLargeWords[depth];
        const std::size_t deep_words = kSmallWords[depth + 1];
        const Level& level = levels_[depth];

        Words lifted(large * width);
        Words deep(n);
        Words fg(width);
        for (std::size_t i = 0; i < large; ++i) {
            const SmallPrime& s = primes_[i];
            columns_mod_signed(deep.data(), fg_.data(), deep_words, n, s);
            mp_ntt(logn - 1, deep.data(), s);
            mp_ntt(logn - 1, deep.data() + n / 2, s);
            const u32* fg_row = level.ntt.data() + i * width;
            if (i >= small) {
                columns_mod_signed(fg.data(), level.plain.data(), small, width, s);
                transform_pair(logn, fg.data(), s);
                fg_row = fg.data();
            }
            lift_row(lifted.data() + i * width, deep.data(), fg_row, n, s);
            inverse_pair(logn, lifted.data() + i * width, s);
        }
        rebuild_crt(lifted.data(), large, width, true);
        Words again;
        if (!fixed_only_) again = lifted;
        const Words fg_ntt = extended_fg(depth);
        reduce(depth, lifted, fg_ntt);
        fg_.assign(lifted.begin(), lifted.begin() + static_cast<std::ptrdiff_t>(small * width));
        if (solved(depth)) return true;
        if (fixed_only_ || !reduce_real(depth, again, fg_ntt)) return false;
        fg_.assign(again.begin(), again.begin() + static_cast<std::ptrdiff_t>(small * width));
        return solved(depth);
    }

    /// Bits [scale - 32, scale + 32) of n columns starting at `first`, as a fixed-point number: value / 2^scale.
    static void columns_to_fixed(Fixed* out, const u32* rows, std::size_t words, std::size_t width, std::size_t first, std::size_t n,
                                 u32 scale) {
        // scale = 31 high + low with low in 1..31; only the division is by a public number.
        u32 high = (scale * 67651U) >> 21;  // scale / 31 for scale < 2^15
        u32 low = scale - 31 * high;
        const u32 borrow = (low - 1U) >> 31;
        high -= borrow;
        low += 31 & (0U - borrow);
        const u32* __restrict top = rows + (words - 1) * width + first;
        Words selected(3 * n);
        for (std::size_t part = 0; part < 3; ++part) {
            u32* __restrict to = selected.data() + part * n;
            const u32 wanted = high + static_cast<u32>(part) - 1;
            for (std::size_t i = 0; i < words; ++i) {
                const u32 difference = static_cast<u32>(i) ^ wanted;
                const u32 mask = ((difference | (0U - difference)) >> 31) - 1U;
                const u32* __restrict row = rows + i * width + first;
                for (std::size_t j = 0; j < n; ++j) to[j] |= row[j] & mask;
            }
            // Beyond the last word there is only the sign.
            const u32 beyond = ~(0U - (((wanted - static_cast<u32>(words)) | wanted) >> 31));
            for (std::size_t j = 0; j < n; ++j) to[j] |= ((0U - (top[j] >> 30)) >> 1) & beyond;
        }
        // Shifts by `low` as products: vector shifts by a secret count are beyond what valgrind can follow.
        const u32 up = u32{1} << (32 - low);
        for (std::size_t j = 0; j < n; ++j) {
            const u32 w2 = selected[2 * n + j];
            const u64 extended = w2 | (w2 & 0x40000000) << 1;
            out[j].v = ((u64{selected[j]} * up) >> 31) | (u64{selected[n + j]} * up) | ((extended * up) << 31);
        }
    }

    /// f and g modulo one more prime than they need, for the products with k; empty where those are done word by word.
    Words extended_fg(unsigned depth) const {
        const unsigned logn = logn_ - depth;
        const std::size_t width = std::size_t{2} << logn;
        const std::size_t small = kSmallWords[depth];
        Words out;
        if (logn < 4) return out;
        out.assign((small + 1) * width, 0);
        std::copy(levels_[depth].ntt.begin(), levels_[depth].ntt.end(), out.begin());
        columns_mod_signed(out.data() + small * width, levels_[depth].plain.data(), small, width, primes_[small]);
        transform_pair(logn, out.data() + small * width, primes_[small]);
        return out;
    }

    void subtract(unsigned depth, Words& FG, std::size_t words, const Words& fg_ntt, const std::int32_t* k, u32 scale) {
        const unsigned logn = logn_ - depth;
        const std::size_t small = kSmallWords[depth];
        u32* to = FG.data();
        const u32* fg = levels_[depth].plain.data();
        if (logn >= 4)
            subtract_by_ntt(logn, FG, words, fg_ntt, small + 1, k, scale);
        else if (logn == 3)
            subtract_directly<8>(to, words, fg, small, k, scale / 31, scale % 31);
        else if (logn == 2)
            subtract_directly<4>(to, words, fg, small, k, scale / 31, scale % 31);
        else
            subtract_directly<2>(to, words, fg, small, k, scale / 31, scale % 31);
    }

    bool reduce_real(unsigned depth, Words& FG, const Words& fg_ntt) {
        const unsigned logn = logn_ - depth;
        const std::size_t small = kSmallWords[depth];
        RealReduction<KernelReal> reduction(logn, depth, levels_[depth].plain.data(), small);
        std::vector<std::int32_t, WipingAllocator<std::int32_t>> k(std::size_t{1} << logn);
        std::size_t words = kLargeWords[depth];
        int bits = 31 * static_cast<int>(words);
        for (int scale = reduction.first_scale(words);; scale = std::max(0, scale - 25)) {
            if (!reduction.quotient(k.data(), FG.data(), words, scale)) return false;
            subtract(depth, FG, words, fg_ntt, k.data(), static_cast<u32>(scale));
            if (scale == 0) return true;
            bits = std::min(bits, reduction.bits_after(scale));
            if (words > small && 31 * static_cast<int>(words) >= bits + 31) --words;
        }
    }

    void reduce(unsigned depth, Words& FG, const Words& fg_ntt) {
        const unsigned logn = logn_ - depth;
        const std::size_t n = std::size_t{1} << logn;
        const std::size_t hn = n / 2;
        const std::size_t width = 2 * n;
        const std::size_t small = kSmallWords[depth];
        const std::size_t large = kLargeWords[depth];
        const Level& level = levels_[depth];

        // Approximate f and g by their top words, scaled so that |f|^2 + |g|^2 cannot overflow.
        const std::size_t window = std::min(kWindowWords[depth], small);
        const std::size_t below = small - window;
        const u32* fg_top = level.plain.data() + below * width;
        const u32 scale_fg = 31 * static_cast<u32>(below);
        u32 scale_FG = 31 * static_cast<u32>(large);
        const u32 scale_x = max_bit_length(fg_top, window, width);
        const u32 limit = 15 - logn;
        const u32 smaller = 0U - ((scale_x - limit) >> 31);
        const u32 scale_t = limit ^ ((limit ^ scale_x) & smaller);
        std::vector<Fixed, WipingAllocator<Fixed>> af(n), ag(n), t1(n), t2(n);
        columns_to_fixed(af.data(), fg_top, window, width, 0, n, scale_x - scale_t);
        columns_to_fixed(ag.data(), fg_top, window, width, n, n, scale_x - scale_t);
        fixed_fft(logn, af.data());
        fixed_fft(logn, ag.data());
        const u64 unscaled = u64{1} << scale_t;
        for (std::size_t u = 0; u < hn; ++u) {
            // adj(f) and adj(g) over |f|^2 + |g|^2
            const Fixed norm = (af[u] * af[u] + af[hn + u] * af[hn + u]) + (ag[u] * ag[u] + ag[hn + u] * ag[hn + u]);
            af[u] = af[u].times(unscaled) / norm;
            af[hn + u] = -af[hn + u].times(unscaled) / norm;
            ag[u] = ag[u].times(unscaled) / norm;
            ag[hn + u] = -ag[hn + u].times(unscaled) / norm;
        }

        std::vector<std::int32_t, WipingAllocator<std::int32_t>> k(n);
        const u32 step = logn_ == 9 ? 13 : logn_ == 10 ? 11 : 16;  // bits a round removes at least
        std::size_t words = large;
        for (;;) {
            const std::size_t skip = scale_FG / 31;
            const u32 offset = scale_FG % 31;
            if (words > skip) {
                columns_to_fixed(t1.data(), FG.data() + skip * width, words - skip, width, 0, n, scale_x + offset);
                columns_to_fixed(t2.data(), FG.data() + skip * width, words - skip, width, n, n, scale_x + offset);
            } else {
                std::fill(t1.begin(), t1.end(), Fixed{});
                std::fill(t2.begin(), t2.end(), Fixed{});
            }
            fixed_fft(logn, t1.data());
            fixed_fft(logn, t2.data());
            fixed_multiply(logn, t1.data(), af.data());
            fixed_multiply(logn, t2.data(), ag.data());
            for (std::size_t j = 0; j < n; ++j) t2[j] = t2[j] + t1[j];
            fixed_inverse_fft(logn, t2.data());
            for (std::size_t j = 0; j < n; ++j) k[j] = t2[j].round();

            const u32 scale_k = scale_FG - scale_fg;
            subtract(depth, FG, words, fg_ntt, k.data(), scale_k);

            if (scale_FG <= scale_fg) break;
            scale_FG = scale_FG <= scale_fg + step ? scale_fg : scale_FG - step;
            while (words > small && 31 * (words - small) > scale_FG - scale_fg + 30) --words;
        }
    }

    /// (F, G) -= 2^scale k (f, g).
    void subtract_by_ntt(unsigned logn, Words& FG, std::size_t words, const Words& fg_ntt, std::size_t fg_words, const std::int32_t* k,
                         u32 scale) {
        const std::size_t n = std::size_t{1} << logn;
        const std::size_t width = 2 * n;
        Words product(fg_words * width);
        Words kt(n);
        for (std::size_t i = 0; i < fg_words; ++i) {
            const SmallPrime& s = primes_[i];
            for (std::size_t j = 0; j < n; ++j) kt[j] = mp_set(k[j], s.p);
            mp_ntt(logn, kt.data(), s);
            const u32* __restrict source = fg_ntt.data() + i * width;
            u32* __restrict out = product.data() + i * width;
            for (std::size_t j = 0; j < n; ++j) {
                const u32 x = mp_mul(kt[j], s.r2, s.p, s.minus_inverse);
                out[j] = mp_mul(x, source[j], s.p, s.minus_inverse);
                out[n + j] = mp_mul(x, source[n + j], s.p, s.minus_inverse);
            }
            inverse_pair(logn, out, s);
        }
        rebuild_crt(product.data(), fg_words, width, true);
        subtract_scaled(FG.data(), words, product.data(), fg_words, width, scale / 31, scale % 31);
    }

    /// f G - g F = q modulo the first prime.
    bool solved(unsigned depth) const {
        const unsigned logn = logn_ - depth;
        const std::size_t n = std::size_t{1} << logn;
        const SmallPrime& s = primes_[0];
        Words FG(2 * n);
        columns_mod_signed(FG.data(), fg_.data(), kSmallWords[depth], 2 * n, s);
        transform_pair(logn, FG.data(), s);
        return equation_holds(levels_[depth].ntt.data(), FG.data(), n, s);
    }
    static bool equation_holds(const u32* fg, const u32* FG, std::size_t n, const SmallPrime& s) {
        const u32 expected = mp_mul(kQ, 1, s.p, s.minus_inverse);
        u32 wrong = 0;
        for (std::size_t j = 0; j < n; ++j)
            wrong |= mp_sub(mp_mul(fg[j], FG[n + j], s.p, s.minus_inverse), mp_mul(fg[n + j], FG[j], s.p, s.minus_inverse), s.p) ^ expected;
        return declassify(wrong) == 0;
    }

    /// Depth 0: everything fits one prime, and one reduction by exact numerator and denominator finishes.
    bool top(std::int8_t* F, std::int8_t* G) {
        const std::size_t n = std::size_t{1} << logn_;
        const std::size_t hn = n / 2;
        const SmallPrime& s = primes_[0];
        const u32* fg = levels_[0].ntt.data();
        Words deep(n);
        Words FG(2 * n);
        Words numerator(n);
        Words denominator(n);
        columns_mod_signed(deep.data(), fg_.data(), 1, n, s);
        mp_ntt(logn_ - 1, deep.data(), s);
        mp_ntt(logn_ - 1, deep.data() + hn, s);
        lift_row(FG.data(), deep.data(), fg, n, s);
        for (std::size_t j = 0; j < n; ++j) {
            // The adjoint of a transformed polynomial is the same in reverse order.
            const u32 adj_f = mp_mul(fg[n - 1 - j], s.r2, s.p, s.minus_inverse);
            const u32 adj_g = mp_mul(fg[2 * n - 1 - j], s.r2, s.p, s.minus_inverse);
            numerator[j] = mp_add(mp_mul(adj_f, FG[j], s.p, s.minus_inverse), mp_mul(adj_g, FG[n + j], s.p, s.minus_inverse), s.p);
            denominator[j] = mp_add(mp_mul(adj_f, fg[j], s.p, s.minus_inverse), mp_mul(adj_g, fg[n + j], s.p, s.minus_inverse), s.p);
        }
        mp_inverse_ntt(logn_, numerator.data(), s);
        mp_inverse_ntt(logn_, denominator.data(), s);
        // Scaled down by 2^10, against overflow in the transform.
        std::vector<Fixed, WipingAllocator<Fixed>> a(n), b(n);
        for (std::size_t j = 0; j < n; ++j) {
            a[j].v = static_cast<u64>(static_cast<i64>(mp_centred(numerator[j], s.p))) << 22;
            b[j].v = static_cast<u64>(static_cast<i64>(mp_centred(denominator[j], s.p))) << 22;
        }
        fixed_fft(logn_, a.data());
        fixed_fft(logn_, b.data());
        for (std::size_t u = 0; u < hn; ++u) {  // the denominator is self-adjoint: real
            a[u] = a[u] / b[u];
            a[hn + u] = a[hn + u] / b[u];
        }
        fixed_inverse_fft(logn_, a.data());
        for (std::size_t j = 0; j < n; ++j) numerator[j] = mp_set(a[j].round(), s.p);
        mp_ntt(logn_, numerator.data(), s);
        for (std::size_t j = 0; j < n; ++j) {
            const u32 k = mp_mul(numerator[j], s.r2, s.p, s.minus_inverse);
            FG[j] = mp_sub(FG[j], mp_mul(k, fg[j], s.p, s.minus_inverse), s.p);
            FG[n + j] = mp_sub(FG[n + j], mp_mul(k, fg[n + j], s.p, s.minus_inverse), s.p);
        }
        if (!equation_holds(fg, FG.data(), n, s)) return false;
        inverse_pair(logn_, FG.data(), s);
        u32 over = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const std::int32_t x = mp_centred(FG[j], s.p);
            const std::int32_t y = mp_centred(FG[n + j], s.p);
            over |= static_cast<u32>((127 - x) | (127 + x) | (127 - y) | (127 + y)) >> 31;
            F[j] = static_cast<std::int8_t>(x);
            G[j] = static_cast<std::int8_t>(y);
        }
        return declassify(over) == 0;
    }

    static constexpr u32 kQ = 12289;

    unsigned logn_;
    bool fixed_only_ = false;
    const SmallPrime* primes_;
    std::vector<Level> levels_;
    Words fg_;  // (F, G) of the depth reached
};

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
