#include "contracts/mldsa/wire.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

/// The same 24-bit value in ten fields.
U256 fields(std::uint64_t value) {
    U256 word;
    for (unsigned f = 0; f < 10; ++f) word |= U256{value} << (24 * f);
    return word;
}

/// [ten triples, first byte of each on top] -> [ten little-endian fields]: the outer bytes change places.
void exchange_bytes(Kernel& k) {
    k.dup(k.top());
    k.with(Op::SHR, 16);
    k.dup_at(1);
    k.op(Op::XOR);
    k.with(Op::AND, fields(0xff));
    k.with(Op::MUL, 65537);
    k.op(Op::XOR);
}

/// Top: address of a group's word. Ten clean 23-bit fields.
void load_fields(Kernel& k, const WirePlan& wire) {
    k.op(Op::MLOAD);
    if (wire.order == StreamOrder::forward) exchange_bytes(k);
    k.with(Op::AND, fields(0x7fffff));
}

/// Bit 23 of a field of x + this is set if and only if the field is q or more.
U256 refusal() { return fields((1U << 23) - q); }

constexpr unsigned kHighShift = 24 * 5;  // from a field to its partner

}  // namespace

// Fields f and f + 5 of x times the word z_low 2^64 + z_high: bits 24 f + 64 .. have x_f z_low, bits 24 f + 120 .. have x_(f+5) z_high; the
// mixed products lie at 24 f (below 2^56, so the byte under the first sum stays zero) and from 24 f + 184 on. For f = 4 the upper
// sum would leave the word; that pair is moved down by one field first.
void emit_products(Kernel& k, const WirePlan& wire, Label repair) {
    k.rename("products");
    k.begin_region("products");
    const unsigned columns = wire.plan.p.l;
    const bool forward = wire.order == StreamOrder::forward;
    const std::size_t floor = k.height();
    const std::uint64_t out = wire.map.out;
    k.push(0);
    k.mstore(out);
    V to = k.forget(k.push(wire.map.row));
    V factors = k.forget(k.push(wire.map.pairs));
    if (wire.calls == 0) {
        k.push(wire.map.streams + static_cast<std::uint64_t>(wire.first_group()));
    } else {
        k.mload(wire.row_streams());
        k.with(Op::ADD, static_cast<std::uint64_t>(wire.first_group()));
    }
    V at = k.forget(k.top());
    const Label loop = k.label();
    k.bind(loop);
    // Fields of all columns, and whether any is q or more.
    std::vector<V> x;
    for (unsigned j = 0; j < columns; ++j) {
        k.dup(at);
        if (j != 0) k.with(Op::ADD, wire.stream_pitch * j);
        load_fields(k, wire);
        x.push_back(k.top());
    }
    for (unsigned j = 0; j < columns; ++j) {
        k.dup(x[j]);
        k.with(Op::ADD, refusal());
        if (j != 0) k.op(Op::OR);
    }
    k.with(Op::AND, fields(1U << 23));
    const Label good = k.label();
    k.op(Op::ISZERO);
    k.jumpi(good);
    const std::vector<V> frame = k.stack();
    for (unsigned j = 0; j < columns; ++j) k.pop();
    k.dup(at);
    k.call(repair, 1, 0);
    k.jump(loop);
    k.set_stack(frame);
    k.bind(good);
    k.push(wire.group_bytes());
    k.dup(factors);
    k.push(wire.map.block);
    k.op(Op::MCOPY);
    std::array<V, 5> sum{};
    for (unsigned n = 0; n < 5; ++n) {
        const unsigned f = forward ? n : 4 - n, down = f == 4 ? 1 : 0;  // what is stored first is made last
        const U256 mask = (U256{0x7fffff} | (U256{0x7fffff} << kHighShift)) << (24 * (f - down));
        for (unsigned j = 0; j < columns; ++j) {
            k.dup(x[j]);
            if (down != 0) k.with(Op::SHR, 24);
            k.with(Op::AND, mask);
            k.mload(wire.pair_word(f, j));
            k.opaque(Op::MUL);
            if (j != 0) k.op(Op::ADD);
        }
        sum[f] = k.top();
    }
    // Ten lanes of 64 bits, upwards: every store is overwritten behind its lane by the next one.
    const auto high = [&](unsigned f, unsigned lane) {
        const unsigned base = 24 * (f == 4 ? 3 : f);
        if (72 - base != 0) k.with(Op::SHL, 72 - base);
        k.mstore(out + 8 * lane);
    };
    const auto low = [&](unsigned f, unsigned lane, bool clean) {
        // The lane's first byte was left zero by the lane before, unless that was an upper sum.
        const unsigned base = 24 * (f == 4 ? 3 : f);
        k.with(Op::SHL, 136 - base);
        if (clean) k.with(Op::SHR, 8);
        k.mstore(out + 8 * lane + (clean ? 0 : 1));
    };
    if (forward) {
        for (unsigned f = 5; f-- > 0;) {
            k.dup(sum[f]);
            high(f, 4 - f);
        }
        for (unsigned f = 5; f-- > 0;) low(f, 9 - f, f == 4);
    } else {
        for (unsigned f = 0; f < 5; ++f) {
            k.dup(sum[f]);
            low(f, f, false);
        }
        for (unsigned f = 0; f < 5; ++f) high(f, 5 + f);
    }
    k.check(k.top() == x.back(), "products leave something behind");
    for (unsigned j = 0; j < columns; ++j) k.pop();
    k.push(80);
    k.push(out);
    k.dup(to);
    k.op(Op::MCOPY);
    if (forward) {
        at = k.with(Op::ADD, 30);
    } else {
        k.push(30);
        k.swap(1);
        at = k.op(Op::SUB);
    }
    k.swap(2);
    to = k.with(Op::ADD, 80);
    k.swap(2);
    k.swap(1);
    factors = k.with(Op::ADD, wire.group_bytes());
    k.swap(1);
    k.dup(factors);
    k.with(Op::XOR, wire.map.pairs + static_cast<std::uint64_t>(wire.group_bytes()) * WireMap::kGroups);
    k.jumpi(loop);
    while (k.height() > floor) k.pop();
    k.end_region();
}

