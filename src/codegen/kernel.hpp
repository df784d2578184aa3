#pragma once

// Emits straight-line EVM code for kernels whose stack is scheduled by hand: a symbolic stack of named values, each with
// what is known about its bits and lanes (lanes.hpp). The text of a kernel reads like the instructions it becomes.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/assembler.hpp"
#include "codegen/lanes.hpp"
#include "evm/opcodes.hpp"

namespace postern::codegen {

/// A value on the symbolic stack.
struct V {
    int id = -1;
    friend bool operator==(V, V) = default;
};
/// One emitted thing: an instruction, a push, a label, raw data or a region mark.
struct Item {
    enum class Kind : std::uint8_t { op, push, push_label, label, data, native, region_begin, region_end };
    Kind kind = Kind::op;
    Op op = Op::STOP;
    U256 value{};
    unsigned width = 0;  // bytes of a push, chosen when emitted
    Label label{};
    std::vector<std::uint8_t> data{};
    std::function<void(Assembler&)> native{};
    std::string text{};  // comment or region name
};

class Kernel {
  public:
    explicit Kernel(std::string name = "kernel") : name_(std::move(name)) {}

    /// An empty kernel that starts from this one's stack: emits into the void, to compare schedules. Must not outlive this one.
    Kernel rehearsal() const;

    // --- values
    /// Duplicates an equal constant that is in reach if that is shorter, pushes otherwise.
    V push(const U256& value);
    V push(const U256& value, const Lanes& lanes);
    /// A constant in few bytes for some gas more, where code runs seldom: the complement of a short one, or a short one times a constant
    /// in reach that has a 1 in every lane.
    V push_compact(const U256& value);
    V push_label(Label label);
    /// Any instruction but pushes, DUPs, SWAPs and jumps; the result (if it has one) is on top. Runs the transfer table.
    V op(Op op);
    /// The same without the transfer table: for the few steps whose harmlessness the caller checks itself and declares.
    V opaque(Op op);
    V dup(V v);
    V dup_at(unsigned depth) { return dup(at(depth)); }
    /// Brings v to the top by one SWAP (nothing if it is there); what was on top takes its place.
    void raise(V v);
    /// Exchanges the top with v's place even if v's identity does not matter afterwards.
    void swap(unsigned n);
    void pop();
    V top() const { return at(0); }
    V at(unsigned depth) const;
    unsigned depth_of(V v) const;
    bool on_stack(V v) const;
    std::size_t height() const { return stack_.size(); }

    // --- shorthands: PUSH then op
    V with(Op o, const U256& value) {
        push(value);
        return op(o);
    }
    V mload(std::uint64_t address) { return with(Op::MLOAD, address); }
    V mload(std::uint64_t address, const Lanes& lanes) {
        const V v = mload(address);
        declare(v, lanes);
        return v;
    }
    /// Stores the top of the stack.
    void mstore(std::uint64_t address) {
        push(address);
        op(Op::MSTORE);
    }

    // --- knowledge
    const std::optional<Lanes>& lanes(V v) const { return info(v).lanes; }
    const U256& support(V v) const { return info(v).support; }
    std::optional<U256> constant(V v) const { return info(v).constant; }
    /// States what is known from outside the transfer table: an entry contract, or a lemma whose premises the caller has checked.
    void declare(V v, const Lanes& lanes);
    void declare_bits(V v, const U256& support);
    /// Lanes of this width with bounds read off the bits that can be set.
    Lanes declare_from_bits(V v, unsigned width);
    /// A loop variable: what is known about its first value does not hold in later rounds.
    V forget(V v);
    /// Fails unless the lanes are known and inside `bound`.
    Lanes require(V v, const Lanes& bound, std::string_view what) const;
    Lanes require_known(V v, std::string_view what) const;
    void check(bool condition, std::string_view what) const;
    [[noreturn]] void fail(std::string_view what) const;

    // --- control
    Label label() { return Label{next_label_++}; }
    /// A label whose code ends the call and uses nothing that is on the stack: it may be reached with any stack.
    Label exit_label() {
        exits_.push_back(label());
        return exits_.back();
    }
    /// JUMPDEST. The stack must have the height that earlier jumps to it had.
    void bind(Label label);
    /// After code that does not fall through: the stack as it is at the label.
    void set_stack(std::vector<V> stack) { stack_ = std::move(stack), reachable_ = true; }
    const std::vector<V>& stack() const { return stack_; }
    void jump(Label label);
    /// Jumps if the top is not zero.
    void jumpi(Label label);
    /// Consumes the top as a jump target (return of a subroutine).
    void jump_dynamic();
    /// Calls a subroutine that takes `in` items below its return address (on top of them) and leaves `out`.
    void call(Label routine, unsigned in, unsigned out);
    /// Enters a routine whose frame the caller has laid out itself.
    void jump_routine(Label routine);
    void terminate(Op op);
    /// A value that appears on the stack without an instruction (entry of a subroutine).
    V argument(std::string_view what = {});
    /// The same for a constant that the caller has pushed.
    V argument_constant(const U256& value);

    /// Code that emits itself (a scheduled Block, for example): it must leave the stack as it is.
    void native(std::function<void(Assembler&)> emit_code);
    void data(Label label, std::vector<std::uint8_t> bytes);
    void begin_region(std::string name);
    void end_region();
    void comment(std::string text) { pending_comment_ = std::move(text); }

    const std::string& name() const { return name_; }
    void rename(std::string name) { name_ = std::move(name); }
    const std::vector<Item>& items() const { return items_; }
    /// Static gas and bytes emitted so far (memory growth and copies not included; labels count two bytes).
    std::uint64_t gas() const { return gas_; }
    std::size_t bytes() const { return bytes_; }

  private:
    struct Info {
        U256 support = U256::max();
        std::optional<Lanes> lanes;
        std::optional<U256> constant;
        unsigned junk_from = 256;  // after a right shift of lanes: bits of each lane from here on are a neighbour's
    };
    V fresh(Info info);
    void check_height(Label label, std::string_view where);
    const Info& info(V v) const {
        const auto id = static_cast<std::size_t>(v.id);
        return id < base_ ? parent_->info(v) : info_.at(id - base_);
    }
    Info& own_info(V v) { return info_.at(static_cast<std::size_t>(v.id) - base_); }
    void emit(Op op);
    Info transfer(Op op, std::span<const V> arguments) const;  // arguments[0] = top
    Info multiply(const Info& a, const Info& b) const;

    std::string name_;
    std::vector<Info> info_;
    std::vector<V> stack_;
    std::vector<Item> items_;
    std::vector<std::pair<Label, std::size_t>> heights_;
    std::vector<Label> exits_;
    std::string pending_comment_;
    const Kernel* parent_ = nullptr;  // of a rehearsal: knows the values below base_
    std::size_t base_ = 0;
    std::uint32_t next_label_ = 0;
    bool reachable_ = true;
    std::uint64_t gas_ = 0;
    std::size_t bytes_ = 0;
};

/// The kernel as instructions of an assembler of the same name.
Assembler lower(const Kernel& kernel);

}  // namespace postern::codegen
