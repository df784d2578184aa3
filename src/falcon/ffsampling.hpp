#pragma once

// The LDL tree of a private basis (algorithms 8 and 9) and nearest-plane sampling along it (algorithm 11).

#include <cstddef>
#include <cstdint>

#include "falcon/fft.hpp"
#include "falcon/sampler.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

/// Values of a tree over polynomials of length 2^L: a node holds L10, then come the trees of D00 and D11.
constexpr std::size_t tree_size(unsigned logn) { return static_cast<std::size_t>(logn + 1) << logn; }

/// Tree of the matrix ((g0, g1), (adj g1, g0')): g0, g0' self-adjoint, thus 2^(L-1) real values in the transform; g1 complex.
/// All three are used up; `scale` normalizes the leaves: sqrt(D) scale.
template <class R, unsigned L>
void build_tree(R* tree, R* g0, R* g1, R* g0_prime, R scale) {
    constexpr std::size_t n = std::size_t{1} << L;
    constexpr std::size_t hn = n / 2;
    const R one(1.0);
    // L10 = adj(g1) / g0, D11 = g0' - |g1|^2 / g0.
    for (std::size_t u = 0; u < hn; ++u) {
        const R inverse = one / g0[u];
        const R re = g1[u] * inverse;
        const R im = g1[hn + u] * inverse;
        g0_prime[u] = g0_prime[u] - (re * g1[u] + im * g1[hn + u]);
        tree[u] = re;
        tree[hn + u] = -im;
    }
    if constexpr (L == 1) {
        tree[2] = square_root(g0[0]) * scale;
        tree[3] = square_root(g0_prime[0]) * scale;
    } else {
        constexpr std::size_t qn = hn / 2;
        const R half(0.5);
        R next[hn + qn + qn];  // split: qn real values, hn of a complex polynomial, a copy of the first
        for (int side = 0; side < 2; ++side) {
            const R* d = side == 0 ? g0 : g0_prime;
            for (std::size_t u = 0; u < qn; ++u) {
                const R difference = (d[2 * u] - d[2 * u + 1]) * half;
                next[u] = (d[2 * u] + d[2 * u + 1]) * half;
                next[hn + qn + u] = next[u];
                next[qn + u] = difference * R(kRoots.re[hn + u]);
                next[hn + u] = difference * R(-kRoots.im[hn + u]);
            }
            build_tree<R, L - 1>(tree + n + (side == 0 ? 0 : tree_size(L - 1)), next, next + qn, next + hn + qn, scale);
        }
        secure_wipe(next, sizeof next);
    }
}

template <class R, class Rng>
struct SamplingContext {
    Rng& rng;
    R sigma_min;
    R operator()(R centre, R inverse_sigma) const { return from_int<R>(sample_z<R>(rng, centre, inverse_sigma, sigma_min)); }
};

/// (z0, z1) near (t0, t1); `scratch` has room for 4 n values of the level.
template <class R, unsigned L, class Context>
void ff_sampling(const Context& sample, R* __restrict z0, R* __restrict z1, const R* tree, const R* t0, const R* t1, R* scratch) {
    if constexpr (L == 1) {
        const R re = sample(t1[0], tree[3]);
        const R im = sample(t1[1], tree[3]);
        const R dr = t1[0] - re;
        const R di = t1[1] - im;
        const R cr = t0[0] + (dr * tree[0] - di * tree[1]);
        const R ci = t0[1] + (dr * tree[1] + di * tree[0]);
        z1[0] = re;
        z1[1] = im;
        z0[0] = sample(cr, tree[2]);
        z0[1] = sample(ci, tree[2]);
    } else {
        constexpr std::size_t n = std::size_t{1} << L;
        constexpr std::size_t hn = n / 2;
        R* half_t = scratch;      // the target split in two
        R* half_z = scratch + n;  // the answer in two parts
        R* deeper = scratch + 2 * n;
        split_fft<R, L>(half_t, half_t + hn, t1);
        ff_sampling<R, L - 1>(sample, half_z, half_z + hn, tree + n + tree_size(L - 1), half_t, half_t + hn, deeper);
        merge_fft<R, L>(z1, half_z, half_z + hn);
        // t0' = t0 + (t1 - z1) L10
        for (std::size_t u = 0; u < hn; ++u) {
            const R dr = t1[u] - z1[u];
            const R di = t1[hn + u] - z1[hn + u];
            half_z[u] = t0[u] + (dr * tree[u] - di * tree[hn + u]);
            half_z[hn + u] = t0[hn + u] + (dr * tree[hn + u] + di * tree[u]);
        }
        split_fft<R, L>(half_t, half_t + hn, half_z);
        ff_sampling<R, L - 1>(sample, half_z, half_z + hn, tree + n, half_t, half_t + hn, deeper);
        merge_fft<R, L>(z0, half_z, half_z + hn);
    }
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
