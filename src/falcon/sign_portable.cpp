#define POSTERN_FALCON_KERNELS portable
#include "falcon/sign_kernels.hpp"

namespace postern::falcon {

template <class P>
const SignBackend<P, double>& portable_signing() {
    static constexpr SignBackend<P, double> backend = portable::make_backend<P, double>();
    return backend;
}
template const SignBackend<Falcon512, double>& portable_signing<Falcon512>();
template const SignBackend<Falcon1024, double>& portable_signing<Falcon1024>();

}  // namespace postern::falcon