// Refusals are rare (one field in 1,024), so this takes them one at a time.
void emit_repair(Kernel& k, const WirePlan& wire, Label entry, const std::function<void(Kernel&)>& refill) {
    k.rename("repair");
    const bool forward = wire.order == StreamOrder::forward;
    k.set_stack({});
    k.argument();
    k.argument();
    k.bind(entry);
    k.begin_region("repair");
    // [return, address of the group in column 0]; per column [.., at, state]
    k.swap(1);
    V at = k.top();
    V state = k.forget(k.push(wire.map.states));
    const Label column = k.label(), again = k.label(), search = k.label(), found = k.label(), next = k.label();
    k.bind(column);
    k.bind(again);
    k.dup(at);
    load_fields(k, wire);
    k.with(Op::ADD, refusal());
    V y = k.with(Op::AND, fields(1U << 23));
    k.dup(y);
    k.op(Op::ISZERO);
    k.jumpi(next);
    const std::vector<V> frame = k.stack();
    // The first refused field of the stream: [.., y, place], place the address of its first byte (backward: of its last one in memory
    // order).
    k.dup(at);
    V place = k.with(Op::ADD, forward ? 2 : 29);
    k.bind(search);
    k.dup_at(1);
    if (forward) {
        k.with(Op::SHR, 24 * 9 + 23);
    } else {
        k.with(Op::AND, 1U << 23);
    }
    k.jumpi(found);
    if (forward) {
        k.with(Op::ADD, 3);
        k.swap(1);
        k.with(Op::SHL, 24);
        k.with(Op::AND, fields(1U << 23));
        k.swap(1);
    } else {
        k.push(3);
        k.swap(1);
        k.op(Op::SUB);
        k.swap(1);
        k.with(Op::SHR, 24);
        k.swap(1);
    }
    k.jump(search);
    k.bind(found);
    place = k.top();
    y = k.at(1), state = k.at(2), at = k.at(3);
    // Column of the address: its stream begins at first + pitch * column; column = (state - states) / 64.
    k.dup(state);
    k.push(wire.map.states);
    k.swap(1);
    k.op(Op::SUB);
    k.with(Op::SHR, 6);
    times(k, wire.stream_pitch);
    if (wire.calls == 0)
        k.push(wire.map.streams);
    else
        k.mload(wire.row_streams());
    k.op(Op::ADD);  // [.., y, place, begin]
    if (forward) {
        // All that follows moves down by three bytes.
        k.dup(place);
        k.swap(1);
        k.with(Op::ADD, wire.stream_pitch - 3);
        k.op(Op::SUB);  // size = begin + pitch - 3 - place
        k.dup(place);
        k.with(Op::ADD, 3);
        k.dup(place);
        k.op(Op::MCOPY);
    } else {
        // What follows stands in front of the field: from begin to place, moved up by three bytes.
        k.dup(k.top());  // [.., place, begin, begin]
        k.dup(place);
        k.op(Op::SUB);  // size = place - begin
        k.dup_at(1);    // source
        k.dup_at(0);
        k.with(Op::ADD, 3);
        k.op(Op::MCOPY);
        k.pop();
    }
    k.pop();
    k.pop();
    // The stream is three bytes shorter.
    k.push(3);
    k.dup(state);
    k.with(Op::ADD, 32);
    k.op(Op::MLOAD);
    k.op(Op::SUB);
    k.dup(state);
    k.with(Op::ADD, 32);
    k.op(Op::MSTORE);
    const Label enough = k.label();
    k.push(768);
    k.dup(state);
    k.with(Op::ADD, 32);
    k.op(Op::MLOAD);
    k.with(Op::AND, 0xffff);
    k.op(Op::LT);
    k.op(Op::ISZERO);
    k.jumpi(enough);
    refill(k);
    k.bind(enough);
    k.jump(again);
    // Nothing refused: the next column.
    k.set_stack(frame);
    k.bind(next);
    k.pop();
    state = k.with(Op::ADD, 64);
    k.swap(1);
    at = k.with(Op::ADD, wire.stream_pitch);
    k.swap(1);
    k.dup(state);
    k.with(Op::XOR, wire.map.states + 64ULL * wire.plan.p.l);
    k.jumpi(column);
    k.pop();
    k.pop();
    k.jump_dynamic();
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
