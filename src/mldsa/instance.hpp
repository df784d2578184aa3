#pragma once

// ML-DSA itself, written once: key generation, signing and verification for a parameter set P and a XOF family X.

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include "mldsa/batch.hpp"
#include "mldsa/engine.hpp"
#include "mldsa/packing.hpp"
#include "mldsa/sampling.hpp"
#include "mldsa/signing.hpp"
#include "mldsa/verifying.hpp"

namespace postern::mldsa::detail {

/// Where the parts of an expanded private key lie (algorithm 24).
template <class P>
struct PrivateLayout {
    using S = Sizes<P>;
    static constexpr std::size_t rho = 0, key = 32, tr = 64, s1 = tr + tr_bytes, s2 = s1 + P::l * S::eta_poly, t0 = s2 + P::k * S::eta_poly;
    static_assert(P::k * S::t0_poly >= kernel_slack);  // what kernels read behind s2
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

        std::array<Poly, P::k + P::l> s;
        const WipeGuard wipe_s(s);
        expand_s<P, X>(parts.template subspan<32, 64>(), std::span<Poly, P::k + P::l>(s));
        std::copy_n(expanded.begin(), seed_bytes, sk.begin());
        std::copy_n(expanded.begin() + 96, seed_bytes, sk.begin() + L::key);
        for (std::size_t i = 0; i < s.size(); ++i) kernels<P>().pack_eta(s[i].c.data(), sk.data() + L::s1 + i * S::eta_poly);
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

    void hash_mus(std::span<const MuInput> inputs, std::span<Mu> out) const override {
        std::size_t i = 0;
        while (i < inputs.size()) {
            std::array<std::array<std::uint8_t, mu_bytes>, 4> mu;
            const MuInput& a = inputs[i];
            const auto alike = [&](const MuInput& b) {
                return a.head.size() == b.head.size() && a.context.size() == b.context.size() && a.message.size() == b.message.size();
            };
            if (i + 4 <= inputs.size() && alike(inputs[i + 1]) && alike(inputs[i + 2]) && alike(inputs[i + 3])) {
                typename X::Xof256X4 xof;
                const auto absorb = [&](ByteView MuInput::*part) {
                    xof.absorb({a.*part, inputs[i + 1].*part, inputs[i + 2].*part, inputs[i + 3].*part});
                };
                absorb(&MuInput::tr);
                absorb(&MuInput::head);
                absorb(&MuInput::context);
                absorb(&MuInput::message);
                xof.squeeze({mu[0], mu[1], mu[2], mu[3]});
                for (const auto& bytes : mu) out[i++] = Mu(bytes);
            } else {
                hash_h<X>({a.tr, a.head, a.context, a.message}, mu[0]);
                out[i++] = Mu(mu[0]);
            }
        }
    }

    Status check_range(ByteView sk) const override {
        Poly s;
        const WipeGuard wipe(s);
        for (std::size_t i = 0; i < P::l + P::k; ++i) {
            unpack_eta(sk, i, s);
            if (declassify(value_barrier(kernels<P>().norm(s.c.data(), P::eta + 1))) != 0) {
                return Error{"private key: a coefficient of " + (i < P::l ? "s1[" + std::to_string(i) : "s2[" + std::to_string(i - P::l)) +
                             "] is outside -" + std::to_string(P::eta) + ".." + std::to_string(P::eta)};
            }
        }
        return ok();
    }

    void recompute(ByteView sk, std::span<std::uint8_t> pk, SecureBytes& t0) const override {
        std::array<Poly, P::k + P::l> s;
        const WipeGuard wipe(s);
        for (std::size_t i = 0; i < s.size(); ++i) unpack_eta(sk, i, s[i]);
        t0.resize(P::k * S::t0_poly);
        derive_public(std::span<const std::uint8_t, seed_bytes>(sk.first(seed_bytes)), s, pk, t0);
    }

