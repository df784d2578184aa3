#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::falcon {

/// NTRUSolve of one instruction set: F and G of 2^logn coefficients, or false.
using NtruSolve = bool (*)(unsigned logn, std::int8_t* F, std::int8_t* G, const std::int8_t* f, const std::int8_t* g, bool fixed_only);
bool solve_ntru_portable(unsigned logn, std::int8_t* F, std::int8_t* G, const std::int8_t* f, const std::int8_t* g, bool fixed_only);
/// gaussian_sums() of one instruction set.
void gaussian_sums_portable(unsigned logn, std::int8_t* out, const std::uint64_t* draws, std::size_t count);
#ifdef POSTERN_FALCON_AVX2
void gaussian_sums_avx2(unsigned logn, std::int8_t* out, const std::uint64_t* draws, std::size_t count);
bool solve_ntru_avx2(unsigned logn, std::int8_t* F, std::int8_t* G, const std::int8_t* f, const std::int8_t* g, bool fixed_only);
#endif

}  // namespace postern::falcon
