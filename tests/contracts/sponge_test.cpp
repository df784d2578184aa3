#include <gtest/gtest.h>

#include <random>

#include "contracts/kernel_bench.hpp"
#include "contracts/sponge.hpp"
#include "hash/keccak_p.hpp"

namespace postern::test {
namespace {

using namespace contracts;
using namespace contracts::mldsa_evm;

// Lane values in, lane values out, against the native permutation. Blocks of rate lanes are absorbed one after the other.
void check(unsigned rounds, unsigned rate, unsigned blocks, std::mt19937_64& rng, int kind, bool print = false) {
    Plan plan = make_plan(mldsa::scheme(mldsa::ParameterSet::ml_dsa_44));
    std::vector<std::uint64_t> input(rate * blocks);
    for (auto& l : input) l = kind == 0 ? rng() : kind == 1 ? (rng() % 2 == 0 ? ~0ULL : 0) : 1ULL << (rng() % 64);
    Bytes calldata;
    for (const auto l : input) {
        for (unsigned b = 8; b-- > 0;) calldata.push_back(static_cast<std::uint8_t>(l >> (8 * b)));
    }
    std::array<std::uint64_t, 25> state{};
    for (unsigned b = 0; b < blocks; ++b) {
        for (unsigned i = 0; i < rate; ++i) state[i] ^= input[b * rate + i];
        hash::keccak_p1600(state, rounds);
    }
    SpongeCode sponge(keccak::Memory{0x400}, rate, rounds);
    const std::uint64_t lanes_at = 0x1000;
    const KernelRun run = run_kernel(
        plan, {}, {{lanes_at, calldata}},
        [&](Kernel& k) {
            sponge.allocate(k);
            sponge.prepare(k);
            sponge.reset(k);
            for (unsigned b = 0; b < blocks; ++b) {
                k.push(lanes_at + 8ULL * rate * b);
                sponge.absorb_block(k);
                k.pop();
            }
            for (unsigned i = 0; i < 25; ++i) {
                sponge.lane(k, i);
                k.mstore(0x2000 + 32 * i);
            }
        },
        [&](Kernel& k) { sponge.emit_routines(k); });
    for (unsigned i = 0; i < 25; ++i) EXPECT_EQ(run.word(0x2000 + 32 * i), U256{state[i]}) << "lane " << i;
    if (print) std::printf("sponge rounds %u, %u blocks: %llu gas\n", rounds, blocks, static_cast<unsigned long long>(run.gas));
}

TEST(Sponge, PermutesAndAbsorbsLikeTheNativeCode) {
    std::mt19937_64 rng(3);
    for (int kind = 0; kind < 3; ++kind) {
        check(24, 17, 1, rng, kind, kind == 0);
        check(24, 17, 2, rng, kind, kind == 0);
        check(12, 17, 2, rng, kind, kind == 0);
        check(24, 21, 2, rng, kind);
    }
}

}  // namespace
}  // namespace postern::test
