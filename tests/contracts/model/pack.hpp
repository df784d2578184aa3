#pragma once

#include "contracts/mldsa/plan.hpp"
#include "contracts/model/field.hpp"

namespace postern::test::model {

/// c_tilde of zeros, then gamma1 - z packed little-endian (algorithm 17); no hints.
inline Bytes pack_z(const std::vector<Poly>& z, const contracts::mldsa_evm::Params& p) {
    Bytes out(p.c_tilde + p.l * p.z_poly);
    for (unsigned i = 0; i < p.l; ++i) {
        for (unsigned c = 0; c < 256; ++c) {
            const auto f = static_cast<std::uint64_t>(static_cast<std::int64_t>(p.gamma1) - z[i][c]);
            for (unsigned b = 0; b < p.z_bits; ++b) {
                const std::size_t bit = std::size_t{c} * p.z_bits + b;
                out[p.c_tilde + i * p.z_poly + bit / 8] |= static_cast<std::uint8_t>(((f >> b) & 1U) << (bit % 8));
            }
        }
    }
    return out;
}

}  // namespace postern::test::model
