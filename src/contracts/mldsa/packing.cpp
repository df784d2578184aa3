#include "contracts/mldsa/packing.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

/// Bits [from, to) in every lane of this width.
U256 bits_in(unsigned from, unsigned to, unsigned width) {
    U256 lane = U256::mask(to) ^ U256::mask(from), out;
    for (unsigned at = 0; at < 256; at += width) out |= lane << at;
    return out;
}

// w1 values of six bits, bytes a, b, c, d from the top: the three bytes that they become are a + (b mod 4) 2^6,
// (b div 4) + (c mod 16) 2^4, (c div 16) + d 2^2.
const U256 kPairs = bits_in(0, 6, 32) | bits_in(8, 14, 32);          // two values in the low half of 32 bits
const U256 kFirstPair = bits_in(8, 20, 32);                          // a + 64 b, eight bits up
const U256 kFirstBytes = bits_in(24, 32, 32) | bits_in(16, 20, 32);  // from the pair a, b
const U256 kLastBytes = bits_in(20, 24, 32) | bits_in(8, 16, 32);    // from the pair c, d
// Halves of a lane whose upper three quarters are full.
U256 upper_half(unsigned width) { return bits_in(width / 2, width, width); }
U256 lower_half(unsigned width) { return bits_in(width / 8, width / 2, width); }

}  // namespace

std::vector<U256> Packer::constants() const {
    if (!bytes_) {
        const U256 even16 = splat((1U << bits_) - 1, 16), even32 = splat((1U << (2 * bits_)) - 1, 32);
        const U256 low64 = splat((std::uint64_t{1} << (4 * bits_)) - 1, 64);
        const U256 low128 = U256::mask(8 * bits_) | (U256::mask(8 * bits_) << 128);
        return {even16, even32, low128, low128 << (8 * bits_), low64, low64 << (4 * bits_)};
    }
    if (bits_ == 4) return {bits_in(8, 16, 16), bits_in(16, 32, 32), bits_in(32, 64, 64), bits_in(64, 128, 128)};
    return {kPairs,         kFirstPair,      kFirstBytes,     kLastBytes,      lower_half(64),
            upper_half(64), lower_half(128), upper_half(128), lower_half(256), upper_half(256)};
}

void Packer::push_constants(Kernel& k) const {
    const auto all = constants();
    for (auto c = all.rbegin(); c != all.rend(); ++c) k.push(*c);
}

void Packer::pack(Kernel& k) const {
    if (!bytes_)
        pack_lanes(k);
    else if (bits_ == 4)
        pack_bytes4(k);
    else if (bits_ == 6)
        pack_bytes6(k);
    else
        k.fail("no packing for this width");
}

void Packer::pack_bytes4(Kernel& k) const {
    // Two values to a byte, the second in the high half, then bytes to the top in four steps of doubled width.
    const auto gather = [&](unsigned width, unsigned shift) {
        k.dup(k.top());
        k.with(Op::SHL, shift);
        k.op(Op::OR);
        if (width < 256) k.with(Op::AND, bits_in(width / 2, width, width));
    };
    gather(16, 12);
    gather(32, 8);
    gather(64, 16);
    gather(128, 32);
    gather(256, 64);
}

void Packer::pack_bytes6(Kernel& k) const {
    const U256 join = U256{1} | U256::pow2(14), spread = U256{1} | U256::pow2(16);
    // a + 64 b at bits 8 to 19 of every 32, from there to their bytes.
    k.dup(k.top());
    k.with(Op::SHR, 16);
    k.with(Op::AND, kPairs);
    k.with(Op::MUL, join);
    k.with(Op::AND, kFirstPair);
    k.with(Op::MUL, spread);
    k.with(Op::AND, kFirstBytes);
    k.swap(1);
    // The same for c + 64 d.
    k.with(Op::AND, kPairs);
    k.with(Op::MUL, join);
    k.with(Op::AND, kFirstPair);
    k.with(Op::SHR, 4);
    k.with(Op::MUL, spread);
    k.with(Op::AND, kLastBytes);
    k.op(Op::OR);
    for (const unsigned width : {64U, 128U, 256U}) {
        // Both halves hold their bytes at the top: close the gap between them.
        k.dup(k.top());
        k.with(Op::AND, lower_half(width));
        k.with(Op::SHL, width / 8);
        k.swap(1);
        k.with(Op::AND, upper_half(width));
        k.op(Op::OR);
    }
}

void Packer::pack_lanes(Kernel& k) const {
    const auto all = constants();
    const U256 &even16 = all[0], &even32 = all[1], &low128 = all[2], &high128 = all[3], &low64 = all[4], &high64 = all[5];
    // The first two stages exchange their halves because coefficients descend inside four bytes.
    const auto exchange = [&](const U256& mask, unsigned half, unsigned width) {
        k.dup(k.top());
        k.with(Op::SHR, half);
        k.with(Op::AND, mask);
        k.swap(1);
        k.with(Op::AND, mask);
        k.with(Op::SHL, width);
        k.op(Op::OR);
    };
    const auto join = [&](const U256& low, const U256& high, unsigned shift) {
        k.dup(k.top());
        k.with(Op::AND, low);
        k.swap(1);
        k.with(Op::SHR, shift);
        k.with(Op::AND, high);
        k.op(Op::OR);
    };
    exchange(even16, 8, bits_);
    exchange(even32, 16, 2 * bits_);
    join(low64, high64, 32 - 4 * bits_);
    join(low128, high128, 64 - 8 * bits_);
    // Now the high and the low 128 bits hold 16 coefficients each. Out come whole 64-bit lanes of the hash, the first one on top,
    // and zeros below.
    const unsigned run = 16 * bits_;
    const auto bit_range = [](unsigned from, unsigned to) { return U256::mask(to) ^ U256::mask(from); };
    const V x = k.top();
    k.dup(x);
    k.with(Op::SHL, 192);  // first lane: the low 64 bits
    if (run == 96) {
        k.dup(x);
        k.with(Op::SHL, 64);
        k.with(Op::AND, bit_range(128, 160));
        k.op(Op::OR);
        k.dup(x);
        k.with(Op::SHL, 32);
        k.with(Op::AND, bit_range(160, 192));
        k.op(Op::OR);
        k.swap(1);
        k.with(Op::SHR, 96);
        k.with(Op::AND, bit_range(64, 128));
        k.op(Op::OR);
    } else {
        k.check(run == 64, "no lane layout for this width");
        k.swap(1);
        k.with(Op::AND, bit_range(128, 192));
        k.op(Op::OR);
    }
}

}  // namespace postern::contracts::mldsa_evm
