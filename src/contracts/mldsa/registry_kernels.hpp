#pragma once

// The expansion of a wire key inside a registry, step by step.

#include <functional>

#include "contracts/mldsa/kernels.hpp"
#include "contracts/mldsa/key_rules.hpp"
#include "contracts/registry_shell.hpp"

namespace postern::contracts::mldsa_evm {

/// Memory of a registry, behind the shell's own. Words of variables first.
struct RegistryMap {
    std::uint64_t key = 0;      // the wire key
    std::uint64_t first = 0;    // variables: start of the leaves in the part,
    std::uint64_t table0 = 0;   // of the part's leaves in the table,
    std::uint64_t table1 = 0;   // behind them,
    std::uint64_t sample0 = 0;  // in a sampled polynomial,
    std::uint64_t work0 = 0;    // in a transformed polynomial;
    std::uint64_t dest = 0;     // where the next polynomial's first leaf goes,
    std::uint64_t nonce = 0;    // and which one that is
    std::uint64_t hashed = 0;   // the key, padded
    std::uint64_t block = 0;    // first block of a polynomial's stream; counter XOFs: state and counter, then the blocks
    std::uint64_t sample = 0;   // a sampled polynomial, 3 bytes a coefficient
    std::uint64_t work = 0;     // 64 words, a zero word before them
    std::uint64_t table = 0;    // 15 bytes a leaf
    std::uint64_t blob = 0;
    keccak::Memory sponge;
};

/// Multipliers of a leaf, 3 bytes each: r^3 m, r^2 m, r m for A (m is a constant), zeta t and t for t1.
std::vector<std::uint8_t> leaf_table(const Plan& plan);
inline constexpr unsigned kLeafBytes = 15;
/// m.
std::uint64_t leaf_scale(const Plan& plan);

/// All rows of t1: unpacked, counted, transformed and written to their column. Jumps to `degenerate`, with any stack.
void emit_t1(Kernel& k, const Plan& plan, const RegistryMap& map, Label pass_b, Label degenerate);
/// Subroutine behind it: layers 4 to 6.
void emit_t1_routines(Kernel& k, const Plan& plan, const RegistryMap& map, Label pass_b);

/// The part's leaves of the sampled polynomial to map.dest and every words_per_leaf words from there. `descending`: coefficient i is the 3
/// bytes at sample - 3 (i + 1), else at sample + 3 i.
void emit_sampled_leaves(Kernel& k, const Plan& plan, const RegistryMap& map, bool descending);
/// Every polynomial of A in its turn: `sample` puts it into map.sample (map.nonce: row and column, one byte each, added to `first_nonce`),
/// its leaves are written to their places.
void emit_polynomials(Kernel& k, const Plan& plan, const RegistryMap& map, std::uint64_t first_nonce, bool descending,
                      const std::function<void()>& sample);

/// ExpandA and tr with Keccak sponges.
class ExpandSponge {
  public:
    static constexpr bool kDescending = true;
    ExpandSponge(Kernel& k, const Plan& plan, const RegistryMap& map);
    void emit_matrix(Kernel& k) const;
    /// tr = H(pk) to `to`.
    void emit_tr(Kernel& k, std::uint64_t to) const;
    void emit_routines(Kernel& k);

  private:
    void emit_sample(Kernel& k) const;

    const Plan& plan_;
    const RegistryMap& map_;
    SpongeCode sponge_;
    Label slow_;
};

/// The same with the XOFs made of keccak256 and a counter.
class ExpandCounter {
  public:
    static constexpr bool kDescending = false;
    ExpandCounter(Kernel& k, const Plan& plan, const RegistryMap& map) : plan_(plan), map_(map), slow_(k.label()) {}
    void emit_matrix(Kernel& k) const;
    void emit_tr(Kernel& k, std::uint64_t to) const;
    void emit_routines(Kernel& k);

  private:
    void emit_sample(Kernel& k) const;
    void hash_block(Kernel& k, V state, V counter) const;

    const Plan& plan_;
    const RegistryMap& map_;
    Label slow_;
};

/// The same value in eight fields of 24 bits.
U256 eight_fields(std::uint64_t value);

}  // namespace postern::contracts::mldsa_evm
