#include "contracts/mldsa/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace postern::contracts::mldsa_evm {

std::uint64_t mul_q(std::uint64_t a, std::uint64_t b) { return a % q * (b % q) % q; }

std::uint64_t pow_q(std::uint64_t a, std::uint64_t e) {
    std::uint64_t r = 1;
    for (a %= q; e != 0; e >>= 1, a = mul_q(a, a)) {
        if ((e & 1U) != 0) r = mul_q(r, a);
    }
    return r;
}

std::uint64_t inv_q(std::uint64_t a) { return pow_q(a, q - 2); }

Ratio small_ratio(std::uint64_t w) {
    // Invariant: r = s * w mod q. The remainders fall while the cofactors grow; the best pair is in between.
    std::int64_t r0 = static_cast<std::int64_t>(q), r1 = static_cast<std::int64_t>(w), s0 = 0, s1 = 1;
    Ratio best{r1, s1};
    while (r1 != 0) {
        if (std::abs(r1) + std::abs(s1) < std::abs(best.u) + std::abs(best.v)) best = {r1, s1};
        const std::int64_t t = r0 / r1;
        r0 = std::exchange(r1, r0 - t * r1);
        s0 = std::exchange(s1, s0 - t * s1);
    }
    return best.v < 0 ? Ratio{-best.u, -best.v} : best;
}

unsigned reverse6(unsigned i) {
    unsigned r = 0;
    for (unsigned b = 0; b < 6; ++b) r |= ((i >> b) & 1U) << (5 - b);
    return r;
}

namespace {

template <class P>
Params params_from(const mldsa::Scheme& scheme) {
    using S = mldsa::Sizes<P>;
    Params p;
    p.scheme = &scheme;
    p.k = P::k, p.l = P::l, p.tau = P::tau, p.omega = static_cast<unsigned>(P::omega), p.beta = S::beta;
    p.gamma1 = P::gamma1, p.gamma2 = P::gamma2;
    p.z_bits = S::z_bits, p.w1_bits = S::w1_bits, p.w1_values = S::w1_values;
    p.c_tilde = S::c_tilde, p.signature = S::signature, p.z_poly = S::z_poly;
    return p;
}

Spread spread_of(unsigned z_bits) {
    // Lane l holds field 3 - l. Its bits begin z_bits*(3-l) mod 8 above a byte; the three bytes that hold it are moved to
    // 64 l + (align - that), so that every field starts at `align`. The first multiplication makes two copies of the
    // whole, the second two of each half, and 40 bits of a copy are what two neighbouring triples take.
    Spread s;
    s.bytes = z_bits / 2;
    const auto begin = [&](unsigned lane) { return z_bits * (3 - lane) % 8; };
    for (unsigned l = 0; l < 4; ++l) s.align = std::max(s.align, begin(l));
    const auto position_in_v = [&](unsigned lane) {  // lowest bit of the triple in the big-endian integer V
        return 8 * (s.bytes - 3 - z_bits * (3 - lane) / 8);
    };
    for (unsigned l = 0; l < 4; ++l) {
        s.triple[l] = 64 * l + s.align - begin(l);
        s.second_mask |= U256::mask(24) << s.triple[l];
    }
    s.second = s.triple[1] - position_in_v(1);
    s.first = s.triple[2] - position_in_v(2);
    s.first_mask = U256::mask(40) | (U256::mask(40) << s.triple[2]);
    return s;
}

Map map_of(const Params& p, unsigned leaves_per_block, bool counter) {
    Map m;
    m.vars = 0;
    if (counter) {
        m.counter = 0x200;
        m.work = m.counter + 64 + 32;  // the word before stays zero
    } else {
        m.sponge.base = 0x240;
        m.work = m.sponge.base + keccak::Memory::size(24) + 32;
        m.work = (m.work + 31) / 32 * 32;
    }
    m.e = m.work + 2048;
    m.block = m.work;
    const std::uint64_t block_end = m.block + 32ULL * leaves_per_block * p.k * (p.l + 1);
    // mu stands in front of the packed words.
    m.hints = std::max(m.e + 64 * 8 + 32, (block_end + 31) / 32 * 32) + 64;
    m.packed = m.hints;
    m.lanes = m.packed - 64;
    m.theta = m.hints + 256ULL * p.k;
    m.arrays = m.theta + 256 + 32;
    m.end = m.arrays + 2048ULL * (p.l + 1);
    return m;
}

/// Blocks of 32 bytes that hold SampleInBall's signs and, but for less than one signature in a million, its draws.
unsigned stream_blocks_of(unsigned tau) {
    double mean = 8, variance = 0;
    for (unsigned i = 256 - tau; i < 256; ++i) {
        const double p = (i + 1) / 256.0;
        mean += 1 / p;
        variance += (1 - p) / (p * p);
    }
    unsigned blocks = 1;
    while (32.0 * blocks - mean < 0 || (32.0 * blocks - mean) * (32.0 * blocks - mean) < 36 * variance) ++blocks;
    return blocks;
}

}  // namespace

