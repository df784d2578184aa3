#include <algorithm>
#include <postern/falcon_codec.hpp>
#include <stdexcept>
#include <string>

#include "core/random.hpp"
#include "falcon/cpu.hpp"
#include "falcon/rounding.hpp"
#include "falcon/sign_backend.hpp"
#include "falcon/sign_internal.hpp"
#include "hash/sha3.hpp"

namespace postern::falcon {

namespace {

template <class P>
const SignBackend<P, Real>& backend() {
#ifdef POSTERN_FALCON_SOFT
    return soft_signing<P>();
#else
#ifdef POSTERN_FALCON_AVX2
    if (use_avx2()) return avx2_signing<P>();
#endif
    return portable_signing<P>();
#endif
}

/// Two policies exist to check other people's test files, not to sign with.
void require_signing_policy(HashToPoint policy) {
    if (policy == HashToPoint::eip8052 || policy == HashToPoint::blake2s_prng)
        throw std::invalid_argument("hash-to-point " + std::string(name(policy)) + " is for verification only");
}

template <class P>
bool fits_padded(const Signature<P>& signature) {
    // 9 bits and the unary part for each coefficient.
    std::size_t bits = 0;
    for (const int x : signature.s2) bits += 9 + (static_cast<unsigned>(x < 0 ? -x : x) >> 7);
    return bits <= 8 * (P::padded_signature_bytes - kSaltBytes - 1);
}

}  // namespace

template <class P>
ExpandedPrivateKey<P>::ExpandedPrivateKey(const PrivateKey<P>& key) : impl_(std::make_unique<Impl>(Impl{key.public_key(), {}, {}})) {
    const RoundToNearest rounding;
    Bytes encoded = key.encode();
    impl_->encoded.assign(encoded.begin(), encoded.end());
    secure_wipe(encoded.data(), encoded.size());
    impl_->values.resize(kExpandedValues<P>);
    backend<P>().expand(impl_->values.data(), key.f().data(), key.g().data(), key.F().data(), key.G().data());
}
template <class P>
ExpandedPrivateKey<P>::~ExpandedPrivateKey() = default;
template <class P>
ExpandedPrivateKey<P>::ExpandedPrivateKey(ExpandedPrivateKey&&) noexcept = default;
template <class P>
ExpandedPrivateKey<P>& ExpandedPrivateKey<P>::operator=(ExpandedPrivateKey&&) noexcept = default;
template <class P>
const PublicKey<P>& ExpandedPrivateKey<P>::public_key() const noexcept {
    return impl_->public_key;
}

SigningRandomness fresh_randomness() {
    SigningRandomness r;
    os_random(r.salt);
    os_random(r.seed);
    mark_secret(r.seed.data(), r.seed.size());
    return r;
}

SigningRandomness derived_randomness(std::string_view scheme, ByteView private_key, ByteView message) {
    constexpr std::string_view tag = "POSTERN-FALCON-DETERMINISTIC-1";
    hash::Shake256 xof;
    xof.absorb({reinterpret_cast<const std::uint8_t*>(tag.data()), tag.size()});
    const std::array<std::uint8_t, 1> length = {static_cast<std::uint8_t>(scheme.size())};
    xof.absorb(length);
    xof.absorb({reinterpret_cast<const std::uint8_t*>(scheme.data()), scheme.size()});
    xof.absorb(private_key);
    xof.absorb(message);
    SigningRandomness r;
    xof.squeeze(r.salt);
    xof.squeeze(r.seed);
    declassify(r.salt.data(), r.salt.size());  // part of the signature
    return r;
}

template <class P>
bool sign_attempt(const ExpandedPrivateKey<P>& key, SmallPoly<P>& s1, SmallPoly<P>& s2, const Poly<P>& c,
                  std::span<const std::uint8_t, 56> seed) {
    const RoundToNearest rounding;
    return backend<P>().attempt(s1.data(), s2.data(), key.impl().values.data(), c.data(), seed.data());
}

#ifdef POSTERN_FNDSA_PREVIEW
template <class P>
bool sign_attempt_shake(const ExpandedPrivateKey<P>& key, SmallPoly<P>& s1, SmallPoly<P>& s2, const Poly<P>& c,
                        std::span<const std::uint8_t, 56> seed) {
    const RoundToNearest rounding;
    return backend<P>().attempt_shake(s1.data(), s2.data(), key.impl().values.data(), c.data(), seed.data());
}
template bool sign_attempt_shake<Falcon512>(const ExpandedPrivateKey<Falcon512>&, SmallPoly<Falcon512>&, SmallPoly<Falcon512>&,
                                            const Poly<Falcon512>&, std::span<const std::uint8_t, 56>);
template bool sign_attempt_shake<Falcon1024>(const ExpandedPrivateKey<Falcon1024>&, SmallPoly<Falcon1024>&, SmallPoly<Falcon1024>&,
                                             const Poly<Falcon1024>&, std::span<const std::uint8_t, 56>);
#endif

template <class P>
Signature<P> sign_point(const ExpandedPrivateKey<P>& key, const Salt& salt, const Poly<P>& c, const SamplerSeed& seed, bool fit_padded) {
    hash::Shake256 xof;
    xof.absorb(seed);
    Signature<P> signature;
    signature.salt = salt;
    SmallPoly<P> s1;
    std::array<std::uint8_t, 56> attempt_seed;
    WipeGuard wipe_s1(s1);
    WipeGuard wipe_seed(attempt_seed);
    for (;;) {
        xof.squeeze(attempt_seed);
        if (!sign_attempt<P>(key, s1, signature.s2, c, attempt_seed)) continue;
        // From here on s2 is either the signature or thrown away for its public length.
        declassify(signature.s2.data(), sizeof signature.s2);
        const auto [low, high] = std::minmax_element(signature.s2.begin(), signature.s2.end());
        if (*low >= -2047 && *high <= 2047 && (!fit_padded || fits_padded<P>(signature))) return signature;
    }
}

template <class P>
Signature<P> sign(const ExpandedPrivateKey<P>& key, ByteView message, HashToPoint policy) {
    require_signing_policy(policy);
    SigningRandomness r = fresh_randomness();
    WipeGuard wipe(r);
    return sign_point<P>(key, r.salt, hash_to_point<P>(policy, r.salt, message), r.seed, true);
}

template <class P>
Signature<P> sign(const PrivateKey<P>& key, ByteView message, HashToPoint policy) {
    return sign<P>(ExpandedPrivateKey<P>(key), message, policy);
}

template <class P>
Signature<P> sign_deterministic(const ExpandedPrivateKey<P>& key, ByteView message, HashToPoint policy) {
    require_signing_policy(policy);
    SigningRandomness r = derived_randomness(name(policy), key.impl().encoded, message);
    WipeGuard wipe(r);
    return sign_point<P>(key, r.salt, hash_to_point<P>(policy, r.salt, message), r.seed, true);
}

template <class P>
std::vector<Signature<P>> sign_batch(const ExpandedPrivateKey<P>& key, std::span<const ByteView> messages, HashToPoint policy) {
    std::vector<Signature<P>> out;
    out.reserve(messages.size());
    for (const auto message : messages) out.push_back(sign<P>(key, message, policy));
    return out;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a template argument takes none.
#define POSTERN_INSTANTIATE(P)                                                                                                \
    template class ExpandedPrivateKey<P>;                                                                                     \
    template bool sign_attempt<P>(const ExpandedPrivateKey<P>&, SmallPoly<P>&, SmallPoly<P>&, const Poly<P>&,                 \
                                  std::span<const std::uint8_t, 56>);                                                         \
    template Signature<P> sign_point<P>(const ExpandedPrivateKey<P>&, const Salt&, const Poly<P>&, const SamplerSeed&, bool); \
    template Signature<P> sign<P>(const ExpandedPrivateKey<P>&, ByteView, HashToPoint);                                       \
    template Signature<P> sign<P>(const PrivateKey<P>&, ByteView, HashToPoint);                                               \
    template Signature<P> sign_deterministic<P>(const ExpandedPrivateKey<P>&, ByteView, HashToPoint);                         \
    template std::vector<Signature<P>> sign_batch<P>(const ExpandedPrivateKey<P>&, std::span<const ByteView>, HashToPoint);
POSTERN_INSTANTIATE(Falcon512)
POSTERN_INSTANTIATE(Falcon1024)
#undef POSTERN_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace postern::falcon
