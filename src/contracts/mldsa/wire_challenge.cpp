#include "contracts/mldsa/wire.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

constexpr std::uint64_t kMost = 1023;  // of t1

U256 bit_range(unsigned from, unsigned to) { return U256::mask(to) ^ U256::mask(from); }
/// The same range in every lane of 64 bits.
U256 lane_range(unsigned from, unsigned to) {
    U256 m;
    for (unsigned lane = 0; lane < 4; ++lane) m |= bit_range(64 * lane + from, 64 * lane + to);
    return m;
}

}  // namespace

// c t1 as a sum of tau windows: memory holds [1023 - t1 | t1 | 1023 - t1] in lanes of 16 bits, and x^j t1 (mod x^256 + 1) is the window
// that starts j lanes in front of the middle part, -x^j t1 the one that starts j lanes in front of the last part, both with 1023 too many
// wherever a complement is read. tau <= 60 windows stay below 2^16. What is too much depends on c only:
// 1023 (T + U_n), T the number of -1, U_n the sum of c behind n, which is 1023 (P - S_n) with P the number of +1 and S_n the sum up to n.
void emit_taps(Kernel& k, const WirePlan& wire) {
    k.rename("windows of the challenge");
    k.begin_region("taps");
    const Plan& plan = wire.plan;
    const std::uint64_t work = plan.map.work;
    k.check(plan.p.tau * kMost < 65536, "windows leave their lanes");
    const std::size_t floor = k.height();
    // The new value of `old` is on top.
    const auto replace = [&k](V& old) {
        const V now = k.top();
        k.raise(old);
        k.pop();
        old = now;
    };
    V sum = k.forget(k.push(0));
    V tap = k.forget(k.push(wire.map.taps));
    V place = k.forget(k.push(wire.map.t1 + 1024));  // of t1's last part, less the bytes of the word's first j
    V at = k.forget(k.push(work));
    const Label loop = k.label(), plain = k.label();
    k.bind(loop);
    k.dup(at);
    const V w = k.op(Op::MLOAD);
    k.dup(sum);
    k.dup(w);
    k.op(Op::ADD);
    replace(sum);
    k.dup(w);
    k.with(Op::XOR, splat(1));
    k.op(Op::ISZERO);
    k.jumpi(plain);
    for (unsigned m = 0; m < 4; ++m) {
        // b = c + 1: 2 reads in front of the middle part, 0 in front of the last part; 1 is no tap and is overwritten.
        k.dup(w);
        if (m != 3) k.with(Op::SHR, 64 * (3 - m));
        const V b = k.with(Op::AND, 3);
        k.dup(b);
        k.with(Op::SHL, 8);
        k.dup(place);
        k.op(Op::SUB);  // place - 256 b
        if (m != 0) {
            k.push(2 * m);
            k.swap(1);
            k.op(Op::SUB);
        }
        k.dup(tap);
        k.op(Op::MSTORE);
        k.with(Op::AND, 1);
        k.with(Op::XOR, 1);
        k.with(Op::SHL, 5);
        k.dup(tap);
        k.op(Op::ADD);
        replace(tap);
    }
    k.bind(plain);
    k.pop();
    at = k.with(Op::ADD, 32);
    k.swap(1);
    k.push(8);
    k.swap(1);
    place = k.op(Op::SUB);
    k.swap(1);
    k.dup(at);
    k.with(Op::XOR, work + 2048);
    k.jumpi(loop);
    k.pop();
    k.pop();
    k.pop();
    // Sum of all c + 1 by casting out 2^64 - 1; P = (tau + sum - 256) / 2.
    k.push(U256::mask(64));
    k.swap(1);
    k.op(Op::MOD);
    k.push(256 - plan.p.tau);
    k.swap(1);
    k.op(Op::SUB);
    k.with(Op::SHR, 1);
    // base = q - 1023 (P - S), S the sum of c before the word
    times(k, kMost);
    k.push(q);
    k.op(Op::SUB);
    V base = k.forget(k.top());
    at = k.forget(k.push(work));
    k.push(splat(1));
    const V ones = k.top();
    const Label words = k.label();
    k.bind(words);
    k.dup(at);
    k.op(Op::MLOAD);
    // Sums of c + 1 up to every lane, from the top.
    for (const unsigned shift : {64U, 128U}) {
        k.dup(k.top());
        k.with(Op::SHR, shift);
        k.op(Op::ADD);
    }
    const V sums = k.top();
    k.dup(base);
    k.dup(ones);
    k.opaque(Op::MUL);
    k.dup(sums);
    times(k, kMost);
    k.op(Op::ADD);
    k.push(U256{kMost, 2 * kMost, 3 * kMost, 4 * kMost});
    k.swap(1);
    k.op(Op::SUB);
    k.dup(at);
    k.with(Op::ADD, wire.map.shift - work);
    k.op(Op::MSTORE);
    // base += 1023 (low lane - 4)
    k.with(Op::AND, 0xff);
    times(k, kMost);
    k.dup(base);
    k.op(Op::ADD);
    k.push(4 * kMost);
    k.swap(1);
    k.op(Op::SUB);
    replace(base);
    k.swap(1);
    at = k.with(Op::ADD, 32);
    k.swap(1);
    k.dup(at);
    k.with(Op::XOR, work + 2048);
    k.jumpi(words);
    while (k.height() > floor) k.pop();
    k.end_region();
}

