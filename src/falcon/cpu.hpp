#pragma once

namespace postern::falcon {

/// Whether the AVX2 kernels run: the processor has them and they were not switched off. Results never depend on it.
bool use_avx2() noexcept;
/// For tests that compare the paths.
void allow_avx2(bool allow) noexcept;

}  // namespace postern::falcon