Params params_of(const mldsa::Scheme& scheme) {
    switch (scheme.parameter_set) {
        case mldsa::ParameterSet::ml_dsa_44:
            return params_from<mldsa::MlDsa44>(scheme);
        case mldsa::ParameterSet::ml_dsa_65:
            return params_from<mldsa::MlDsa65>(scheme);
        case mldsa::ParameterSet::ml_dsa_87:
            return params_from<mldsa::MlDsa87>(scheme);
    }
    throw std::invalid_argument("unknown parameter set");
}

Plan make_plan(const mldsa::Scheme& scheme, const Overrides& overrides) {
    Plan plan;
    plan.p = params_of(scheme);
    plan.overrides = overrides;
    plan.rounds = scheme.xof == mldsa::XofFamily::turbo_shake ? 12 : 24;
    if (scheme.xof == mldsa::XofFamily::keccak256_ctr) plan.counter_bytes = 32;
    if (scheme.xof == mldsa::XofFamily::keccak_prng) plan.counter_bytes = 8;
    plan.stream_blocks = overrides.stream_blocks.value_or(stream_blocks_of(plan.p.tau));
    plan.spread = spread_of(plan.p.z_bits);
    if (overrides.spread_first) plan.spread.first = *overrides.spread_first;
    const std::uint64_t g = pow_q(static_cast<std::uint64_t>(mldsa::zeta), 4);  // of order 128
    for (unsigned i = 0; i < 64; ++i) {
        plan.w[i] = pow_q(g, reverse6(i));
        plan.zeta[i] = pow_q(g, 2 * reverse6(i) + 1);
        plan.theta[i] = inv_q(plan.zeta[i]);
    }
    plan.w1 = small_ratio(plan.w[1]);
    plan.w2 = small_ratio(plan.w[2]);
    plan.w3 = small_ratio(plan.w[3]);
    const unsigned leaf_bytes = 32 * plan.words_per_leaf();
    plan.leaves_per_block = leaf_bytes >= 2048 ? 1 : leaf_bytes <= 640 ? 4 : 2;
    // What fits one contract beside the rest: for the smallest set a second permutation, at the price of a looped encoding.
    plan.pair_hash = overrides.pair_hash.value_or(plan.p.k <= 4) && !plan.byte_order();
    plan.encode_unroll = plan.byte_order() ? 8 : 4;
    plan.tight = plan.pair_hash;
    plan.leaves_per_part = 1;
    // As few parts as hold 64 leaves, header included, all but the last of equal size.
    for (unsigned n = 1; n <= 64 && 400 + n * leaf_bytes <= 24576; ++n) {
        if (n % plan.leaves_per_block == 0) plan.leaves_per_part = n;
    }
    plan.parts = (64 + plan.leaves_per_part - 1) / plan.leaves_per_part;
    while (plan.leaves_per_part > plan.leaves_per_block &&
           (64 + plan.leaves_per_part - plan.leaves_per_block - 1) / (plan.leaves_per_part - plan.leaves_per_block) == plan.parts) {
        plan.leaves_per_part -= plan.leaves_per_block;
    }
    plan.map = map_of(plan.p, plan.leaves_per_block, plan.byte_order());
    return plan;
}

void hash_by_call(Plan& plan) {
    plan.hash_by_call = true;
    plan.pair_hash = false;
    plan.encode_unroll = 8;
    plan.map = map_of(plan.p, plan.leaves_per_block, true);
}

unsigned Plan::part_bytes(unsigned part) const {
    const unsigned first = part * leaves_per_part;
    const unsigned leaves = std::min(leaves_per_part, 64 - first);
    return (part == 0 ? header_bytes() : 1) + 32 * words_per_leaf() * leaves;
}

std::uint64_t Plan::challenge_scale(unsigned leaf) const {
    return mul_q(static_cast<std::uint64_t>(w1.v), static_cast<std::uint64_t>(leaf < 32 ? w2.v : w3.v));
}

