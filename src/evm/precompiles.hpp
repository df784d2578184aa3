#pragma once

#include <span>

#include "evm/schedule.hpp"

namespace postern::evm {

struct PrecompileResult {
    Halt halt = Halt::none;
    Gas gas = 0;
    Bytes output;
};

/// The addresses that are precompiled contracts under a fork, as small numbers; and the number of one address, 0 if it is none.
std::span<const std::uint16_t> precompile_ids(Fork fork);
std::uint16_t precompile_id(Fork fork, const Address& address);

/// Runs a precompiled contract. Halts with out_of_gas, precompile_failure (both burn all gas of the call) or not_implemented.
PrecompileResult run_precompile(Fork fork, const Address& address, ByteView input, Gas gas);

namespace precompile {

// Each takes the input of its contract and answers its output; nothing means failure. Gas is not their business.

/// 0x01: hash, v, r, s; an empty output where nothing can be recovered.
Bytes ecrecover(ByteView input);
Bytes sha256(ByteView input);
Bytes ripemd160(ByteView input);
/// 0x05, EIP-198. Lengths have been checked to be payable.
Bytes modexp(ByteView input);
Gas modexp_gas(Fork fork, ByteView input);
/// EIP-7823: lengths up to 1,024 bytes.
bool modexp_lengths_allowed(ByteView input);
std::optional<Bytes> bn254_add(ByteView input);
std::optional<Bytes> bn254_mul(ByteView input);
/// 0x09, EIP-152.
std::optional<Bytes> blake2f(ByteView input);
/// 0x100, EIP-7951: an empty output for anything but a valid signature.
Bytes p256_verify(ByteView input);

}  // namespace precompile

}  // namespace postern::evm