    PublicExpansion expand_public(ByteView pk) const override {
        PublicExpansion e;
        e.a_hat.resize(P::k * P::l);
        e.t1_hat.resize(P::k);
        expand_a<P, X>(rho_of(pk), std::span<Poly, P::k * P::l>(e.a_hat));
        for (std::size_t i = 0; i < P::k; ++i) unpack_t1_hat<P>(pk, i, e.t1_hat[i]);
        const KeyHash tr = hash_public_key(pk);
        std::copy(tr.bytes().begin(), tr.bytes().end(), e.tr.begin());
        return e;
    }

    PrivateExpansion expand_private(ByteView sk) const override {
        PrivateExpansion e;
        e.a_hat.resize(P::k * P::l);
        e.s1.resize(P::l);
        e.s2.resize(P::k);
        e.t0_hat.resize(P::k);
        expand_a<P, X>(rho_of(sk), std::span<Poly, P::k * P::l>(e.a_hat));
        std::copy_n(sk.begin() + L::key, e.key.size(), e.key.begin());
        std::copy_n(sk.begin() + L::tr, e.tr.size(), e.tr.begin());
        mark_secret(e.key.data(), e.key.size());
        Poly s;
        const WipeGuard wipe_s(s);
        const auto keep = [&](std::size_t i, ShiftedSecret& out) {
            unpack_eta(sk, i, s);
            mark_secret(&s, sizeof s);
            for (std::size_t j = 0; j < n; ++j) {
                out.s[n + j] = static_cast<std::int8_t>(s[j]);
                out.s[j] = out.s[2 * n + j] = static_cast<std::int8_t>(-s[j]);
            }
        };
        for (std::size_t i = 0; i < P::l; ++i) keep(i, e.s1[i]);
        for (std::size_t i = 0; i < P::k; ++i) keep(P::l + i, e.s2[i]);
        std::array<std::uint8_t, S::t0_poly + kernel_slack> encoded{};
        const WipeGuard wipe_encoded(encoded);
        for (std::size_t i = 0; i < P::k; ++i) {
            // The last one ends with the key: a copy has room for what the kernel reads behind it.
            std::copy_n(sk.begin() + static_cast<std::ptrdiff_t>(L::t0 + i * S::t0_poly), S::t0_poly, encoded.begin());
            std::int32_t* t0 = e.t0_hat[i].c.data();
            kernels<P>().unpack_t0(encoded.data(), t0);
            mark_secret(t0, sizeof e.t0_hat[i]);
            kernels<P>().ntt(t0);
            kernels<P>().reduce(t0);
        }
        return e;
    }

    /// Algorithm 7 from mu on.
    void sign(const PrivateExpansion& key, const Mu& mu, const Randomness& rnd, std::span<std::uint8_t> signature) const override {
        struct Workspace {
            SignLane<P> lane;
            std::array<std::uint8_t, 64> rho_second;
            std::array<std::uint8_t, 32> rnd;
        } ws;
        const WipeGuard wipe(ws);
        std::copy(rnd.bytes().begin(), rnd.bytes().end(), ws.rnd.begin());
        mark_secret(ws.rnd.data(), ws.rnd.size());
        hash_h<X>({key.key, ws.rnd, mu.bytes()}, ws.rho_second);
        sign_from<P, X>(ws.lane, key, mu, ws.rho_second, 0, signature.data());
    }

    void sign_batch(const PrivateExpansion& key, std::span<const Mu> mu, std::span<const Randomness> rnd,
                    std::span<const std::span<std::uint8_t>> signatures) const override {
        BatchSigner<P, X>(key, mu, rnd, signatures).run();
    }

    Verdict precheck(ByteView signature) const override {
        std::array<Poly, P::l> z;
        HintIndices<P> hints;
        return decode_signature<P>(signature, std::span<Poly, P::l>(z), hints);
    }

    /// Algorithm 8 from mu on.
    Verdict verify(const PublicExpansion& key, const Mu& mu, ByteView signature) const override {
        Commitment w1;
        if (Verdict v = recompute_commitment(signature, nullptr, rows_of(key), w1); !v) return v;
        return compare(mu, w1, signature);
    }
    Verdict verify(const PublicExpansion& key, const MuInput& message, ByteView signature) const override {
        Commitment w1;
        if (Verdict v = recompute_commitment(signature, nullptr, rows_of(key), w1); !v) return v;
        return compare(hash_one_mu(message), w1, signature);
    }