// ---------------------------------------------------------------------------------------------- reductions

Lanes lower(Int lo, Int hi) { return {64, lo, hi, 0}; }
Lanes upper(Int lo, Int hi) { return {64, lo << 32, hi << 32, 32}; }

namespace {
std::uint64_t minus_inverse_q() {
    std::uint32_t inverse = 1;  // Newton's iteration doubles the correct bits
    for (int i = 0; i < 5; ++i) inverse *= 2U - static_cast<std::uint32_t>(q) * inverse;
    return static_cast<std::uint32_t>(0U - inverse);
}
constexpr Int iq = static_cast<Int>(q);
}  // namespace

V to_lower(Kernel& k) {
    const Lanes x = k.require_known(k.top(), "upper word");
    k.check(x.zeros >= 32, "not an upper word");
    return k.with(Op::SHR, 32);
}

V montgomery_mul(Kernel& k, std::uint64_t w) {
    const Lanes x = k.require(k.top(), lower(0, 0xffffffff), "Montgomery operand");
    const std::uint64_t w32 = mul_q(w, (std::uint64_t{1} << 32) % q);
    const std::uint64_t w_low = w32 * minus_inverse_q() & 0xffffffffU;
    k.dup(k.top());
    k.with(Op::MUL, w_low);
    k.with(Op::AND, mask32());
    k.with(Op::MUL, q);
    k.swap(1);
    k.with(Op::MUL, w32);
    const V t = k.op(Op::ADD);
    k.check(k.require_known(t, "Montgomery sum").contained(), "Montgomery sum leaves its lane");
    // T = x*W + m*q with m = x*W' mod 2^32 is 0 mod 2^32; T/2^32 = (x*W + m*q)/2^32 <= (hi*(q-1) + (2^32-1)*q)/2^32.
    k.declare(t, upper(0, (x.hi * static_cast<Int>(w32) + ((Int{1} << 32) - 1) * iq) >> 32));
    return t;
}

V montgomery_reduce(Kernel& k) {
    const Lanes x = k.require_known(k.top(), "Montgomery operand");
    k.check(x.lo >= 0 && x.hi < (Int{1} << 63), "Montgomery operand leaves 63 bits");
    k.dup(k.top());
    k.with(Op::AND, mask32());
    k.with(Op::MUL, minus_inverse_q());
    k.with(Op::AND, mask32());
    k.with(Op::MUL, q);
    const V t = k.op(Op::ADD);
    k.check(k.require_known(t, "Montgomery sum").contained(), "Montgomery sum leaves its lane");
    k.declare(t, upper(0, (x.hi + ((Int{1} << 32) - 1) * iq) >> 32));
    return t;
}

V shoup_mul(Kernel& k, std::uint64_t w, unsigned precision) {
    const Lanes x = k.require_known(k.top(), "Shoup operand");
    const std::uint64_t factor = static_cast<std::uint64_t>((static_cast<Unsigned>(w) << precision) / q);
    k.check(x.lo >= 0 && x.hi * static_cast<Int>(factor) < (Int{1} << 64), "Shoup product leaves its lane");
    k.dup(k.top());
    k.with(Op::MUL, factor);
    k.with(Op::SHR, precision);
    k.with(Op::AND, splat((std::uint64_t{1} << (64 - precision)) - 1));
    k.with(Op::MUL, -U256{q});
    k.swap(1);
    k.with(Op::MUL, w);
    const V t = k.op(Op::ADD);
    // x*w - f*q with f = floor(x*w'/2^k), w' = floor(w*2^k/q): between 0 and q - 1 + ceil(q*x/2^k).
    k.declare(t, lower(0, iq - 1 + ((iq * x.hi) >> precision) + 1));
    return t;
}

V trim23(Kernel& k) {
    const Lanes x = k.require_known(k.top(), "trim operand");
    k.dup(k.top());
    k.with(Op::SHR, 23);
    k.with(Op::AND, splat((std::uint64_t{1} << 41) - 1));
    k.with(Op::MUL, -U256{q});
    const V t = k.op(Op::ADD);
    // x - (x >> 23) q = (x mod 2^23) + (2^23 - q)(x >> 23)
    k.declare(t, lower(0, std::min(x.hi, (Int{1} << 23) - 1 + ((Int{1} << 23) - iq) * (x.hi >> 23))));
    return t;
}

}  // namespace postern::contracts::mldsa_evm
