#pragma once

// The parameter sets of ML-DSA (FIPS 204 section 4, tables 1 and 2) as compile-time data, and the sizes that follow
// from them. Signers and contract generators take the same structs, so that a number is written once.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace postern::mldsa {

/// The modulus, the ring degree, the dropped bits of t, and the primitive 512th root of unity.
inline constexpr std::int32_t q = 8380417;
inline constexpr std::size_t n = 256;
inline constexpr int d = 13;
inline constexpr std::int32_t zeta = 1753;

inline constexpr std::size_t seed_bytes = 32;  ///< xi, rho, K and rnd
inline constexpr std::size_t tr_bytes = 64;    ///< hash of the public key
inline constexpr std::size_t mu_bytes = 64;    ///< message representative
inline constexpr std::size_t max_context_bytes = 255;

struct MlDsa44 {
    static constexpr std::size_t k = 4, l = 4;
    static constexpr int eta = 2, tau = 39, lambda = 128, category = 2;
    static constexpr std::int32_t gamma1 = 1 << 17, gamma2 = (q - 1) / 88;
    static constexpr std::size_t omega = 80;
};
struct MlDsa65 {
    static constexpr std::size_t k = 6, l = 5;
    static constexpr int eta = 4, tau = 49, lambda = 192, category = 3;
    static constexpr std::int32_t gamma1 = 1 << 19, gamma2 = (q - 1) / 32;
    static constexpr std::size_t omega = 55;
};
struct MlDsa87 {
    static constexpr std::size_t k = 8, l = 7;
    static constexpr int eta = 2, tau = 60, lambda = 256, category = 5;
    static constexpr std::int32_t gamma1 = 1 << 19, gamma2 = (q - 1) / 32;
    static constexpr std::size_t omega = 75;
};

/// What follows from a parameter set P; all sizes in bytes unless the name says bits.
template <class P>
struct Sizes {
    static constexpr std::int32_t beta = P::tau * P::eta;
    static constexpr std::size_t c_tilde = P::lambda / 4;
    static constexpr std::size_t t1_bits = 10, t0_bits = d;
    static constexpr std::size_t eta_bits = static_cast<std::size_t>(std::bit_width(2U * P::eta));
    static constexpr std::size_t z_bits = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(P::gamma1)));
    static constexpr std::int32_t w1_values = (q - 1) / (2 * P::gamma2);  ///< m: HighBits lie in 0 .. m - 1
    static constexpr std::size_t w1_bits = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(w1_values - 1)));
    static constexpr std::size_t t1_poly = n * t1_bits / 8, t0_poly = n * t0_bits / 8;
    static constexpr std::size_t eta_poly = n * eta_bits / 8, z_poly = n * z_bits / 8, w1_poly = n * w1_bits / 8;
    static constexpr std::size_t hint = P::omega + P::k;
    static constexpr std::size_t public_key = seed_bytes + P::k * t1_poly;
    static constexpr std::size_t private_key = 2 * seed_bytes + tr_bytes + (P::k + P::l) * eta_poly + P::k * t0_poly;
    static constexpr std::size_t signature = c_tilde + P::l * z_poly + hint;
};

static_assert(Sizes<MlDsa44>::public_key == 1312 && Sizes<MlDsa44>::private_key == 2560 && Sizes<MlDsa44>::signature == 2420);
static_assert(Sizes<MlDsa65>::public_key == 1952 && Sizes<MlDsa65>::private_key == 4032 && Sizes<MlDsa65>::signature == 3309);
static_assert(Sizes<MlDsa87>::public_key == 2592 && Sizes<MlDsa87>::private_key == 4896 && Sizes<MlDsa87>::signature == 4627);

}  // namespace postern::mldsa
