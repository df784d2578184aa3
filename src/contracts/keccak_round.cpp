#include "contracts/keccak_round.hpp"

#include <string>

namespace postern::contracts::keccak {

using codegen::Area;
using codegen::Block;
using codegen::Value;

namespace {

/// What chi does with the operands b[X+1], b[X+2] so that complemented lanes need few NOTs (keccak-evm.md 3.6).
struct ChiRule {
    bool is_or;
    bool not_first = false;
    bool not_second = false;
    bool not_result = false;
};
constexpr ChiRule kAnd{false};
constexpr ChiRule kOr{true};
constexpr std::array<std::array<ChiRule, 5>, 3> kChi = {{
    {kOr, kAnd, kOr, ChiRule{true, true, false, false}, kAnd},
    {kAnd, ChiRule{true, false, false, true}, kAnd, ChiRule{true, false, true, false}, kOr},
    {kOr, ChiRule{false, false, true, false}, kAnd, kOr, kAnd},
}};

/// K with which a clean lane becomes two copies from bit `at` on.
U256 two_copies(unsigned at) { return U256::pow2(at) + U256::pow2(at + 64); }

class Round {
  public:
    Round(Block& b, const Memory& memory, bool second)
        : b_(b),
          memory_(memory),
          from_(second ? kInner : kOuter),
          to_(second ? kOuter : kInner),
          from_buffer_(second ? 1 : 0),
          to_buffer_(second ? 0 : 1),
          gauge_(second ? kGaugeSecond : kGaugeFirst),
          in_{"state", memory.base + from_buffer_ * Memory::kBuffer, Memory::kBuffer},
          out_{"state", memory.base + to_buffer_ * Memory::kBuffer, Memory::kBuffer} {}

    Value run(Value iota_address) {
        theta();
        Value iota;
        const Area table{"iota", memory_.table(), Memory::table_size(24)};
        static constexpr std::array<std::array<unsigned, 5>, 3> kFetch = {{{3, 0, 4, 2, 1}, {0, 1, 2, 4, 3}, {1, 3, 2, 4, 0}}};
        static constexpr std::array<std::array<unsigned, 5>, 3> kStore = {{{2, 1, 4, 0, 3}, {4, 1, 3, 2, 0}, {1, 2, 4, 3, 0}}};
        for (unsigned g = 0; g < 3; ++g) {
            b_.phase();
            b_.note("rows of group " + std::to_string(g));
            std::array<Value, 5> row;
            for (const unsigned x : kFetch[g]) row[x] = fetch(g, x);
            for (const unsigned x : kStore[g]) {
                Value v = chi(g, x, row);
                if (g == 0 && x == 0) v = v ^ (iota = b_.load_at(iota_address, table));
                b_.store(out_, memory_.slot(to_buffer_, g, x) - out_.base, v);
            }
        }
        return iota;
    }

  private:
    Value word(unsigned group, unsigned x, unsigned back) { return b_.load(in_, memory_.slot(from_buffer_, group, x) - back - in_.base); }

    void theta() {
        b_.note("theta");
        std::array<Value, 5> f;
        const unsigned fold = 192 - from_.low_base();
        for (unsigned x = 0; x < 5; ++x) {
            const Value pairs = word(0, x, 0) ^ word(1, x, 0);
            f[x] = (pairs ^ (pairs << fold)) ^ word(2, x, 0);
        }
        for (const unsigned x : {3U, 4U, 0U, 1U, 2U}) {
            d_[x] = (f[(x + 4) % 5] ^ (f[(x + 1) % 5] << 1)) >> 192;
            b_.compute(d_[x]);
        }
    }

    /// Lane of the input, plus theta: clean 64 bits.
    Value lane(unsigned x, unsigned y) {
        const Place p = place(from_, y);
        Value v;
        if (p.high) {
            v = word(p.group, x, Memory::kGap);
        } else {
            v = word(p.group, x, from_.low_base() / 8) & U256::mask(64);
        }
        return v ^ d_[x];
    }

    unsigned rotation(unsigned x, unsigned y) const { return (kRho[x + 5 * y] + gauge_) % 64; }

    /// The word at position x of a row group after rho and pi: B[x, Y] = A[x + 3Y, x].
    Value fetch(unsigned group, unsigned x) {
        const unsigned high_x = (x + 3 * to_.high_row[group]) % 5;
        const unsigned high_rotation = rotation(high_x, x);
        if (group == 2) return lane(high_x, x) * two_copies(128 + high_rotation);
        const unsigned low_x = (x + 3 * to_.low_row[group]) % 5;
        const unsigned low_rotation = rotation(low_x, x) - 8 * to_.m;
        if (low_rotation >= 64) throw codegen::BoundError("keccak: low lane does not fit below its window");
        const Value high = lane(high_x, x);
        const Value low = lane(low_x, x);
        if (high_rotation >= low_rotation) return ((high << (128 + high_rotation - low_rotation)) | low) * two_copies(low_rotation);
        return (high * two_copies(128 + high_rotation)) | (low * two_copies(low_rotation));
    }

    Value chi(unsigned group, unsigned x, const std::array<Value, 5>& row) {
        const ChiRule& rule = kChi[group][x];
        Value first = row[(x + 1) % 5];
        Value second = row[(x + 2) % 5];
        if (rule.not_first) first = ~first;
        if (rule.not_second) second = ~second;
        const Value v = row[x] ^ (rule.is_or ? first | second : first & second);
        return rule.not_result ? ~v : v;
    }

    Block& b_;
    const Memory& memory_;
    Packing from_;
    Packing to_;
    unsigned from_buffer_;
    unsigned to_buffer_;
    unsigned gauge_;
    Area in_;
    Area out_;
    std::array<Value, 5> d_;
};

}  // namespace

Value build_round(Block& b, const Memory& memory, bool second, const Value& iota_address) {
    return Round(b, memory, second).run(iota_address);
}

}  // namespace postern::contracts::keccak
