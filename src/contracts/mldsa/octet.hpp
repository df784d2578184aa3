#pragma once

// Radix-8 pieces of the transforms: eight words on the stack, two or three layers of butterflies, and a small search for the
// order of the butterflies that costs the fewest SWAPs.

#include <array>
#include <functional>
#include <optional>

#include "contracts/mldsa/plan.hpp"

namespace postern::contracts::mldsa_evm {

struct OctetTask {
    std::vector<unsigned> strides;  // one per layer: 4, 2, 1 forward, 1, 2, 4 inverse; butterfly (a, a + stride)
    /// Pushes the word of position p; unset if the words are on the stack already (`words`).
    std::function<void(Kernel&, unsigned p)> load;
    std::array<V, 8> words{};
    /// Turns the multiplied word on top of the stack into its product; unset for a twiddle of 1.
    std::function<void(Kernel&, unsigned layer, unsigned a)> multiply;
    std::function<bool(unsigned layer, unsigned a)> trivial = [](unsigned, unsigned) { return false; };
    /// Word to add to a trivial difference so that it (and what becomes of it) stays positive; told the bounds of the subtrahend.
    std::function<std::uint64_t(unsigned layer, const Lanes& subtrahend)> trivial_offset;
    /// Bits of the halves or lanes: trivial offsets are added to lanes of this shape.
    /// Consumes the word on top: final value of position p.
    std::function<void(Kernel&, unsigned p)> finish;
    /// Forbids orders that finish positions in the wrong sequence (unset: any).
    std::function<bool(unsigned before, unsigned after)> must_precede;
};

/// One permutation of the four butterflies per layer.
using OctetOrder = std::array<std::array<unsigned, 4>, 3>;

void emit_octet(Kernel& k, const OctetTask& task, const OctetOrder& order);
/// Deterministic local search; the rehearsals start from k's stack.
OctetOrder best_order(const Kernel& k, const OctetTask& task, unsigned tries = 400);

}  // namespace postern::contracts::mldsa_evm
