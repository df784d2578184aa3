// The steps for AVX2, compiled with -mavx2. Nothing here may be shared with other translation units: no library templates
// but constants (tests/layering/check_kernels.sh).

#include "mldsa/avx2_packing.hpp"
#include "mldsa/avx2_ring.hpp"
#include "mldsa/avx2_rounding.hpp"
#include "mldsa/avx2_sampling.hpp"
#include "mldsa/kernels.hpp"

namespace postern::mldsa {

namespace {

template <class P>
constexpr Kernels<P> make_table() {
    using S = Sizes<P>;
    return {
        .ntt = &transform,
        .inverse_ntt = &inverse_transform,
        .accumulate = &accumulate_products<P>,
        .reduce = &reduce_all,
        .reject_uniform = &reject_uniform_all,
        .reject_bounded = &reject_bounded_all<P>,
        .high_bits = &high_bits_all<P>,
        .pack_w1 = &pack_bytes<S::w1_bits>,
        .subtract_and_check = &subtract_challenge<P>,
        .mask_and_check = &add_challenge<P>,
        .make_hints = &make_all_hints<P>,
        .power2round = &power2round_all,
        .pack_t1 = &pack_narrow_simple<S::t1_bits>,
        .pack_t0 = &pack_narrow_offset<S::t0_bits, 1 << (d - 1)>,
        .pack_eta = &pack_narrow_offset<S::eta_bits, P::eta>,
        .pack_z = &pack_wide_offset<S::z_bits, P::gamma1>,
        .unpack_t1 = &unpack_simple<S::t1_bits>,
        .unpack_t0 = &unpack_offset<S::t0_bits, 1 << (d - 1)>,
        .unpack_eta = &unpack_offset<S::eta_bits, P::eta>,
        .unpack_z = &unpack_offset<S::z_bits, P::gamma1>,
        .norm = &norm_exceeds,
    };
}

constexpr Kernels<MlDsa44> kTable44 = make_table<MlDsa44>();
constexpr Kernels<MlDsa65> kTable65 = make_table<MlDsa65>();
constexpr Kernels<MlDsa87> kTable87 = make_table<MlDsa87>();

}  // namespace

template <>
const Kernels<MlDsa44>& avx2_kernels<MlDsa44>() noexcept {
    return kTable44;
}
template <>
const Kernels<MlDsa65>& avx2_kernels<MlDsa65>() noexcept {
    return kTable65;
}
template <>
const Kernels<MlDsa87>& avx2_kernels<MlDsa87>() noexcept {
    return kTable87;
}

}  // namespace postern::mldsa
