#include "contracts/keccak_kernel.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "contracts/keccak_proof.hpp"
#include "contracts/keccak_round.hpp"

namespace postern::contracts::keccak {

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

std::vector<codegen::CostReport> emit_two_rounds(codegen::Assembler& a, const Memory& memory) {
    codegen::ScheduleOptions options;
    options.beam_width = 400;
    options.window = 40;
    options.height_weights = {22};
    std::vector<codegen::CostReport> reports;
    for (const bool second : {false, true}) {
        codegen::Block b(second ? "keccak round B" : "keccak round A");
        const codegen::Value pointer = b.resident("iota");
        const codegen::Value iota = build_round(b, memory, second, second ? pointer + 32 : pointer);
        // The rounds see every gauge; the proof does not depend on it, so one pair stands for all.
        prove_round(b, memory, second, second ? kGaugeFirst : 0, iota);
        reports.push_back(schedule(b, a, options));
    }
    return reports;
}

}  // namespace postern::contracts::keccak
