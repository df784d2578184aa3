#pragma once

// A PREVIEW of FN-DSA (FIPS 206), which is not published. Everything here follows the forecast that c-fn-dsa implements (with
// its SHAKE256 generator) and WILL change when the standard comes: do not keep keys or signatures made with it. Only there
// when built with -DPOSTERN_FNDSA_PREVIEW=ON.

#include <array>
#include <cstdint>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <postern/falcon.hpp>
#include <string_view>

namespace postern::falcon::fndsa_preview {

/// What the signature covers besides the message: a context of at most 255 bytes, and the function that made the message if it is
/// a digest (DER of its object identifier; empty for a message as it is).
struct Domain {
    ByteView context;
    ByteView prehash_oid;
};
/// 06 09 60 86 48 01 65 03 04 02 08, for SHA3-256.
inline constexpr std::array<std::uint8_t, 11> kSha3_256Oid = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x08};

/// Key from a seed of any length.
template <class P>
PrivateKey<P> key_from_seed(ByteView seed);
/// The point: SHAKE256(salt || SHAKE256(public key, 64) || 00 or 01 || length of context || context || oid || message).
/// Throws std::invalid_argument for a context that is too long.
template <class P>
Poly<P> point(const PublicKey<P>& key, const Salt& salt, const Domain& domain, ByteView message);
/// Salt and sampler seed of attempt i are SHAKE256(seed || i as 4 bytes, little-endian). Fits the padded form.
template <class P>
Signature<P> sign(const ExpandedPrivateKey<P>& key, const Domain& domain, ByteView message, ByteView seed);
template <class P>
Status verify(const PublicKey<P>& key, const Domain& domain, ByteView message, const Signature<P>& signature);

}  // namespace postern::falcon::fndsa_preview
