#define POSTERN_FALCON_KERNELS soft
#include "falcon/sign_kernels.hpp"

namespace postern::falcon {

template <class P>
const SignBackend<P, SoftDouble>& soft_signing() {
    static constexpr SignBackend<P, SoftDouble> backend = soft::make_backend<P, SoftDouble>();
    return backend;
}
template const SignBackend<Falcon512, SoftDouble>& soft_signing<Falcon512>();
template const SignBackend<Falcon1024, SoftDouble>& soft_signing<Falcon1024>();

}  // namespace postern::falcon
