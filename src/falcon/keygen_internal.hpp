#pragma once

#include <optional>
#include <postern/falcon.hpp>

namespace postern::falcon {

/// The norm of (g, -f) and that of the orthogonalized second row are both at most 1.17 sqrt(q).
template <class P>
bool acceptable_norms(const BasisPoly<P>& f, const BasisPoly<P>& g);
/// Solves for F and G; nothing if f has no inverse or the equation no solution that fits.
/// `fixed_only` also gives up where only the floating-point reduction would succeed, as c-fn-dsa does.
template <class P>
std::optional<PrivateKey<P>> complete_key(const BasisPoly<P>& f, const BasisPoly<P>& g, bool fixed_only);

/// The first acceptable candidate of four streams taken in turn, thus the key that one of the seeds gives alone.
template <class P>
PrivateKey<P> key_from_seeds(const std::array<ByteView, 4>& seeds);

}  // namespace postern::falcon
