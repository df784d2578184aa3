#pragma once

// Expansion of a private basis and one attempt at a signature. Included by one translation unit for each processor.

#include <array>
#include <cstddef>
#include <cstdint>

#include "falcon/chacha_prng.hpp"
#include "falcon/ffsampling.hpp"
#include "falcon/sign_backend.hpp"
#ifdef POSTERN_FNDSA_PREVIEW
#include "falcon/shake_prng.hpp"
#endif

namespace postern::falcon::POSTERN_FALCON_KERNELS {

/// Layout of an expanded key: transforms of g, -f, G, -F, then the tree.
template <class P, class R>
void expand(R* key, const std::int8_t* f, const std::int8_t* g, const std::int8_t* F, const std::int8_t* G) {
    constexpr std::size_t n = P::n;
    constexpr std::size_t hn = n / 2;
    R* b00 = key;
    R* b01 = key + n;
    R* b10 = key + 2 * n;
    R* b11 = key + 3 * n;
    for (std::size_t i = 0; i < n; ++i) {
        b00[i] = from_int<R>(g[i]);
        b01[i] = from_int<R>(-f[i]);
        b10[i] = from_int<R>(G[i]);
        b11[i] = from_int<R>(-F[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) fft<R, P::logn>(key + i * n);
    // Gram matrix of the rows (g, -f), (G, -F).
    struct Gram {
        R g00[hn], g11[hn], g01[n];
    } m;
    for (std::size_t u = 0; u < hn; ++u) {
        const std::size_t v = u + hn;
        m.g00[u] = (b00[u] * b00[u] + b00[v] * b00[v]) + (b01[u] * b01[u] + b01[v] * b01[v]);
        m.g11[u] = (b10[u] * b10[u] + b10[v] * b10[v]) + (b11[u] * b11[u] + b11[v] * b11[v]);
        m.g01[u] = (b00[u] * b10[u] + b00[v] * b10[v]) + (b01[u] * b11[u] + b01[v] * b11[v]);
        m.g01[v] = (b00[v] * b10[u] - b00[u] * b10[v]) + (b01[v] * b11[u] - b01[u] * b11[v]);
    }
    build_tree<R, P::logn>(key + 4 * n, m.g00, m.g01, m.g11, R(Gaussian<P>::inverse_sigma));
    secure_wipe(&m, sizeof m);
}

template <class P, class R>
bool short_dual(const std::int8_t* f, const std::int8_t* g) {
    constexpr std::size_t n = P::n;
    constexpr std::size_t hn = n / 2;
    struct Work {
        R f[n], g[n];
    } w;
    for (std::size_t i = 0; i < n; ++i) {
        w.f[i] = from_int<R>(f[i]);
        w.g[i] = from_int<R>(g[i]);
    }
    fft<R, P::logn>(w.f);
    fft<R, P::logn>(w.g);
    // By Parseval the squared norm is 2 q^2 / n times the sum of 1 / (|f|^2 + |g|^2).
    R sum(0.0);
    for (std::size_t u = 0; u < hn; ++u)
        sum = sum + R(1.0) / ((w.f[u] * w.f[u] + w.f[hn + u] * w.f[hn + u]) + (w.g[u] * w.g[u] + w.g[hn + u] * w.g[hn + u]));
    secure_wipe(&w, sizeof w);
    const auto q = static_cast<double>(falcon::q);
    return declassify(less(sum, R(1.17 * 1.17 * static_cast<double>(n) / (2 * q)))) != 0;
}

/// One run of the sampler for the point c. False: the vector is longer than the bound and must not be used.
template <class P, class R, class Rng>
bool attempt(Rng& rng, std::int16_t* s1, std::int16_t* s2, const R* key, const std::uint16_t* c) {
    constexpr std::size_t n = P::n;
    const R* b00 = key;
    const R* b01 = key + n;
    const R* b10 = key + 2 * n;
    const R* b11 = key + 3 * n;
    struct Work {
        R t0[n], t1[n], z0[n], z1[n], scratch[4 * n];
    } w;
    for (std::size_t i = 0; i < n; ++i) w.t0[i] = from_int<R>(c[i]);
    fft<R, P::logn>(w.t0);
    for (std::size_t i = 0; i < n; ++i) w.t1[i] = w.t0[i];
    multiply_fft<R, P::logn>(w.t1, b01);
    multiply_fft<R, P::logn>(w.t0, b11);
    const R inverse_q(1.0 / 12289.0);
    for (std::size_t i = 0; i < n; ++i) {
        w.t1[i] = w.t1[i] * -inverse_q;
        w.t0[i] = w.t0[i] * inverse_q;
    }
    const SamplingContext<R, Rng> context{rng, R(Gaussian<P>::sigma_min)};
    ff_sampling<R, P::logn>(context, w.z0, w.z1, key + 4 * n, w.t0, w.t1, w.scratch);
    // The lattice point z B.
    for (std::size_t i = 0; i < n; ++i) {
        w.t0[i] = w.z0[i];
        w.t1[i] = w.z1[i];
    }
    multiply_fft<R, P::logn>(w.z0, b00);
    multiply_fft<R, P::logn>(w.z1, b10);
    multiply_fft<R, P::logn>(w.t0, b01);
    multiply_fft<R, P::logn>(w.t1, b11);
    for (std::size_t i = 0; i < n; ++i) {
        w.z0[i] = w.z0[i] + w.z1[i];
        w.t0[i] = w.t0[i] + w.t1[i];
    }
    inverse_fft<R, P::logn>(w.z0);
    inverse_fft<R, P::logn>(w.t0);
    std::uint64_t norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t a = static_cast<std::int64_t>(c[i]) - round_to_int(w.z0[i]);
        const std::int64_t b = -round_to_int(w.t0[i]);
        norm += static_cast<std::uint64_t>(a * a) + static_cast<std::uint64_t>(b * b);
        s1[i] = static_cast<std::int16_t>(a);
        s2[i] = static_cast<std::int16_t>(b);
    }
    secure_wipe(&w, sizeof w);
    return declassify((norm - P::beta2 - 1) >> 63) != 0;
}

template <class P, class R>
bool attempt_chacha(std::int16_t* s1, std::int16_t* s2, const R* key, const std::uint16_t* c, const std::uint8_t* seed) {
    ChaChaPrng rng(seed);
    return attempt<P, R>(rng, s1, s2, key, c);
}

#ifdef POSTERN_FNDSA_PREVIEW
template <class P, class R>
bool attempt_shake(std::int16_t* s1, std::int16_t* s2, const R* key, const std::uint16_t* c, const std::uint8_t* seed) {
    ShakePrng rng({seed, 56});
    return attempt<P, R>(rng, s1, s2, key, c);
}
#endif

/// All of the above in one table.
template <class P, class R>
constexpr SignBackend<P, R> make_backend() {
    SignBackend<P, R> b{};
    b.expand = &expand<P, R>;
    b.attempt = &attempt_chacha<P, R>;
#ifdef POSTERN_FNDSA_PREVIEW
    b.attempt_shake = &attempt_shake<P, R>;
#endif
    b.short_dual = &short_dual<P, R>;
    return b;
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
