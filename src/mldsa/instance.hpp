#pragma once

// ML-DSA itself, written once: key generation, signing and verification for a parameter set P and a XOF family X.

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "mldsa/engine.hpp"
#include "mldsa/packing.hpp"
#include "mldsa/sampling.hpp"

namespace postern::mldsa::detail {

/// Where the parts of an expanded private key lie (algorithm 24).
template <class P>
struct PrivateLayout {
    using S = Sizes<P>;
    static constexpr std::size_t rho = 0, key = 32, tr = 64, s1 = tr + tr_bytes, s2 = s1 + P::l * S::eta_poly, t0 = s2 + P::k * S::eta_poly;
};

template <class P>
std::span<const std::uint8_t, Sizes<P>::eta_poly> eta_part(ByteView sk, std::size_t i) {
    return std::span<const std::uint8_t, Sizes<P>::eta_poly>(sk.subspan(PrivateLayout<P>::s1 + i * Sizes<P>::eta_poly, Sizes<P>::eta_poly));
}

/// The polynomials of one signature attempt; all of it is wiped when signing ends.
template <class P>
struct SignWorkspace {
    std::array<Poly, P::l> y, y_hat, z;
    std::array<Poly, P::k> w, h;
    Poly c_hat, r0, product;
    std::array<std::uint8_t, P::k * Sizes<P>::w1_poly> w1;
    std::array<std::uint8_t, 64> rho_second;
    std::array<std::uint8_t, 32> rnd;
};

template <class P, class X>
class Instance final : public Engine {
    using S = Sizes<P>;
    using L = PrivateLayout<P>;

  public:
    /// Algorithm 6.
    void keygen(std::span<const std::uint8_t, seed_bytes> xi, std::span<std::uint8_t> pk, std::span<std::uint8_t> sk) const override {
        std::array<std::uint8_t, seed_bytes> seed{};
        std::copy(xi.begin(), xi.end(), seed.begin());
        mark_secret(seed.data(), seed.size());
        std::array<std::uint8_t, 128> expanded{};
        const WipeGuard wipe_seed(seed);
        const WipeGuard wipe_expanded(expanded);
        constexpr std::array<std::uint8_t, 2> dimensions{P::k, P::l};
        hash_h<X>({seed, dimensions}, expanded);
        const std::span<const std::uint8_t, 128> parts(expanded);
        declassify(expanded.data(), seed_bytes);  // rho is half of the public key

        SecretPolyVec s(P::k + P::l);
        expand_s<P, X>(parts.template subspan<32, 64>(), std::span<Poly, P::k + P::l>(s));
        std::copy_n(expanded.begin(), seed_bytes, sk.begin());
        std::copy_n(expanded.begin() + 96, seed_bytes, sk.begin() + L::key);
        for (std::size_t i = 0; i < s.size(); ++i)
            pack_eta<P>(s[i], sk.subspan(L::s1).subspan(i * S::eta_poly).template first<S::eta_poly>());
        derive_public(parts.template first<32>(), s, pk, sk.subspan(L::t0));
        const KeyHash tr = hash_public_key(pk);
        std::copy(tr.bytes().begin(), tr.bytes().end(), sk.begin() + L::tr);
    }

    KeyHash hash_public_key(ByteView pk) const override {
        std::array<std::uint8_t, tr_bytes> tr{};
        hash_h<X>({pk}, tr);
        return KeyHash(tr);
    }

    std::unique_ptr<MuState> start_mu(const KeyHash& tr) const override {
        struct State final : MuState {
            typename X::Xof256 xof;
            void absorb(ByteView bytes) override { xof.absorb(bytes); }
            Mu finish() override {
                std::array<std::uint8_t, mu_bytes> out{};
                xof.squeeze(out);
                return Mu(out);
            }
        };
        auto state = std::make_unique<State>();
        state->absorb(tr.bytes());
        return state;
    }

    Status check_range(ByteView sk) const override {
        Poly s;
        const WipeGuard wipe(s);
        for (std::size_t i = 0; i < P::l + P::k; ++i) {
            unpack_eta<P>(eta_part<P>(sk, i), s);
            if (!norm_below(s, P::eta + 1)) {
                return Error{"private key: a coefficient of " + (i < P::l ? "s1[" + std::to_string(i) : "s2[" + std::to_string(i - P::l)) +
                             "] is outside -" + std::to_string(P::eta) + ".." + std::to_string(P::eta)};
            }
        }
        return ok();
    }

