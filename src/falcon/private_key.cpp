#include <fmt/format.h>

#include <algorithm>

#include "core/secure.hpp"
#include "falcon/bits.hpp"
#include "falcon/keygen_internal.hpp"
#include "falcon/zq.hpp"

namespace postern::falcon {

namespace {

template <class P>
Poly<P> transformed(const BasisPoly<P>& a) {
    Poly<P> t;
    for (std::size_t i = 0; i < P::n; ++i) t[i] = to_residue(a[i]);
    ntt<P>(t);
    return t;
}

/// Largest magnitude by OR-ing, without a branch on single coefficients.
template <class P>
bool within(const BasisPoly<P>& a, int limit) {
    std::uint32_t over = 0;
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): coefficients are signed numbers.
    for (const int x : a) over |= static_cast<std::uint32_t>((limit - x) | (limit + x)) >> 31;
    return declassify(over) == 0;
}

template <class P>
bool read_field(BitReader& reader, BasisPoly<P>& out, unsigned bits) {
    std::uint32_t minimum = 0;
    for (auto& x : out) {
        const std::uint32_t w = reader.get(bits);
        const std::uint32_t sign = w >> (bits - 1);
        minimum |= (w ^ (std::uint32_t{1} << (bits - 1))) - 1;  // the top bit is set by the one value without a negative
        x = static_cast<std::int8_t>(static_cast<std::int32_t>(w) - static_cast<std::int32_t>(sign << bits));
    }
    return declassify(minimum >> 31) == 0;
}

}  // namespace

template <class P>
PrivateKey<P>::~PrivateKey() {
    secure_wipe(f_);
    secure_wipe(g_);
    secure_wipe(F_);
    secure_wipe(G_);
}

template <class P>
Result<PrivateKey<P>> PrivateKey<P>::from_basis(const BasisPoly<P>& f, const BasisPoly<P>& g, const BasisPoly<P>& F) {
    constexpr int limit = (1 << (P::fg_bits - 1)) - 1;
    if (!within<P>(f, limit)) return Error{fmt::format("private key: a coefficient of f is over {} in magnitude", limit)};
    if (!within<P>(g, limit)) return Error{fmt::format("private key: a coefficient of g is over {} in magnitude", limit)};
    if (!within<P>(F, 127)) return Error{"private key: a coefficient of F is over 127 in magnitude"};
    Poly<P> inverse_f = transformed<P>(f);
    WipeGuard wipe_f(inverse_f);
    if (!pointwise_inverse<P>(inverse_f)) return Error{"private key: f is not invertible"};
    Poly<P> h = transformed<P>(g);
    WipeGuard wipe_h(h);
    pointwise_multiply<P>(h, inverse_f);
    // G = g F / f = h F modulo q, and G is small.
    Poly<P> t = transformed<P>(F);
    WipeGuard wipe_t(t);
    pointwise_multiply<P>(t, h);
    inverse_ntt<P>(t);
    BasisPoly<P> G;
    WipeGuard wipe_G(G);
    std::uint32_t over = 0;
    for (std::size_t i = 0; i < P::n; ++i) {
        const int x = to_centred(t[i]);
        over |= static_cast<std::uint32_t>((127 - x) | (127 + x)) >> 31;
        G[i] = static_cast<std::int8_t>(x);
    }
    if (declassify(over) != 0) return Error{"private key: G is not small"};
    if (!solves_ntru_equation<P>(f, g, F, G)) return Error{"private key: f G - g F is not q"};
    // The sampler's deviations are within bounds only for bases that are this short, as every honest key is.
    if (!acceptable_norms<P>(f, g)) return Error{"private key: the basis is too long to sign with"};
    declassify(h.data(), sizeof h);
    auto key = PublicKey<P>::from_ntt(h);
    if (!key) return key.error();
    return PrivateKey(f, g, F, G, *key);
}

template <class P>
Result<PrivateKey<P>> PrivateKey<P>::decode(ByteView bytes) {
    if (bytes.size() != P::private_key_bytes)
        return Error{fmt::format("private key: {} bytes, expected {}", bytes.size(), P::private_key_bytes)};
    if (bytes[0] != 0x50 + P::logn)
        return Error{fmt::format("private key: header byte 0x{:02x}, expected 0x{:02x}", bytes[0], 0x50 + P::logn)};
    BasisPoly<P> f, g, F;
    WipeGuard wipe_f(f);
    WipeGuard wipe_g(g);
    WipeGuard wipe_F(F);
    BitReader reader(bytes.subspan(1));
    // Every field fills whole bytes, so there is no padding to check.
    if (!read_field<P>(reader, f, P::fg_bits)) return Error{"private key: a coefficient of f is the one without a negative"};
    if (!read_field<P>(reader, g, P::fg_bits)) return Error{"private key: a coefficient of g is the one without a negative"};
    if (!read_field<P>(reader, F, 8)) return Error{"private key: a coefficient of F is the one without a negative"};
    return from_basis(f, g, F);
}

template <class P>
Bytes PrivateKey<P>::encode() const {
    Bytes out;
    out.reserve(P::private_key_bytes);
    out.push_back(static_cast<std::uint8_t>(0x50 + P::logn));
    BitWriter writer(out);
    constexpr std::uint32_t mask = (1U << P::fg_bits) - 1;
    for (const auto x : f_) writer.put(static_cast<std::uint32_t>(x) & mask, P::fg_bits);
    for (const auto x : g_) writer.put(static_cast<std::uint32_t>(x) & mask, P::fg_bits);
    for (const auto x : F_) writer.put(static_cast<std::uint32_t>(x) & 0xff, 8);
    return out;
}

template class PrivateKey<Falcon512>;
template class PrivateKey<Falcon1024>;

}  // namespace postern::falcon
