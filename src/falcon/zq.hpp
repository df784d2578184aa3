#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/falcon.hpp>

namespace postern::falcon {

/// Exponentiation in Z_q.
constexpr std::uint32_t zq_pow(std::uint32_t base, std::uint32_t exponent) {
    std::uint32_t r = 1;
    for (base %= q; exponent != 0; exponent >>= 1) {
        if (exponent & 1U) r = r * base % q;
        base = base * base % q;
    }
    return r;
}
constexpr std::uint32_t zq_inverse(std::uint32_t a) { return zq_pow(a, q - 2); }

/// A primitive 2n-th root of unity: 49 for n = 512, 7 for n = 1024 (7^2 = 49).
template <class P>
inline constexpr std::uint32_t psi = P::logn == 9 ? 49 : 7;
static_assert(zq_pow(49, 512) == q - 1 && zq_pow(7, 1024) == q - 1);

constexpr unsigned bit_reverse(unsigned x, unsigned bits) {
    unsigned r = 0;
    for (unsigned i = 0; i < bits; ++i) r |= ((x >> i) & 1U) << (bits - 1 - i);
    return r;
}

/// Residue of a small signed number, |x| < q, without a branch.
constexpr std::uint16_t to_residue(int x) { return static_cast<std::uint16_t>(x + (static_cast<int>(q) & (x >> 31))); }
/// The representative in [-(q-1)/2, (q-1)/2].
constexpr std::int16_t to_centred(std::uint32_t x) {
    const auto above = static_cast<std::int32_t>((q - 1) / 2 - x) >> 31;
    return static_cast<std::int16_t>(static_cast<std::int32_t>(x) - (static_cast<std::int32_t>(q) & above));
}

/// In place, residues to residues: natural order to slot i = a(psi^(2 brv(i) + 1)).
template <class P>
void ntt(Poly<P>& a);
template <class P>
void inverse_ntt(Poly<P>& a);
/// a[i] = a[i] b[i] mod q.
template <class P>
void pointwise_multiply(Poly<P>& a, const Poly<P>& b);
/// a[i] = 1 / a[i], 0 stays 0. Says whether every entry had an inverse; constant time.
template <class P>
bool pointwise_inverse(Poly<P>& a);

/// Whether f G - g F = q over the integers.
template <class P>
bool solves_ntru_equation(const BasisPoly<P>& f, const BasisPoly<P>& g, const BasisPoly<P>& F, const BasisPoly<P>& G);

}  // namespace postern::falcon
