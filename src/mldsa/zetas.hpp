#pragma once

// The twiddle factors of the number-theoretic transform (FIPS 204 section 7.5, appendix B).

#include <array>
#include <cstdint>
#include <postern/mldsa_params.hpp>

#include "mldsa/field.hpp"

namespace postern::mldsa {

/// zeta^brv8(i) mod q (appendix B); entry 0 is not used by the transform.
constexpr std::array<std::int32_t, n> make_zetas() noexcept {
    std::array<std::int32_t, n> table{};
    for (unsigned i = 0; i < n; ++i) {
        unsigned reversed = 0;
        for (unsigned bit = 0; bit < 8; ++bit) reversed |= ((i >> bit) & 1U) << (7 - bit);
        table[i] = power_mod(zeta, reversed);
    }
    return table;
}
inline constexpr auto zetas = make_zetas();

/// 2^32 mod q: what a Montgomery product takes away.
inline constexpr auto montgomery_radix = static_cast<std::int32_t>((std::int64_t{1} << 32) % q);

/// The twiddle factors times 2^32, centred, so that one Montgomery reduction gives the plain product.
constexpr std::array<std::int32_t, n> make_montgomery_zetas() noexcept {
    std::array<std::int32_t, n> table{};
    for (std::size_t i = 0; i < n; ++i) table[i] = to_centred(multiply_mod(zetas[i], montgomery_radix));
    return table;
}
inline constexpr auto montgomery_zetas = make_montgomery_zetas();

/// 2^64 / 256 mod q, centred: divides by the degree, and takes out the factor 2^-32 of a product and of this multiplication.
inline constexpr std::int32_t inverse_transform_scale =
    to_centred(multiply_mod(multiply_mod(montgomery_radix, montgomery_radix), power_mod(256, q - 2)));

}  // namespace postern::mldsa
