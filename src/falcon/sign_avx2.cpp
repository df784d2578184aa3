#define POSTERN_FALCON_KERNELS avx2
#include "falcon/sign_kernels.hpp"

namespace postern::falcon {

template <class P>
const SignBackend<P, double>& avx2_signing() {
    static constexpr SignBackend<P, double> backend = avx2::make_backend<P, double>();
    return backend;
}
template const SignBackend<Falcon512, double>& avx2_signing<Falcon512>();
template const SignBackend<Falcon1024, double>& avx2_signing<Falcon1024>();

}  // namespace postern::falcon
