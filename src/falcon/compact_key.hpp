#pragma once

#include <postern/falcon.hpp>

namespace postern::falcon {

/// The compact key: write h = E(y) + x O(y), y = x^2, and Y = y^8. Scale by 2^17 / (n/16), transform E and O modulo
/// Y^(n/16) + 1 down to n/16 leaves Y - zeta_k of 8 coefficients. Leaf k is one 32-byte word; its 32-bit lane
/// (8 - i) mod 8, counted from the low end, holds E_k[i] in the high and O_k[i] in the low half.
template <class P>
Bytes encode_compact_key(const PublicKey<P>& key);
/// Refuses lanes that are not below q; the form is a bijection of canonical keys. `bytes` has 2n bytes.
template <class P>
Result<PublicKey<P>> decode_compact_key(ByteView bytes);

/// zeta_k of leaf k.
template <class P>
std::uint32_t compact_key_root(std::size_t leaf);

}  // namespace postern::falcon