    Verdict verify_wire(ByteView pk, const Mu& mu, ByteView signature) const override {
        std::optional<MatrixRows<P, X>> rows;
        Poly t1_hat;
        Commitment w1;
        const auto row = [&](std::size_t i) {
            if (i == 0) rows.emplace(rho_of(pk));
            unpack_t1_hat<P>(pk, i, t1_hat);
            return std::pair{rows->next(), static_cast<const Poly*>(&t1_hat)};
        };
        if (Verdict v = recompute_commitment(signature, nullptr, row, w1); !v) return v;
        return compare(mu, w1, signature);
    }

    void verify_batch(std::span<const PublicExpansion* const> keys, std::span<const MuInput> messages, std::span<const ByteView> signatures,
                      std::span<Verdict> verdicts) const override {
        std::size_t i = 0;
        while (i < keys.size()) {
            // The next four of the right length; what is left over at the end goes one by one.
            std::array<std::size_t, 4> four{};
            std::size_t count = 0;
            for (; i < keys.size() && count < 4; ++i) {
                verdicts[i] = check_length<P>(signatures[i]);
                if (verdicts[i]) four[count++] = i;
            }
            if (count == 4) {
                verify_four(four, keys, messages, signatures, verdicts);
                continue;
            }
            for (std::size_t s = 0; s < count; ++s) verdicts[four[s]] = verify(*keys[four[s]], messages[four[s]], signatures[four[s]]);
        }
    }

    Result<SignatureParts> inspect(ByteView signature) const override {
        std::array<Poly, P::l> z;
        HintIndices<P> hints;
        if (Verdict v = decode_signature<P>(signature, std::span<Poly, P::l>(z), hints, false); !v) return Error{v.reason};
        SignatureParts out;
        out.c_tilde.assign(signature.begin(), signature.begin() + S::c_tilde);
        out.z_bound = P::gamma1 - S::beta;
        for (const auto& f : z) {
            for (const auto x : f.c) out.z_norm = std::max(out.z_norm, absolute(x));
        }
        std::size_t before = 0;
        for (const std::size_t end : hints.end) {
            out.hint_counts.push_back(end - before);
            before = end;
        }
        return out;
    }

  private:
    using Commitment = std::array<std::uint8_t, P::k * S::w1_poly>;

    static std::span<const std::uint8_t, seed_bytes> rho_of(ByteView key) { return key.first<seed_bytes>(); }
    /// Polynomial i of s1 and s2 together. What kernels read behind the last one is t0.
    static void unpack_eta(ByteView sk, std::size_t i, Poly& s) {
        kernels<P>().unpack_eta(sk.data() + L::s1 + i * S::eta_poly, s.c.data());
    }

