#include "contracts/keccak_kernel.hpp"

#include <algorithm>

#include "contracts/keccak_proof.hpp"
#include "contracts/keccak_round.hpp"

namespace postern::contracts::keccak {

using codegen::Assembler;
using codegen::Block;
using codegen::Op;
using codegen::Value;

namespace {

constexpr std::uint64_t rotl(std::uint64_t v, unsigned n) { return n == 0 ? v : v << n | v >> (64 - n); }

}  // namespace

Bytes iota_table(unsigned rounds) {
    // Column 0 of rows 0 and 3 is complemented once a round, so every constant is too: the all-ones gaps are part of the words.
    const auto half = [](const U256& v) {
        std::array<std::uint8_t, 16> out{};
        for (unsigned i = 0; i < 16; ++i) out[i] = static_cast<std::uint8_t>(~(v >> (8 * (15 - i))).low64());
        return out;
    };
    Bytes table;
    unsigned gauge = 0;
    for (unsigned r = 0; r < rounds; r += 2) {
        const std::size_t first = 24 - rounds + r;
        table.insert(table.end(), 16, 0xff);
        gauge = (gauge + kGaugeFirst) % 64;
        const U256 low = rotl(kRoundConstants[first], gauge);
        // Row 0 is the low lane here; its window starts 8 m bits below bit 64, the copy below it carries the extra bit.
        const auto a = half(low << kInner.low_base() | low >> (64 - kInner.low_base()));
        table.insert(table.end(), a.begin(), a.end());
        gauge = (gauge + kGaugeSecond) % 64;
        const U256 high = rotl(kRoundConstants[first + 1], gauge);
        const auto b = half(high << 64 | high);
        table.insert(table.end(), b.begin(), b.end());
    }
    if (gauge != 0) throw codegen::BoundError("keccak: the gauge does not close after " + std::to_string(rounds) + " rounds");
    table.insert(table.end(), 16, 0xff);
    return table;
}

codegen::ScheduleOptions Permutation::default_options() {
    codegen::ScheduleOptions o;
    o.beam_width = 400;
    o.window = 40;
    o.height_weights = {22};
    return o;
}

Permutation::Permutation(Assembler& a, Memory memory, unsigned rounds, codegen::ScheduleOptions options)
    : a_(a),
      memory_(memory),
      rounds_(rounds),
      options_(std::move(options)),
      subroutine_(codegen::declare_subroutine(a, "keccak_p")),
      table_(a.data("iota table " + std::to_string(rounds), iota_table(rounds))) {}

void Permutation::define() {
    codegen::define_subroutine(a_, subroutine_, [&](Assembler& a) {
        const U256 start = memory_.table();
        codegen::repeat_pointer(a, "keccak rounds", start, start + U256{24 * rounds_}, 48, [&](Assembler& body) {
            for (const bool second : {false, true}) {
                Block b(second ? "keccak round B" : "keccak round A");
                const Value pointer = b.resident("iota");
                const Value iota = build_round(b, memory_, second, second ? pointer + 32 : pointer);
                // The body's rounds see every gauge; the proof does not depend on it, so one pair stands for all.
                prove_round(b, memory_, second, second ? kGaugeFirst : 0, iota);
                reports_.push_back(schedule(b, body, options_));
            }
        });
    });
}

void Permutation::prepare() {
    // Copying from behind the calldata writes zeros.
    a_.push(2 * Memory::kBuffer);
    a_.op(Op::CALLDATASIZE);
    a_.push(memory_.base);
    a_.op(Op::CALLDATACOPY);
    a_.push(table_.size);
    a_.push_label(table_.label);
    a_.push(memory_.table());
    a_.op(Op::CODECOPY);
}

void Permutation::reset() {
    Block b("keccak reset");
    const codegen::Area state{"state", memory_.base, Memory::kBuffer};
    const Value all_ones = b.macro("all ones", {}, true, {}, 5, 2, [](Assembler& a) { a.ops({Op::PUSH0, Op::NOT}); });
    for (const bool ones : {false, true}) {
        for (unsigned group = 0; group < 3; ++group) {
            for (unsigned x = 0; x < 5; ++x) {
                if (complemented(group, x) == ones) b.store(state, memory_.slot(0, group, x) - state.base, ones ? all_ones : b.constant(0));
            }
        }
    }
    schedule(b, a_, options_);
}

void Permutation::call() { codegen::call(a_, subroutine_); }

}  // namespace postern::contracts::keccak
