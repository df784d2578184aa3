#pragma once

// The kernels of an ML-DSA verifier. Each emits straight code or loops with a neutral stack unless it says otherwise, and
// returns the bounds that the next one enters with.

#include <functional>

#include "contracts/mldsa/octet.hpp"
#include "contracts/mldsa/plan.hpp"
#include "contracts/sponge_pair.hpp"

namespace postern::contracts::mldsa_evm {

/// Words of memory that hold what is needed all over a verification.
struct Vars {
    std::uint64_t scratch = 0x00;    // zero; later: the sponge's state is SampleInBall's
    std::uint64_t signature = 0x20;  // calldata offset of the signature's first byte
    std::uint64_t bad = 0x40;        // not zero: rejected
    std::uint64_t message = 0x60;    // calldata offset and length of message and context
    std::uint64_t message_size = 0x80;
    std::uint64_t context = 0xa0;
    std::uint64_t context_size = 0xc0;
    std::uint64_t accept = 0xe0;  // the two answers of the door
    std::uint64_t reject = 0x100;
    std::uint64_t parts = 0x120;  // addresses of the key's parts, at most seven words
};
inline constexpr Vars vars{};

/// bad |= top (consumed).
void or_bad(Kernel& k);

/// Bounds of a polynomial's words between the passes, in lane values of the half.
struct Bounds {
    Int lo = 0, hi = 0;
};

/// Subroutine: layers 4 to 6 on the work buffer, in place. Emitted once; `entries` are the producers' bounds, the result
/// their exits in the same order.
std::vector<Bounds> emit_pass_b(Kernel& k, const Plan& plan, Label entry, const std::vector<Bounds>& entries);

/// z: decode, norm, forward transform of all l polynomials into arrays 0 .. l-1.
Bounds pass_a_bounds(const Plan& plan);
void emit_z(Kernel& k, const Plan& plan, Label pass_b);

/// The challenge with all coefficients zero in the work buffer: a byte 1 in every lane.
void emit_blank_challenge(Kernel& k, const Plan& plan);

std::uint64_t message_buffer(const Plan& plan);
std::uint64_t c_tilde_lanes(const Plan& plan);

/// Everything that hashes: mu, SampleInBall, the comparison with c_tilde.
class HashCode {
  public:
    HashCode(Kernel& k, const Plan& plan);

    /// mu = H(tr || 0 || |ctx| || ctx || M) as eight lanes at map.lanes, the first block of SampleInBall's stream, c_tilde's lanes at
    /// c_tilde_lanes(). Expects tr at message_buffer() and zeroed memory behind it.
    void emit_mu(Kernel& k) const;
    /// Algorithm 29 from the stream: the challenge in the work buffer, a byte c + 1 in every lane.
    void emit_draws(Kernel& k) const;
    /// Hash of mu and w1 against c_tilde into `bad`.
    void emit_final(Kernel& k) const;
    void emit_routines(Kernel& k);

  private:
    void emit_sentinel(Kernel& k, unsigned bytes) const;
    void emit_restart(Kernel& k) const;
    void emit_before_end(Kernel& k) const;

    const Plan& plan_;
    SpongeCode sponge_;
    SpongePair pair_;
    Label absorb_challenge_, squeeze_, refill_;
};

/// SampleInBall in a loop from `stream_bytes` bytes of its stream: 35 gas a draw more than unrolled, a tenth of the code. `refill` puts
/// the next bytes into the same place; one byte behind them is used.
void emit_looped_draws(Kernel& k, const Plan& plan, std::uint64_t stream, unsigned stream_bytes, Label refill);

/// The same for the keccak256 counter XOFs: state = keccak256(input), block i = keccak256(state || i).
class CounterHash {
  public:
    CounterHash(Kernel& k, const Plan& plan);

    /// mu's 64 bytes at map.lanes, the first blocks of SampleInBall's stream. Expects tr at message_buffer().
    void emit_mu(Kernel& k) const;
    void emit_draws(Kernel& k) const;
    void emit_looped_draws(Kernel& k) const;
    /// Hash of mu and w1 against c_tilde into `bad`.
    void emit_final(Kernel& k) const;
    void emit_routines(Kernel& k) const;

  private:
    void set_counter(Kernel& k, unsigned value) const;
    void hash_block(Kernel& k) const;
    std::uint64_t stream() const { return plan_.map.e; }
    unsigned stream_bytes() const { return 32 * plan_.stream_blocks; }

    const Plan& plan_;
    Label refill_;
};

/// SampleInBall's result (one byte c + 1 in every lane) in the work buffer, from the sponge output.
Bounds challenge_bounds(const Plan& plan);
void emit_challenge_transform(Kernel& k, const Plan& plan, Label pass_b);

/// Rows A z - c t1 at the leaves into arrays 0 .. k-1 (upper words). Returns their bounds.
Bounds emit_matrix(Kernel& k, const Plan& plan, Label theta_table, const Bounds& z, const Bounds& c);
std::vector<std::uint8_t> theta_table(const Plan& plan);

/// Inverse transform of one row in the work buffer, final reduction and decomposition: eight words of 32 bytes e.
/// `merge` may add a word to the one on top before word n is reduced (times g^n modulo q: what it adds is multiplied by g^-n).
void emit_inverse(Kernel& k, const Plan& plan, const Bounds& row, const std::function<void(Kernel&, unsigned)>& merge = {});

/// UseHint and w1Encode of the row in the E words. Stack [.. address of packed lanes, address of the row's hint bytes], both left at
/// the next row. The packed lanes may be written over hint bytes that have been used.
void emit_encode(Kernel& k, const Plan& plan);

/// All rows: copy, inverse transform, decomposition, UseHint, w1Encode. Loop over k rows.
void emit_rows(Kernel& k, const Plan& plan, const Bounds& row);

/// Hint bytes of all rows from the signature, with all checks of HintBitUnpack; needs zeroed memory.
void emit_hints(Kernel& k, const Plan& plan);

}  // namespace postern::contracts::mldsa_evm
