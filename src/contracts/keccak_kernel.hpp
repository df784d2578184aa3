#pragma once

// Keccak-p[1600] and its sponges as building blocks of EVM contracts, made with the kernel compiler.

#include "codegen/assembler.hpp"
#include "codegen/block.hpp"
#include "codegen/control.hpp"
#include "contracts/keccak_layout.hpp"

namespace postern::contracts::keccak {

/// The permutation inside one contract: a subroutine without arguments that works on the state at `memory`.
class Permutation {
  public:
    /// `rounds`: 24 (SHA-3, SHAKE) or 12 (TurboSHAKE).
    Permutation(codegen::Assembler& a, Memory memory, unsigned rounds = 24, codegen::ScheduleOptions options = default_options());
    static codegen::ScheduleOptions default_options();

    const Memory& memory() const { return memory_; }
    unsigned rounds() const { return rounds_; }

    /// Emitted once, at a place that is not fallen into.
    void define();
    /// Zeroes the gaps and copies the iota table; before the first permutation of a call. Works on dirty memory.
    void prepare();
    /// The empty state.
    void reset();
    /// Runs the permutation (22 gas around it).
    void call();
    const codegen::Subroutine& subroutine() const { return subroutine_; }
    const std::vector<codegen::CostReport>& reports() const { return reports_; }

  private:
    codegen::Assembler& a_;
    Memory memory_;
    unsigned rounds_;
    codegen::ScheduleOptions options_;
    codegen::Subroutine subroutine_;
    codegen::Data table_;
    std::vector<codegen::CostReport> reports_;
};

/// The iota table for the last `rounds` rounds, as it lies in memory.
Bytes iota_table(unsigned rounds);

}  // namespace postern::contracts::keccak
