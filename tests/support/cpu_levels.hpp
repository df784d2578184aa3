#pragma once

// Runs a check on every set of kernels that this processor (and POSTERN_CPU) allows.

#include <gtest/gtest.h>

#include <vector>

#include "core/cpu.hpp"

namespace postern::test {

inline std::vector<CpuLevel> cpu_levels() {
    limit_cpu_level(CpuLevel::avx512);
    std::vector<CpuLevel> levels;
    for (const auto level : {CpuLevel::scalar, CpuLevel::avx2, CpuLevel::avx512}) {
        if (level <= cpu_level()) levels.push_back(level);
    }
    return levels;
}

template <class Check>
void on_every_cpu_level(const Check& check) {
    for (const auto level : cpu_levels()) {
        SCOPED_TRACE(name(level));
        limit_cpu_level(level);
        check(level);
    }
    limit_cpu_level(CpuLevel::avx512);
}

}  // namespace postern::test
