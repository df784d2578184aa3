#include <array>

#include "core/random.hpp"
#include "core/secure.hpp"
#include "falcon/cpu.hpp"
#include "falcon/keygen_internal.hpp"
#include "falcon/ntru_backend.hpp"
#include "falcon/rounding.hpp"
#include "falcon/seed_stream.hpp"
#include "falcon/sign_backend.hpp"
#include "falcon/sign_internal.hpp"
#include "falcon/zq.hpp"

namespace postern::falcon {

namespace {

void gaussian_sums(unsigned logn, std::int8_t* out, const std::uint64_t* draws, std::size_t count) {
#ifdef POSTERN_FALCON_AVX2
    if (use_avx2()) return gaussian_sums_avx2(logn, out, draws, count);
#endif
    gaussian_sums_portable(logn, out, draws, count);
}

/// A polynomial with an odd sum of coefficients: its resultant with x^n + 1 is odd. `fill` fills a span with draws.
template <class P, class Fill>
void sample_odd(const Fill& fill, BasisPoly<P>& out) {
    constexpr std::size_t per_value = std::size_t{2} << (10 - P::logn);
    std::array<std::uint64_t, per_value*(P::n - 1)> draws;
    WipeGuard wipe(draws);
    fill(draws);
    gaussian_sums(P::logn, out.data(), draws.data(), P::n - 1);
    std::uint32_t parity = 0;
    for (std::size_t i = 0; i + 1 < P::n; ++i) parity ^= static_cast<std::uint32_t>(out[i]) & 1;
    // What is thrown away says nothing of what is kept.
    do {
        const auto last = std::span(draws).template first<per_value>();
        fill(last);
        gaussian_sums(P::logn, &out[P::n - 1], last.data(), 1);
    } while (declassify(parity ^ (static_cast<std::uint32_t>(out[P::n - 1]) & 1)) == 0);
}

template <class P>
bool acceptable_range(const BasisPoly<P>& f, const BasisPoly<P>& g) {
    constexpr int limit = (1 << (P::fg_bits - 1)) - 1;
    std::uint32_t over = 0;
    for (std::size_t i = 0; i < P::n; ++i)
        over |= static_cast<std::uint32_t>((limit - f[i]) | (limit + f[i]) | (limit - g[i]) | (limit + g[i])) >> 31;
    return declassify(over) == 0;
}

bool solve(unsigned logn, std::int8_t* F, std::int8_t* G, const std::int8_t* f, const std::int8_t* g, bool fixed_only) {
#ifdef POSTERN_FALCON_AVX2
    if (use_avx2()) return solve_ntru_avx2(logn, F, G, f, g, fixed_only);
#endif
    return solve_ntru_portable(logn, F, G, f, g, fixed_only);
}

}  // namespace

template <class P>
bool acceptable_norms(const BasisPoly<P>& f, const BasisPoly<P>& g) {
    // ||(g, -f)||^2 <= 1.17^2 q = 16822.4121
    std::uint32_t norm = 0;
    for (std::size_t i = 0; i < P::n; ++i) norm += static_cast<std::uint32_t>(f[i] * f[i] + g[i] * g[i]);
    if (declassify((16822U - norm) >> 31) != 0) return false;
    const RoundToNearest rounding;
#ifdef POSTERN_FALCON_SOFT
    return soft_signing<P>().short_dual(f.data(), g.data());
#else
#ifdef POSTERN_FALCON_AVX2
    if (use_avx2()) return avx2_signing<P>().short_dual(f.data(), g.data());
#endif
    return portable_signing<P>().short_dual(f.data(), g.data());
#endif
}

template <class P>
std::optional<PrivateKey<P>> complete_key(const BasisPoly<P>& f, const BasisPoly<P>& g, bool fixed_only) {
    Poly<P> t;
    WipeGuard wipe_t(t);
    for (std::size_t i = 0; i < P::n; ++i) t[i] = to_residue(f[i]);
    ntt<P>(t);
    if (!pointwise_inverse<P>(t)) return std::nullopt;
    BasisPoly<P> F, G;
    WipeGuard wipe_F(F);
    WipeGuard wipe_G(G);
    if (!solve(P::logn, F.data(), G.data(), f.data(), g.data(), fixed_only)) return std::nullopt;
    auto key = PrivateKey<P>::from_basis(f, g, F);
    if (!key) return std::nullopt;
    return *std::move(key);
}

namespace {

/// One candidate; nothing if it is none.
template <class P, class Fill>
std::optional<PrivateKey<P>> try_key(const Fill& fill) {
    BasisPoly<P> f, g;
    WipeGuard wipe_f(f);
    WipeGuard wipe_g(g);
    sample_odd<P>(fill, f);
    sample_odd<P>(fill, g);
    if (!acceptable_range<P>(f, g) || !acceptable_norms<P>(f, g)) return std::nullopt;
    return complete_key<P>(f, g, false);
}

}  // namespace

template <class P>
PrivateKey<P> PrivateKey<P>::from_seed(ByteView seed) {
    SeedStream stream(seed);
    for (;;)
        if (auto key = try_key<P>([&](std::span<std::uint64_t> out) { stream.fill(out); })) return *std::move(key);
}

template <class P>
PrivateKey<P> key_from_seeds(const std::array<ByteView, 4>& seeds) {
    SeedStreamsX4 streams(seeds);
    for (std::size_t i = 0;; i = (i + 1) % 4)
        if (auto key = try_key<P>([&](std::span<std::uint64_t> out) { streams.fill(i, out); })) return *std::move(key);
}

template <class P>
PrivateKey<P> PrivateKey<P>::generate() {
    std::array<std::uint8_t, 4 * kSeedBytes> seeds;
    WipeGuard wipe(seeds);
    os_random(seeds);
    mark_secret(seeds.data(), seeds.size());
    const ByteView all(seeds);
    return key_from_seeds<P>({all.subspan(0, kSeedBytes), all.subspan(kSeedBytes, kSeedBytes), all.subspan(2 * kSeedBytes, kSeedBytes),
                              all.subspan(3 * kSeedBytes)});
}

#define POSTERN_INSTANTIATE(P)                                                   \
    template bool acceptable_norms<P>(const BasisPoly<P>&, const BasisPoly<P>&); \
    template PrivateKey<P> key_from_seeds<P>(const std::array<ByteView, 4>&);    \
    template PrivateKey<P> PrivateKey<P>::from_seed(ByteView);                   \
    template PrivateKey<P> PrivateKey<P>::generate();
POSTERN_INSTANTIATE(Falcon512)
POSTERN_INSTANTIATE(Falcon1024)
#undef POSTERN_INSTANTIATE
template std::optional<PrivateKey<Falcon512>> complete_key<Falcon512>(const BasisPoly<Falcon512>&, const BasisPoly<Falcon512>&, bool);
template std::optional<PrivateKey<Falcon1024>> complete_key<Falcon1024>(const BasisPoly<Falcon1024>&, const BasisPoly<Falcon1024>&, bool);

}  // namespace postern::falcon
