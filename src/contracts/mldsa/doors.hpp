#pragma once

// The way into a verifier: selector, offsets, lengths. What cannot be parsed reverts; what is well-formed and cannot be right sets
// `bad`.

#include <postern/contracts.hpp>
#include <vector>

#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

struct Labels {
    Label revert, reject, parse, signature, pass_b, theta;
};

struct DoorRules {
    std::vector<Door> doors;  ///< in the order in which they are tried
    /// Exact length of a key in calldata, whose offset goes to vars.parts; 0: the key is an address, which goes there itself.
    unsigned wire_key = 0;
};

/// Dispatches on the selector and comes out with the answers and arguments in their variables.
void emit_doors(Kernel& k, const Plan& plan, const Labels& l, const DoorRules& rules);

/// Subroutine: [head position] -> [size, data offset] of a dynamic `bytes` argument. Reverts unless offset and length are below
/// 2^32 and everything lies inside calldata.
void emit_parse(Kernel& k, const Labels& l);

/// Copies |ctx|, ctx and M, exactly, behind the 64 bytes of tr and the zero byte that stand at `buffer`: -> [|ctx| + |M|].
void emit_context_and_message(Kernel& k, std::uint64_t buffer);

/// The end of a verifier: returns the accepting word, or the rejecting one if `bad` is set; binds l.reject and l.revert.
void emit_answer(Kernel& k, const Labels& l);

}  // namespace postern::contracts::mldsa_evm