    void recompute(ByteView sk, std::span<std::uint8_t> pk, SecureBytes& t0) const override {
        SecretPolyVec s(P::k + P::l);
        for (std::size_t i = 0; i < s.size(); ++i) unpack_eta<P>(eta_part<P>(sk, i), s[i]);
        t0.resize(P::k * S::t0_poly);
        derive_public(std::span<const std::uint8_t, seed_bytes>(sk.first(seed_bytes)), s, pk, t0);
    }

    PublicExpansion expand_public(ByteView pk) const override {
        PublicExpansion e;
        e.a_hat.resize(P::k * P::l);
        e.t1_hat.resize(P::k);
        expand_a<P, X>(std::span<const std::uint8_t, seed_bytes>(pk.first(seed_bytes)), std::span<Poly, P::k * P::l>(e.a_hat));
        for (std::size_t i = 0; i < P::k; ++i) {
            Poly& t = e.t1_hat[i];
            unpack_t1<P>(pk.subspan(seed_bytes + i * S::t1_poly).template first<S::t1_poly>(), t);
            for (auto& x : t.c) x <<= d;
            ntt(t);
            reduce(t);
        }
        const KeyHash tr = hash_public_key(pk);
        std::copy(tr.bytes().begin(), tr.bytes().end(), e.tr.begin());
        return e;
    }

    PrivateExpansion expand_private(ByteView sk) const override {
        PrivateExpansion e;
        e.a_hat.resize(P::k * P::l);
        e.s1_hat.resize(P::l);
        e.s2_hat.resize(P::k);
        e.t0_hat.resize(P::k);
        expand_a<P, X>(std::span<const std::uint8_t, seed_bytes>(sk.first(seed_bytes)), std::span<Poly, P::k * P::l>(e.a_hat));
        std::copy_n(sk.begin() + L::key, e.key.size(), e.key.begin());
        std::copy_n(sk.begin() + L::tr, e.tr.size(), e.tr.begin());
        mark_secret(e.key.data(), e.key.size());
        const auto keep = [](Poly& f) {
            mark_secret(&f, sizeof f);
            ntt(f);
            reduce(f);
        };
        for (std::size_t i = 0; i < P::l; ++i) {
            unpack_eta<P>(eta_part<P>(sk, i), e.s1_hat[i]);
            keep(e.s1_hat[i]);
        }
        for (std::size_t i = 0; i < P::k; ++i) {
            unpack_eta<P>(eta_part<P>(sk, P::l + i), e.s2_hat[i]);
            keep(e.s2_hat[i]);
            unpack_t0<P>(sk.subspan(L::t0 + i * S::t0_poly).template first<S::t0_poly>(), e.t0_hat[i]);
            keep(e.t0_hat[i]);
        }
        return e;
    }

    /// Algorithm 7 from mu on.
    void sign(const PrivateExpansion& key, const Mu& mu, const Randomness& rnd, std::span<std::uint8_t> signature) const override {
        SignWorkspace<P> ws;
        const WipeGuard wipe(ws);
        std::copy(rnd.bytes().begin(), rnd.bytes().end(), ws.rnd.begin());
        mark_secret(ws.rnd.data(), ws.rnd.size());
        hash_h<X>({key.key, ws.rnd, mu.bytes()}, ws.rho_second);
        // The counter has 16 bits; the chance of running out of it is below 2^-4000.
        for (std::size_t kappa = 0; kappa + P::l <= 0x10000; kappa += P::l) {
            if (attempt(key, mu, kappa, ws, signature)) return;
        }
        throw std::runtime_error("ML-DSA signing did not succeed");
    }

    Verdict precheck(ByteView signature) const override {
        Decoded parts;
        return decode(signature, parts);
    }

