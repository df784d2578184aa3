// Kernel P against the native permutation, with exact gas.

#include "contracts/keccak_kernel.hpp"

#include <gtest/gtest.h>

#include <random>

#include "contracts/sponge.hpp"
#include "hash/keccak_p.hpp"
#include "machine.hpp"

namespace postern::contracts::keccak {
namespace {

using codegen::Op;
using Lanes = std::array<std::uint64_t, 25>;

struct Contract {
    codegen::Program program;
    Memory memory;
};

/// Copies calldata into buffer 0 as it is, permutes `calls` times, returns buffer 0.
Contract permute_contract(unsigned rounds, unsigned calls) {
    Kernel k("permute");
    const Memory memory{0x40};
    SpongeCode sponge(memory, 17, rounds);
    sponge.allocate(k);
    sponge.prepare(k);
    k.push(Memory::kBuffer);
    k.push(0);
    k.push(memory.base);
    k.op(Op::CALLDATACOPY);
    for (unsigned i = 0; i < calls; ++i) sponge.permute(k);
    k.push(Memory::kBuffer);
    k.push(memory.base);
    k.terminate(Op::RETURN);
    sponge.emit_routines(k);
    return {codegen::lower(k).assemble(), memory};
}

const Contract& contract24() {
    static const Contract c = permute_contract(24, 1);
    return c;
}

/// A lane with its copies as the kernel needs them, and junk elsewhere.
Bytes pack(const Memory& memory, const Lanes& lanes, std::mt19937_64& rng) {
    Bytes buffer(Memory::kBuffer, 0);
    for (unsigned g = 0; g < 3; ++g) {
        for (unsigned x = 0; x < 5; ++x) {
            const std::uint64_t flip = complemented(g, x) ? ~0ULL : 0;
            const auto halves = [&](std::uint64_t v) { return U256{v} << 64 | U256{v}; };
            U256 w = halves(lanes[x + 5 * kOuter.high_row[g]] ^ flip) << 128;
            // Only one bit below the window counts.
            w ^= U256{rng() >> 1} << 128;
            if (g < 2)
                w |= halves(lanes[x + 5 * kOuter.low_row[g]] ^ flip) ^ U256 { rng() >> 1 };
            else
                w |= U256{0, 0, rng(), rng()};
            store_be(std::span<std::uint8_t, 32>(buffer.data() + memory.slot(0, g, x) - memory.base, 32), w);
        }
    }
    return buffer;
}

Lanes unpack(const Memory& memory, const Bytes& buffer) {
    Lanes lanes{};
    for (unsigned y = 0; y < 5; ++y) {
        for (unsigned x = 0; x < 5; ++x) {
            const Place p = place(kOuter, y);
            const std::uint64_t flip = complemented(p.group, x) ? ~0ULL : 0;
            const U256 w = load_be(ByteView(buffer).subspan(memory.slot(0, p.group, x) - memory.base, 32));
            lanes[x + 5 * y] = (w >> (p.high ? 192U : 64U)).low64() ^ flip;
        }
    }
    return lanes;
}

TEST(KeccakKernel, TablesAreThoseOfTheStandard) {
    EXPECT_EQ(kRho[1 + 5 * 0], 1U);
    EXPECT_EQ(kRho[2 + 5 * 2], 43U);
    EXPECT_EQ(kRho[4 + 5 * 4], 14U);
    EXPECT_EQ(kRoundConstants[0], 1U);
    EXPECT_EQ(kRoundConstants[23], 0x8000000080008008U);
}

TEST(KeccakKernel, PermutesLikeTheNativeCode) {
    std::mt19937_64 rng(1);
    std::vector<Lanes> states;
    states.push_back({});
    Lanes ones;
    ones.fill(~0ULL);
    states.push_back(ones);
    for (unsigned i = 0; i < 25; ++i) {
        for (const unsigned bit : {0U, 63U}) {
            Lanes s{};
            s[i] = 1ULL << bit;
            states.push_back(s);
        }
    }
    static constexpr std::array<std::uint64_t, 4> kEdges = {0, 1, 1ULL << 63, ~0ULL};
    for (unsigned i = 0; i < 30; ++i) {
        Lanes s;
        for (auto& lane : s) lane = kEdges[rng() % 4];
        states.push_back(s);
    }
    for (unsigned i = 0; i < 60; ++i) {
        Lanes s;
        for (auto& lane : s) lane = rng();
        states.push_back(s);
    }
    const Contract& c = contract24();
    for (std::size_t i = 0; i < states.size(); ++i) {
        Lanes want = states[i];
        hash::keccak_p1600(want, 24);
        const auto r = test::run(c.program.code, pack(c.memory, states[i], rng));
        ASSERT_TRUE(r.success()) << r.reason;
        ASSERT_EQ(unpack(c.memory, r.output), want) << "state " << i;
    }
}

TEST(KeccakKernel, RunsTwiceInARowAndInTwelveRounds) {
    std::mt19937_64 rng(2);
    for (const unsigned rounds : {12U, 24U}) {
        const Contract c = permute_contract(rounds, 2);
        Lanes s;
        for (auto& lane : s) lane = rng();
        Lanes want = s;
        hash::keccak_p1600(want, rounds);
        hash::keccak_p1600(want, rounds);
        const auto r = test::run(c.program.code, pack(c.memory, s, rng));
        ASSERT_TRUE(r.success()) << r.reason;
        EXPECT_EQ(unpack(c.memory, r.output), want) << rounds;
    }
}

TEST(KeccakKernel, GasIsKnownAndLow) {
    std::mt19937_64 rng(3);
    const Contract& c = contract24();
    evm::Profile profile;
    profile.set_regions(test::kContract, "permute", c.program.region_map());
    ASSERT_TRUE(test::run(c.program.code, pack(c.memory, {}, rng), &profile).success());
    std::uint64_t gas = 0;
    for (const auto& row : profile.by_region()) {
        if (row.name == "keccak") gas += row.gas;
    }
    codegen::Assembler rounds("rounds");
    for (const auto& report : emit_two_rounds(rounds, c.memory)) {
        std::cout << report.to_string() << '\n';
        EXPECT_LE(report.gas, report.lower_bound + 24) << "more than eight SWAPs";
    }
    std::cout << "one permutation: " << gas << " gas, contract of " << c.program.code.size() << " bytes\n";
    EXPECT_LE(gas, 27'900U);
    EXPECT_LE(c.program.code.size(), 3'100U);
}

}  // namespace
}  // namespace postern::contracts::keccak
