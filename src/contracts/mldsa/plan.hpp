#pragma once

// The numbers behind an ML-DSA verifier contract: everything is computed from the parameter set, nothing is typed in.
// Notation and algebra: docs/ml-dsa-evm.md.

#include <array>
#include <cstdint>
#include <optional>
#include <postern/mldsa.hpp>
#include <vector>

#include "codegen/kernel.hpp"
#include "contracts/sponge.hpp"

namespace postern::contracts::mldsa_evm {

using codegen::BoundError;
using codegen::splat_signed;
using codegen::Unsigned;

inline constexpr std::uint64_t q = static_cast<std::uint64_t>(mldsa::q);

// --- arithmetic modulo q
std::uint64_t mul_q(std::uint64_t a, std::uint64_t b);
std::uint64_t pow_q(std::uint64_t a, std::uint64_t e);
std::uint64_t inv_q(std::uint64_t a);
inline std::uint64_t sub_q(std::uint64_t a, std::uint64_t b) { return (a + q - b) % q; }

/// w = u/v mod q with small u (signed) and v > 0.
struct Ratio {
    std::int64_t u = 0;
    std::int64_t v = 1;
};
/// The pair of least |u| + v (half-way through the extended Euclidean algorithm).
Ratio small_ratio(std::uint64_t w);

/// How four packed fields of z are spread over the lanes of a word (two multiplications), see docs.
struct Spread {
    unsigned bytes = 0;                // of four fields
    unsigned first = 0;                // V * (1 + 2^first)
    U256 first_mask;                   // 40 bits twice
    unsigned second = 0;               // x * (1 + 2^second)
    std::array<unsigned, 4> triple{};  // where the 24-bit triple of lane l stands
    U256 second_mask;
    unsigned align = 0;  // every field starts at this bit of its (half-)lane
};

/// What tests may change to see the generator refuse; the defaults are computed.
struct Overrides {
    std::optional<std::uint64_t> forward_offset;  // multiples of q in front of the forward transform
    std::optional<std::array<std::uint64_t, 3>> inverse_offsets;
    std::optional<unsigned> inverse_k;  // Shoup precision of pass 1
    std::optional<unsigned> final_k;
    std::optional<unsigned> trim_positions;  // bit i: words of position i mod 8 are trimmed
    std::optional<bool> trim_entry;          // every word that enters the inverse transform is trimmed
    std::optional<unsigned> spread_first;
    std::optional<std::uint64_t> challenge_offset;
    std::optional<unsigned> norm_blind;  // half-lane of the norm verdict that is not looked at (tests of the tests)
    bool skip_first_block = false;       // SampleInBall draws from the second block of its stream on (tests of refilling)
    std::optional<bool> pair_hash;
    bool injected_squeeze = false;          // SampleInBall reads its stream from the end of calldata (tests)
    std::optional<unsigned> stream_blocks;  // keccak256 counter XOFs: blocks of SampleInBall's stream made at a time
    std::optional<unsigned> first_draw;     // the byte of the stream where the draws begin (tests of refilling)
};

struct Params {
    const mldsa::Scheme* scheme = nullptr;
    unsigned k = 0, l = 0, tau = 0, omega = 0, beta = 0;
    std::uint64_t gamma1 = 0, gamma2 = 0;
    unsigned z_bits = 0, w1_bits = 0, w1_values = 0;
    unsigned c_tilde = 0, signature = 0, z_poly = 0;
};
Params params_of(const mldsa::Scheme& scheme);

/// Byte addresses in memory, fixed for a contract.
struct Map {
    keccak::Memory sponge;      // nothing there if the hash is keccak256
    std::uint64_t counter = 0;  // keccak256 counter XOFs: the state, 32 bytes, and the counter behind it
    std::uint64_t vars = 0;     // one word each, see Var
    std::uint64_t work = 0;     // 2,048; the word before is zero
    std::uint64_t e = 0;        // 8 words at a pitch of 64, and one word behind
    std::uint64_t block = 0;    // key words of one block, over work and e
    std::uint64_t hints = 0;    // 256 k bytes
    std::uint64_t lanes = 0;    // mu and w1, to be hashed: 64 bytes before `packed`
    std::uint64_t packed = 0;   // 8 k words of w1Encode; may be over hints
    std::uint64_t theta = 0;    // table of 3-byte values; 32 readable bytes before
    std::uint64_t arrays = 0;   // (l + 1) arrays of 2,048; the word before is zero
    std::uint64_t end = 0;

