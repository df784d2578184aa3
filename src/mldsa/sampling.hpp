#pragma once

// Pseudorandom sampling of FIPS 204 section 7.3, for any XOF family. Matrices and vectors are drawn four polynomials at a
// time through the four-way form of the XOF.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>

#include "core/secure.hpp"
#include "hash/xof_family.hpp"
#include "mldsa/packing.hpp"
#include "mldsa/poly.hpp"

namespace postern::mldsa {

/// H(parts in order, out.size()) with the family's stand-in for SHAKE256.
template <class X>
void hash_h(std::initializer_list<ByteView> parts, std::span<std::uint8_t> out) {
    typename X::Xof256 xof;
    for (const ByteView part : parts) xof.absorb(part);
    xof.squeeze(out);
}

namespace detail {

/// Calls body(first, count) for 0..total in groups of four, the rest as one shorter group.
template <class Body>
void in_fours(std::size_t total, Body body) {
    for (std::size_t i = 0; i < total; i += 4) body(i, std::min<std::size_t>(4, total - i));
}

/// Four seeds of `Size` bytes that share everything but the last two.
template <std::size_t Size>
struct SeedsX4 {
    std::array<std::array<std::uint8_t, Size>, 4> seed;
    SeedsX4(ByteView common) {
        for (auto& s : seed) std::copy(common.begin(), common.end(), s.begin());
    }
    ~SeedsX4() { secure_wipe(seed); }
    SeedsX4(const SeedsX4&) = delete;
    SeedsX4& operator=(const SeedsX4&) = delete;
    void nonce(std::size_t lane, std::size_t low, std::size_t high) {
        seed[lane][Size - 2] = static_cast<std::uint8_t>(low);
        seed[lane][Size - 1] = static_cast<std::uint8_t>(high);
    }
    std::array<ByteView, 4> views() const { return {ByteView(seed[0]), ByteView(seed[1]), ByteView(seed[2]), ByteView(seed[3])}; }
};

/// Four output buffers of which a prefix is used.
template <std::size_t Size>
struct BuffersX4 {
    std::array<std::array<std::uint8_t, Size>, 4> bytes;
    BuffersX4() = default;
    ~BuffersX4() { secure_wipe(bytes); }
    BuffersX4(const BuffersX4&) = delete;
    BuffersX4& operator=(const BuffersX4&) = delete;
    std::array<std::span<std::uint8_t>, 4> prefix(std::size_t size) {
        return {std::span(bytes[0]).first(size), std::span(bytes[1]).first(size), std::span(bytes[2]).first(size),
                std::span(bytes[3]).first(size)};
    }
};

/// Algorithms 14 and 30 on a piece of the stream: three bytes, top bit dropped, kept if below q.
inline std::size_t reject_uniform(ByteView stream, Poly& f, std::size_t have) noexcept {
    for (std::size_t i = 0; i + 3 <= stream.size() && have < n; i += 3) {
        const std::int32_t v = stream[i] | stream[i + 1] << 8 | (stream[i + 2] & 0x7f) << 16;
        if (v < q) f[have++] = v;
    }
    return have;
}

/// Algorithms 15 and 31: nibbles. Which ones are kept says nothing about those that are kept: that alone is public.
template <int Eta>
std::size_t reject_bounded(ByteView stream, Poly& f, std::size_t have) noexcept {
    constexpr std::int32_t limit = Eta == 2 ? 15 : 9;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        for (int half = 0; half < 2 && have < n; ++half) {
            const std::int32_t nibble = half == 0 ? stream[i] & 15 : stream[i] >> 4;
            const bool kept = declassify(value_barrier(sign_mask(nibble - limit))) != 0;
            if (!kept) continue;
            if constexpr (Eta == 2) {
                f[have++] = 2 - (nibble - 5 * ((nibble * 205) >> 10));  // 2 - nibble mod 5
            } else {
                f[have++] = 4 - nibble;
            }
        }
    }
    return have;
}

}  // namespace detail

