#pragma once

#include <postern/contracts.hpp>

#include "contracts/mldsa/plan.hpp"
#include "mldsa/poly.hpp"

namespace postern::contracts::mldsa_evm {

/// Values of a polynomial at the 64 leaves: element k_0 + k_1 x + k_2 x^2 + k_3 x^3 of Z_q[x]/(x^4 - zeta_p).
using Leaves = std::array<std::array<std::uint64_t, 4>, 64>;
Leaves leaves_of(const Plan& plan, const std::array<std::uint64_t, 256>& coefficients);
/// A key operand at one leaf as a word in powers of y = 1/x, every lane times `scale` (docs/ml-dsa-evm.md, "Products").
U256 key_word(const Plan& plan, const Leaves& leaves, unsigned leaf, std::uint64_t scale);

KeyBlob make_blob(const Plan& plan, const mldsa::PublicKey& key);
/// The same from polynomials that no wire key has (tests): A row-major, t1 * 2^d, coefficients mod q.
KeyBlob make_blob(const Plan& plan, const std::vector<std::array<std::uint64_t, 256>>& a,
                  const std::vector<std::array<std::uint64_t, 256>>& t, ByteView key_hash, ByteView tr);

}  // namespace postern::contracts::mldsa_evm
