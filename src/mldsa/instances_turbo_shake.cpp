#include "mldsa/instance.hpp"

namespace postern::mldsa::detail {

const Engine& turbo_shake_engine(ParameterSet set) { return engine_of_family<hash::TurboShake>(set); }

}  // namespace postern::mldsa::detail
