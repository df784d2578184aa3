#include "mldsa/instance.hpp"

namespace postern::mldsa::detail {

const Engine& keccak256_ctr_engine(ParameterSet set) { return engine_of_family<hash::Keccak256Ctr>(set); }

}  // namespace postern::mldsa::detail
