#define POSTERN_FALCON_KERNELS portable
#include "falcon/gaussian.hpp"
#include "falcon/ntru_backend.hpp"
#include "falcon/ntru_solver.hpp"

namespace postern::falcon {

bool solve_ntru_portable(unsigned logn, std::int8_t* F, std::int8_t* G, const std::int8_t* f, const std::int8_t* g, bool fixed_only) {
    return portable::NtruSolver::solve(logn, F, G, f, g, fixed_only);
}
void gaussian_sums_portable(unsigned logn, std::int8_t* out, const std::uint64_t* draws, std::size_t count) {
    portable::gaussian_sums(logn, out, draws, count);
}

}  // namespace postern::falcon
