#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "codegen/program.hpp"
#include "core/u256.hpp"
#include "evm/opcodes.hpp"

namespace postern::codegen {

using evm::Op;

/// A place in the code or a data section.
struct Label {
    std::uint32_t id = 0xffffffffU;
    bool valid() const { return id != 0xffffffffU; }
    friend bool operator==(Label, Label) = default;
};

/// A run of bytes appended behind the code, reached by CODECOPY from push_label(label).
struct Data {
    Label label;
    std::size_t size = 0;
};

struct AssembleOptions {
    evm::Fork fork = evm::Fork::osaka;
    std::size_t max_code_size = 24576;  // EIP-170
    bool check_first_byte = true;       // EIP-3541
    /// Opcodes an ERC-4337 account may not run while validating (ERC-7562): GAS except directly before a call, INVALID,
    /// storage, block and balance information, CREATE, SELFDESTRUCT.
    bool lint_erc7562 = true;
    /// Code of EXTCODE* targets etc. is fine under ERC-7562; these opcodes are allowed although the lint would refuse them.
    std::vector<Op> lint_allow;
};

/// Turns instructions, labels and data into bytecode. Label widths are the smallest that fit (found by iteration).
class Assembler {
  public:
    explicit Assembler(std::string name);
    ~Assembler();
    Assembler(Assembler&&) noexcept;
    Assembler& operator=(Assembler&&) noexcept;

    // ---- instructions
    void op(Op op);
    void ops(std::initializer_list<Op> list);
    /// PUSH0 or the narrowest PUSH.
    void push(const U256& value);
    void dup(unsigned n);
    void swap(unsigned n);
    /// PUSH of the final offset of a label, or of data.
    void push_label(Label label);
    /// PUSH of (offset of `to`) - (offset of `from`), e.g. the length of a stretch of code or data.
    void push_distance(Label from, Label to);

    // ---- labels
    Label new_label(std::string name = {});
    /// Label at this place without a JUMPDEST (data, code measured by push_distance).
    void bind(Label label);
    /// JUMPDEST, bound to the label.
    void jumpdest(Label label);
    void jump(Label label);   // PUSH label, JUMP
    void jumpi(Label label);  // PUSH label, JUMPI
    /// Appended behind all code in order of declaration; equal byte strings are shared.
    Data data(std::string name, Bytes bytes);

    // ---- explanation
    /// Regions nest: the name becomes "outer/inner". A region may be opened again later under the same name.
    void begin_region(std::string name);
    void end_region();
    /// Comment on the next instruction (a line of its own if `own_line`).
    void comment(std::string text);
    /// Stack picture after the last instruction.
    void stack_picture(std::string text);

    const std::string& name() const;
    /// Bytes so far, with two-byte labels: an estimate for byte budgets.
    std::size_t size_estimate() const;

    /// Lays out the code. Throws Error naming the check that failed. May be called once the code is complete.
    Program assemble(const AssembleOptions& options = {}) const;

    struct Impl;

  private:
    std::unique_ptr<Impl> impl_;
};

/// Opens a region for the lifetime of the object.
class RegionScope {
  public:
    RegionScope(Assembler& assembler, std::string name) : assembler_(assembler) { assembler_.begin_region(std::move(name)); }
    ~RegionScope() { assembler_.end_region(); }
    RegionScope(const RegionScope&) = delete;
    RegionScope& operator=(const RegionScope&) = delete;

  private:
    Assembler& assembler_;
};

}  // namespace postern::codegen
