#pragma once

#include <cstdint>
#include <string_view>

namespace postern {

/// The sets of kernels there are, each with the same results. `avx2` also takes BMI1 and BMI2 for granted, `avx512` the
/// foundation with the VL extension.
enum class CpuLevel : std::uint8_t { scalar, avx2, avx512 };

/// The level in use: the best that this processor and this build have, that the environment variable POSTERN_CPU (scalar,
/// avx2 or avx512) asks for, and that limit_cpu_level() allows. A POSTERN_CPU that is none of these names, or that the
/// processor does not have, ends the program with a message: a test on the wrong path would prove nothing.
CpuLevel cpu_level() noexcept;

/// For tests that compare the paths: nothing above `highest` is used from now on.
void limit_cpu_level(CpuLevel highest) noexcept;

std::string_view name(CpuLevel level) noexcept;

}  // namespace postern
