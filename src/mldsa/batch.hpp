#pragma once

// Many signatures at a time. What hashes runs on four messages in step (masks, challenges, commitments); the polynomials
// run one message after the other. Results are those of one at a time, byte for byte.

#include <array>
#include <cstddef>

#include "mldsa/engine.hpp"
#include "mldsa/sampling.hpp"
#include "mldsa/signing.hpp"
#include "mldsa/verifying.hpp"

namespace postern::mldsa::detail {

/// Four lanes of messages being signed under one key. A lane whose signature is done takes the next message at once.
template <class P, class X>
class BatchSigner {
    using S = Sizes<P>;

  public:
    BatchSigner(const PrivateExpansion& key, std::span<const Mu> mu, std::span<const Randomness> rnd,
                std::span<const std::span<std::uint8_t>> signatures)
        : key_(key), mu_(mu), rnd_(rnd), signatures_(signatures), masks_(std::array<std::uint8_t, 64>{}) {}
    ~BatchSigner() {
        secure_wipe(lanes_);
        secure_wipe(prepared_);
    }
    BatchSigner(const BatchSigner&) = delete;
    BatchSigner& operator=(const BatchSigner&) = delete;

    void run() {
        std::size_t active = 0;
        for (auto& lane : lanes_) active += take_next(lane) ? 1 : 0;
        // With one or two messages left, alone is faster: the masks of one message fill four lanes too.
        while (active > 2) {
            attempt();
            for (auto& lane : lanes_) {
                if (lane.item == kIdle) continue;
                if (respond<P>(lane.work, key_, lane.y.data(), signatures_[lane.item].data())) {
                    active -= take_next(lane) ? 0 : 1;
                } else {
                    lane.kappa += P::l;
                }
            }
        }
        for (auto& lane : lanes_) {
            if (lane.item != kIdle)
                sign_from<P, X>(lane.work, key_, mu_[lane.item], lane.rho_second, lane.kappa, signatures_[lane.item].data());
        }
    }

  private:
    static constexpr std::size_t kIdle = ~std::size_t{0};
    struct Lane {
        SignLane<P> work;
        std::array<Poly, P::l> y;
        std::array<std::uint8_t, 64> rho_second{};
        std::size_t item = kIdle, kappa = 0;
    };

    /// Gives the lane the next message; false (and the lane idle) if there is none.
    bool take_next(Lane& lane) {
        lane.item = kIdle;
        if (next_ == mu_.size()) return false;
        if (next_ % 4 == 0) prepare();
        lane.item = next_;
        lane.kappa = 0;
        lane.rho_second = prepared_[next_ % 4];
        masks_.seed(static_cast<std::size_t>(&lane - lanes_.data()), lane.rho_second);
        ++next_;
        return true;
    }
    /// rho'' of the next four messages.
    void prepare() {
        std::array<std::array<std::uint8_t, 32>, 4> rnd{};
        const WipeGuard wipe(rnd);
        std::array<ByteView, 4> mu, rnds;
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t item = std::min(next_ + i, mu_.size() - 1);
            std::copy(rnd_[item].bytes().begin(), rnd_[item].bytes().end(), rnd[i].begin());
            mark_secret(rnd[i].data(), rnd[i].size());
            rnds[i] = rnd[i];
            mu[i] = mu_[item].bytes();
        }
        typename X::Xof256X4 xof;
        xof.absorb({key_.key, key_.key, key_.key, key_.key});
        xof.absorb(rnds);
        xof.absorb(mu);
        xof.squeeze({prepared_[0], prepared_[1], prepared_[2], prepared_[3]});
    }
    /// Masks, commitments and challenges of one attempt of every lane.
    void attempt() {
        for (std::size_t i = 0; i < P::l; ++i) {
            std::array<std::size_t, 4> counters{};
            std::array<Poly*, 4> out{};
            for (std::size_t s = 0; s < 4; ++s) {
                // The counter has 16 bits; the chance of running out of it is below 2^-4000.
                if (lanes_[s].kappa + P::l > 0x10000) throw std::runtime_error("ML-DSA signing did not succeed");
                counters[s] = lanes_[s].kappa + i;
                out[s] = lanes_[s].item == kIdle ? nullptr : &lanes_[s].y[i];
            }
            masks_.draw(counters, out);
        }
        std::array<ByteView, 4> mu, w1, c_tilde;
        for (std::size_t s = 0; s < 4; ++s) {
            if (lanes_[s].item != kIdle) commit<P>(lanes_[s].work, key_, lanes_[s].y.data());
            mu[s] = mu_[lanes_[s].item == kIdle ? 0 : lanes_[s].item].bytes();
            w1[s] = lanes_[s].work.w1;
            c_tilde[s] = lanes_[s].work.c_tilde;
        }
        typename X::Xof256X4 xof;
        xof.absorb(mu);
        xof.absorb(w1);
        xof.squeeze({lanes_[0].work.c_tilde, lanes_[1].work.c_tilde, lanes_[2].work.c_tilde, lanes_[3].work.c_tilde});
        // The challenges are public, those of rejected attempts too: outputs of H, modelled as a random oracle.
        for (auto& lane : lanes_) declassify(lane.work.c_tilde.data(), lane.work.c_tilde.size());
        std::array<Challenge<P>, 4> c;
        sample_in_ball_x4<P, X>(c_tilde, c);
        for (std::size_t s = 0; s < 4; ++s) lanes_[s].work.c = c[s];
    }

    const PrivateExpansion& key_;
    std::span<const Mu> mu_;
    std::span<const Randomness> rnd_;
    std::span<const std::span<std::uint8_t>> signatures_;
    std::size_t next_ = 0;
    Masks<P, X> masks_;
    std::array<Lane, 4> lanes_{};
    std::array<std::array<std::uint8_t, 64>, 4> prepared_{};
};

}  // namespace postern::mldsa::detail
