#include "evm/opcodes.hpp"

#include <gtest/gtest.h>

#include <array>

namespace postern::evm {
namespace {

TEST(Opcodes, CountAndStackEffectsFollowTheYellowPaper) {
    unsigned frontier = 0;
    unsigned osaka = 0;
    for (unsigned b = 0; b < 256; ++b) {
        const OpInfo& i = info(static_cast<std::uint8_t>(b));
        frontier += i.defined(Fork::frontier) ? 1U : 0U;
        osaka += i.defined(Fork::osaka) ? 1U : 0U;
        if (i.name.empty()) continue;
        EXPECT_EQ(find_op(i.name), static_cast<Op>(b));
        EXPECT_GE(static_cast<int>(i.stack_in) + i.stack_change, 0) << i.name;
    }
    EXPECT_EQ(osaka, 150U);
    EXPECT_EQ(frontier, 130U);
    EXPECT_EQ(info(op_dup(16)).stack_in, 16);
    EXPECT_EQ(info(op_swap(16)).stack_in, 17);
    EXPECT_EQ(immediates(op_push(32)), 32U);
    EXPECT_EQ(name(op_log(3)), "LOG3");
    EXPECT_FALSE(find_op("FOO").has_value());
    EXPECT_FALSE(find_op("").has_value());
}

TEST(Opcodes, PricesDifferByFork) {
    EXPECT_EQ(base_gas(Op::SLOAD, Fork::frontier), 50U);
    EXPECT_EQ(base_gas(Op::SLOAD, Fork::osaka), 100U);
    EXPECT_EQ(base_gas(Op::MULMOD), 8U);
    EXPECT_EQ(base_gas(Op::CLZ), 5U);
    EXPECT_EQ(base_gas(op_push(0)), 2U);
    EXPECT_EQ(base_gas(op_push(1)), 3U);
    EXPECT_EQ(base_gas(op_log(2)), 1125U);
    EXPECT_FALSE(info(Op::CLZ).defined(Fork::prague));
    EXPECT_TRUE(info(Op::DUPN).defined(Fork::amsterdam));
    EXPECT_FALSE(info(Op::DUPN).defined(Fork::osaka));
}

// The examples of EIP-8024 and the round trip over everything that can be encoded.
TEST(Opcodes, DeepStackImmediates) {
    EXPECT_EQ(decode_depth(0x80), 17U);
    EXPECT_EQ(decode_depth(0xdb), 108U);
    EXPECT_EQ(decode_exchange(0x9d), (ExchangePair{2, 3}));
    EXPECT_EQ(decode_exchange(0x2f), (ExchangePair{1, 19}));
    EXPECT_EQ(decode_exchange(0x50), (ExchangePair{14, 16}));
    EXPECT_EQ(decode_exchange(0x51), (ExchangePair{14, 15}));
    for (unsigned n = 17; n <= 235; ++n) {
        EXPECT_TRUE(valid_depth_immediate(encode_depth(n)));
        EXPECT_EQ(decode_depth(encode_depth(n)), n);
    }
    for (unsigned n = 1; n <= 14; ++n) {
        for (unsigned m = n + 1; n + m <= 30; ++m) {
            EXPECT_TRUE(valid_exchange_immediate(encode_exchange({n, m})));
            EXPECT_EQ(decode_exchange(encode_exchange({n, m})), (ExchangePair{n, m}));
        }
    }
    for (const std::uint8_t x : std::array<std::uint8_t, 3>{0x5b, 0x60, 0x7f})
        EXPECT_FALSE(valid_depth_immediate(x) || valid_exchange_immediate(x));
}

}  // namespace
}  // namespace postern::evm
