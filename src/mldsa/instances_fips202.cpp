#include "mldsa/instance.hpp"

namespace postern::mldsa::detail {

const Engine& fips202_engine(ParameterSet set) { return engine_of_family<hash::Fips202>(set); }

}  // namespace postern::mldsa::detail
