#include <gtest/gtest.h>

#include <random>

#include "contracts/kernel_bench.hpp"
#include "contracts/sponge.hpp"
#include "contracts/sponge_pair.hpp"
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

TEST(SpongePair, PermutesTwoStatesLikeTheNativeCode) {
    const Plan plan = make_plan(mldsa::scheme(mldsa::ParameterSet::ml_dsa_44));
    std::mt19937_64 rng(8);
    for (const unsigned rounds : {24U, 12U}) {
        for (int kind = 0; kind < 4; ++kind) {
            std::array<std::array<std::uint64_t, 25>, 2> state{};
            Bytes lanes;
            for (auto& s : state) {
                for (unsigned i = 0; i < 18; ++i) {
                    s[i] = kind == 0 ? 0 : kind == 1 ? ~0ULL : kind == 2 ? rng() : 1ULL << (rng() % 64);
                    for (unsigned b = 8; b-- > 0;) lanes.push_back(static_cast<std::uint8_t>(s[i] >> (8 * b)));
                }
                s[16] ^= 0x8000000000000000ULL;
            }
            SpongePair pair(0x1800, rounds);
            const KernelRun run = run_kernel(
                plan, {}, {{0x1000, lanes}},
                [&](Kernel& k) {
                    pair.allocate(k);
                    pair.prepare(k);
                    for (unsigned s = 0; s < 2; ++s) {
                        pair.absorb(k, s, 0x1000 + 144 * s, 18);
                        pair.absorb_constant(k, s, 16, 0x8000000000000000ULL);
                    }
                    pair.permute(k);
                    for (unsigned s = 0; s < 2; ++s) pair.squeeze(k, s, 0x1200 + 256 * s, 24);
                    pair.finish(k);
                },
                [&](Kernel& k) { pair.emit_routines(k); });
            for (unsigned s = 0; s < 2; ++s) {
                hash::keccak_p1600(state[s], rounds);
                for (unsigned i = 0; i < 24; ++i) ASSERT_EQ(run.word(0x1200 + 256 * s + 8 * i).limb[3], state[s][i]) << s << " " << i;
            }
            if (kind == 0) std::printf("pair of states, %u rounds: %llu gas\n", rounds, static_cast<unsigned long long>(run.gas));
        }
    }
}

}  // namespace
}  // namespace postern::test
