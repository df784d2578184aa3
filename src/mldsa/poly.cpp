#include "mldsa/poly.hpp"

namespace postern::mldsa {

void ntt(Poly& f) noexcept {
    std::size_t m = 0;
    for (std::size_t len = 128; len >= 1; len /= 2) {
        for (std::size_t start = 0; start < n; start += 2 * len) {
            const std::int64_t z = montgomery_zetas[++m];
            for (std::size_t j = start; j < start + len; ++j) {
                const std::int32_t t = montgomery_reduce(z * f[j + len]);
                f[j + len] = f[j] - t;
                f[j] += t;
            }
        }
    }
}

void inverse_ntt_montgomery(Poly& f) noexcept {
    // Sums double from layer to layer: 128 q before the last, whose differences reach 256 q < 2^31.
    static_assert(std::int64_t{256} * q < (std::int64_t{1} << 31));
    constexpr std::int64_t scale = inverse_transform_scale;
    std::size_t m = 256;
    for (std::size_t len = 1; len < n; len *= 2) {
        for (std::size_t start = 0; start < n; start += 2 * len) {
            const std::int64_t z = -montgomery_zetas[--m];
            for (std::size_t j = start; j < start + len; ++j) {
                const std::int32_t t = f[j];
                f[j] = t + f[j + len];
                f[j + len] = montgomery_reduce(z * (t - f[j + len]));
            }
        }
    }
    for (auto& x : f.c) x = montgomery_reduce(scale * x);
}

Poly multiply_accumulate(std::span<const Poly> a, std::span<const Poly> b) noexcept {
    Poly r;
    for (std::size_t j = 0; j < n; ++j) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<std::int64_t>(a[i][j]) * b[i][j];
        r[j] = montgomery_reduce(sum);
    }
    return r;
}

Poly multiply_accumulate_minus(std::span<const Poly> a, std::span<const Poly> b, const Poly& c, const Poly& t) noexcept {
    Poly r;
    for (std::size_t j = 0; j < n; ++j) {
        std::int64_t sum = -static_cast<std::int64_t>(c[j]) * t[j];
        for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<std::int64_t>(a[i][j]) * b[i][j];
        r[j] = montgomery_reduce(sum);
    }
    return r;
}

Poly multiply(const Poly& a, const Poly& b) noexcept {
    Poly r;
    for (std::size_t j = 0; j < n; ++j) r[j] = montgomery_reduce(static_cast<std::int64_t>(a[j]) * b[j]);
    return r;
}

void reduce(Poly& f) noexcept {
    for (auto& x : f.c) {
        // Nearest multiple of 2^23 taken off as that many q; what is left lies in (-q, q) for |x| < 2^31 - 2^22.
        const std::int32_t t = (x + (1 << 22)) >> 23;
        x = to_canonical(x - t * q);
    }
}

bool norm_below(const Poly& f, std::int32_t bound) noexcept {
    std::int32_t exceeds = 0;
    for (const auto x : f.c) exceeds |= sign_mask(bound - 1 - absolute(x));
    return declassify(value_barrier(exceeds)) == 0;
}

}  // namespace postern::mldsa
