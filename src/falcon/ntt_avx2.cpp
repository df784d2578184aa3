#define POSTERN_NTT_NAMESPACE avx2
#include "falcon/ntt_backend.hpp"
#include "falcon/ntt_kernels.hpp"

namespace postern::falcon {

template <class P>
const NttBackend& avx2_ntt() {
    static constexpr NttBackend backend{&avx2::forward<P>, &avx2::inverse<P>, &avx2::multiply<P>};
    return backend;
}
template const NttBackend& avx2_ntt<Falcon512>();
template const NttBackend& avx2_ntt<Falcon1024>();

}  // namespace postern::falcon
