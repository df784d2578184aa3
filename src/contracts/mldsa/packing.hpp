#pragma once

// w1Encode: 32 coefficients, one in each byte of a word, to 4 w1_bits packed bytes at the top of a word.

#include "contracts/mldsa/plan.hpp"

namespace postern::contracts::mldsa_evm {

class Packer {
  public:
    explicit Packer(const Plan& plan) : bits_(plan.p.w1_bits), bytes_(plan.byte_order()) {}
    /// Leaves the masks on the stack, where pack() finds them if they are in reach.
    void push_constants(Kernel& k) const;
    /// [x] -> [packed]: x has coefficient p of the group in byte p XOR 28 (a sponge's lanes come out, as 64-bit integers, the first on top)
    /// or in byte p (the bytes of w1Encode come out in their order). What lies below the packed bytes is undefined: the next store
    /// overwrites it.
    void pack(Kernel& k) const;

  private:
    void pack_lanes(Kernel& k) const;
    void pack_bytes4(Kernel& k) const;
    void pack_bytes6(Kernel& k) const;
    std::vector<U256> constants() const;

    unsigned bits_;
    bool bytes_;
};

}  // namespace postern::contracts::mldsa_evm