    /// w1' of a signature that passes every check before the hash. `row(i)` gives row i of A and t1_hat[i]; the challenge is drawn
    /// here unless it is given.
    template <class Row>
    static Verdict recompute_commitment(ByteView signature, const Challenge<P>* given, Row row, Commitment& w1) {
        std::array<Poly, P::l> z;
        HintIndices<P> hints;
        if (Verdict v = decode_signature<P>(signature, std::span<Poly, P::l>(z), hints); !v) return v;
        Challenge<P> drawn;
        if (given == nullptr) {
            sample_in_ball<P, X>(signature.template first<S::c_tilde>(), drawn);
            given = &drawn;
        }
        Poly c_hat = given->dense();
        kernels<P>().ntt(c_hat.c.data());
        for (auto& f : z) kernels<P>().ntt(f.c.data());
        for (std::size_t i = 0; i < P::k; ++i) {
            const auto [a_row, t1_hat] = row(i);
            commitment_row<P>(i, a_row, z.data(), c_hat, *t1_hat, hints, w1.data());
        }
        return {true, {}};
    }
    /// The rows of an expanded key, as recompute_commitment takes them.
    static auto rows_of(const PublicExpansion& key) {
        return [&key](std::size_t i) { return std::pair{static_cast<const Poly*>(&key.a_hat[i * P::l]), &key.t1_hat[i]}; };
    }
    Mu hash_one_mu(const MuInput& message) const {
        Mu mu(std::array<std::uint8_t, mu_bytes>{});
        hash_mus({&message, 1}, {&mu, 1});
        return mu;
    }
    /// Four signatures of the right length, by their numbers. One that fails before the hash takes its place in it all the same.
    void verify_four(const std::array<std::size_t, 4>& at, std::span<const PublicExpansion* const> keys, std::span<const MuInput> messages,
                     std::span<const ByteView> signatures, std::span<Verdict> verdicts) const {
        std::array<ByteView, 4> c_tilde;
        for (std::size_t s = 0; s < 4; ++s) c_tilde[s] = signatures[at[s]].template first<S::c_tilde>();
        std::array<Challenge<P>, 4> c;
        sample_in_ball_x4<P, X>(c_tilde, c);
        std::array<Commitment, 4> w1{};
        for (std::size_t s = 0; s < 4; ++s) verdicts[at[s]] = recompute_commitment(signatures[at[s]], &c[s], rows_of(*keys[at[s]]), w1[s]);
        const std::array<MuInput, 4> four{messages[at[0]], messages[at[1]], messages[at[2]], messages[at[3]]};
        const Mu none(std::array<std::uint8_t, mu_bytes>{});
        std::array<Mu, 4> mu{none, none, none, none};
        hash_mus(four, mu);
        std::array<std::array<std::uint8_t, S::c_tilde>, 4> expected{};
        typename X::Xof256X4 xof;
        xof.absorb({mu[0].bytes(), mu[1].bytes(), mu[2].bytes(), mu[3].bytes()});
        xof.absorb({w1[0], w1[1], w1[2], w1[3]});
        xof.squeeze({expected[0], expected[1], expected[2], expected[3]});
        for (std::size_t s = 0; s < 4; ++s) {
            Verdict& v = verdicts[at[s]];
            if (v) v = verdict_of(std::equal(expected[s].begin(), expected[s].end(), c_tilde[s].begin()));
        }
    }
    static Verdict compare(const Mu& mu, const Commitment& w1, ByteView signature) {
        std::array<std::uint8_t, S::c_tilde> expected{};
        hash_h<X>({mu.bytes(), w1}, expected);
        return verdict_of(std::equal(expected.begin(), expected.end(), signature.begin()));
    }

    /// t = A s1 + s2, split: t1 goes to the public key with rho, t0 to `t0`. `s` is used up.
    static void derive_public(std::span<const std::uint8_t, seed_bytes> rho, std::array<Poly, P::k + P::l>& s, std::span<std::uint8_t> pk,
                              std::span<std::uint8_t> t0) {
        const auto& kernel = kernels<P>();
        MatrixRows<P, X> rows(rho);
        for (std::size_t j = 0; j < P::l; ++j) kernel.ntt(s[j].c.data());
        std::copy(rho.begin(), rho.end(), pk.begin());
        Poly t, low;
        const WipeGuard wipe_t(t);
        const WipeGuard wipe_low(low);
        for (std::size_t i = 0; i < P::k; ++i) {
            kernel.accumulate(t.c.data(), rows.next()->c.data(), s[0].c.data(), P::l, nullptr, nullptr);
            kernel.inverse_ntt(t.c.data());
            for (std::size_t j = 0; j < n; ++j) t[j] += s[P::l + i][j];
            kernel.reduce(t.c.data());
            kernel.power2round(t.c.data(), low.c.data());
            declassify(&t, sizeof t);  // t1 is the other half of the public key
            kernel.pack_t1(t.c.data(), pk.data() + seed_bytes + i * S::t1_poly);
            kernel.pack_t0(low.c.data(), t0.data() + i * S::t0_poly);
        }
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