    std::uint64_t array(unsigned j) const { return arrays + 2048ULL * j; }
};

struct Plan {
    Params p;
    Overrides overrides;
    Spread spread;
    Ratio w1, w2, w3;                       // rational twiddles of layers 1 and 2
    std::array<std::uint64_t, 64> w{};      // w[i] of block i
    std::array<std::uint64_t, 64> zeta{};   // x^4 = zeta[p] at leaf p
    std::array<std::uint64_t, 64> theta{};  // 1/zeta[p]
    Map map;
    unsigned rounds = 24;        // of the permutation behind the sponge
    unsigned counter_bytes = 0;  // of a keccak256 counter XOF, which then stands in place of the sponge; 0: a sponge
    unsigned stream_blocks = 0;  // 32-byte blocks of SampleInBall's stream made at first, by a counter XOF or a pair of states
    bool hash_by_call = false;   // another contract hashes bytes
    bool pair_hash = false;      // mu and SampleInBall in one permutation of two states
    unsigned encode_unroll = 8;  // words of UseHint and w1Encode in one round of their loop: 1, 2, 4, or 8 (no loop)
    bool tight = false;          // constants in few bytes where that costs gas only once a kernel
    unsigned leaves_per_block = 4;
    unsigned leaves_per_part = 32;
    unsigned parts = 2;

    /// Part 0: zero byte, keccak256 of the public key, tr, addresses of the other parts. Every other part: zero byte.
    unsigned header_bytes() const { return 1 + 32 + 64 + 20 * (parts - 1); }
    unsigned part_bytes(unsigned part) const;
    /// Are w1, mu and the stream bytes in their order (keccak256), and not 64-bit integers (a sponge's lanes)?
    bool byte_order() const { return counter_bytes != 0 || hash_by_call; }
    /// Where coefficient p of a row stands among its 256 bytes of E words and hints is p XOR this.
    unsigned place_flip() const { return byte_order() ? 0 : 28; }
    unsigned words_per_leaf() const { return p.k * (p.l + 1); }
    /// Scale of the challenge at leaf p that the key absorbs.
    std::uint64_t challenge_scale(unsigned leaf) const;
};

Plan make_plan(const mldsa::Scheme& scheme, const Overrides& overrides = {});
/// The plan for hashing by calls of another contract.
void hash_by_call(Plan& plan);

unsigned reverse6(unsigned i);

// --- reductions; x on top is replaced by the result
/// 5.1: upper word, half = x*w mod q. `shift`: x is an upper word.
V montgomery_mul(Kernel& k, std::uint64_t w);
/// 5.2: upper word, half = x / 2^32 mod q.
V montgomery_reduce(Kernel& k);
/// 5.3: lower word congruent to x*w.
V shoup_mul(Kernel& k, std::uint64_t w, unsigned precision);
/// 5.5 with s = 23, C = q.
V trim23(Kernel& k);
/// Upper word in a register to lower.
V to_lower(Kernel& k);

/// A constant that a kernel keeps on the stack.
inline V push_resident(Kernel& k, const Plan& plan, const U256& value) { return plan.tight ? k.push_compact(value) : k.push(value); }

inline U256 mask32() { return splat(0xffffffffU); }
Lanes lower(Int lo, Int hi);
Lanes upper(Int lo, Int hi);  ///< bounds of the half, not of the lane

}  // namespace postern::contracts::mldsa_evm
