#define POSTERN_FALCON_KERNELS avx2
#include "falcon/ntru_backend.hpp"
#include "falcon/ntru_solver.hpp"

namespace postern::falcon {

bool solve_ntru_avx2(unsigned logn, std::int8_t* F, std::int8_t* G, const std::int8_t* f, const std::int8_t* g, bool fixed_only) {
    return avx2::NtruSolver::solve(logn, F, G, f, g, fixed_only);
}

}  // namespace postern::falcon
