#include <array>
#include <cstring>

#include "core/random.hpp"
#include "core/secure.hpp"
#include "falcon/cpu.hpp"
#include "falcon/keygen_internal.hpp"
#include "falcon/ntru_backend.hpp"
#include "falcon/rounding.hpp"
#include "falcon/sign_backend.hpp"
#include "falcon/sign_internal.hpp"
#include "falcon/zq.hpp"
#include "hash/sha3.hpp"

namespace postern::falcon {

namespace {

/// 64-bit little-endian numbers out of SHAKE256, block by block.
class SeedStream {
  public:
    explicit SeedStream(ByteView seed) { xof_.absorb(seed); }
    ~SeedStream() { secure_wipe(block_); }
    SeedStream(const SeedStream&) = delete;
    SeedStream& operator=(const SeedStream&) = delete;
    std::uint64_t next() {
        if (position_ == block_.size()) {
            xof_.squeeze(block_);
            position_ = 0;
        }
        std::uint64_t x = 0;
        for (std::size_t i = 0; i < 8; ++i) x |= static_cast<std::uint64_t>(block_[position_ + i]) << (8 * i);
        position_ += 8;
        return x;
    }

  private:
    hash::Shake256 xof_;
    std::array<std::uint8_t, hash::Shake256::kRate> block_{};
    std::size_t position_ = hash::Shake256::kRate;
};

/// The discrete Gaussian of deviation 1.17 sqrt(q / 2048), as the reference implementation tabulates it on 63 bits: entry 0 is
/// P(x = 0), entry k is P(x > k | x > 0).
constexpr std::uint64_t kGaussian1024[] = {1283868770400643928,
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

/// One value from two draws, the whole table being read every time.
std::int32_t gaussian_1024(SeedStream& stream) {
    constexpr std::uint64_t mask63 = ~(std::uint64_t{1} << 63);
    const std::uint64_t first = stream.next();
    const auto negative = static_cast<std::uint32_t>(first >> 63);
    auto done = static_cast<std::uint32_t>(((first & mask63) - kGaussian1024[0]) >> 63);
    const std::uint64_t second = stream.next() & mask63;
    std::uint32_t v = 0;
    for (std::uint32_t k = 1; k < std::size(kGaussian1024); ++k) {
        const std::uint32_t reached = static_cast<std::uint32_t>((second - kGaussian1024[k]) >> 63) ^ 1;
        v |= k & (0U - (reached & (done ^ 1)));
        done |= reached;
    }
    return static_cast<std::int32_t>((v ^ (0U - negative)) + negative);
}

/// A polynomial with an odd sum of coefficients: its resultant with x^n + 1 is odd.
template <class P>
void sample_odd(SeedStream& stream, BasisPoly<P>& out) {
    std::uint32_t parity = 0;
    for (std::size_t i = 0; i < P::n;) {
        std::int32_t s = 0;
        for (unsigned k = 0; k < (1U << (10 - P::logn)); ++k) s += gaussian_1024(stream);
        const auto odd = static_cast<std::uint32_t>(s) & 1;
        // What is thrown away says nothing of what is kept.
        if (declassify(static_cast<std::uint32_t>((127 - s) | (127 + s)) >> 31) != 0) continue;
        if (i == P::n - 1) {
            if (declassify(parity ^ odd) == 0) continue;
        } else {
            parity ^= odd;
        }
        out[i++] = static_cast<std::int8_t>(s);
    }
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

template <class P>
PrivateKey<P> PrivateKey<P>::from_seed(ByteView seed) {
    SeedStream stream(seed);
    BasisPoly<P> f, g;
    WipeGuard wipe_f(f);
    WipeGuard wipe_g(g);
    for (;;) {
        sample_odd<P>(stream, f);
        sample_odd<P>(stream, g);
        if (!acceptable_range<P>(f, g) || !acceptable_norms<P>(f, g)) continue;
        if (auto key = complete_key<P>(f, g, false)) return *std::move(key);
    }
}

template <class P>
PrivateKey<P> PrivateKey<P>::generate() {
    std::array<std::uint8_t, kSeedBytes> seed;
    WipeGuard wipe(seed);
    os_random(seed);
    mark_secret(seed.data(), seed.size());
    return from_seed(seed);
}

#define POSTERN_INSTANTIATE(P)                                                                             \
    template bool acceptable_norms<P>(const BasisPoly<P>&, const BasisPoly<P>&);                           \
    template std::optional<PrivateKey<P>> complete_key<P>(const BasisPoly<P>&, const BasisPoly<P>&, bool); \
    template PrivateKey<P> PrivateKey<P>::from_seed(ByteView);                                             \
    template PrivateKey<P> PrivateKey<P>::generate();
POSTERN_INSTANTIATE(Falcon512)
POSTERN_INSTANTIATE(Falcon1024)
#undef POSTERN_INSTANTIATE

}  // namespace postern::falcon
