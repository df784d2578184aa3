#include <postern/falcon_codec.hpp>
#include <postern/fndsa_preview.hpp>
#include <span>
#include <stdexcept>

#include "core/secure.hpp"
#include "falcon/cpu.hpp"
#include "falcon/hash_to_point.hpp"
#include "falcon/keygen_internal.hpp"
#include "falcon/rounding.hpp"
#include "falcon/shake_prng.hpp"
#include "falcon/sign_backend.hpp"
#include "falcon/sign_internal.hpp"

namespace postern::falcon::fndsa_preview {

namespace {

/// Cumulative distribution of a coefficient of f or g on 16 bits: deviation 1.17 sqrt(q / 2n), entries for -k .. k.
constexpr std::uint16_t kCdf512[] = {1,     4,     11,    28,    65,    146,   308,   615,   1164,  2083,  3535,  5692,
                                     8706,  12669, 17574, 23285, 29542, 35993, 42250, 47961, 52866, 56829, 59843, 62000,
                                     63452, 64371, 64920, 65227, 65389, 65470, 65507, 65524, 65531, 65534};
constexpr std::uint16_t kCdf1024[] = {2,     8,     28,    94,    280,   742,   1761,  3753,  7197,  12472, 19623, 28206,
                                      37329, 45912, 53063, 58338, 61782, 63774, 64793, 65255, 65441, 65507, 65527, 65533};

template <class P>
std::span<const std::uint16_t> cdf() {
    if constexpr (P::logn == 9)
        return kCdf512;
    else
        return kCdf1024;
}

/// Until the sum of the coefficients is odd.
template <class P>
void sample_odd(ShakePrng& rng, BasisPoly<P>& out) {
    const auto table = cdf<P>();
    std::uint32_t parity = 0;
    do {
        parity = 0;
        for (auto& x : out) {
            const std::uint32_t y = rng.next_u16();
            std::uint32_t v = 0U - static_cast<std::uint32_t>(table.size() / 2);
            for (const std::uint32_t entry : table) v += (entry - y) >> 31;
            x = static_cast<std::int8_t>(v);
            parity ^= v & 1;
        }
    } while (declassify(parity) == 0);
}

}  // namespace

template <class P>
PrivateKey<P> key_from_seed(ByteView seed) {
    ShakePrng rng(seed);
    BasisPoly<P> f, g;
    WipeGuard wipe_f(f);
    WipeGuard wipe_g(g);
    for (;;) {
        sample_odd<P>(rng, f);
        sample_odd<P>(rng, g);
        if (!acceptable_norms<P>(f, g)) continue;
        if (auto key = complete_key<P>(f, g, true)) return *std::move(key);
    }
}

template <class P>
Poly<P> point(const PublicKey<P>& key, const Salt& salt, const Domain& domain, ByteView message) {
    if (domain.context.size() > 255) throw std::invalid_argument("a context has at most 255 bytes");
    hash::Shake256 key_hash;
    key_hash.absorb(encode_public_key<P>(PublicKeyCodec::nist, key));
    std::array<std::uint8_t, 64> digest;
    key_hash.squeeze(digest);
    const std::array<std::uint8_t, 2> frame = {static_cast<std::uint8_t>(domain.prehash_oid.empty() ? 0 : 1),
                                               static_cast<std::uint8_t>(domain.context.size())};
    hash::Shake256 xof;
    for (const ByteView part : {ByteView(salt), ByteView(digest), ByteView(frame), domain.context, domain.prehash_oid, message})
        xof.absorb(part);
    return point_from_stream<P>(xof);
}

template <class P>
Signature<P> sign(const ExpandedPrivateKey<P>& key, const Domain& domain, ByteView message, ByteView seed) {
    const RoundToNearest rounding;
    Signature<P> signature;
    SmallPoly<P> s1;
    std::array<std::uint8_t, 56> sampler_seed;
    WipeGuard wipe_s1(s1);
    WipeGuard wipe_seed(sampler_seed);
    for (std::uint32_t counter = 0;; ++counter) {
        hash::Shake256 xof;
        xof.absorb(seed);
        std::array<std::uint8_t, 4> count;
        for (unsigned i = 0; i < 4; ++i) count[i] = static_cast<std::uint8_t>(counter >> (8 * i));
        xof.absorb(count);
        xof.squeeze(signature.salt);
        xof.squeeze(sampler_seed);
        const Poly<P> c = point<P>(key.public_key(), signature.salt, domain, message);
        if (!sign_attempt_shake<P>(key, s1, signature.s2, c, sampler_seed)) continue;
        declassify(signature.s2.data(), sizeof signature.s2);
        if (encode_signature<P>(SignatureCodec::padded, signature)) return signature;
    }
}

template <class P>
Status verify(const PublicKey<P>& key, const Domain& domain, ByteView message, const Signature<P>& signature) {
    return verify_point<P>(ExpandedPublicKey<P>(key), point<P>(key, signature.salt, domain, message), signature.s2);
}

#define POSTERN_INSTANTIATE(P)                                                                      \
    template PrivateKey<P> key_from_seed<P>(ByteView);                                              \
    template Poly<P> point<P>(const PublicKey<P>&, const Salt&, const Domain&, ByteView);           \
    template Signature<P> sign<P>(const ExpandedPrivateKey<P>&, const Domain&, ByteView, ByteView); \
    template Status verify<P>(const PublicKey<P>&, const Domain&, ByteView, const Signature<P>&);
POSTERN_INSTANTIATE(Falcon512)
POSTERN_INSTANTIATE(Falcon1024)
#undef POSTERN_INSTANTIATE

}  // namespace postern::falcon::fndsa_preview
