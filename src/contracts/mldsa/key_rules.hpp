#pragma once

// Which public keys a registry takes.

#include "contracts/mldsa/plan.hpp"

namespace postern::contracts::mldsa_evm {

/// A coefficient t of t1 is weak iff (t + half) mod 512 < 2 half: 2^13 t is then within gamma2 of a multiple of q/2, and the product with c
/// moves the commitment by hardly anything that UseHint sees. A row with this many weak coefficients is refused; an honest row has so many
/// with probability below 2^-157.
inline constexpr unsigned kWeakLimit = 129;
/// 12 for ML-DSA-44, 32 for the others.
unsigned weak_half_width(const Params& params);

/// Exact length, no row of t1 degenerate; the reason names the row.
Status check_key(const mldsa::Scheme& scheme, ByteView public_key);

}  // namespace postern::contracts::mldsa_evm
