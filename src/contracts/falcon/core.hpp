#pragma once

// The arithmetic of Falcon-512 verification: s2 in memory, c in memory, the key in memory; squared norm of (s1, s2) as the answer.
// Straight-line blocks of the kernel compiler. docs/falcon-evm.md has layout, mathematics and bounds.

#include <functional>
#include <vector>

#include "codegen/assembler.hpp"
#include "codegen/block.hpp"
#include "contracts/falcon/transform.hpp"

namespace postern::contracts::falcon_evm {

using codegen::Area;
using codegen::Assembler;
using codegen::Label;

/// Memory of a verification, in bytes. Below `point`: what is hashed.
struct Memory512 {
    std::uint64_t point = 0x60;    ///< c: 512 big-endian 16-bit numbers and room for 48 more; before it is made, the odd half of s2
    std::uint64_t first = 0x4e0;   ///< 32 words: the half that is worked on
    std::uint64_t second = 0x8e0;  ///< 32 words: the other half
    std::uint64_t key = 0xd00;     ///< the key, a word of slack before it; before it is loaded, s2
    std::uint64_t s2 = 0xd00;
};

/// How an expanded key lies in memory or in a blob: six words a leaf.
inline constexpr std::size_t kLeafWords = 6;
inline constexpr std::size_t kExpandedWords512 = 32 * kLeafWords;

/// Bounds and signs that one pass hands to the next.
struct Halves {
    std::vector<LaneBounds> bounds = std::vector<LaneBounds>(32);
    std::vector<bool> negated = std::vector<bool>(32);
};

class Core512 {
  public:
    Core512(Assembler& a, Memory512 memory, Label reject) : a_(a), memory_(memory), reject_(reject) {}

    /// s2 in 16-bit two's complement, big-endian, at memory.s2. Refuses |s2[i]| > 2047; leaves the squared norm of s2 on the stack and
    /// the halves, three layers transformed, in memory.first and memory.point.
    void intake();
    /// Layers 4 and 5, the key product and the first two inverse layers. Stack unchanged.
    void product();
    /// Inverse layers 3 to 5, s1 = c - s2 h and its squared norm, added to the one on the stack.
    void norm();

    const std::vector<codegen::CostReport>& reports() const { return reports_; }

  private:
    void schedule(Block& b, unsigned height_weight);
    void copy(std::uint64_t to, std::uint64_t from);

    Assembler& a_;
    Memory512 memory_;
    Label reject_;
    Halves halves_;
    std::vector<codegen::CostReport> reports_;
};

}  // namespace postern::contracts::falcon_evm
