#include "contracts/sponge.hpp"

#include <algorithm>

#include "contracts/keccak_kernel.hpp"

namespace postern::contracts {

namespace {

U256 ones(unsigned bits) { return U256::mask(bits); }

}  // namespace

void SpongeCode::allocate(Kernel& k) {
    permutation_ = k.label();
    absorb_ = k.label();
    table_label_ = k.label();
}

void SpongeCode::prepare(Kernel& k) const {
    k.push(keccak::Memory::table_size(rounds_));
    k.push_label(table_label_);
    k.push(memory_.table());
    k.op(Op::CODECOPY);
}

void SpongeCode::reset(Kernel& k) const {
    k.push(U256::max());
    const V all = k.top();
    k.push(0);
    const V none = k.top();
    for (unsigned g = 0; g < 3; ++g) {
        for (unsigned x = 0; x < 5; ++x) {
            k.dup(keccak::complemented(g, x) ? all : none);
            k.mstore(memory_.slot(0, g, x));
        }
    }
    k.pop();
    k.pop();
}

void SpongeCode::absorb_block(Kernel& k) const {
    const V address = k.top();
    const Label back = k.label();
    k.push_label(back);
    k.dup(address);
    k.jump_routine(absorb_);
    k.set_stack({k.stack().begin(), k.stack().end() - 2});
    k.bind(back);
}

void SpongeCode::permute(Kernel& k) const { k.call(permutation_, 0, 0); }

void SpongeCode::lane(Kernel& k, unsigned i) const {
    const unsigned x = i % 5, y = i / 5;
    const keccak::Place p = keccak::place(keccak::kOuter, y);
    const std::uint64_t slot = memory_.slot(0, p.group, x);
    if (p.high) {
        k.mload(slot - 24);
    } else {
        k.mload(slot - 8);
        k.with(Op::AND, ones(64));
    }
    if (keccak::complemented(p.group, x)) k.with(Op::XOR, ones(64));
}

void SpongeCode::lanes4(Kernel& k, unsigned i) const {
    for (unsigned j = 0; j < 4; ++j) {
        lane(k, i + j);
        if (j != 3) k.with(Op::SHL, 64 * (3 - j));
        if (j != 0) k.op(Op::OR);
    }
}

void SpongeCode::emit_routines(Kernel& k) {
    emit_permutation(k);
    emit_absorb(k);
    k.data(table_label_, keccak::iota_table(rounds_));
}

void SpongeCode::emit_permutation(Kernel& k) const {
    k.rename("keccak permutation");
    k.set_stack({});
    k.argument();
    k.bind(permutation_);
    k.begin_region("keccak");
    k.forget(k.push(memory_.table()));
    const Label body = k.label();
    k.bind(body);
    k.native([memory = memory_](codegen::Assembler& a) { keccak::emit_two_rounds(a, memory); });
    k.with(Op::ADD, 48);
    k.dup(k.top());
    k.with(Op::XOR, memory_.table() + 24 * rounds_);
    k.jumpi(body);
    k.pop();
    k.jump_dynamic();
    k.end_region();
}

void reverse_lane_bytes(Kernel& k) {
    for (const unsigned s : {8U, 16U, 32U}) {
        const U256 low = splat(s == 8 ? 0x00ff00ff00ff00ffULL : s == 16 ? 0x0000ffff0000ffffULL : 0xffffffffULL);
        k.dup(k.top());
        k.with(Op::AND, low);
        k.with(Op::SHL, s);
        k.swap(1);
        k.with(Op::SHR, s);
        k.with(Op::AND, low);
        k.op(Op::OR);
    }
}

void SpongeCode::emit_absorb(Kernel& k) const {
    k.rename("absorb");
    k.set_stack({});
    k.argument();
    k.argument();
    k.bind(absorb_);
    k.begin_region("absorb");
    const V address = k.top();
    const U256 even = (ones(64) << 192) | (ones(64) << 64), odd = (ones(64) << 128) | ones(64);
    k.push(even);
    k.push_compact(odd);
    const V odd_mask = k.top();
    const auto into = [&](unsigned i, V pair, bool first_of_pair) {
        // `pair` holds the lane twice in its high half (first of pair) or low half.
        const keccak::Place p = keccak::place(keccak::kOuter, i / 5);
        const std::uint64_t slot = memory_.slot(0, p.group, i % 5);
        k.dup(pair);
        if (p.high) {
            if (!first_of_pair) {
                k.with(Op::SHL, 128);
            } else if (p.group != 2) {  // nothing else lives in the words of row 2
                k.with(Op::SHR, 128);
                k.with(Op::SHL, 128);
            }
        } else if (first_of_pair) {
            k.with(Op::SHR, 128);
        } else {
            k.with(Op::AND, ones(128));
        }
        k.mload(slot);
        k.op(Op::XOR);
        k.mstore(slot);
    };
    for (unsigned i = 0; i < rate_; i += 4) {
        k.dup(address);
        if (i != 0) k.with(Op::ADD, 8 * i);
        const V w = k.op(Op::MLOAD);
        const unsigned n = std::min(4U, rate_ - i);
        k.dup(w);
        k.with(Op::AND, even);
        k.dup(k.top());
        k.with(Op::SHR, 64);
        const V evens = k.op(Op::OR);
        into(i, evens, true);
        if (n > 2) into(i + 2, evens, false);
        k.pop();
        if (n > 1) {
            k.dup(w);
            k.with(Op::AND, odd);
            k.dup(k.top());
            k.with(Op::SHL, 64);
            const V odds = k.op(Op::OR);
            into(i + 1, odds, true);
            if (n > 3) into(i + 3, odds, false);
            k.pop();
        }
        k.pop();
    }
    (void)odd_mask;
    k.pop();
    k.pop();
    k.pop();
    k.jump_routine(permutation_);  // returns to our caller
    k.end_region();
}

}  // namespace postern::contracts
