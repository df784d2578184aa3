// The steps in plain code: what runs where no other set of kernels does, and what the others are compared with.

#include <bit>
#include <cstring>

#include "core/cpu.hpp"
#include "mldsa/kernels.hpp"
#include "mldsa/packing.hpp"
#include "mldsa/sampling.hpp"

namespace postern::mldsa {

namespace {

Poly& poly(std::int32_t* f) { return *reinterpret_cast<Poly*>(f); }
const Poly& poly(const std::int32_t* f) { return *reinterpret_cast<const Poly*>(f); }
std::span<const Poly> polys(const std::int32_t* f, std::size_t count) { return {reinterpret_cast<const Poly*>(f), count}; }
template <std::size_t N>
std::span<std::uint8_t, N> bytes(std::uint8_t* p) {
    return std::span<std::uint8_t, N>(p, N);
}
template <std::size_t N>
std::span<const std::uint8_t, N> bytes(const std::uint8_t* p) {
    return std::span<const std::uint8_t, N>(p, N);
}

void accumulate(std::int32_t* r, const std::int32_t* a, const std::int32_t* b, std::size_t terms, const std::int32_t* c,
                const std::int32_t* t) {
    poly(r) = c == nullptr ? multiply_accumulate(polys(a, terms), polys(b, terms))
                           : multiply_accumulate_minus(polys(a, terms), polys(b, terms), poly(c), poly(t));
}

std::uint32_t exceeds(const std::int32_t* f, std::int32_t bound) {
    std::int32_t any = 0;
    for (std::size_t j = 0; j < n; ++j) any |= sign_mask(bound - 1 - absolute(f[j]));
    return static_cast<std::uint32_t>(any);
}

template <class P>
struct Portable {
    using S = Sizes<P>;

    static void high(std::int32_t* w, std::uint8_t* high) {
        for (std::size_t j = 0; j < n; ++j) {
            w[j] = to_canonical(w[j]);
            high[j] = static_cast<std::uint8_t>(high_bits<P::gamma2>(w[j]));
        }
    }
    static void pack_high(const std::uint8_t* high, std::uint8_t* out) {
        pack_bits<S::w1_bits>(bytes<S::w1_poly>(out), [&](std::size_t i) { return std::uint32_t{high[i]}; });
    }

    /// The coefficients of c s, byte by byte so that a compiler adds many at once.
    static void shifted_sum(const std::int8_t* shifted, const std::uint16_t* offsets, ShiftScratch& scratch) {
        std::size_t term = 0;
        for (std::size_t part = 0; part < bytes_of_sum<P>; ++part) {
            auto* __restrict sum = scratch.sums[part].data();
            std::memset(sum, 0, n);
            for (std::size_t i = 0; i < terms_in_byte<P> && term < P::tau; ++i, ++term) {
                const std::int8_t* __restrict from = shifted + offsets[term];
                for (std::size_t j = 0; j < n; ++j) sum[j] = static_cast<std::int8_t>(sum[j] + from[j]);
            }
        }
    }
    static std::int32_t total(const ShiftScratch& scratch, std::size_t j) {
        std::int32_t sum = scratch.sums[0][j];
        if constexpr (bytes_of_sum<P> == 2) sum += scratch.sums[1][j];
        return sum;
    }

