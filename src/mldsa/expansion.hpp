#pragma once

// What the expanded keys hold, ready to multiply: values in the order of FIPS 204 algorithm 41, and the small secrets as
// shifted copies (kernels.hpp).

#include <array>
#include <cstdint>
#include <postern/mldsa_params.hpp>

#include "mldsa/kernels.hpp"
#include "mldsa/poly.hpp"

namespace postern::mldsa::detail {

struct PublicExpansion {
    PolyVec a_hat;   ///< ExpandA(rho), k rows of l, canonical
    PolyVec t1_hat;  ///< NTT(t1 * 2^d), k, canonical
    std::array<std::uint8_t, tr_bytes> tr{};
};

using ShiftedSecrets = std::vector<ShiftedSecret, WipingAllocator<ShiftedSecret>>;

struct PrivateExpansion {
    PolyVec a_hat;                               ///< as above
    ShiftedSecrets s1;                           ///< l
    ShiftedSecrets s2;                           ///< k
    SecretPolyVec t0_hat;                        ///< k
    std::array<std::uint8_t, seed_bytes> key{};  ///< K
    std::array<std::uint8_t, tr_bytes> tr{};

    PrivateExpansion() = default;
    PrivateExpansion(PrivateExpansion&&) = default;
    PrivateExpansion(const PrivateExpansion&) = delete;
    PrivateExpansion& operator=(const PrivateExpansion&) = delete;
    PrivateExpansion& operator=(PrivateExpansion&&) = delete;
    ~PrivateExpansion() { secure_wipe(key); }
};

}  // namespace postern::mldsa::detail
