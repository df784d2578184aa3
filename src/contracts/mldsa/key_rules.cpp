#include "contracts/mldsa/key_rules.hpp"

#include <string>

namespace postern::contracts::mldsa_evm {

unsigned weak_half_width(const Params& params) {
    const std::uint64_t step = std::uint64_t{1} << 13;
    return static_cast<unsigned>((params.gamma2 + step - 1) / step);
}

Status check_key(const mldsa::Scheme& scheme, ByteView public_key) {
    if (public_key.size() != scheme.public_key_bytes)
        return Error{"public key of " + std::to_string(public_key.size()) + " bytes, " + std::string(scheme.name) + " has " +
                     std::to_string(scheme.public_key_bytes)};
    const Params params = params_of(scheme);
    const unsigned half = weak_half_width(params);
    for (unsigned row = 0; row < params.k; ++row) {
        const ByteView packed = public_key.subspan(32 + std::size_t{320} * row, 320);
        unsigned weak = 0;
        for (unsigned n = 0; n < 256; ++n) {
            const std::size_t bit = std::size_t{10} * n;
            const unsigned pair = packed[bit / 8] | static_cast<unsigned>(packed[bit / 8 + 1]) << 8;
            const unsigned t = pair >> (bit % 8) & 1023U;
            weak += ((t + half) & 511U) < 2 * half ? 1 : 0;
        }
        if (weak >= kWeakLimit)
            return Error{"degenerate key: " + std::to_string(weak) + " of 256 coefficients in row " + std::to_string(row) +
                         " of t1 hide the challenge (at most " + std::to_string(kWeakLimit - 1) + ")"};
    }
    return ok();
}

}  // namespace postern::contracts::mldsa_evm
