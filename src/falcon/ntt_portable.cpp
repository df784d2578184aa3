#define POSTERN_NTT_NAMESPACE portable
#include "falcon/ntt_backend.hpp"
#include "falcon/ntt_kernels.hpp"

namespace postern::falcon {

template <class P>
const NttBackend& portable_ntt() {
    static constexpr NttBackend backend{&portable::forward<P>, &portable::inverse<P>, &portable::multiply<P>};
    return backend;
}
template const NttBackend& portable_ntt<Falcon512>();
template const NttBackend& portable_ntt<Falcon1024>();

}  // namespace postern::falcon
