#include "contracts/sponge.hpp"

#include <algorithm>
#include <bit>

namespace postern::contracts {

namespace {

/// Where rows live between rounds: two pair words (high and low row) and row 2 alone. The low window begins at 64 - 8 m.
struct Form {
    std::array<unsigned, 2> high, low;
    unsigned m;
};
constexpr std::array<Form, 2> kForms{{{{0, 4}, {3, 1}, 0}, {{3, 1}, {0, 4}, 1}}};
/// Rotation common to all lanes that a round adds; zero again after every two rounds times a multiple of ... 12 and 6 bodies.
constexpr std::array<unsigned, 2> kGauge{35, 61};
static_assert((kGauge[0] + kGauge[1]) * 12 % 64 == 0 && (kGauge[0] + kGauge[1]) * 6 % 64 == 0);

constexpr unsigned group_of(unsigned row) { return row == 2 ? 2 : row % 3; }

/// Rho offsets (FIPS 202 section 3.2.2), [x][y].
constexpr std::array<std::array<unsigned, 5>, 5> make_rho() {
    std::array<std::array<unsigned, 5>, 5> r{};
    unsigned x = 1, y = 0;
    for (unsigned t = 0; t < 24; ++t) {
        r[x][y] = (t + 1) * (t + 2) / 2 % 64;
        const unsigned next = (2 * x + 3 * y) % 5;
        x = y;
        y = next;
    }
    return r;
}
constexpr auto kRho = make_rho();

/// Round constants (section 3.2.5), from the linear feedback register.
constexpr std::array<std::uint64_t, 24> make_iota() {
    std::array<std::uint64_t, 24> out{};
    unsigned lfsr = 1;
    for (auto& rc : out) {
        for (unsigned j = 0; j < 7; ++j) {
            if ((lfsr & 1U) != 0) rc |= std::uint64_t{1} << ((1U << j) - 1);
            lfsr <<= 1;
            if ((lfsr & 0x100U) != 0) lfsr ^= 0x171U;
        }
    }
    return out;
}
constexpr auto kIota = make_iota();

/// Lanes stored complemented between rounds, [x][y]; chi then needs four NOTs a round.
constexpr bool complemented(unsigned x, unsigned y) {
    switch (x) {
        case 0:
            return y == 0 || y == 3;
        case 1:
            return y == 1 || y == 4;
        case 2:
            return y == 2;
        case 3:
            return y == 0 || y == 3;
        default:
            return y != 2;
    }
}

/// How chi's nonlinear part is computed at position X of a group.
struct Chi {
    bool use_or;
    unsigned invert;  // 0 nothing, 1 first operand, 2 second operand, 3 the result
};
constexpr std::array<std::array<Chi, 5>, 3> kChi{{{{{true, 0}, {false, 0}, {true, 0}, {true, 1}, {false, 0}}},
                                                  {{{false, 0}, {true, 3}, {false, 0}, {true, 2}, {true, 0}}},
                                                  {{{true, 0}, {false, 2}, {false, 0}, {true, 0}, {false, 0}}}}};

struct Place {
    unsigned group;
    bool high;
};
Place place(const Form& form, unsigned row) {
    if (row == 2) return {2, true};
    const unsigned g = form.high[0] == row || form.low[0] == row ? 0 : 1;
    return {g, form.high[g] == row};
}

U256 ones(unsigned bits) { return U256::mask(bits); }

}  // namespace

void SpongeCode::allocate(Kernel& k) {
    permutation_ = k.label();
    absorb_ = k.label();
    table_label_ = k.label();
}

void SpongeCode::prepare(Kernel& k) const {
    k.push(table_bytes());
    k.push_label(table_label_);
    k.push(map_.table);
    k.op(Op::CODECOPY);
}

void SpongeCode::reset(Kernel& k) const {
    k.push(U256::max());
    const V all = k.top();
    k.push(0);
    const V none = k.top();
    for (unsigned g = 0; g < 3; ++g) {
        for (unsigned x = 0; x < 5; ++x) {
            k.dup(complemented(x, g) ? all : none);
            k.mstore(map_.state + 24 + 56 * (5 * g + x));
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
    const Place p = place(kForms[0], y);
    const std::uint64_t slot = map_.state + 24 + 56 * (5 * p.group + x);
    if (p.high) {
        k.mload(slot - 24);
    } else {
        k.mload(slot - 8);
        k.with(Op::AND, ones(64));
    }
    if (complemented(x, y)) k.with(Op::XOR, ones(64));
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
    // Per two rounds: low half for the first round, high half for the second, and ones between, so that overlapping words serve
    // both: [ones | first] and [second | ones].
    std::vector<std::uint8_t> table(16, 0xff);
    unsigned gauge = 0;
    for (unsigned r = 0; r < rounds_; ++r) {
        gauge = (gauge + kGauge[r % 2]) % 64;
        const std::uint64_t rc = std::rotl(kIota[24 - rounds_ + r], static_cast<int>(gauge));
        const unsigned first = r % 2 == 0 ? 64 - 8 * kForms[1].m : 64;  // where bit 0 of the lane stands in the half word
        for (unsigned byte = 0; byte < 16; ++byte) {
            std::uint8_t b = 0;
            for (unsigned bit = 0; bit < 8; ++bit) {
                const unsigned position = 8 * (15 - byte) + bit;
                if (((rc >> ((position + 64 - first) % 64)) & 1U) != 0) b |= static_cast<std::uint8_t>(1U << bit);
            }
            table.push_back(static_cast<std::uint8_t>(~b));
        }
        if (r % 2 == 1) table.insert(table.end(), 16, 0xff);
    }
    k.data(table_label_, std::move(table));
}

void SpongeCode::emit_permutation(Kernel& k) const {
    k.rename("keccak permutation");
    k.set_stack({});
    k.argument();
    k.bind(permutation_);
    k.begin_region("keccak");
    V pointer = k.forget(k.push(map_.table));
    const Label body = k.label();
    k.bind(body);
    emit_round(k, 0, pointer);
    emit_round(k, 1, pointer);
    k.with(Op::ADD, 48);
    k.dup(k.top());
    k.with(Op::XOR, map_.table + 48 * (rounds_ / 2));
    k.jumpi(body);
    k.pop();
    k.jump_dynamic();
    k.end_region();
}

void SpongeCode::emit_round(Kernel& k, unsigned parity, V pointer) const {
    const Form& in = kForms[parity];
    const Form& out = kForms[1 - parity];
    const unsigned g = kGauge[parity];
    const std::uint64_t from = map_.state + 24 + parity * SpongeMap::buffer_bytes;
    const std::uint64_t to = map_.state + 24 + (1 - parity) * SpongeMap::buffer_bytes;
    const auto slot = [](std::uint64_t buffer, unsigned group, unsigned x) { return buffer + 56 * (5 * group + x); };

    // theta: parities with the low rows folded onto the high ones.
    std::array<V, 5> f{}, d{};
    const auto parity_of = [&](unsigned x) {
        k.mload(slot(from, 0, x));
        k.mload(slot(from, 1, x));
        k.op(Op::XOR);
        k.dup(k.top());
        k.with(Op::SHL, 128 + 8 * in.m);
        k.op(Op::XOR);
        k.mload(slot(from, 2, x));
        f[x] = k.op(Op::XOR);
    };
    const auto finish_d = [&](unsigned x) {
        k.op(Op::XOR);
        d[x] = k.with(Op::SHR, 192);
    };
    parity_of(4);
    parity_of(1);
    k.dup(f[1]);
    k.with(Op::SHL, 1);
    k.dup(f[4]);
    finish_d(0);
    k.raise(f[4]);  // [D0 F1 F4]
    parity_of(0);
    parity_of(2);
    k.dup(f[2]);
    k.with(Op::SHL, 1);
    k.dup(f[0]);
    finish_d(1);
    k.raise(f[1]);  // [D0 D1 F4 F0 F2 F1]
    parity_of(3);
    k.raise(f[1]);
    k.dup(f[3]);
    k.with(Op::SHL, 1);
    finish_d(2);
    k.raise(f[4]);  // [D0 D1 D2 F0 F2 F3 F4]
    const V f4 = k.with(Op::SHL, 1);
    k.raise(f[3]);  // [.. F0 F2 F4' F3]
    k.raise(f[2]);  // [.. F0 F3 F4' F2]
    (void)f4;
    finish_d(3);
    k.raise(f[0]);  // [D0 D1 D2 D3 F3 F0]
    k.with(Op::SHL, 1);
    finish_d(4);

    // rho and pi: lane (X + 3Y, X) goes to (X, Y); one word of a pair takes both lanes from the input row X.
    const auto source = [&](unsigned x, unsigned y) {
        const Place p = place(in, y);
        const std::uint64_t s = slot(from, p.group, x);
        if (p.high) {
            k.mload(s - 24);
        } else {
            k.mload(s - 8 + in.m);
            k.with(Op::AND, ones(64));
        }
    };
    std::array<V, 5> b{};
    const auto chi = [&](unsigned group) {
        // Words b0 .. b4 on top; each output takes its last uses from the top of the stack.
        for (const unsigned X : {2U, 3U, 4U, 1U, 0U}) {
            const Chi c = kChi[group][X];
            const unsigned x1 = (X + 1) % 5, x2 = (X + 2) % 5;
            const bool keep1 = X != 0, keep2 = X != 0 && X != 1, keep0 = X == 2 || X == 3 || X == 1;
            const auto operand = [&](V v, bool keep, bool invert) {
                if (keep) k.dup(v);
                if (invert) k.op(Op::NOT);
            };
            if (X == 1) {  // b3 is on top: it comes first
                operand(b[x2], keep2, c.invert == 2);
                operand(b[x1], keep1, c.invert == 1);
            } else if (X == 0) {  // [b0 b1 b2]
                k.check(c.invert == 0, "chi order");
            } else {
                operand(b[x1], keep1, c.invert == 1);
                operand(b[x2], keep2, c.invert == 2);
            }
            k.op(c.use_or ? Op::OR : Op::AND);
            if (keep0) k.dup(b[X]);
            k.op(Op::XOR);
            if (c.invert == 3) k.op(Op::NOT);
            if (X == 0 && group == 0) {
                k.dup(pointer);
                if (parity == 1) k.with(Op::ADD, 32);
                k.op(Op::MLOAD);
                k.op(Op::XOR);
            }
            k.mstore(slot(to, group, X));
        }
    };
    for (unsigned group = 0; group < 2; ++group) {
        for (unsigned X = 0; X < 5; ++X) {
            const unsigned yh = out.high[group], yl = out.low[group];
            const unsigned xh = (X + 3 * yh) % 5, xl = (X + 3 * yl) % 5;
            const unsigned rh = (kRho[xh][X] + g) % 64;
            const unsigned rl_full = (kRho[xl][X] + g) % 64;
            k.check(rl_full >= 8 * out.m, "low lane below its window");
            const unsigned rl = rl_full - 8 * out.m;
            source(xh, X);
            k.dup(d[xh]);
            k.op(Op::XOR);
            if (rh >= rl) {
                // Contents [rl, rl + 128) and [128 + rh, 256) do not meet: one product for both.
                k.with(Op::SHL, 128 + rh - rl);
                source(xl, X);
                k.dup(d[xl]);
                k.op(Op::XOR);
                k.op(Op::OR);
                k.push(U256::pow2(rl) | U256::pow2(rl + 64));
                b[X] = k.opaque(Op::MUL);
            } else {
                k.push(U256::pow2(128 + rh) | U256::pow2(192 + rh));
                k.opaque(Op::MUL);
                source(xl, X);
                k.dup(d[xl]);
                k.op(Op::XOR);
                k.push(U256::pow2(rl) | U256::pow2(rl + 64));
                k.opaque(Op::MUL);
                b[X] = k.op(Op::OR);
            }
        }
        chi(group);
    }
    // Row 2 alone; it consumes the D's: position X takes D[X + 1].
    for (const unsigned X : {3U, 2U, 1U, 0U, 4U}) {
        const unsigned x = (X + 1) % 5;
        k.raise(d[x]);
        source(x, X);
        k.op(Op::XOR);
        const unsigned r = (kRho[x][X] + g) % 64;
        k.push(U256::pow2(128 + r) | U256::pow2(192 + r));
        b[X] = k.opaque(Op::MUL);
    }
    chi(2);
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
    k.push(odd);
    const V odd_mask = k.top();
    const auto into = [&](unsigned i, V pair, bool first_of_pair) {
        // `pair` holds the lane twice in its high half (first of pair) or low half.
        const Place p = place(kForms[0], i / 5);
        const std::uint64_t slot = map_.state + 24 + 56 * (5 * p.group + i % 5);
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
