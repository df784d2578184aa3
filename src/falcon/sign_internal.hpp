#pragma once

#include <array>
#include <functional>
#include <postern/falcon.hpp>
#include <vector>

#include "core/secure.hpp"
#include "falcon/soft_double.hpp"

namespace postern::falcon {

/// The reals keys are expanded to: the processor's doubles, or integers emulating them where POSTERN_FALCON_SOFT is set.
#ifdef POSTERN_FALCON_SOFT
using Real = SoftDouble;
#else
using Real = double;
#endif

template <class P>
struct ExpandedPrivateKey<P>::Impl {
    PublicKey<P> public_key;
    SecureBytes encoded;  // what deterministic signing hashes
    std::vector<Real, WipingAllocator<Real>> values;
};

/// Where salt and sampler randomness come from: 40 bytes and 48 bytes.
using SamplerSeed = std::array<std::uint8_t, 48>;
struct SigningRandomness {
    Salt salt{};
    SamplerSeed seed{};
};
SigningRandomness fresh_randomness();
/// SHAKE256 over a tag, the scheme's name, the key and the message.
SigningRandomness derived_randomness(std::string_view scheme, ByteView private_key, ByteView message);

/// The signing loop of the reference implementation for a given salt and point: SHAKE256(seed) gives 56 bytes for each
/// attempt. With `fit_padded` an attempt whose encoding is longer than the padded form counts as failed.
template <class P>
Signature<P> sign_point(const ExpandedPrivateKey<P>& key, const Salt& salt, const Poly<P>& c, const SamplerSeed& seed, bool fit_padded);

/// One attempt on a 56-byte generator seed; false if the vector is too long.
template <class P>
bool sign_attempt(const ExpandedPrivateKey<P>& key, SmallPoly<P>& s1, SmallPoly<P>& s2, const Poly<P>& c,
                  std::span<const std::uint8_t, 56> seed);
#ifdef POSTERN_FNDSA_PREVIEW
template <class P>
bool sign_attempt_shake(const ExpandedPrivateKey<P>& key, SmallPoly<P>& s1, SmallPoly<P>& s2, const Poly<P>& c,
                        std::span<const std::uint8_t, 56> seed);
#endif

}  // namespace postern::falcon
