#include "mldsa/instance.hpp"

namespace postern::mldsa::detail {

const Engine& turbo_shake_engine(ParameterSet set) {
    static const Instance<MlDsa44, hash::TurboShake> ml_dsa_44;
    static const Instance<MlDsa65, hash::TurboShake> ml_dsa_65;
    static const Instance<MlDsa87, hash::TurboShake> ml_dsa_87;
    switch (set) {
        case ParameterSet::ml_dsa_44:
            return ml_dsa_44;
        case ParameterSet::ml_dsa_65:
            return ml_dsa_65;
        case ParameterSet::ml_dsa_87:
            return ml_dsa_87;
    }
    throw std::invalid_argument("no such parameter set");
}

}  // namespace postern::mldsa::detail
