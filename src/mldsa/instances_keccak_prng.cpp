#include "mldsa/instance.hpp"

namespace postern::mldsa::detail {

const Engine& keccak_prng_engine(ParameterSet set) {
    static const Instance<MlDsa44, hash::KeccakPrng64> ml_dsa_44;
    if (set != ParameterSet::ml_dsa_44) throw std::invalid_argument("ML-DSA-ETH exists for parameter set 44 only");
    return ml_dsa_44;
}

}  // namespace postern::mldsa::detail
