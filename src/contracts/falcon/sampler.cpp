#include "contracts/falcon/sampler.hpp"

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "contracts/falcon/arithmetic.hpp"

namespace postern::contracts::falcon_evm {

using codegen::Assembler;
using codegen::Label;
using codegen::Op;

namespace {

/// Pushed constants, the last one deepest.
constexpr unsigned kMask = 3, kAdd = 4, kTop = 5;  // positions (1 = top) when a block's samples lie on the pointer
constexpr std::uint64_t kAdvance = 0x40;           // a word of memory behind state and counter

class Sampler {
  public:
    Sampler(Assembler& a, std::uint64_t point, unsigned count, unsigned counter_bytes)
        : a_(a), point_(point), count_(count), counter_bytes_(counter_bytes), slow_(a.new_label("rejected samples")) {}

    void emit() {
        const codegen::RegionScope region(a_, "point");
        a_.push(splat16(0x8000));
        a_.push(splat16(0x8000 - 0x7005));
        a_.push(splat16(0x7fff));
        a_.push(point_);
        // One sample in sixteen is rejected: fewer blocks than these are never enough in practice, and too many would do no harm.
        const unsigned certain = count_ / 16 + count_ / 256;
        std::vector<std::pair<Label, Label>> detours;
        for (unsigned i = 0; i < certain; ++i) {
            if (i != 0) {
                a_.push(i);
                a_.push(32 + counter_bytes_ - 1);
                a_.op(Op::MSTORE8);
            }
            block(detours);
        }
        const Label more = a_.new_label("one more block"), done = a_.new_label("point done");
        a_.jumpdest(more);
        a_.dup(1);
        a_.push(point_ + 2ULL * count_ - 1);
        a_.ops({Op::LT});
        a_.jumpi(done);
        // The whole counter, one up.
        a_.push(counter_bytes_);
        a_.op(Op::MLOAD);
        a_.push(1);
        a_.op(Op::ADD);
        a_.push(counter_bytes_);
        a_.op(Op::MSTORE);
        block(detours);
        a_.jump(more);

        for (const auto& [detour, back] : detours) {
            a_.jumpdest(detour);
            a_.push_label(back);
            a_.jump(slow_);
        }
        slow();
        a_.jumpdest(done);
        a_.ops({Op::POP, Op::POP, Op::POP, Op::POP});
    }

  private:
    /// [pointer] -> [pointer behind the accepted samples of the next block]
    void block(std::vector<std::pair<Label, Label>>& detours) {
        a_.push(32 + counter_bytes_);
        a_.push(0);
        a_.op(Op::KECCAK256);
        // Bit 15 of every lane: is the sample at least 0xf005?
        a_.dup(1);
        a_.dup(kMask + 1);
        a_.op(Op::AND);
        a_.dup(kAdd + 1);
        a_.op(Op::ADD);
        a_.dup(2);
        a_.op(Op::AND);
        a_.dup(kTop + 1);
        a_.op(Op::AND);
        const Label detour = a_.new_label(), back = a_.new_label();
        detours.emplace_back(detour, back);
        a_.dup(1);
        a_.jumpi(detour);
        a_.op(Op::POP);
        a_.dup(2);
        a_.op(Op::MSTORE);
        a_.push(32);
        a_.op(Op::ADD);
        a_.jumpdest(back);
    }

    /// [samples][flags][pointer][return]: takes the lowest rejected sample out, what is below it moves up.
    void take_out() {
        a_.push(1);
        a_.dup(3);
        a_.op(Op::SUB);  // [flags - 1][samples][flags]
        a_.dup(3);
        a_.dup(2);
        a_.op(Op::AND);
        a_.swap(3);
        a_.op(Op::XOR);  // [mask up to the flag][samples][flags left]
        a_.dup(2);
        a_.dup(1);
        a_.push(16);
        a_.ops({Op::SHL, Op::XOR, Op::AND, Op::XOR});
    }

    /// [samples][no flags][pointer][return]: stores at the old pointer, then advances it.
    void finish(const std::function<void()>& push_advance) {
        a_.dup(3);
        a_.ops({Op::MSTORE, Op::POP});
        push_advance();
        a_.ops({Op::ADD});
        a_.swap(1);
        a_.op(Op::JUMP);
    }

    /// [return][flags][samples][pointer] -> jumps back with [pointer]
    void slow() {
        a_.jumpdest(slow_);
        a_.swap(3);
        a_.swap(2);
        constexpr std::array<unsigned, 3> advances{30, 28, 26};
        for (const unsigned advance : advances) {
            take_out();
            const Label next = a_.new_label();
            a_.dup(2);
            a_.jumpi(next);
            finish([&] { a_.push(advance); });
            a_.jumpdest(next);
        }
        // Four and more: the advance is counted in memory.
        a_.push(advances.back());
        a_.push(kAdvance);
        a_.op(Op::MSTORE);
        const Label again = a_.new_label("fourth rejected sample");
        a_.jumpdest(again);
        a_.push(2);
        a_.push(kAdvance);
        a_.ops({Op::MLOAD, Op::SUB});
        a_.push(kAdvance);
        a_.op(Op::MSTORE);
        take_out();
        a_.dup(2);
        a_.jumpi(again);
        finish([&] {
            a_.push(kAdvance);
            a_.op(Op::MLOAD);
        });
    }

    Assembler& a_;
    std::uint64_t point_;
    unsigned count_;
    unsigned counter_bytes_;
    Label slow_;
};

}  // namespace

void emit_keccak_point(Assembler& a, std::uint64_t point, unsigned count, unsigned counter_bytes) {
    Sampler(a, point, count, counter_bytes).emit();
}

}  // namespace postern::contracts::falcon_evm
