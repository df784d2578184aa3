#include "contracts/sponge_pair.hpp"

#include <array>
#include <vector>

#include "contracts/keccak_chi.hpp"

namespace postern::contracts {

namespace {

using namespace keccak::unpaired;

constexpr auto kRho = keccak::rho_offsets();
constexpr auto kIota = keccak::round_constants();

U256 double_copy() { return U256{1} | U256::pow2(128); }

constexpr std::array<std::uint64_t, 6> kMasks{0x00000000ffffffffULL, 0x0000ffff0000ffffULL, 0x00ff00ff00ff00ffULL,
                                              0x0f0f0f0f0f0f0f0fULL, 0x3333333333333333ULL, 0x5555555555555555ULL};

/// The stack of the routines: the masks of prepare(), `between` items of the caller, x and the return address.
void routine_frame(Kernel& k, unsigned between) {
    k.set_stack({});
    for (const std::uint64_t mask : kMasks) k.argument_constant(splat(mask));
    for (unsigned i = 0; i < between + 2; ++i) k.argument();
}

/// A round constant has seven bits that can be set, bit 2^n - 1 for n = 0 .. 6. In a byte of the table their order is such that one
/// multiplication, whose copies of the byte do not meet, and one mask bring them to twice their places.
constexpr std::array<unsigned, 7> kIotaBit{0, 2, 6, 1, 3, 4, 5};  // where bit 2^n - 1 stands in the byte
std::uint8_t iota_byte(std::uint64_t constant) {
    unsigned byte = 0;
    for (unsigned n = 0; n < 7; ++n) byte |= static_cast<unsigned>((constant >> ((1U << n) - 1)) & 1U) << kIotaBit[n];
    return static_cast<std::uint8_t>(byte);
}
U256 iota_factor() {
    U256 factor;
    for (unsigned n = 0; n < 7; ++n) factor |= U256::pow2(2 * ((1U << n) - 1) - kIotaBit[n]);
    return factor;
}
U256 iota_mask() {
    U256 mask;
    for (unsigned n = 0; n < 7; ++n) mask |= U256::pow2(2 * ((1U << n) - 1));
    return mask;
}

/// Bit i to bit 2i.
U256 spread_bits(std::uint64_t v) {
    U256 r;
    for (unsigned i = 0; i < 64; ++i) {
        if (((v >> i) & 1U) != 0) r |= U256::pow2(2 * i);
    }
    return r;
}

}  // namespace

void SpongePair::finish(Kernel& k) const {
    for (std::size_t i = 0; i < kMasks.size(); ++i) k.pop();
}

void SpongePair::allocate(Kernel& k) {
    permutation_ = k.label();
    spread_ = k.label();
    gather_ = k.label();
    table_label_ = k.label();
}

void SpongePair::prepare(Kernel& k) const {
    for (const std::uint64_t mask : kMasks) k.push(splat(mask));
    k.push(rounds_);
    k.push_label(table_label_);
    k.push(table());
    k.op(Op::CODECOPY);
    k.push(U256::max());
    const V ones = k.top();
    for (unsigned lane = 0; lane < 25; ++lane) {
        if (!complemented(lane)) continue;
        k.dup(ones);
        k.mstore(slot(0, lane));
    }
    k.pop();
}

void SpongePair::absorb(Kernel& k, unsigned state, std::uint64_t from, unsigned lanes) const {
    const Label loop = k.label();
    k.push(double_copy());
    const V copies = k.top();
    V to = k.forget(k.push(slot(0, 0)));
    V at = k.forget(k.push(from - 16));
    k.bind(loop);
    k.dup(at);
    k.op(Op::MLOAD);
    k.call(spread_, 1, 1);
    if (state != 0) k.with(Op::SHL, 1);
    V w = k.top();
    for (unsigned i = 0; i < 2; ++i) {
        if (i == 0) {
            k.dup(w);
            k.with(Op::SHR, 128);
        } else {
            k.with(Op::AND, U256::mask(128));
        }
        k.dup(copies);
        k.opaque(Op::MUL);
        k.dup(to);
        if (i != 0) k.with(Op::ADD, kStride);
        k.op(Op::MLOAD);
        k.op(Op::XOR);
        k.dup(to);
        if (i != 0) k.with(Op::ADD, kStride);
        k.op(Op::MSTORE);
    }
    at = k.with(Op::ADD, 16);
    k.swap(1);
    to = k.with(Op::ADD, 2 * kStride);
    k.swap(1);
    k.dup(at);
    k.with(Op::XOR, from - 16 + 8ULL * lanes);
    k.jumpi(loop);
    for (int i = 0; i < 3; ++i) k.pop();
}

void SpongePair::absorb_constant(Kernel& k, unsigned state, unsigned lane, std::uint64_t value) const {
    k.push((spread_bits(value) << state) * double_copy());
    k.mload(slot(0, lane));
    k.op(Op::XOR);
    k.mstore(slot(0, lane));
}

void SpongePair::squeeze(Kernel& k, unsigned state, std::uint64_t to, unsigned lanes) const {
    // Pairs of lanes, unrolled loads (complements differ), the bit gathering is a routine.
    const U256 low = U256::mask(128), high = low << 128;
    k.push(low);
    k.push(high);
    for (unsigned lane = 0; lane < lanes; lane += 2) {
        k.mload(slot(0, lane));
        k.with(Op::AND, high);
        k.mload(slot(0, lane + 1) - 16);
        k.op(Op::OR);
        if (complemented(lane) && complemented(lane + 1)) {
            k.op(Op::NOT);
        } else if (complemented(lane) || complemented(lane + 1)) {
            k.with(Op::XOR, complemented(lane) ? high : low);
        }
        if (state != 0) k.with(Op::SHR, 1);
        k.call(gather_, 1, 1);  // [lane, lane + 1] as 128 bits on top of the word
        k.mstore(to + 8 * lane);
    }
    k.pop();
    k.pop();
}

void SpongePair::emit_permutation(Kernel& k) const {
    k.rename("keccak pair");
    k.set_stack({});
    k.argument();
    k.bind(permutation_);
    V pointer = k.forget(k.push(table()));
    const Label body = k.label();
    k.bind(body);
    emit_round(k, pointer);
    k.push(kBuffer);
    k.push(slot(1, 0) - 16);
    k.push(slot(0, 0) - 16);
    k.op(Op::MCOPY);
    k.with(Op::ADD, 1);
    k.dup(k.top());
    k.with(Op::XOR, table() + rounds_);
    k.jumpi(body);
    k.pop();
    k.jump_dynamic();
}

void SpongePair::emit_round(Kernel& k, V pointer) const {
    std::array<V, 5> f{}, d{};
    const auto parity_of = [&](unsigned x) {
        for (unsigned y = 0; y < 5; ++y) {
            k.mload(slot(0, x + 5 * y));
            if (y != 0) f[x] = k.op(Op::XOR);
        }
    };
    const auto finish_d = [&](unsigned x) {
        k.op(Op::XOR);
        d[x] = k.with(Op::SHR, 128);
    };
    // D[x] = C[x - 1] ^ rotl(C[x + 1], 1), which is a shift by two; the order leaves D0 .. D4 on the stack.
    parity_of(4);
    parity_of(1);
    k.dup(f[1]);
    k.with(Op::SHL, 2);
    k.dup(f[4]);
    finish_d(0);
    k.raise(f[4]);
    parity_of(0);
    parity_of(2);
    k.dup(f[2]);
    k.with(Op::SHL, 2);
    k.dup(f[0]);
    finish_d(1);
    k.raise(f[1]);
    parity_of(3);
    k.raise(f[1]);
    k.dup(f[3]);
    k.with(Op::SHL, 2);
    finish_d(2);
    k.raise(f[4]);
    k.with(Op::SHL, 2);
    k.raise(f[3]);
    k.raise(f[2]);
    finish_d(3);
    k.raise(f[0]);
    k.with(Op::SHL, 2);
    finish_d(4);

    // rho and pi: lane (X + 3Y, X) to (X, Y).
    const auto rotated = [&](unsigned x, unsigned y, bool invert) {
        const unsigned r = 2 * kRho[x + 5 * y];
        k.push(double_copy() << r);
        k.opaque(Op::MUL);
        if (invert) k.op(Op::NOT);
        return k.top();
    };
    // Row 2 last: it consumes the D's.
    for (const unsigned Y : {0U, 1U, 3U, 4U, 2U}) {
        const RowPlan plan = plan_row(Y);
        std::array<V, 5> b{};
        if (Y != 2) {
            for (unsigned X = 0; X < 5; ++X) {
                const unsigned x = (X + 3 * Y) % 5;
                k.mload(slot(0, x + 5 * X) - 16);
                k.dup(d[x]);
                k.op(Op::XOR);
                b[X] = rotated(x, X, plan.invert_b[X]);
            }
        } else {
            for (const unsigned X : {3U, 2U, 1U, 0U, 4U}) {
                const unsigned x = (X + 1) % 5;
                k.raise(d[x]);
                k.mload(slot(0, x + 5 * X) - 16);
                k.op(Op::XOR);
                b[X] = rotated(x, X, plan.invert_b[X]);
            }
        }
        // chi, last uses taken from the top of the stack.
        for (const unsigned X : {2U, 3U, 4U, 1U, 0U}) {
            const ChiStep& c = plan.step[X];
            const V b1 = b[(X + 1) % 5], b2 = b[(X + 2) % 5];
            if (X == 0) {
                if (c.invert2) k.op(Op::NOT);
                if (c.invert1) {
                    k.swap(1);
                    k.op(Op::NOT);
                }
            } else if (X == 1) {
                if (c.invert2) k.op(Op::NOT);
                k.dup(b1);
                if (c.invert1) k.op(Op::NOT);
            } else {
                k.dup(b1);
                if (c.invert1) k.op(Op::NOT);
                k.dup(b2);
                if (c.invert2) k.op(Op::NOT);
            }
            k.op(c.use_or ? Op::OR : Op::AND);
            if (X != 0 && X != 4) k.dup(b[X]);
            k.op(Op::XOR);
            if (c.invert_result) k.op(Op::NOT);
            if (X == 0 && Y == 0) {
                k.dup(pointer);
                k.op(Op::MLOAD);
                k.with(Op::BYTE, 0);
                k.declare_bits(k.top(), U256::mask(7));
                k.with(Op::MUL, iota_factor());
                k.with(Op::AND, iota_mask());
                k.push(double_copy() * U256{3});  // for both states, and the copy below
                k.opaque(Op::MUL);
                k.op(Op::XOR);
                if (iota_inverts()) k.op(Op::NOT);
            }
            k.mstore(slot(1, X + 5 * Y));
        }
    }
}

void SpongePair::emit_routines(Kernel& k) {
    k.begin_region("keccak_pair");
    emit_permutation(k);
    // [x, return]: the low 128 bits of x are two lanes; out come their bits at even places of the two halves.
    routine_frame(k, 3);
    k.bind(spread_);
    k.swap(1);
    k.with(Op::AND, U256::mask(128));
    k.dup(k.top());
    k.with(Op::SHL, 64);
    k.op(Op::OR);
    k.with(Op::AND, U256::mask(64) | (U256::mask(64) << 128));
    for (unsigned i = 0; i < 6; ++i) {
        k.dup(k.top());
        k.with(Op::SHL, 32U >> i);
        k.op(Op::OR);
        k.with(Op::AND, splat(kMasks[i]));
    }
    k.swap(1);
    k.jump_dynamic();
    // The way back: even bits of both halves to 128 bits on top of the word.
    routine_frame(k, 2);
    k.bind(gather_);
    k.swap(1);
    k.with(Op::AND, splat(kMasks[5]));
    for (unsigned i = 5; i-- > 0;) {
        k.dup(k.top());
        k.with(Op::SHR, 16U >> i);
        k.op(Op::OR);
        k.with(Op::AND, splat(kMasks[i]));
    }
    k.dup(k.top());
    k.with(Op::SHR, 32);
    k.op(Op::OR);
    k.with(Op::AND, U256::mask(64) | (U256::mask(64) << 128));
    k.dup(k.top());
    k.with(Op::SHL, 128);
    k.swap(1);
    k.with(Op::SHR, 128);
    k.with(Op::SHL, 192);
    k.op(Op::OR);
    k.swap(1);
    k.jump_dynamic();
    std::vector<std::uint8_t> bytes;
    for (unsigned r = 0; r < rounds_; ++r) {
        bytes.push_back(iota_byte(kIota[24 - rounds_ + r]));
    }
    k.data(table_label_, bytes);
    k.end_region();
}

}  // namespace postern::contracts
