// The generator refuses kernels whose lanes could carry: each offset, precision and mask that the bounds rest on, made wrong.

#include <gtest/gtest.h>

#include "contracts/harness.hpp"
#include "contracts/kernel_bench.hpp"
#include "contracts/mldsa/verifier.hpp"

namespace postern::test {
namespace {

using namespace contracts;
using namespace contracts::mldsa_evm;

class Generator : public testing::TestWithParam<std::string> {
  protected:
    void generate(const Overrides& overrides) {
        Kernel k("generated");
        emit_verifier(k, make_plan(*mldsa::find_scheme(GetParam()), overrides));
    }
    std::string refusal(const Overrides& overrides) {
        try {
            generate(overrides);
        } catch (const codegen::BoundError& e) {
            return e.what();
        }
        return {};
    }
};

TEST_P(Generator, AcceptsItsOwnNumbers) { EXPECT_EQ(refusal({}), ""); }

TEST_P(Generator, ForwardOffsetTooSmall) {
    for (const std::uint64_t offset : {0ULL, 1ULL, 3ULL, 5ULL}) {
        Overrides o;
        o.forward_offset = offset;
        EXPECT_NE(refusal(o), "") << offset;
    }
    Overrides too_large;
    too_large.forward_offset = 600;  // leaves the 32-bit operand of Montgomery's step
    EXPECT_NE(refusal(too_large), "");
}

TEST_P(Generator, ChallengeOffsetTooSmall) {
    for (const std::uint64_t offset : {0ULL, 1ULL, 3ULL}) {
        Overrides o;
        o.challenge_offset = offset;
        EXPECT_NE(refusal(o), "") << offset;
    }
}

TEST_P(Generator, InverseOffsetsTooSmallOrTooLarge) {
    for (unsigned layer = 0; layer < 3; ++layer) {
        Overrides o;
        std::array<std::uint64_t, 3> offsets{10, 14, 23};
        offsets[layer] = 1;
        o.inverse_offsets = offsets;
        EXPECT_NE(refusal(o), "") << "layer " << layer;
        offsets[layer] = 80;
        o.inverse_offsets = offsets;
        EXPECT_NE(refusal(o), "") << "layer " << layer;
    }
    if (GetParam().ends_with("44")) {
        Overrides prototype;
        prototype.inverse_offsets = std::array<std::uint64_t, 3>{10, 14, 20};  // what the first prototype had: negative in pass 2
        EXPECT_NE(refusal(prototype), "");
        prototype.inverse_offsets = std::array<std::uint64_t, 3>{10, 14, 23};
        EXPECT_EQ(refusal(prototype), "");
    }
}

TEST_P(Generator, WrongPrecision) {
    for (const unsigned k : {24U, 28U, 39U, 40U}) {
        Overrides o;
        o.final_k = k;
        EXPECT_NE(refusal(o), "") << "final " << k;
    }
    for (const unsigned k : {40U, 41U}) {
        Overrides o;
        o.inverse_k = k;
        EXPECT_NE(refusal(o), "") << "pass 1 " << k;
    }
}

TEST_P(Generator, MissingTrim) {
    Overrides o;
    if (GetParam().ends_with("44"))
        o.trim_positions = 0;
    else
        o.trim_entry = false;
    EXPECT_NE(refusal(o), "");
}

TEST_P(Generator, OverlappingSpread) {
    const unsigned right = make_plan(*mldsa::find_scheme(GetParam())).spread.first;
    for (const unsigned shift : {right - 40, right + 1, right - 1}) {
        Overrides o;
        o.spread_first = shift;
        EXPECT_NE(refusal(o), "") << shift;
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, Generator,
                         testing::Values("ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "keccak-ml-dsa-44", "keccak-ml-dsa-65",
                                         "keccak-ml-dsa-87"));

TEST(KernelRules, RefuseWhatCouldCarry) {
    const auto lanes = [](codegen::Int lo, codegen::Int hi) { return Lanes{64, lo, hi, 0}; };
    const auto refused = [&](auto&& body) {
        Kernel k("rule");
        try {
            body(k);
        } catch (const codegen::BoundError&) {
            return true;
        }
        return false;
    };
    // A mask on lanes that may be negative or too large; a right shift of such lanes.
    EXPECT_TRUE(refused([&](Kernel& k) {
        k.declare(k.argument(), lanes(-1, 5));
        k.with(Op::AND, splat(0xff));
    }));
    EXPECT_TRUE(refused([&](Kernel& k) {
        k.declare(k.argument(), lanes(0, codegen::Int{1} << 64));
        k.with(Op::SHR, 3);
    }));
    // A shift that brings in a neighbour's bits, used without a mask.
    EXPECT_TRUE(refused([&](Kernel& k) {
        k.declare(k.argument(), lanes(0, 1000));
        k.require_known(k.with(Op::SHR, 3), "shifted");
    }));
    EXPECT_FALSE(refused([&](Kernel& k) {
        k.declare(k.argument(), lanes(0, 1000));
        k.with(Op::SHR, 3);
        k.require(k.with(Op::AND, splat(0xff)), lanes(0, 255), "masked");
    }));
    // Copies that meet.
    EXPECT_TRUE(refused([&](Kernel& k) {
        k.declare_bits(k.argument(), U256::mask(8));
        k.with(Op::MUL, 1 + (1 << 7));
    }));
    EXPECT_FALSE(refused([&](Kernel& k) {
        k.declare_bits(k.argument(), U256::mask(8));
        k.with(Op::MUL, 1 + (1 << 8));
    }));
    // Operands of the reductions outside their premises.
    EXPECT_TRUE(refused([&](Kernel& k) {
        k.declare(k.argument(), lanes(0, codegen::Int{1} << 32));
        montgomery_mul(k, 5);
    }));
    EXPECT_TRUE(refused([&](Kernel& k) {
        k.declare(k.argument(), lanes(0, codegen::Int{1} << 63));
        montgomery_reduce(k);
    }));
    EXPECT_TRUE(refused([&](Kernel& k) {
        k.declare(k.argument(), lanes(0, codegen::Int{1} << 30));
        shoup_mul(k, q - 1, 35);
    }));
    // Stack discipline.
    EXPECT_TRUE(refused([&](Kernel& k) { k.op(Op::ADD); }));
    EXPECT_TRUE(refused([&](Kernel& k) {
        const Label l = k.label();
        k.bind(l);
        k.push(1);
        k.push(1);
        k.jumpi(l);
    }));
}

}  // namespace
}  // namespace postern::test
