#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "falcon/zq.hpp"

namespace postern::falcon {

template <class P>
Result<PublicKey<P>> PublicKey<P>::from_coefficients(const Poly<P>& h) {
    for (std::size_t i = 0; i < P::n; ++i)
        if (h[i] >= q) return Error{fmt::format("public key coefficient {} is {}, expected less than {}", i, h[i], q)};
    return PublicKey(h);
}

template <class P>
Result<PublicKey<P>> PublicKey<P>::from_ntt(const Poly<P>& h_ntt) {
    auto key = from_coefficients(h_ntt);
    if (key) inverse_ntt<P>(key->h_);
    return key;
}

template <class P>
Poly<P> PublicKey<P>::h_ntt() const {
    Poly<P> t = h_;
    ntt<P>(t);
    return t;
}

template <class P>
ExpandedPublicKey<P>::ExpandedPublicKey(const PublicKey<P>& key) : h_ntt_(key.h_ntt()) {}

template <class P>
SmallPoly<P> recover_s1(const ExpandedPublicKey<P>& key, const Poly<P>& c, const SmallPoly<P>& s2) {
    Poly<P> t;
    for (std::size_t i = 0; i < P::n; ++i) t[i] = to_residue(s2[i]);
    ntt<P>(t);
    pointwise_multiply<P>(t, key.h_ntt());
    inverse_ntt<P>(t);
    SmallPoly<P> s1;
    for (std::size_t i = 0; i < P::n; ++i) s1[i] = to_centred(to_residue(static_cast<int>(c[i]) - static_cast<int>(t[i])));
    return s1;
}

template <class P>
std::uint32_t squared_norm(const SmallPoly<P>& s1, const SmallPoly<P>& s2) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < P::n; ++i) {
        sum += static_cast<std::uint64_t>(std::int64_t{s1[i]} * s1[i]);
        sum += static_cast<std::uint64_t>(std::int64_t{s2[i]} * s2[i]);
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
}

template <class P>
Status verify_point(const ExpandedPublicKey<P>& key, const Poly<P>& c, const SmallPoly<P>& s2) {
    for (std::size_t i = 0; i < P::n; ++i) {
        if (s2[i] < -2047 || s2[i] > 2047) return Error{fmt::format("s2[{}] is {}, expected at most 2047 in magnitude", i, s2[i])};
        if (c[i] >= q) return Error{fmt::format("point coefficient {} is {}, expected less than {}", i, c[i], q)};
    }
    const std::uint32_t norm = squared_norm<P>(recover_s1<P>(key, c, s2), s2);
    if (norm > P::beta2) return Error{fmt::format("squared norm of (s1, s2) is {}, expected at most {}", norm, P::beta2)};
    return ok();
}

template <class P>
Status verify(const ExpandedPublicKey<P>& key, ByteView message, const Signature<P>& signature, HashToPoint policy) {
    return verify_point<P>(key, hash_to_point<P>(policy, signature.salt, message), signature.s2);
}

template <class P>
Status verify(const PublicKey<P>& key, ByteView message, const Signature<P>& signature, HashToPoint policy) {
    return verify<P>(ExpandedPublicKey<P>(key), message, signature, policy);
}

template class PublicKey<Falcon512>;
template class PublicKey<Falcon1024>;
template class ExpandedPublicKey<Falcon512>;
template class ExpandedPublicKey<Falcon1024>;
#define POSTERN_INSTANTIATE(P)                                                                             \
    template SmallPoly<P> recover_s1<P>(const ExpandedPublicKey<P>&, const Poly<P>&, const SmallPoly<P>&); \
    template std::uint32_t squared_norm<P>(const SmallPoly<P>&, const SmallPoly<P>&);                      \
    template Status verify_point<P>(const ExpandedPublicKey<P>&, const Poly<P>&, const SmallPoly<P>&);     \
    template Status verify<P>(const ExpandedPublicKey<P>&, ByteView, const Signature<P>&, HashToPoint);    \
    template Status verify<P>(const PublicKey<P>&, ByteView, const Signature<P>&, HashToPoint);
POSTERN_INSTANTIATE(Falcon512)
POSTERN_INSTANTIATE(Falcon1024)
#undef POSTERN_INSTANTIATE

}  // namespace postern::falcon