/// Algorithm 32: A in NTT form, canonical values, row by row (entry [r][s] at r * l + s). Public.
template <class P, class X>
void expand_a(std::span<const std::uint8_t, seed_bytes> rho, std::span<Poly, P::k * P::l> a_hat) {
    // 840 bytes are 280 candidates, five SHAKE128 blocks; all 256 are there but for one polynomial in about 2^40.
    constexpr std::size_t first_bytes = 840, more_bytes = 168;
    detail::SeedsX4<seed_bytes + 2> seeds(rho);
    detail::BuffersX4<first_bytes> buffers;
    detail::in_fours(P::k * P::l, [&](std::size_t first, std::size_t count) {
        for (std::size_t lane = 0; lane < count; ++lane) seeds.nonce(lane, (first + lane) % P::l, (first + lane) / P::l);
        typename X::Xof128X4 xof;
        xof.absorb(seeds.views());
        std::array<std::size_t, 4> have{n, n, n, n};
        for (std::size_t lane = 0; lane < count; ++lane) have[lane] = 0;
        for (std::size_t bytes = first_bytes; std::any_of(have.begin(), have.end(), [](auto h) { return h < n; }); bytes = more_bytes) {
            const auto out = buffers.prefix(bytes);
            xof.squeeze(out);
            for (std::size_t lane = 0; lane < count; ++lane)
                have[lane] = detail::reject_uniform(out[lane], a_hat[first + lane], have[lane]);
        }
    });
}

/// Algorithm 33: s1 then s2, coefficients in -eta .. eta. Secret.
template <class P, class X>
void expand_s(std::span<const std::uint8_t, 64> rho_prime, std::span<Poly, P::k + P::l> s) {
    constexpr std::size_t first_bytes = P::eta == 2 ? 160 : 272, more_bytes = 32;
    detail::SeedsX4<66> seeds(rho_prime);
    detail::BuffersX4<first_bytes> buffers;
    detail::in_fours(P::k + P::l, [&](std::size_t first, std::size_t count) {
        for (std::size_t lane = 0; lane < count; ++lane) seeds.nonce(lane, first + lane, 0);
        typename X::Xof256X4 xof;
        xof.absorb(seeds.views());
        std::array<std::size_t, 4> have{n, n, n, n};
        for (std::size_t lane = 0; lane < count; ++lane) have[lane] = 0;
        for (std::size_t bytes = first_bytes; std::any_of(have.begin(), have.end(), [](auto h) { return h < n; }); bytes = more_bytes) {
            const auto out = buffers.prefix(bytes);
            xof.squeeze(out);
            for (std::size_t lane = 0; lane < count; ++lane) {
                have[lane] = detail::reject_bounded<P::eta>(out[lane], s[first + lane], have[lane]);
            }
        }
    });
}

/// Algorithm 34: y, coefficients in -gamma1 + 1 .. gamma1. Secret.
template <class P, class X>
void expand_mask(std::span<const std::uint8_t, 64> rho_second, std::size_t kappa, std::span<Poly, P::l> y) {
    constexpr std::size_t bytes = Sizes<P>::z_poly;
    detail::SeedsX4<66> seeds(rho_second);
    detail::BuffersX4<bytes> buffers;
    detail::in_fours(P::l, [&](std::size_t first, std::size_t count) {
        for (std::size_t lane = 0; lane < count; ++lane) seeds.nonce(lane, (kappa + first + lane) & 0xff, (kappa + first + lane) >> 8);
        typename X::Xof256X4 xof;
        xof.absorb(seeds.views());
        xof.squeeze(buffers.prefix(bytes));
        for (std::size_t lane = 0; lane < count; ++lane) {
            unpack_z<P>(std::span<const std::uint8_t, bytes>(buffers.bytes[lane]), y[first + lane]);
        }
    });
}

/// Algorithm 29: tau coefficients of +-1, the others 0. `c_tilde` is public.
template <class P, class X>
void sample_in_ball(std::span<const std::uint8_t, Sizes<P>::c_tilde> c_tilde, Poly& c) {
    typename X::Xof256 xof;
    xof.absorb(c_tilde);
    std::array<std::uint8_t, X::Xof256::kRate> block{};
    std::size_t at = block.size();
    const auto next = [&] {
        if (at == block.size()) {
            xof.squeeze(block);
            at = 0;
        }
        return block[at++];
    };
    std::uint64_t signs = 0;
    for (unsigned i = 0; i < 8; ++i) signs |= static_cast<std::uint64_t>(next()) << (8 * i);
    c = Poly{};
    for (std::size_t i = n - P::tau; i < n; ++i) {
        std::size_t j = next();
        while (j > i) j = next();
        c[i] = c[j];
        c[j] = 1 - 2 * static_cast<std::int32_t>(signs & 1U);
        signs >>= 1;
    }
}

}  // namespace postern::mldsa
