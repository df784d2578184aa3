#pragma once

// A contract of its own that hashes for the verifiers of the wire form: SHAKE256 (or TurboSHAKE256) of anything, and ExpandA's streams four
// at a time. Calldata begins with a tag:
//
//   n >= 1, then any bytes: the first n blocks of 136 bytes of SHAKE256 of these bytes
//   0, then rho (32 bytes), then four pairs of bytes s, r: four streams of SHAKE128(rho || s || r), each 864 bytes: a
//      stream's first 840 bytes (five blocks) stand backwards, byte 0 last, behind 24 zeros
//
// Everything else reverts. It reads no state and makes no calls.

#include <postern/bytes.hpp>

#include "codegen/kernel.hpp"

namespace postern::contracts::mldsa_evm {

inline constexpr unsigned kXofBlock = 136;   // of SHAKE256
inline constexpr unsigned kXofStream = 864;  // memory of one stream
inline constexpr unsigned kXofStreamBytes = 5 * 168;
inline constexpr unsigned kXofExpandInput = 1 + 32 + 8;

void emit_xof_library(codegen::Kernel& k, unsigned rounds);

}  // namespace postern::contracts::mldsa_evm