    /// Algorithm 8 from mu on.
    Verdict verify(const PublicExpansion& key, const Mu& mu, ByteView signature) const override {
        Decoded parts;
        if (Verdict v = decode(signature, parts); !v) return v;
        const auto c_tilde = signature.template first<S::c_tilde>();
        Poly c_hat;
        sample_in_ball<P, X>(c_tilde, c_hat);
        ntt(c_hat);
        for (auto& z : parts.z) ntt(z);
        std::array<std::uint8_t, P::k * S::w1_poly> w1;
        for (std::size_t i = 0; i < P::k; ++i) {
            Poly w = multiply_accumulate_minus(std::span(key.a_hat).subspan(i * P::l, P::l), parts.z, c_hat, key.t1_hat[i]);
            inverse_ntt_montgomery(w);
            for (std::size_t j = 0; j < n; ++j) {
                w[j] = use_hint<P::gamma2>(static_cast<std::uint32_t>(parts.h[i][j]), to_canonical(w[j]));
            }
            pack_w1<P>(w, w1_part(w1, i));
        }
        std::array<std::uint8_t, S::c_tilde> expected{};
        hash_h<X>({mu.bytes(), w1}, expected);
        if (!std::equal(expected.begin(), expected.end(), c_tilde.begin())) return {false, "commitment hash differs"};
        return {true, {}};
    }

    Result<SignatureParts> inspect(ByteView signature) const override {
        Decoded parts;
        if (Verdict v = decode(signature, parts, false); !v) return Error{v.reason};
        SignatureParts out;
        out.c_tilde.assign(signature.begin(), signature.begin() + S::c_tilde);
        out.z_bound = P::gamma1 - S::beta;
        for (const auto& z : parts.z) {
            for (const auto x : z.c) out.z_norm = std::max(out.z_norm, absolute(x));
        }
        for (const auto& h : parts.h) out.hint_counts.push_back(static_cast<std::size_t>(std::count(h.c.begin(), h.c.end(), 1)));
        return out;
    }

  private:
    struct Decoded {
        std::array<Poly, P::l> z;
        std::array<Poly, P::k> h;
    };

    /// Algorithm 27 with the norm check; everything here is public.
    static Verdict decode(ByteView signature, Decoded& parts, bool check_norm = true) {
        if (signature.size() != S::signature) {
            return {false, "signature is " + std::to_string(signature.size()) + " bytes, expected " + std::to_string(S::signature)};
        }
        const HintFault fault = unpack_hint<P>(signature.template last<S::hint>(), std::span<Poly, P::k>(parts.h));
        if (fault != HintFault::none) return {false, describe(fault)};
        for (std::size_t i = 0; i < P::l; ++i) {
            unpack_z<P>(signature.subspan(S::c_tilde + i * S::z_poly).template first<S::z_poly>(), parts.z[i]);
            if (check_norm && !norm_below(parts.z[i], P::gamma1 - S::beta)) {
                return {false, "norm of z too large (must be below " + std::to_string(P::gamma1 - S::beta) + ")"};
            }
        }
        return {true, {}};
    }

    static std::span<std::uint8_t, S::w1_poly> w1_part(std::span<std::uint8_t, P::k * S::w1_poly> w1, std::size_t i) {
        return w1.subspan(i * S::w1_poly).template first<S::w1_poly>();
    }

    /// t = A s1 + s2, split: t1 goes to the public key with rho, t0 to `t0`. `s` is used up.
    static void derive_public(std::span<const std::uint8_t, seed_bytes> rho, SecretPolyVec& s, std::span<std::uint8_t> pk,
                              std::span<std::uint8_t> t0) {
        PolyVec a_hat(P::k * P::l);
        expand_a<P, X>(rho, std::span<Poly, P::k * P::l>(a_hat));
        for (std::size_t j = 0; j < P::l; ++j) ntt(s[j]);
        std::copy(rho.begin(), rho.end(), pk.begin());
        Poly t, low;
        const WipeGuard wipe_t(t);
        const WipeGuard wipe_low(low);
        for (std::size_t i = 0; i < P::k; ++i) {
            t = multiply_accumulate(std::span(a_hat).subspan(i * P::l, P::l), std::span(s).first(P::l));
            inverse_ntt_montgomery(t);
            for (std::size_t j = 0; j < n; ++j) t[j] += s[P::l + i][j];
            reduce(t);
            for (std::size_t j = 0; j < n; ++j) {
                const Rounded parts = power2round(t[j]);
                t[j] = parts.high;
                low[j] = parts.low;
            }
            declassify(&t, sizeof t);  // t1 is the other half of the public key
            pack_t1<P>(t, pk.subspan(seed_bytes + i * S::t1_poly).template first<S::t1_poly>());
            pack_t0<P>(low, t0.subspan(i * S::t0_poly).template first<S::t0_poly>());
        }
    }

