#pragma once

#include <cstdint>

namespace postern::falcon {

/// The transform kernels of one instruction set; all give the same residues.
struct NttBackend {
    void (*forward)(std::uint16_t* a);
    void (*inverse)(std::uint16_t* a);
    void (*multiply)(std::uint16_t* a, const std::uint16_t* b);
};
template <class P>
const NttBackend& portable_ntt();
#ifdef POSTERN_FALCON_AVX2
template <class P>
const NttBackend& avx2_ntt();
#endif

}  // namespace postern::falcon
