#pragma once

// The steps of verification (FIPS 204 algorithms 8 and 27) behind which only hashing is left. Everything here is public.

#include <algorithm>
#include <array>
#include <string>

#include "mldsa/engine.hpp"
#include "mldsa/kernels.hpp"
#include "mldsa/packing.hpp"

namespace postern::mldsa::detail {

/// The indices of the hints, polynomial by polynomial: those of i are index[end[i - 1]] .. index[end[i] - 1].
template <class P>
struct HintIndices {
    std::array<std::uint8_t, P::omega> index;
    std::array<std::uint8_t, P::k> end;
};

template <class P>
Verdict check_length(ByteView signature) {
    if (signature.size() == Sizes<P>::signature) return {true, {}};
    return {false, "signature is " + std::to_string(signature.size()) + " bytes, expected " + std::to_string(Sizes<P>::signature)};
}

/// Length, hint encoding, then z with its norm: in that order, so that what fails is found before anything is hashed.
/// The polynomials of z are left in `z`.
template <class P>
Verdict decode_signature(ByteView signature, std::span<Poly, P::l> z, HintIndices<P>& hints, bool check_norm = true) {
    using S = Sizes<P>;
    if (Verdict v = check_length<P>(signature); !v) return v;
    const auto encoded = signature.template last<S::hint>();
    if (const HintFault fault = check_hint<P>(encoded); fault != HintFault::none) return {false, describe(fault)};
    std::copy_n(encoded.begin(), P::omega, hints.index.begin());
    std::copy_n(encoded.begin() + P::omega, P::k, hints.end.begin());
    const auto& kernel = kernels<P>();
    for (std::size_t i = 0; i < P::l; ++i) {
        // What the kernel reads behind the last polynomial is the hint.
        static_assert(S::hint >= kernel_slack);
        kernel.unpack_z(signature.data() + S::c_tilde + i * S::z_poly, z[i].c.data());
        if (check_norm && kernel.norm(z[i].c.data(), P::gamma1 - S::beta) != 0)
            return {false, "norm of z too large (must be below " + std::to_string(P::gamma1 - S::beta) + ")"};
    }
    return {true, {}};
}

/// Row i of w1' = UseHint(h, A z - c t1 2^d), encoded. `z_hat` and `c_hat` are in NTT form.
template <class P>
void commitment_row(std::size_t i, const Poly* a_row, const Poly* z_hat, const Poly& c_hat, const Poly& t1_hat, const HintIndices<P>& hints,
                    std::uint8_t* w1) {
    const auto& kernel = kernels<P>();
    Poly w;
    alignas(32) std::array<std::uint8_t, n> high;
    kernel.accumulate(w.c.data(), a_row->c.data(), z_hat->c.data(), P::l, c_hat.c.data(), t1_hat.c.data());
    kernel.inverse_ntt(w.c.data());
    kernel.high_bits(w.c.data(), high.data());
    for (std::size_t at = i == 0 ? 0 : hints.end[i - 1]; at < hints.end[i]; ++at) {
        const std::size_t j = hints.index[at];
        high[j] = static_cast<std::uint8_t>(use_hint<P::gamma2>(1, w[j]));
    }
    kernel.pack_w1(high.data(), w1 + i * Sizes<P>::w1_poly);
}

/// t1 of the encoded public key in NTT form, times 2^d, canonical.
template <class P>
void unpack_t1_hat(ByteView pk, std::size_t i, Poly& t) {
    using S = Sizes<P>;
    // The last one ends with the key: a copy has room for what the kernel reads behind it.
    std::array<std::uint8_t, S::t1_poly + kernel_slack> encoded{};
    std::copy_n(pk.begin() + static_cast<std::ptrdiff_t>(seed_bytes + i * S::t1_poly), S::t1_poly, encoded.begin());
    const auto& kernel = kernels<P>();
    kernel.unpack_t1(encoded.data(), t.c.data());
    for (auto& x : t.c) x <<= d;
    kernel.ntt(t.c.data());
    kernel.reduce(t.c.data());
}

inline Verdict verdict_of(bool same) { return same ? Verdict{true, {}} : Verdict{false, "commitment hash differs"}; }

}  // namespace postern::mldsa::detail
