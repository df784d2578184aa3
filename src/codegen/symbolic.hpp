#pragma once

// Bit-level symbolic execution of a block: what every bit of every word is, as a formula over named input bits, or junk.
// A kernel of bitwise operations, shifts and carry-free multiplications can be compared with its specification for all inputs at
// once, whatever the junk is.

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "codegen/block.hpp"

namespace postern::codegen {

/// A formula, equal if and only if written equally after normalisation: sums (XOR) are sets, products (AND) sorted pairs.
using Bit = std::uint32_t;
inline constexpr Bit kBitZero = 0;
inline constexpr Bit kBitOne = 1;
inline constexpr Bit kBitJunk = 2;  // anything, not the same everywhere

class BitAlgebra {
  public:
    Bit input(std::uint32_t name);
    Bit not_of(Bit a) const { return a == kBitJunk ? a : a ^ 1U; }
    Bit and_of(Bit a, Bit b);
    Bit or_of(Bit a, Bit b) { return not_of(and_of(not_of(a), not_of(b))); }
    Bit xor_of(Bit a, Bit b);

  private:
    Bit sum(std::vector<std::uint32_t> terms, bool negated);
    std::uint32_t next_ = 2;
    std::map<std::uint32_t, std::uint32_t> inputs_;
    std::map<std::pair<Bit, Bit>, std::uint32_t> products_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> sums_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> terms_;  // of an id that is a sum
};

using SymbolicWord = std::array<Bit, 256>;  // bit 0 least significant

class SymbolicRun {
  public:
    explicit SymbolicRun(BitAlgebra& bits) : bits_(bits) {}
    /// Memory that was not set is junk.
    void set_memory(std::uint64_t address, const SymbolicWord& word);
    void set_zero(std::uint64_t address, std::uint64_t size);
    SymbolicWord memory(std::uint64_t address) const;
    /// Gives a value (an entry, a load from a computed address) its bits.
    void assume(Value v, const SymbolicWord& word) { assumed_[v.id()] = word; }
    /// Runs all nodes in program order. Throws BoundError for a multiplication or addition in which two bits meet (junk
    /// counts: it would carry), for operators that are not bitwise, and for stores that touch a zero gap set by set_zero().
    void run(Block& block);

  private:
    SymbolicWord operation(const Graph& g, std::uint32_t id);
    SymbolicWord copies(const Graph& g, const SymbolicWord& v, const U256& factor, std::uint32_t id);
    BitAlgebra& bits_;
    std::map<std::uint64_t, std::array<Bit, 8>> memory_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps_;
    std::map<std::uint32_t, SymbolicWord> assumed_;
    std::map<std::uint32_t, SymbolicWord> words_;
};

}  // namespace postern::codegen
