#pragma once

// Modular reductions on lane words with declared output intervals (mldsa-evm.md section 5). All work on lanes of `bits` = 64.
// Operands must have lanes; preconditions are checked on their intervals (BoundError). Each function's interval and congruence is
// one lemma, tested exhaustively or at random in tests/unit/codegen.

#include "codegen/block.hpp"

namespace postern::codegen {

/// Constants of a modulus q < 2^31, odd.
struct Modulus {
    std::uint64_t q = 0;
    std::uint64_t minus_inverse_32() const;  // -q^-1 mod 2^32
    std::uint64_t mul(std::uint64_t a, std::uint64_t b) const;
    std::uint64_t pow(std::uint64_t a, std::uint64_t e) const;
    std::uint64_t inverse(std::uint64_t a) const;
};

/// 5.1: x*w mod q times 2^32 ("upper" word): lanes in [0, q + floor(q*x/2^32)] * 2^32, congruent to x*w * 2^32... after the displaced
/// load or >> 32 the lane is congruent to x*w. Needs 0 <= x < 2^32.
Value montgomery_mul(Value x, std::uint64_t w, const Modulus& m);
/// 5.2: upper word whose high half is congruent to x * 2^-32; below x/2^32 + q. Needs 0 <= x < 2^63.
Value montgomery_reduce(Value x, const Modulus& m);
/// upper -> lower in a register (>> 32).
Value to_lower(Value upper);

/// 5.3: congruent to x*w, lanes in [0, q - 1 + ceil(q*x/2^k)].
Value shoup_mul(Value x, std::uint64_t w, unsigned k, const Modulus& m);
/// 5.3 ceil form: lanes in [-floor(q*x/2^k) - 1, q - 1], never q.
Value shoup_mul_ceil(Value x, std::uint64_t w, unsigned k, const Modulus& m);
/// 5.5: x - (x >> s)*C, C = 0 mod q near 2^s: congruent to x, lanes in [0, max].
Value trim(Value x, unsigned s, std::uint64_t c, const Modulus& m);

/// 4.3, the two sums of a leaf product of clean lane words: lo = MUL, and lo + hi = MULMOD 2^256 - 1 (refused if a lane could carry).
Value leaf_mul(Value a, Value z);
Value leaf_mulmod(Value a, Value z, Value all_ones);

}  // namespace postern::codegen
