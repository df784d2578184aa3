#include "core/cpu.hpp"

#include <gtest/gtest.h>

#include "support/cpu_levels.hpp"

namespace postern {
namespace {

TEST(Cpu, LimitsHold) {
    for (const auto level : test::cpu_levels()) {
        limit_cpu_level(level);
        EXPECT_EQ(cpu_level(), level);
    }
    limit_cpu_level(CpuLevel::avx512);
}

TEST(Cpu, Names) {
    EXPECT_EQ(name(CpuLevel::scalar), "scalar");
    EXPECT_EQ(name(CpuLevel::avx2), "avx2");
    EXPECT_EQ(name(CpuLevel::avx512), "avx512");
}

TEST(CpuDeathTest, UnknownNamesAreRefused) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process: the environment is read once
    EXPECT_DEATH(
        {
            setenv("POSTERN_CPU", "fast", 1);
            (void)cpu_level();
        },
        "POSTERN_CPU=fast");
}

}  // namespace
}  // namespace postern
