#include "contracts/keccak_proof.hpp"

#include <string>

#include "codegen/symbolic.hpp"

namespace postern::contracts::keccak {

using codegen::Bit;
using codegen::BitAlgebra;
using codegen::SymbolicWord;

namespace {

using Lane = std::array<Bit, 64>;
using State = std::array<Lane, 25>;

constexpr std::uint32_t kIotaName = 25 * 64;

/// FIPS 202 section 3.2 on formulas.
State round_function(BitAlgebra& a, const State& in) {
    std::array<Lane, 5> c;
    for (unsigned x = 0; x < 5; ++x) {
        for (unsigned z = 0; z < 64; ++z) {
            c[x][z] = in[x][z];
            for (unsigned y = 1; y < 5; ++y) c[x][z] = a.xor_of(c[x][z], in[x + 5 * y][z]);
        }
    }
    State b;
    for (unsigned x = 0; x < 5; ++x) {
        for (unsigned y = 0; y < 5; ++y) {
            for (unsigned z = 0; z < 64; ++z) {
                const Bit d = a.xor_of(c[(x + 4) % 5][z], c[(x + 1) % 5][(z + 63) % 64]);
                b[y + 5 * ((2 * x + 3 * y) % 5)][(z + kRho[x + 5 * y]) % 64] = a.xor_of(in[x + 5 * y][z], d);
            }
        }
    }
    State out;
    for (unsigned x = 0; x < 5; ++x) {
        for (unsigned y = 0; y < 5; ++y) {
            for (unsigned z = 0; z < 64; ++z) {
                const Bit t = a.and_of(a.not_of(b[(x + 1) % 5 + 5 * y][z]), b[(x + 2) % 5 + 5 * y][z]);
                out[x + 5 * y][z] = a.xor_of(b[x + 5 * y][z], t);
            }
        }
    }
    for (unsigned z = 0; z < 64; ++z) out[0][z] = a.xor_of(out[0][z], a.input(kIotaName + z));
    return out;
}

/// Bit `at` of a lane rotated left by `gauge`.
Bit rotated(const Lane& lane, unsigned gauge, unsigned at) { return lane[(at + 64 - gauge % 64) % 64]; }

/// Puts (or checks) a lane with its extra bit: f(position in the word, bit of the lane).
template <class F>
void window(const Packing& p, unsigned y, F f) {
    const unsigned base = place(p, y).high ? 192 : p.low_base();
    f(base - 1, 63U);
    for (unsigned z = 0; z < 64; ++z) f(base + z, z);
}

}  // namespace

void prove_round(codegen::Block& b, const Memory& memory, bool second, unsigned gauge_in, const codegen::Value& iota) {
    const Packing from = second ? kInner : kOuter;
    const Packing to = second ? kOuter : kInner;
    const unsigned gauge_out = gauge_in + (second ? kGaugeSecond : kGaugeFirst);
    BitAlgebra a;
    codegen::SymbolicRun run(a);
    State in;
    for (std::uint32_t i = 0; i < 25; ++i) {
        for (std::uint32_t z = 0; z < 64; ++z) in[i][z] = a.input(64 * i + z);
    }
    for (unsigned g = 0; g < 3; ++g) {
        for (unsigned x = 0; x < 5; ++x) {
            for (unsigned buffer = 0; buffer < 2; ++buffer) run.set_zero(memory.slot(buffer, g, x) - Memory::kGap, Memory::kGap);
            SymbolicWord w;
            w.fill(codegen::kBitJunk);
            for (unsigned y = 0; y < 5; ++y) {
                if (place(from, y).group != g) continue;
                window(from, y, [&](unsigned at, unsigned z) {
                    const Bit v = rotated(in[x + 5 * y], gauge_in, z);
                    w[at] = complemented(g, x) ? a.not_of(v) : v;
                });
            }
            run.set_memory(memory.slot(second ? 1 : 0, g, x), w);
        }
    }
    // The constant: the round's bits in row 0's half, everything complemented.
    SymbolicWord constant;
    constant.fill(codegen::kBitOne);
    Lane rc;
    for (std::uint32_t z = 0; z < 64; ++z) rc[z] = a.input(kIotaName + z);
    window(to, 0, [&](unsigned at, unsigned z) { constant[at] = a.not_of(rotated(rc, gauge_out, z)); });
    run.assume(iota, constant);
    run.run(b);

    const State want = round_function(a, in);
    for (unsigned y = 0; y < 5; ++y) {
        const unsigned g = place(to, y).group;
        for (unsigned x = 0; x < 5; ++x) {
            const SymbolicWord got = run.memory(memory.slot(second ? 0 : 1, g, x));
            window(to, y, [&](unsigned at, unsigned z) {
                Bit v = rotated(want[x + 5 * y], gauge_out, z);
                if (complemented(g, x)) v = a.not_of(v);
                if (got[at] != v)
                    throw codegen::BoundError("kernel " + b.name() + ": bit " + std::to_string(at) + " of lane (" + std::to_string(x) +
                                              ", " + std::to_string(y) + ") " +
                                              (got[at] == codegen::kBitJunk ? "is junk" : "is not the round function"));
            });
        }
    }
}

}  // namespace postern::contracts::keccak
