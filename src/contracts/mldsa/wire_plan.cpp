#include "contracts/mldsa/wire.hpp"
#include "contracts/mldsa/xof_library.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

constexpr std::uint64_t up(std::uint64_t at) { return (at + 31) / 32 * 32; }

WireMap wire_map(Plan& plan, std::uint64_t stream_pitch, unsigned calls) {
    const unsigned l = plan.p.l;
    Map& m = plan.map;
    WireMap w;
    // Behind the hints (and the packed words over them) stands what a whole verification needs.
    std::uint64_t at = up(m.hints + 256ULL * plan.p.k) + 32;
    const auto take = [&at](std::uint64_t bytes) {
        const std::uint64_t here = at;
        at = up(at + bytes);
        return here;
    };
    w.seed = take(128);
    w.states = take(64ULL * l);
    w.points = take(64 * 11 + 32);
    w.inverse = take(64 * 12 + 32);
    w.taps = take(32ULL * plan.p.tau);
    w.shift = take(2048);
    at += 32;
    // The arrays of z live until the factors are made; what rows need lies over them.
    m.arrays = at;
    w.t1 = take(3 * 512 + 32);
    w.ct1 = take(2048);
    w.block = take(WireMap::kPitch * 5 * l);
    w.out = take(32 + 80 + 32) + 32;
    w.row = take(2048 + 128);
    if (calls == 0) w.streams = take(stream_pitch * l + 64) + 32;
    at = std::max(at, up(m.arrays + 2048ULL * l)) + 32;
    w.pairs = take(WireMap::kGroups * WireMap::kPitch * 5 * l);
    if (calls != 0) w.streams = take(stream_pitch * 4 * calls + 64) + 32;
    w.end = at;
    m.end = at;
    return w;
}

void put(std::vector<std::uint8_t>& bytes, std::uint64_t value, unsigned size) {
    for (unsigned b = size; b-- > 0;) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * b)));
}

std::uint64_t root(unsigned leaf) { return pow_q(static_cast<std::uint64_t>(mldsa::zeta), 2 * reverse6(leaf) + 1); }

}  // namespace

WirePlan make_wire_plan(const mldsa::Scheme& scheme, const Overrides& overrides) {
    WirePlan w;
    Overrides own = overrides;
    // The last two layers subtract two products more from a carrier.
    if (!own.forward_offset) own.forward_offset = mldsa_evm::params_of(scheme).z_bits == 18 ? 9 : 12;
    w.plan = make_plan(scheme, own);
    const bool counter = scheme.xof == mldsa::XofFamily::keccak256_ctr || scheme.xof == mldsa::XofFamily::keccak_prng;
    w.order = counter ? StreamOrder::forward : StreamOrder::backward;
    if (!counter) hash_by_call(w.plan);
    w.stream_pitch = counter ? 832 : kXofStream;
    // The library makes four streams at a time, so all of them are made before the first row.
    w.calls = counter ? 0 : (w.plan.p.k * w.plan.p.l + 3) / 4;
    w.key_bytes = static_cast<unsigned>(scheme.public_key_bytes);
    w.map = wire_map(w.plan, w.stream_pitch, w.calls);
    return w;
}

std::vector<std::uint8_t> points_table(const WirePlan& wire) {
    std::vector<std::uint8_t> bytes;
    for (unsigned step = 0; step < 64; ++step) {
        // Of the two factors in a word the one in the lowest lane must be stored first.
        const unsigned leaf = wire.order == StreamOrder::forward ? step : 63 - step;
        put(bytes, root(leaf), 3);
        for (unsigned t = 0; t < 4; ++t) {
            const unsigned point = 4 * leaf + t, group = point / 10;
            unsigned field = 0;
            while (wire.place(field) != point % 10) ++field;
            const std::uint64_t word = wire.map.pairs + wire.group_bytes() * group + WireMap::kPitch * wire.plan.p.l * (field % 5);
            put(bytes, field < 5 ? word - 8 : word, 2);
        }
    }
    return bytes;
}

std::vector<std::uint8_t> pair_table(const WirePlan& wire) {
    std::vector<std::uint8_t> bytes;
    for (unsigned row = 0; row < wire.plan.p.k; ++row) {
        for (unsigned column = 0; column < wire.plan.p.l; ++column) {
            bytes.push_back(static_cast<std::uint8_t>(column));
            bytes.push_back(static_cast<std::uint8_t>(row));
        }
    }
    bytes.resize(8ULL * wire.calls);
    return bytes;
}

std::vector<std::uint8_t> leaf_table(const WirePlan& wire) {
    std::vector<std::uint8_t> bytes;
    // 256 of the inverse transform, and the denominator that z's first layer collected.
    const std::uint64_t scale = inv_q(mul_q(256, static_cast<std::uint64_t>(wire.plan.w1.v)));
    const std::uint64_t i = pow_q(static_cast<std::uint64_t>(mldsa::zeta), 128);
    for (unsigned leaf = 0; leaf < 64; ++leaf) {
        const std::uint64_t r = inv_q(root(leaf)), s = mul_q(r, r);
        put(bytes, mul_q(s, scale), 3);
        put(bytes, s, 3);
        put(bytes, mul_q(r, scale), 3);
        put(bytes, mul_q(mul_q(r, inv_q(i)), scale), 3);
    }
    return bytes;
}

}  // namespace postern::contracts::mldsa_evm
