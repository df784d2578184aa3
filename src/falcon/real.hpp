#pragma once

// What the kernels ask of a real number, for the processor's double and for SoftDouble. Included by kernel translation
// units only: the namespace keeps code compiled for different processors apart.

#include <cmath>
#include <cstdint>

#include "falcon/soft_double.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

template <class R>
R from_int(std::int64_t x);
template <>
inline double from_int<double>(std::int64_t x) {
    return static_cast<double>(x);
}
template <>
inline SoftDouble from_int<SoftDouble>(std::int64_t x) {
    return SoftDouble::from_int(x);
}
inline std::int64_t truncate(double x) { return static_cast<std::int64_t>(x); }
inline std::int64_t truncate(SoftDouble x) { return x.truncate(); }
inline double square_root(double x) { return std::sqrt(x); }
inline SoftDouble square_root(SoftDouble x) { return x.square_root(); }
inline std::int64_t less(double a, double b) { return a < b ? 1 : 0; }
inline std::int64_t less(SoftDouble a, SoftDouble b) { return SoftDouble::less(a, b); }

/// Largest integer not above x, without a branch.
template <class R>
std::int64_t floor_to_int(R x) {
    const std::int64_t t = truncate(x);
    return t - less(x, from_int<R>(t));
}
/// Nearest integer, ties to even, for |x| < 2^51: adding 1.5 2^52 leaves no room for a fraction.
template <class R>
std::int64_t round_to_int(R x) {
    const R shift(6755399441055744.0);
    return truncate((x + shift) - shift);
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
