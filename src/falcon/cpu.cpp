#include "falcon/cpu.hpp"

#include "core/cpu.hpp"

namespace postern::falcon {

bool use_avx2() noexcept {
#ifdef POSTERN_FALCON_AVX2
    return cpu_level() >= CpuLevel::avx2;
#else
    return false;
#endif
}

void allow_avx2(bool allow) noexcept { limit_cpu_level(allow ? CpuLevel::avx512 : CpuLevel::scalar); }

}  // namespace postern::falcon
