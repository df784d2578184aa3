// The symbolic proof of the Keccak rounds: it accepts the kernel at every gauge and refuses kernels with one thing wrong.

#include "contracts/keccak_proof.hpp"

#include <gtest/gtest.h>

#include "codegen/symbolic.hpp"
#include "contracts/keccak_round.hpp"

namespace postern::contracts::keccak {
namespace {

using codegen::Block;
using codegen::BoundError;
using codegen::Value;

const Memory kMemory{0x40};

TEST(KeccakProof, BothRoundsAtEveryGauge) {
    unsigned gauge = 0;
    for (unsigned body = 0; body < 12; ++body) {
        for (const bool second : {false, true}) {
            Block b("round");
            const Value iota = build_round(b, kMemory, second, b.resident("iota"));
            ASSERT_NO_THROW(prove_round(b, kMemory, second, gauge, iota));
            gauge = (gauge + (second ? kGaugeSecond : kGaugeFirst)) % 64;
        }
    }
    EXPECT_EQ(gauge, 0U);
}

TEST(KeccakProof, RefusesTheWrongRoundAndTheWrongGauge) {
    Block b("round");
    const Value iota = build_round(b, kMemory, false, b.resident("iota"));
    // The input is packed for the other round.
    EXPECT_THROW(prove_round(b, kMemory, true, 0, iota), BoundError);
    // Elsewhere in memory there is only junk.
    EXPECT_THROW(prove_round(b, Memory{0x48}, false, 0, iota), BoundError);
}

TEST(KeccakProof, RefusesAStoreIntoAGap) {
    Block b("round");
    const Value iota = build_round(b, kMemory, false, b.resident("iota"));
    b.store({"all", 0, 0x1000}, kMemory.slot(1, 2, 0) - 32, b.constant(0));
    try {
        prove_round(b, kMemory, false, 0, iota);
        FAIL();
    } catch (const BoundError& e) {
        EXPECT_NE(std::string(e.what()).find("gap"), std::string::npos) << e.what();
    }
}

TEST(KeccakProof, RefusesAnOverwrittenLane) {
    Block b("round");
    const Value iota = build_round(b, kMemory, false, b.resident("iota"));
    const codegen::Area all{"all", 0, 0x1000};
    b.store(all, kMemory.slot(1, 1, 3), b.load(all, kMemory.slot(1, 1, 3)) ^ U256::pow2(191));
    try {
        prove_round(b, kMemory, false, 0, iota);
        FAIL();
    } catch (const BoundError& e) {
        // The extra bit below the high window.
        EXPECT_NE(std::string(e.what()).find("bit 191 of lane (3, "), std::string::npos) << e.what();
    }
}

TEST(Symbolic, ProductsMayNotCarryEvenThroughJunk) {
    codegen::BitAlgebra bits;
    codegen::SymbolicRun run(bits);
    Block b("product");
    const Value x = b.load({"x", 0, 32}, 0);
    b.store({"y", 32, 32}, 0, (x >> 192) * (U256{1} + U256::pow2(64)));
    EXPECT_NO_THROW(run.run(b));
    Block c("product");
    const Value y = c.load({"x", 0, 32}, 0);
    c.store({"y", 32, 32}, 0, (y >> 191) * (U256{1} + U256::pow2(64)));
    try {
        run.run(c);
        FAIL();
    } catch (const BoundError& e) {
        EXPECT_NE(std::string(e.what()).find("two copies meet at bit 64"), std::string::npos) << e.what();
    }
}

TEST(Symbolic, FormulasAreNormal) {
    codegen::BitAlgebra a;
    const auto x = a.input(1);
    const auto y = a.input(2);
    EXPECT_EQ(a.xor_of(x, a.xor_of(y, x)), y);
    EXPECT_EQ(a.or_of(x, y), a.not_of(a.and_of(a.not_of(y), a.not_of(x))));
    EXPECT_EQ(a.and_of(x, a.not_of(x)), codegen::kBitZero);
    EXPECT_EQ(a.xor_of(x, codegen::kBitJunk), codegen::kBitJunk);
    EXPECT_EQ(a.and_of(codegen::kBitZero, codegen::kBitJunk), codegen::kBitZero);
}

}  // namespace
}  // namespace postern::contracts::keccak
