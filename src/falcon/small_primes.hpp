#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postern::falcon {

/// A prime p < 2^31 with p = 1 modulo 2048, and what residue arithmetic modulo p needs. R = 2^32.
struct SmallPrime {
    std::uint32_t p;
    std::uint32_t minus_inverse;  ///< -1/p mod 2^32
    std::uint32_t r2;             ///< R^2 mod p
    std::uint32_t crt;            ///< R / (product of all primes before) mod p
    const std::uint32_t* root;    ///< root[k] = R w^rev(k), w of order 2 n_max, rev on log2(n_max) bits; prefix-compatible
    const std::uint32_t* inverse_root;
};

/// Enough primes for the resultants of Falcon-1024.
inline constexpr std::size_t kSmallPrimes = 308;
/// The primes in falling order, made once. Transform tables of prime i reach up to the longest polynomial it is used for.
const SmallPrime* small_primes();
/// Longest polynomial (logarithm) that prime `index` is ever used for in the solver.
unsigned longest_transform(std::size_t index);

}  // namespace postern::falcon
