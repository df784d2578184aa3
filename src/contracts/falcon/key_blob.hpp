#pragma once

// Keys as the Falcon verifiers read them. docs/falcon-evm.md gives the layouts to the byte.

#include <postern/contracts.hpp>
#include <postern/falcon_scheme.hpp>

namespace postern::contracts::falcon_evm {

/// 0x00, then six words a leaf: d and m of the even half, of y times the odd half, of the odd half. m holds the leaf's coefficients in
/// the lanes of the compact key; d is zeta m without lane 0 minus m without lane 0, modulo 2^256, so that
/// x MUL d + x MULMOD m is the product modulo y^8 - zeta.
template <class P>
Bytes expanded_blob(const falcon::PublicKey<P>& key);

/// From the standard encoding of a key of any Falcon scheme. One key has one blob.
Result<KeyBlob> make_blob(const falcon::Scheme& scheme, ByteView public_key, KeyForm form);

}  // namespace postern::contracts::falcon_evm
