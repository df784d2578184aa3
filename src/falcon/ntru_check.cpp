#define POSTERN_FALCON_KERNELS ntru_check
#include "core/secure.hpp"
#include "falcon/mp31.hpp"
#include "falcon/zq.hpp"

namespace postern::falcon {

template <class P>
bool solves_ntru_equation(const BasisPoly<P>& f, const BasisPoly<P>& g, const BasisPoly<P>& F, const BasisPoly<P>& G) {
    using namespace ntru_check;
    // Coefficients of f G - g F are below 2 n 31 127 < 2^23 in magnitude: one prime of 31 bits decides.
    static_assert(2 * P::n * (1U << (P::fg_bits - 1)) * 127 < (1U << 30));
    const SmallPrime& s = small_primes()[0];
    struct Work {
        u32 f[P::n], g[P::n], F[P::n], G[P::n];
    } w;
    WipeGuard wipe(w);
    for (std::size_t i = 0; i < P::n; ++i) {
        w.f[i] = mp_set(f[i], s.p);
        w.g[i] = mp_set(g[i], s.p);
        w.F[i] = mp_set(F[i], s.p);
        w.G[i] = mp_set(G[i], s.p);
    }
    for (u32* a : {w.f, w.g, w.F, w.G}) mp_ntt(P::logn, a, s);
    const u32 expected = mp_mul(q, 1, s.p, s.minus_inverse);
    u32 wrong = 0;
    for (std::size_t i = 0; i < P::n; ++i)
        wrong |= mp_sub(mp_mul(w.f[i], w.G[i], s.p, s.minus_inverse), mp_mul(w.g[i], w.F[i], s.p, s.minus_inverse), s.p) ^ expected;
    return declassify(wrong) == 0;
}

template bool solves_ntru_equation<Falcon512>(const BasisPoly<Falcon512>&, const BasisPoly<Falcon512>&, const BasisPoly<Falcon512>&,
                                              const BasisPoly<Falcon512>&);
template bool solves_ntru_equation<Falcon1024>(const BasisPoly<Falcon1024>&, const BasisPoly<Falcon1024>&, const BasisPoly<Falcon1024>&,
                                               const BasisPoly<Falcon1024>&);

}  // namespace postern::falcon
