#pragma once

// Butterflies of the incomplete transform on words of eight lanes: Y^(n/16) + 1 is split down to Y - zeta by layers between words; the
// coefficients inside a word are never split. docs/falcon-evm.md.

#include <optional>
#include <vector>

#include "contracts/falcon/arithmetic.hpp"

namespace postern::contracts::falcon_evm {

/// A word whose value is v, or -v if `negated`. Lanes may be negative between stores.
struct Word {
    Value v;
    bool negated = false;
};

/// Twiddle of a node, counted from 1 at the top, children 2 node and 2 node + 1: psi to the bit-reversed node.
std::uint64_t twiddle(unsigned logn, std::size_t node);

/// Multiples of q that stand on the stack, ascending: what is added where a lane could be negative. Any multiple will do, those cost
/// fewer bytes.
struct Lifts {
    std::vector<unsigned> multiples{};
    Int limit = 131071;  ///< a preferred multiple may not push a lane past this
};
/// v plus a multiple of q so that no lane can be negative (nothing if none can).
Value lifted(Value v, const Lifts& lifts = {});
/// (a, b) -> (a + w b, a - w b).
void forward_butterfly(Word& a, Word& b, std::uint64_t w, const Lifts& lifts = {});
/// (u, v) -> (u + v, (u - v) / w); `negate` asks for a sign of the product.
void inverse_butterfly(Word& u, Word& v, std::uint64_t w, std::optional<bool> negate = std::nullopt, const Lifts& lifts = {});

}  // namespace postern::contracts::falcon_evm
