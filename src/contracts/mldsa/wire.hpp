#pragma once

// Verifiers that take the standard ("wire") public key in calldata: A is expanded from rho on chain and multiplied as it comes out of
// the XOF. Algebra and costs: docs/ml-dsa-evm-wire.md.
//
// A hat lives in the standard's full NTT domain. Ten of its coefficients are three-byte fields of one word; two of them, five
// fields apart, meet their two factors of z in one MUL, in lanes that nothing else touches. So nothing is done to A but to look for
// values of q and more.

#include <functional>
#include <vector>

#include "contracts/mldsa/kernels.hpp"

namespace postern::contracts::mldsa_evm {

/// How the bytes of a XOF stand in memory.
enum class StreamOrder : std::uint8_t {
    forward,   ///< byte 0 first: keccak256 blocks. The bytes of every field are exchanged before use.
    backward,  ///< byte 0 last: lanes of a sponge as integers, later lanes in front. Fields are integers as they stand.
};

struct WireMap {
    std::uint64_t seed = 0;     // rho, two bytes, zeros; and the keccak256 counter input behind it
    std::uint64_t states = 0;   // per column: state of the counter XOF, then (next counter << 16 | bytes in the stream)
    std::uint64_t points = 0;   // table of the last two forward layers
    std::uint64_t inverse = 0;  // table of the first two inverse layers
    std::uint64_t taps = 0;     // tau addresses of windows of t1
    std::uint64_t t1 = 0;       // 1023 - t1, t1, 1023 - t1: 3 x 256 lanes of 16 bits
    std::uint64_t shift = 0;    // 64 words: what turns sums of windows into q + c t1
    std::uint64_t ct1 = 0;      // 64 words q + c t1 of a row
    std::uint64_t block = 0;    // factors of z of one group
    std::uint64_t out = 0;      // ten results; the byte before the first lane is zero
    std::uint64_t row = 0;      // 260 lanes of 64 bits: a row at the points
    std::uint64_t streams = 0;  // per column, kStream bytes
    std::uint64_t pairs = 0;    // factors of z: 26 groups of 5 x l words, kPitch apart
    std::uint64_t end = 0;

    static constexpr std::uint64_t kPitch = 40;
    static constexpr unsigned kGroups = 26;
};

struct WirePlan {
    Plan plan;
    WireMap map;
    StreamOrder order = StreamOrder::forward;
    std::uint64_t stream_pitch = 0;  // bytes of memory per stream
    unsigned key_bytes = 0;
    unsigned calls = 0;          // of the XOF library, four streams each; 0: streams are made row by row
    U256 library, library_hash;  // its address and the hash of its code

    /// Where, from the row's streams on, a word holds the ten fields of group 0 in its low 240 bits, column 0.
    std::int64_t first_group() const { return order == StreamOrder::forward ? -2 : static_cast<std::int64_t>(stream_pitch) - 32; }
    /// A word of memory with the address of the row's streams, if that changes.
    std::uint64_t row_streams() const { return map.seed + 96; }
    /// Which coefficient of its group field f (bits 24 f ..) is.
    unsigned place(unsigned field) const { return order == StreamOrder::forward ? 9 - field : field; }
    std::uint64_t pair_word(unsigned base_field, unsigned column) const {
        return map.block + WireMap::kPitch * (base_field * plan.p.l + column);
    }
    unsigned group_bytes() const { return static_cast<unsigned>(WireMap::kPitch) * 5 * plan.p.l; }
};

/// A number times a number: no lanes to look after.
inline V times(Kernel& k, std::uint64_t factor) {
    k.push(factor);
    return k.opaque(Op::MUL);
}

WirePlan make_wire_plan(const mldsa::Scheme& scheme, const Overrides& overrides = {});

// --- z and rows between 64 leaves and 256 points
/// Table of r_p = zeta^(2 br6(p) + 1) and of the four addresses of leaf p's points, 11 bytes a leaf, in the order of the loop.
std::vector<std::uint8_t> points_table(const WirePlan& wire);
/// Last two layers of z's forward transform: leaves in the arrays to factors in the pair words.
void emit_points(Kernel& k, const WirePlan& wire, Label table, const Bounds& z);
std::vector<std::uint8_t> leaf_table(const WirePlan& wire);
/// First two layers of the inverse transform: the row at the points to leaves in the work buffer (words stand four bytes early, so that
/// emit_inverse reads them as it reads upper words). Returns their bounds.
Bounds emit_leaves(Kernel& k, const WirePlan& wire);

// --- sum of A z over the columns of a row, from the streams
/// A z at the points into map.row. Jumps to `repair` are made with [group offset] when a field is q or more.
void emit_products(Kernel& k, const WirePlan& wire, Label repair);
/// Subroutine [offset of a group in its stream]: takes every refused field of the group out of its stream. `refill` emits code
/// for a stream that became too short, stack [column address in map.states] kept.
void emit_repair(Kernel& k, const WirePlan& wire, Label entry, const std::function<void(Kernel&)>& refill);

// --- c t1 in the coefficient domain
/// After SampleInBall: addresses of the windows, and the words that take the complements off again.
void emit_taps(Kernel& k, const WirePlan& wire);
/// t1 of the row whose number is on top (kept) from the key, then q + c t1.
void emit_sparse(Kernel& k, const WirePlan& wire);

// --- streams
/// Counter XOF: all streams of the row whose number is on top (kept).
void emit_counter_streams(Kernel& k, const WirePlan& wire);
/// One more block of the stream whose address in map.states is on top (kept).
void emit_counter_refill(Kernel& k, const WirePlan& wire);

/// Pairs (s, r) of all polynomials in the order of the calls.
std::vector<std::uint8_t> pair_table(const WirePlan& wire);

/// Hashing through the XOF library; every call that does not succeed with the exact size reverts.
class CallHash {
  public:
    CallHash(Kernel& k, const WirePlan& wire, Label revert);
    /// Reverts unless the library is the contract that it should be.
    void emit_check(Kernel& k) const;
    /// tr of the key in calldata to the message buffer, and a zero byte behind it.
    void emit_tr(Kernel& k) const;
    void emit_mu(Kernel& k) const;
    void emit_looped_draws(Kernel& k) const;
    void emit_streams(Kernel& k, Label pairs) const;
    void emit_final(Kernel& k) const;
    void emit_routines(Kernel& k) const;

  private:
    /// [size] -> []: calls with `size` bytes from `from`, asks for `out_size` of `returned` bytes.
    void call(Kernel& k, std::uint64_t from, std::uint64_t to, unsigned out_size, unsigned returned) const;
    std::uint64_t stream() const { return plan_.map.e; }

    const WirePlan& wire_;
    const Plan& plan_;
    Label revert_, refill_;
};

void emit_wire_verifier(Kernel& k, const WirePlan& wire);

}  // namespace postern::contracts::mldsa_evm