    static std::uint32_t subtract_and_check(std::int32_t* w, const std::int8_t* shifted, const std::uint16_t* offsets,
                                            ShiftScratch& scratch) {
        shifted_sum(shifted, offsets, scratch);
        std::int32_t any = 0;
        for (std::size_t j = 0; j < n; ++j) {
            std::int32_t x = to_canonical(w[j] - total(scratch, j));
            x -= ~sign_mask(x - q) & q;
            w[j] = x;
            any |= sign_mask(P::gamma2 - S::beta - 1 - absolute(low_bits<P::gamma2>(x)));
        }
        return static_cast<std::uint32_t>(any);
    }
    static std::uint32_t mask_and_check(std::int32_t* z, const std::int32_t* y, const std::int8_t* shifted, const std::uint16_t* offsets,
                                        ShiftScratch& scratch) {
        shifted_sum(shifted, offsets, scratch);
        for (std::size_t j = 0; j < n; ++j) z[j] = y[j] + total(scratch, j);
        return exceeds(z, P::gamma1 - S::beta);
    }
    static std::uint32_t make_hints(const std::int32_t* w, const std::int32_t* product, std::uint8_t* bits, std::uint32_t& ones) {
        std::int32_t any = 0;
        std::memset(bits, 0, n / 8);
        for (std::size_t j = 0; j < n; ++j) {
            const std::int32_t p = to_centred(to_canonical(product[j]));
            any |= sign_mask(P::gamma2 - 1 - absolute(p));
            const std::int32_t sum = to_canonical(w[j] + p);  // in (-q, 2 q) before
            const std::uint32_t bit = make_hint<P::gamma2>(w[j], sum - (q & ~sign_mask(sum - q)));
            bits[j / 8] = static_cast<std::uint8_t>(bits[j / 8] | bit << (j % 8));
            ones += bit;
        }
        return static_cast<std::uint32_t>(any);
    }
    static void power2round_all(std::int32_t* t, std::int32_t* low) {
        for (std::size_t j = 0; j < n; ++j) {
            const Rounded parts = power2round(t[j]);
            t[j] = parts.high;
            low[j] = parts.low;
        }
    }
};

template <class P>
constexpr Kernels<P> make_table() {
    using S = Sizes<P>;
    using K = Portable<P>;
    return {
        .ntt = [](std::int32_t* f) { ntt(poly(f)); },
        .inverse_ntt = [](std::int32_t* f) { inverse_ntt_montgomery(poly(f)); },
        .accumulate = &accumulate,
        .reduce = [](std::int32_t* f) { reduce(poly(f)); },
        .reject_uniform =
            [](const std::uint8_t* stream, std::size_t size, std::int32_t* f, std::size_t have) {
                return detail::reject_uniform({stream, size}, poly(f), have);
            },
        .reject_bounded =
            [](const std::uint8_t* stream, std::size_t size, std::int32_t* f, std::size_t have) {
                return detail::reject_bounded<P::eta>({stream, size}, poly(f), have);
            },
        .high_bits = &K::high,
        .pack_w1 = &K::pack_high,
        .subtract_and_check = &K::subtract_and_check,
        .mask_and_check = &K::mask_and_check,
        .make_hints = &K::make_hints,
        .power2round = &K::power2round_all,
        .pack_t1 = [](const std::int32_t* f, std::uint8_t* out) { pack_t1<P>(poly(f), bytes<S::t1_poly>(out)); },
        .pack_t0 = [](const std::int32_t* f, std::uint8_t* out) { pack_t0<P>(poly(f), bytes<S::t0_poly>(out)); },
        .pack_eta = [](const std::int32_t* f, std::uint8_t* out) { pack_eta<P>(poly(f), bytes<S::eta_poly>(out)); },
        .pack_z = [](const std::int32_t* f, std::uint8_t* out) { pack_z<P>(poly(f), bytes<S::z_poly>(out)); },
        .unpack_t1 = [](const std::uint8_t* in, std::int32_t* f) { unpack_t1<P>(bytes<S::t1_poly>(in), poly(f)); },
        .unpack_t0 = [](const std::uint8_t* in, std::int32_t* f) { unpack_t0<P>(bytes<S::t0_poly>(in), poly(f)); },
        .unpack_eta = [](const std::uint8_t* in, std::int32_t* f) { unpack_eta<P>(bytes<S::eta_poly>(in), poly(f)); },
        .unpack_z = [](const std::uint8_t* in, std::int32_t* f) { unpack_z<P>(bytes<S::z_poly>(in), poly(f)); },
        .norm = &exceeds,
    };
}

}  // namespace

template <class P>
const Kernels<P>& portable_kernels() noexcept {
    static constexpr Kernels<P> table = make_table<P>();
    return table;
}

template <class P>
const Kernels<P>& kernels() noexcept {
#ifdef POSTERN_MLDSA_X86
    switch (cpu_level()) {
        case CpuLevel::avx512:
            return avx512_kernels<P>();
        case CpuLevel::avx2:
            return avx2_kernels<P>();
        case CpuLevel::scalar:
            break;
    }
#endif
    return portable_kernels<P>();
}

#define POSTERN_INSTANTIATE(P)                                 \
    template const Kernels<P>& portable_kernels<P>() noexcept; \
    template const Kernels<P>& kernels<P>() noexcept;
POSTERN_INSTANTIATE(MlDsa44)
POSTERN_INSTANTIATE(MlDsa65)
POSTERN_INSTANTIATE(MlDsa87)

}  // namespace postern::mldsa
