#pragma once

// One attempt at a signature (FIPS 204 algorithm 7, lines 11 to 28), for a signer of one message and for one of many.

#include <algorithm>
#include <array>
#include <bit>

#include "mldsa/expansion.hpp"
#include "mldsa/packing.hpp"
#include "mldsa/sampling.hpp"

namespace postern::mldsa::detail {

/// What one message needs while it is signed. Secret; whoever owns it wipes it.
template <class P>
struct SignLane {
    using S = Sizes<P>;
    std::array<Poly, P::l> y_or_z;  ///< NTT(y), then z
    std::array<Poly, P::k> w;
    Poly product;
    ShiftScratch scratch;
    alignas(32) std::array<std::uint8_t, n> high;
    std::array<std::uint8_t, P::k * S::w1_poly> w1;
    std::array<std::array<std::uint8_t, n / 8>, P::k> hints;
    std::array<std::uint8_t, S::c_tilde> c_tilde;
    Challenge<P> c;
};

/// w = A y and its encoded high bits.
template <class P>
void commit(SignLane<P>& lane, const PrivateExpansion& key, const Poly* y) {
    const auto& kernel = kernels<P>();
    for (std::size_t i = 0; i < P::l; ++i) {
        lane.y_or_z[i] = y[i];
        kernel.ntt(lane.y_or_z[i].c.data());
    }
    for (std::size_t i = 0; i < P::k; ++i) {
        std::int32_t* w = lane.w[i].c.data();
        kernel.accumulate(w, key.a_hat[i * P::l].c.data(), lane.y_or_z[0].c.data(), P::l, nullptr, nullptr);
        kernel.inverse_ntt(w);
        kernel.high_bits(w, lane.high.data());
        kernel.pack_w1(lane.high.data(), lane.w1.data() + i * Sizes<P>::w1_poly);
    }
}

/// The answer to the challenge lane.c. The checks come in the order that rejects soonest: r0, then z, then the hint.
/// False if one fails; else the signature is written.
template <class P>
bool respond(SignLane<P>& lane, const PrivateExpansion& key, const Poly* y, std::uint8_t* signature) {
    using S = Sizes<P>;
    const auto& kernel = kernels<P>();
    const std::uint16_t* offsets = lane.c.offsets.data();
    // Which polynomial is out of its bound says nothing of the key, as the attempt is thrown away.
    for (std::size_t i = 0; i < P::k; ++i) {
        const std::uint32_t exceeds = kernel.subtract_and_check(lane.w[i].c.data(), key.s2[i].s.data(), offsets, lane.scratch);
        if (declassify(value_barrier(exceeds)) != 0) return false;
    }
    for (std::size_t i = 0; i < P::l; ++i) {
        const std::uint32_t exceeds =
            kernel.mask_and_check(lane.y_or_z[i].c.data(), y[i].c.data(), key.s1[i].s.data(), offsets, lane.scratch);
        if (declassify(value_barrier(exceeds)) != 0) return false;
    }
    Poly c_hat = lane.c.dense();
    kernel.ntt(c_hat.c.data());
    std::uint32_t ones = 0;
    for (std::size_t i = 0; i < P::k; ++i) {
        kernel.accumulate(lane.product.c.data(), key.t0_hat[i].c.data(), c_hat.c.data(), 1, nullptr, nullptr);
        kernel.inverse_ntt(lane.product.c.data());
        const std::uint32_t exceeds = kernel.make_hints(lane.w[i].c.data(), lane.product.c.data(), lane.hints[i].data(), ones);
        if (declassify(value_barrier(exceeds)) != 0) return false;
    }
    if (declassify(value_barrier(ones)) > P::omega) return false;

    // All checks passed: from here on everything is part of the signature.
    declassify(&lane.y_or_z, sizeof lane.y_or_z);
    declassify(&lane.hints, sizeof lane.hints);
    std::copy(lane.c_tilde.begin(), lane.c_tilde.end(), signature);
    for (std::size_t i = 0; i < P::l; ++i) kernel.pack_z(lane.y_or_z[i].c.data(), signature + S::c_tilde + i * S::z_poly);
    // Algorithm 20, HintBitPack.
    std::uint8_t* out = signature + S::signature - S::hint;
    std::fill_n(out, S::hint, std::uint8_t{0});
    std::size_t index = 0;
    for (std::size_t i = 0; i < P::k; ++i) {
        for (std::size_t byte = 0; byte < n / 8; ++byte) {
            for (unsigned bits = lane.hints[i][byte]; bits != 0; bits &= bits - 1)
                out[index++] = static_cast<std::uint8_t>(8 * byte + static_cast<std::size_t>(std::countr_zero(bits)));
        }
        out[P::omega + i] = static_cast<std::uint8_t>(index);
    }
    return true;
}

/// Signs one message, from the counter `kappa` on.
template <class P, class X>
void sign_from(SignLane<P>& lane, const PrivateExpansion& key, const Mu& mu, std::span<const std::uint8_t, 64> rho_second,
               std::size_t kappa, std::uint8_t* signature) {
    MaskStream<P, X> masks(rho_second, kappa);
    // The counter has 16 bits; the chance of running out of it is below 2^-4000.
    for (; kappa + P::l <= 0x10000; kappa += P::l) {
        const Poly* y = masks.next();
        commit<P>(lane, key, y);
        hash_h<X>({mu.bytes(), lane.w1}, lane.c_tilde);
        // The challenge is public even where the attempt is rejected: it is the output of H, modelled as a random oracle.
        declassify(lane.c_tilde.data(), lane.c_tilde.size());
        sample_in_ball<P, X>(lane.c_tilde, lane.c);
        if (respond<P>(lane, key, y, signature)) return;
    }
    throw std::runtime_error("ML-DSA signing did not succeed");
}

}  // namespace postern::mldsa::detail