    /// One round of the rejection loop. The checks come in the order that rejects soonest: r0, then z, then the hint.
    static bool attempt(const PrivateExpansion& key, const Mu& mu, std::size_t kappa, SignWorkspace<P>& ws,
                        std::span<std::uint8_t> signature) {
        expand_mask<P, X>(ws.rho_second, kappa, std::span<Poly, P::l>(ws.y));
        ws.y_hat = ws.y;
        for (auto& y : ws.y_hat) ntt(y);
        for (std::size_t i = 0; i < P::k; ++i) {
            ws.w[i] = multiply_accumulate(std::span(key.a_hat).subspan(i * P::l, P::l), ws.y_hat);
            inverse_ntt_montgomery(ws.w[i]);
            to_canonical(ws.w[i]);
            for (std::size_t j = 0; j < n; ++j) ws.product[j] = high_bits<P::gamma2>(ws.w[i][j]);
            pack_w1<P>(ws.product, w1_part(ws.w1, i));
        }
        std::array<std::uint8_t, S::c_tilde> c_tilde{};
        hash_h<X>({mu.bytes(), ws.w1}, c_tilde);
        // The challenge is public even where the attempt is rejected: it is the output of H, modelled as a random oracle.
        declassify(c_tilde.data(), c_tilde.size());
        sample_in_ball<P, X>(c_tilde, ws.c_hat);
        ntt(ws.c_hat);

        for (std::size_t i = 0; i < P::k; ++i) {
            multiply_by_c(ws, key.s2_hat[i]);
            for (std::size_t j = 0; j < n; ++j) {
                ws.w[i][j] = to_canonical(ws.w[i][j] - to_canonical(ws.product[j]));  // w - c s2
                ws.r0[j] = low_bits<P::gamma2>(ws.w[i][j]);
            }
            if (!norm_below(ws.r0, P::gamma2 - S::beta)) return false;
        }
        for (std::size_t i = 0; i < P::l; ++i) {
            multiply_by_c(ws, key.s1_hat[i]);
            to_centred(ws.product);
            for (std::size_t j = 0; j < n; ++j) ws.z[i][j] = ws.y[i][j] + ws.product[j];
            if (!norm_below(ws.z[i], P::gamma1 - S::beta)) return false;
        }
        std::uint32_t ones = 0;
        for (std::size_t i = 0; i < P::k; ++i) {
            multiply_by_c(ws, key.t0_hat[i]);
            to_centred(ws.product);
            if (!norm_below(ws.product, P::gamma2)) return false;
            for (std::size_t j = 0; j < n; ++j) {
                const std::int32_t r = ws.w[i][j];
                const std::int32_t sum = to_canonical(r + ws.product[j]);  // in (-q, 2 q) before
                const std::uint32_t bit = make_hint<P::gamma2>(r, sum - (q & ~sign_mask(sum - q)));
                ws.h[i][j] = static_cast<std::int32_t>(bit);
                ones += bit;
            }
        }
        if (declassify(value_barrier(ones)) > P::omega) return false;

        // All checks passed: from here on everything is part of the signature.
        declassify(&ws.z, sizeof ws.z);
        declassify(&ws.h, sizeof ws.h);
        std::copy(c_tilde.begin(), c_tilde.end(), signature.begin());
        for (std::size_t i = 0; i < P::l; ++i)
            pack_z<P>(ws.z[i], signature.subspan(S::c_tilde + i * S::z_poly).template first<S::z_poly>());
        pack_hint<P>(std::span<const Poly, P::k>(ws.h), signature.template last<S::hint>());
        return true;
    }

    static void multiply_by_c(SignWorkspace<P>& ws, const Poly& s_hat) {
        ws.product = multiply(ws.c_hat, s_hat);
        inverse_ntt_montgomery(ws.product);
    }
};

/// The engines of one XOF family, one for each parameter set. Each family is instantiated in a source file of its own.
template <class X>
const Engine& engine_of_family(ParameterSet set) {
    static const Instance<MlDsa44, X> ml_dsa_44;
    static const Instance<MlDsa65, X> ml_dsa_65;
    static const Instance<MlDsa87, X> ml_dsa_87;
    switch (set) {
        case ParameterSet::ml_dsa_44:
            return ml_dsa_44;
        case ParameterSet::ml_dsa_65:
            return ml_dsa_65;
        case ParameterSet::ml_dsa_87:
            return ml_dsa_87;
    }
    throw std::invalid_argument("no such parameter set");
}

}  // namespace postern::mldsa::detail
