#include "core/cpu.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace postern {

namespace {

constexpr std::array<std::string_view, 3> kNames{"scalar", "avx2", "avx512"};

CpuLevel detect() noexcept {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0;
    if (avx512) return CpuLevel::avx512;
    if (avx2) return CpuLevel::avx2;
#endif
    return CpuLevel::scalar;
}

CpuLevel start() noexcept {
    const CpuLevel best = detect();
    const char* asked = std::getenv("POSTERN_CPU");
    if (asked == nullptr || *asked == '\0') return best;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == asked && i <= static_cast<std::size_t>(best)) return static_cast<CpuLevel>(i);
    }
    std::fprintf(stderr, "POSTERN_CPU=%s: not one of scalar, avx2 and avx512, or not on this processor\n", asked);
    std::abort();
}

std::atomic<CpuLevel> limit{CpuLevel::avx512};

}  // namespace

CpuLevel cpu_level() noexcept {
    static const CpuLevel found = start();
    return std::min(found, limit.load(std::memory_order_relaxed));
}

void limit_cpu_level(CpuLevel highest) noexcept { limit.store(highest, std::memory_order_relaxed); }

std::string_view name(CpuLevel level) noexcept { return kNames[static_cast<std::size_t>(level)]; }

}  // namespace postern