void emit_sparse(Kernel& k, const WirePlan& wire) {
    const std::size_t floor = k.height();
    k.rename("t1 of a row");
    k.begin_region("t1");
    // [row]: 16 coefficients, 20 bytes at a time.
    k.dup(k.top());
    times(k, 320);
    k.mload(vars.parts);
    k.op(Op::ADD);
    V from = k.with(Op::ADD, 32);
    V to = k.forget(k.push(wire.map.t1));
    const Label decode = k.label();
    k.bind(decode);
    k.dup(from);
    k.op(Op::CALLDATALOAD);
    // (x & high) | ((x & low) >> shift)
    const auto part = [&k](const U256& high, const U256& low, unsigned shift) {
        k.dup(k.top());
        k.with(Op::AND, low);
        k.with(Op::SHR, shift);
        k.swap(1);
        k.with(Op::AND, high);
        k.op(Op::OR);
    };
    // Four groups of five bytes to the top of the four lanes.
    part(bit_range(176, 256), bit_range(96, 176), 48);
    part(bit_range(216, 256) | bit_range(88, 128), bit_range(176, 216) | bit_range(48, 88), 24);
    // Five bytes in reverse: a little-endian integer of four 10-bit coefficients.
    for (const auto& [low, distance] : {std::pair{24U, 32U}, std::pair{32U, 16U}}) {
        k.dup(k.top());
        k.with(Op::SHR, distance);
        k.dup_at(1);
        k.op(Op::XOR);
        k.with(Op::AND, lane_range(low, low + 8));
        k.with(Op::MUL, U256{1} | U256::pow2(distance));
        k.op(Op::XOR);
    }
    const V z = k.top();
    k.dup(z);
    k.with(Op::SHL, 24);
    k.with(Op::AND, lane_range(48, 58));
    for (const auto& [shift, at] : {std::pair{2U, 32U}, std::pair{28U, 16U}, std::pair{54U, 0U}}) {
        k.dup(z);
        k.with(Op::SHR, shift);
        k.with(Op::AND, lane_range(at, at + 10));
        k.op(Op::OR);
    }
    k.swap(1);
    k.pop();
    k.dup(k.top());
    k.dup(to);
    k.with(Op::ADD, 512);
    k.op(Op::MSTORE);
    k.push(splat(kMost, 16));
    k.op(Op::SUB);
    k.dup(k.top());
    k.dup(to);
    k.op(Op::MSTORE);
    k.dup(to);
    k.with(Op::ADD, 1024);
    k.op(Op::MSTORE);
    to = k.with(Op::ADD, 32);
    k.swap(1);
    from = k.with(Op::ADD, 20);
    k.swap(1);
    k.dup(to);
    k.with(Op::XOR, wire.map.t1 + 512);
    k.jumpi(decode);
    k.pop();
    k.pop();
    k.end_region();

    k.rename("c t1");
    k.begin_region("c t1");
    // 16 lanes of 16 bits at a time, then four words of 64-bit lanes.
    const U256 first_copies = U256{1} | U256::pow2(96), first_mask = bit_range(0, 32) | bit_range(128, 160);
    const U256 second_copies = U256{1} | U256::pow2(48), second_mask = splat(0xffff);
    k.push(second_mask);
    k.push(second_copies);
    k.push(first_mask);
    k.push(first_copies);
    k.push(U256::mask(64));
    V offset = k.forget(k.push(0));
    const Label loop = k.label();
    k.bind(loop);
    for (unsigned n = 0; n < wire.plan.p.tau; ++n) {
        k.mload(wire.map.taps + 32ULL * n);
        k.op(Op::MLOAD);
        if (n != 0) k.op(Op::ADD);
    }
    const V sum = k.top();
    k.dup(offset);
    k.with(Op::SHL, 2);
    const V word = k.top();
    for (unsigned e = 0; e < 4; ++e) {
        k.dup(sum);
        if (e != 3) k.with(Op::SHR, 192 - 64 * e);
        if (e != 0) k.with(Op::AND, U256::mask(64));
        k.declare_bits(k.top(), U256::mask(64));
        k.with(Op::MUL, first_copies);
        k.with(Op::AND, first_mask);
        k.with(Op::MUL, second_copies);
        k.with(Op::AND, second_mask);
        k.dup(word);
        k.with(Op::ADD, wire.map.shift + 32 * e);
        k.op(Op::MLOAD);
        k.op(Op::ADD);
        k.dup(word);
        k.with(Op::ADD, wire.map.ct1 + 32 * e);
        k.op(Op::MSTORE);
    }
    k.pop();
    k.pop();
    // The array moves under the windows, which is cheaper than moving tau windows.
    k.push(3 * 512 - 32);
    k.push(wire.map.t1 + 32);
    k.push(wire.map.t1);
    k.op(Op::MCOPY);
    offset = k.with(Op::ADD, 32);
    k.dup(offset);
    k.with(Op::XOR, 512);
    k.jumpi(loop);
    while (k.height() > floor) k.pop();
    k.end_region();
}

}  // namespace postern::contracts::mldsa_evm
