#include "falcon/zq.hpp"

#include "core/secure.hpp"
#include "falcon/cpu.hpp"
#include "falcon/ntt_backend.hpp"

namespace postern::falcon {

namespace {

template <class P>
const NttBackend& backend() {
#ifdef POSTERN_FALCON_AVX2
    if (use_avx2()) return avx2_ntt<P>();
#endif
    return portable_ntt<P>();
}

}  // namespace

template <class P>
void ntt(Poly<P>& a) {
    backend<P>().forward(a.data());
}
template <class P>
void inverse_ntt(Poly<P>& a) {
    backend<P>().inverse(a.data());
}
template <class P>
void pointwise_multiply(Poly<P>& a, const Poly<P>& b) {
    backend<P>().multiply(a.data(), b.data());
}

template <class P>
bool pointwise_inverse(Poly<P>& a) {
    // a^(q-2), q - 2 = 12287 = 0b10111111111111: the same chain for every entry.
    Poly<P> r = a;
    std::uint32_t zero = 0;
    for (std::size_t i = 0; i < P::n; ++i) zero |= (a[i] - 1U) >> 31;
    for (int bit = 12; bit >= 0; --bit) {
        const Poly<P> square = r;
        pointwise_multiply<P>(r, square);
        if (((q - 2) >> bit) & 1U) pointwise_multiply<P>(r, a);
    }
    a = r;
    return declassify(zero) == 0;
}

template void ntt<Falcon512>(Poly<Falcon512>&);
template void ntt<Falcon1024>(Poly<Falcon1024>&);
template void inverse_ntt<Falcon512>(Poly<Falcon512>&);
template void inverse_ntt<Falcon1024>(Poly<Falcon1024>&);
template void pointwise_multiply<Falcon512>(Poly<Falcon512>&, const Poly<Falcon512>&);
template void pointwise_multiply<Falcon1024>(Poly<Falcon1024>&, const Poly<Falcon1024>&);
template bool pointwise_inverse<Falcon512>(Poly<Falcon512>&);
template bool pointwise_inverse<Falcon1024>(Poly<Falcon1024>&);

}  // namespace postern::falcon
