#pragma once

// Polynomials of degree below 256 and the number-theoretic transform (FIPS 204 sections 2.4.1 and 7.5).

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/mldsa_params.hpp>
#include <span>
#include <vector>

#include "core/secure.hpp"
#include "mldsa/field.hpp"
#include "mldsa/zetas.hpp"

namespace postern::mldsa {

/// 256 coefficients, or 256 values in the order of algorithm 41.
struct alignas(32) Poly {
    std::array<std::int32_t, n> c{};
    std::int32_t& operator[](std::size_t i) noexcept { return c[i]; }
    std::int32_t operator[](std::size_t i) const noexcept { return c[i]; }
    friend bool operator==(const Poly&, const Poly&) = default;
};
using PolyVec = std::vector<Poly>;
using SecretPolyVec = std::vector<Poly, WipingAllocator<Poly>>;

/// Algorithm 41 in place. |coefficients| <= B in, |values| < B + 8 q out (no reduction is needed below 2^31).
void ntt(Poly& f) noexcept;

/// Algorithm 42 in place on values in (-q, q) that carry a factor 2^-32 from a Montgomery product: the factor is
/// removed, and the coefficients come out in (-q, q).
void inverse_ntt_montgomery(Poly& f) noexcept;

/// Sum of a[i] * b[i], minus c * t where given, as a Montgomery product: values in (-q, q), with the factor 2^-32.
/// |a| < q, |b| and |c| < 9 q, up to seven terms: the sum stays below 2^31 q.
Poly multiply_accumulate(std::span<const Poly> a, std::span<const Poly> b) noexcept;
Poly multiply_accumulate_minus(std::span<const Poly> a, std::span<const Poly> b, const Poly& c, const Poly& t) noexcept;
Poly multiply(const Poly& a, const Poly& b) noexcept;

/// (-q, q) to [0, q), every coefficient.
inline void to_canonical(Poly& f) noexcept {
    for (auto& x : f.c) x = to_canonical(x);
}
/// Any value below 2^31 - 2^22 in size to [0, q); for values about to be kept or shown.
void reduce(Poly& f) noexcept;
/// Centred representatives of (-q, q).
inline void to_centred(Poly& f) noexcept {
    for (auto& x : f.c) x = to_centred(to_canonical(x));
}

/// Is every |coefficient| below the bound? The coefficients are centred. One answer for the whole polynomial, found
/// without leaving early; which polynomial of an attempt failed is public, which coefficient is not.
bool norm_below(const Poly& f, std::int32_t bound) noexcept;

}  // namespace postern::mldsa
