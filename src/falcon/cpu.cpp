#include "falcon/cpu.hpp"

#include <atomic>

namespace postern::falcon {

namespace {
std::atomic<bool> allowed{true};
}

bool use_avx2() noexcept {
#ifdef POSTERN_FALCON_AVX2
    static const bool present = __builtin_cpu_supports("avx2") != 0;
    return present && allowed.load(std::memory_order_relaxed);
#else
    return false;
#endif
}

void allow_avx2(bool allow) noexcept { allowed.store(allow, std::memory_order_relaxed); }

}  // namespace postern::falcon
