#include "contracts/keccak_sponge.hpp"

#include <stdexcept>
#include <string>

namespace postern::contracts::keccak {

using codegen::Area;
using codegen::Assembler;
using codegen::Block;
using codegen::Label;
using codegen::Op;
using codegen::Value;

namespace {

constexpr std::array<unsigned, 3> kStages = {8, 16, 32};

U256 stage_mask(unsigned bits) { return codegen::rep(U256::mask(bits), 2 * bits, 128 / bits); }

const U256 kEvenLanes = codegen::rep(U256::mask(64) << 64, 128, 2);  // the first and third lane of a word

void declare_masks(Block& b) {
    for (const unsigned s : kStages) b.resident("mask" + std::to_string(s), stage_mask(s));
}

void push_masks(Assembler& a) {
    for (auto it = kStages.rbegin(); it != kStages.rend(); ++it) a.push(stage_mask(*it));
}

void pop_masks(Assembler& a) {
    for (std::size_t i = 0; i < kStages.size(); ++i) a.op(Op::POP);
}

}  // namespace

Value reverse_lane_bytes(Value v) {
    for (const unsigned s : kStages) v = ((v & stage_mask(s)) << s) | ((v >> s) & stage_mask(s));
    return v;
}

Sponge::Sponge(Assembler& a, Permutation& permutation, unsigned rate, std::uint8_t domain, std::uint64_t buffer)
    : a_(a),
      permutation_(permutation),
      rate_(rate),
      domain_(domain),
      buffer_(buffer),
      absorb_block_(codegen::declare_subroutine(a, "absorb_block")) {
    if (rate % 8 != 0 || rate < 32 || rate >= 200) throw std::invalid_argument("Keccak rate of " + std::to_string(rate) + " bytes");
}

void Sponge::define() {
    // Stack: [return]. The permutation returns to the caller of this subroutine.
    const codegen::RegionScope region(a_, "absorb_block");
    a_.jumpdest(absorb_block_.entry);
    define_absorb_block(a_);
    a_.jump(permutation_.subroutine().entry);
}

void Sponge::define_absorb_block(Assembler& a) {
    push_masks(a);
    const Area state{"state", permutation_.memory().base, Memory::kBuffer};
    const Area buffer{"block", buffer_, buffer_size(rate_)};
    for (unsigned first = 0; first < rate_ / 8; first += 4) {
        Block b("absorb lanes " + std::to_string(first));
        declare_masks(b);
        const Value w = reverse_lane_bytes(b.load(buffer, 8ULL * first));
        const unsigned lanes = std::min(4U, rate_ / 8 - first);
        // Two lanes at a time, each twice in its half: what the kernel's windows ask for.
        const Value even = w & kEvenLanes;
        const Value odd = w & ~kEvenLanes;
        const std::array<Value, 2> twice = {even | (even >> 64), odd | (odd << 64)};
        for (const unsigned k : {0U, 2U, 1U, 3U}) {
            if (k >= lanes) continue;
            const unsigned index = first + k;
            const Place p = place(kOuter, index / 5);
            const Value source = twice[k % 2];
            const bool upper = k < 2;
            Value v;
            if (p.high)
                v = upper ? source & (U256::mask(128) << 128) : source << 128;
            else
                v = upper ? source >> 128 : source & U256::mask(128);
            const std::uint64_t slot = permutation_.memory().slot(0, p.group, index % 5) - state.base;
            b.store(state, slot, b.load(state, slot) ^ v);
        }
        reports_.push_back(schedule(b, a));
    }
    pop_masks(a);
}

void Sponge::absorb(Source source) {
    const codegen::RegionScope region(a_, "absorb");
    const Op copy = source == Source::memory ? Op::MCOPY : Op::CALLDATACOPY;
    const Label again = a_.new_label("absorb next block");
    const Label last = a_.new_label("absorb last block");
    // [address][length]
    a_.jumpdest(again);
    a_.push(rate_);
    a_.dup(3);
    a_.op(Op::LT);
    a_.jumpi(last);
    a_.push(rate_);
    a_.dup(2);
    a_.push(buffer_);
    a_.op(copy);
    a_.push(rate_);
    a_.op(Op::ADD);
    a_.swap(1);
    a_.push(rate_);
    a_.swap(1);
    a_.op(Op::SUB);
    a_.swap(1);
    codegen::call(a_, absorb_block_);
    a_.jump(again);
    a_.jumpdest(last);
    // Zeros from behind the calldata, then the rest of the message, then the padding.
    a_.push(buffer_size(rate_));
    a_.op(Op::CALLDATASIZE);
    a_.push(buffer_);
    a_.op(Op::CALLDATACOPY);
    a_.dup(2);
    a_.dup(2);
    a_.push(buffer_);
    a_.op(copy);
    a_.op(Op::POP);
    a_.push(domain_);
    a_.swap(1);
    a_.push(buffer_);
    a_.op(Op::ADD);
    a_.op(Op::MSTORE8);
    a_.push(buffer_ + rate_ - 32);
    a_.op(Op::MLOAD);
    a_.push(0x80);
    a_.op(Op::XOR);
    a_.push(buffer_ + rate_ - 32);
    a_.op(Op::MSTORE);
    codegen::call(a_, absorb_block_);
}

Value Sponge::lane(Block& b, unsigned i) const {
    if (i >= rate_ / 8) throw std::invalid_argument("lane " + std::to_string(i) + " is not part of the rate");
    const Area state{"state", permutation_.memory().base, Memory::kBuffer};
    const Place p = place(kOuter, i / 5);
    const std::uint64_t slot = permutation_.memory().slot(0, p.group, i % 5) - state.base;
    Value v = p.high ? b.load(state, slot - Memory::kGap) : b.load(state, slot - kOuter.low_base() / 8) & U256::mask(64);
    // The 24 bytes in front of every word are zero, so the high lane comes alone.
    v = b.plain(b.declare_input(v, codegen::LaneBounds::uniform(64, 1, {0, (codegen::Int{1} << 64) - 1}), "zero gaps"));
    return complemented(p.group, i % 5) ? v ^ U256::mask(64) : v;
}

Value Sponge::bytes32(Block& b, unsigned i) const {
    Value v = b.constant(0);
    for (unsigned k = 0; k < 4 && i + k < rate_ / 8; ++k) v = v | (lane(b, i + k) << (64 * (3 - k)));
    return reverse_lane_bytes(v);
}

void Sponge::squeeze_bytes(std::uint64_t address) {
    const codegen::RegionScope region(a_, "squeeze");
    push_masks(a_);
    const Area out{"squeezed", address, buffer_size(rate_)};
    for (unsigned first = 0; first < rate_ / 8; first += 4) {
        Block b("squeeze lanes " + std::to_string(first));
        declare_masks(b);
        b.store(out, 8ULL * first, bytes32(b, first));
        reports_.push_back(schedule(b, a_));
    }
    pop_masks(a_);
}

}  // namespace postern::contracts::keccak
