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
#include "mldsa/kernels.hpp"
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

/// Calls body(first, count) for 0..total in groups of `Group`, the rest as one shorter group.
template <std::size_t Group, class Body>
void in_groups(std::size_t total, Body body) {
    for (std::size_t i = 0; i < total; i += Group) body(i, std::min(Group, total - i));
}

/// Seeds of `Size` bytes, one a lane, that differ in the last two bytes (and may in others).
template <std::size_t Size, std::size_t Lanes = 4>
struct SeedsInStep {
    std::array<std::array<std::uint8_t, Size>, Lanes> seed;
    explicit SeedsInStep(ByteView common) {
        for (auto& s : seed) std::copy(common.begin(), common.end(), s.begin());
        for (std::size_t lane = 0; lane < Lanes; ++lane) nonce(lane, 0, 0);
    }
    ~SeedsInStep() { secure_wipe(seed); }
    SeedsInStep(const SeedsInStep&) = delete;
    SeedsInStep& operator=(const SeedsInStep&) = delete;
    void nonce(std::size_t lane, std::size_t low, std::size_t high) {
        seed[lane][Size - 2] = static_cast<std::uint8_t>(low);
        seed[lane][Size - 1] = static_cast<std::uint8_t>(high);
    }
    std::array<ByteView, Lanes> views() const {
        std::array<ByteView, Lanes> all;
        for (std::size_t lane = 0; lane < Lanes; ++lane) all[lane] = seed[lane];
        return all;
    }
};

/// Output buffers of which a prefix is used, with room behind that kernels may read.
template <std::size_t Size, std::size_t Lanes = 4>
struct BuffersInStep {
    std::array<std::array<std::uint8_t, Size + kernel_slack>, Lanes> bytes;
    BuffersInStep() = default;
    ~BuffersInStep() { secure_wipe(bytes); }
    const std::uint8_t* data(std::size_t lane) const { return bytes[lane].data(); }
    BuffersInStep(const BuffersInStep&) = delete;
    BuffersInStep& operator=(const BuffersInStep&) = delete;
    std::array<std::span<std::uint8_t>, Lanes> prefix(std::size_t size) {
        std::array<std::span<std::uint8_t>, Lanes> all;
        for (std::size_t lane = 0; lane < Lanes; ++lane) all[lane] = std::span(bytes[lane]).first(size);
        return all;
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

/// Algorithm 32: entries of A in NTT form, canonical values, in groups. Entry [r][s] has number r * l + s. Public.
template <class P, class X>
class MatrixEntries {
    using Xof = typename X::MatrixXof;

  public:
    static constexpr std::size_t kGroup = Xof::kLanes;

    explicit MatrixEntries(std::span<const std::uint8_t, seed_bytes> rho) : seeds_(rho) {}

    /// Entries `first` to first + count - 1, at most kGroup, to out[0] ...
    void draw(std::size_t first, std::size_t count, Poly* out) {
        // 840 bytes are 280 candidates, five SHAKE128 blocks; all 256 are there but for one polynomial in about 2^40.
        for (std::size_t lane = 0; lane < count; ++lane) seeds_.nonce(lane, (first + lane) % P::l, (first + lane) / P::l);
        const auto& kernel = kernels<P>();
        Xof xof;
        xof.absorb(seeds_.views());
        std::array<std::size_t, kGroup> have;
        for (std::size_t lane = 0; lane < kGroup; ++lane) have[lane] = lane < count ? 0 : n;
        for (std::size_t bytes = kFirst; std::any_of(have.begin(), have.end(), [](auto h) { return h < n; }); bytes = kMore) {
            xof.squeeze(buffers_.prefix(bytes));
            for (std::size_t lane = 0; lane < count; ++lane)
                have[lane] = kernel.reject_uniform(buffers_.data(lane), bytes, out[lane].c.data(), have[lane]);
        }
    }

  private:
    static constexpr std::size_t kFirst = 840, kMore = 168;
    detail::SeedsInStep<seed_bytes + 2, kGroup> seeds_;
    detail::BuffersInStep<kFirst, kGroup> buffers_;
};

/// The whole of A, row by row.
template <class P, class X>
void expand_a(std::span<const std::uint8_t, seed_bytes> rho, std::span<Poly, P::k * P::l> a_hat) {
    using Entries = MatrixEntries<P, X>;
    Entries entries(rho);
    detail::in_groups<Entries::kGroup>(P::k * P::l,
                                       [&](std::size_t first, std::size_t count) { entries.draw(first, count, &a_hat[first]); });
}

/// A one row after the other, in memory for little more than a row.
template <class P, class X>
class MatrixRows {
  public:
    explicit MatrixRows(std::span<const std::uint8_t, seed_bytes> rho) : entries_(rho) {}
    /// The next row; valid until the next call. At most k times.
    const Poly* next() {
        // What the last group gave beyond the last row comes to the front.
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(P::l), buffer_.begin() + static_cast<std::ptrdiff_t>(P::l + left_),
                  buffer_.begin());
        std::size_t have = left_;
        while (have < P::l) {
            const std::size_t count = std::min(kGroup, P::k * P::l - drawn_);
            entries_.draw(drawn_, count, &buffer_[have]);
            drawn_ += count;
            have += count;
        }
        left_ = have - P::l;
        return buffer_.data();
    }

  private:
    static constexpr std::size_t kGroup = MatrixEntries<P, X>::kGroup;
    MatrixEntries<P, X> entries_;
    std::array<Poly, P::l - 1 + kGroup> buffer_;
    std::size_t drawn_ = 0, left_ = 0;
};

/// Algorithm 33: s1 then s2, coefficients in -eta .. eta. Secret.
template <class P, class X>
void expand_s(std::span<const std::uint8_t, 64> rho_prime, std::span<Poly, P::k + P::l> s) {
    constexpr std::size_t first_bytes = P::eta == 2 ? 160 : 272, more_bytes = 32;
    const auto& kernel = kernels<P>();
    detail::SeedsInStep<66> seeds(rho_prime);
    detail::BuffersInStep<first_bytes> buffers;
    detail::in_groups<4>(P::k + P::l, [&](std::size_t first, std::size_t count) {
        for (std::size_t lane = 0; lane < count; ++lane) seeds.nonce(lane, first + lane, 0);
        typename X::Xof256X4 xof;
        xof.absorb(seeds.views());
        std::array<std::size_t, 4> have{n, n, n, n};
        for (std::size_t lane = 0; lane < count; ++lane) have[lane] = 0;
        for (std::size_t bytes = first_bytes; std::any_of(have.begin(), have.end(), [](auto h) { return h < n; }); bytes = more_bytes) {
            xof.squeeze(buffers.prefix(bytes));
            for (std::size_t lane = 0; lane < count; ++lane)
                have[lane] = kernel.reject_bounded(buffers.data(lane), bytes, s[first + lane].c.data(), have[lane]);
        }
    });
}

/// Algorithm 34: polynomials of masks, coefficients in -gamma1 + 1 .. gamma1, for four counters at a time. Secret.
/// The seeds may be one or four.
template <class P, class X>
class Masks {
  public:
    explicit Masks(std::span<const std::uint8_t, 64> rho_second) : seeds_(rho_second) {}
    void seed(std::size_t lane, std::span<const std::uint8_t, 64> rho_second) {
        std::copy(rho_second.begin(), rho_second.end(), seeds_.seed[lane].begin());
    }
    void draw(const std::array<std::size_t, 4>& counters, const std::array<Poly*, 4>& out) {
        for (std::size_t lane = 0; lane < 4; ++lane) seeds_.nonce(lane, counters[lane] & 0xff, counters[lane] >> 8);
        typename X::Xof256X4 xof;
        xof.absorb(seeds_.views());
        xof.squeeze(buffers_.prefix(kBytes));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            if (out[lane] != nullptr) kernels<P>().unpack_z(buffers_.data(lane), out[lane]->c.data());
        }
    }

  private:
    static constexpr std::size_t kBytes = Sizes<P>::z_poly;
    detail::SeedsInStep<66> seeds_;
    detail::BuffersInStep<kBytes> buffers_;
};

/// The masks y of one attempt after the other. The counter runs on from attempt to attempt, so that groups of four
/// lose nothing where l is not a multiple of four. Secret; wiped.
template <class P, class X>
class MaskStream {
  public:
    /// `kappa`: the counter of the first attempt.
    explicit MaskStream(std::span<const std::uint8_t, 64> rho_second, std::size_t kappa = 0) : masks_(rho_second), counter_(kappa) {}
    ~MaskStream() { secure_wipe(buffer_); }
    MaskStream(const MaskStream&) = delete;
    MaskStream& operator=(const MaskStream&) = delete;
    /// The l polynomials of the next attempt; valid until the next call.
    const Poly* next() {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(P::l), buffer_.begin() + static_cast<std::ptrdiff_t>(P::l + left_),
                  buffer_.begin());
        std::size_t have = left_;
        for (; have < P::l; have += 4, counter_ += 4) {
            Poly* at = &buffer_[have];
            masks_.draw({counter_, counter_ + 1, counter_ + 2, counter_ + 3}, {at, at + 1, at + 2, at + 3});
        }
        left_ = have - P::l;
        return buffer_.data();
    }

  private:
    Masks<P, X> masks_;
    std::array<Poly, P::l + 3> buffer_;
    std::size_t counter_, left_ = 0;
};

/// y of one attempt alone.
template <class P, class X>
void expand_mask(std::span<const std::uint8_t, 64> rho_second, std::size_t kappa, std::span<Poly, P::l> y) {
    MaskStream<P, X> stream(rho_second, kappa);
    std::copy_n(stream.next(), P::l, y.begin());
}

/// A challenge: tau coefficients of +-1, as offsets into shifted copies (kernels.hpp) and, on demand, as a polynomial. Public.
template <class P>
struct Challenge {
    ChallengeOffsets<P> offsets;

    Poly dense() const {
        Poly c;
        for (const std::size_t offset : offsets) {
            const bool minus = offset > n;
            c[(minus ? 2 * n : n) - offset] = minus ? -1 : 1;
        }
        return c;
    }
};

/// Algorithm 29 on the stream of bytes that `next()` gives.
template <class P, class Next>
void sample_in_ball_from(Next next, Challenge<P>& c) {
    std::uint64_t signs = 0;
    for (unsigned i = 0; i < 8; ++i) signs |= static_cast<std::uint64_t>(next()) << (8 * i);
    // What stands at a place is the number of its term, from 1; moving a coefficient moves that number.
    std::array<std::uint8_t, n> term_at{};
    std::array<std::uint8_t, static_cast<std::size_t>(P::tau) + 1> place{};
    for (std::size_t i = n - P::tau, term = 1; i < n; ++i, ++term) {
        std::size_t j = next();
        while (j > i) j = next();
        term_at[i] = term_at[j];
        place[term_at[j]] = static_cast<std::uint8_t>(i);  // place[0] takes what is not there
        term_at[j] = static_cast<std::uint8_t>(term);
        place[term] = static_cast<std::uint8_t>(j);
    }
    for (std::size_t term = 1; term < place.size(); ++term, signs >>= 1)
        c.offsets[term - 1] = static_cast<std::uint16_t>((signs & 1U) != 0 ? 2 * n - place[term] : n - place[term]);
}

template <class P, class X>
void sample_in_ball(std::span<const std::uint8_t, Sizes<P>::c_tilde> c_tilde, Challenge<P>& c) {
    typename X::Xof256 xof;
    xof.absorb(c_tilde);
    std::array<std::uint8_t, X::Xof256::kRate> block{};
    std::size_t at = block.size();
    sample_in_ball_from<P>(
        [&] {
            if (at == block.size()) {
                xof.squeeze(block);
                at = 0;
            }
            return block[at++];
        },
        c);
}

/// The same as a polynomial.
template <class P, class X>
void sample_in_ball(std::span<const std::uint8_t, Sizes<P>::c_tilde> c_tilde, Poly& c) {
    Challenge<P> challenge;
    sample_in_ball<P, X>(c_tilde, challenge);
    c = challenge.dense();
}

/// Four challenges in step. Those for which what was squeezed together does not suffice are drawn again alone.
template <class P, class X>
void sample_in_ball_x4(const std::array<ByteView, 4>& c_tilde, std::array<Challenge<P>, 4>& c) {
    // 8 bytes of signs, and for each of tau terms less than 1.2 positions on average: one block of SHAKE256, or a few of 32 bytes.
    constexpr std::size_t size = X::Xof256::kRate == 32 ? 96 : X::Xof256::kRate;
    std::array<std::array<std::uint8_t, size>, 4> blocks;
    typename X::Xof256X4 xof;
    xof.absorb(c_tilde);
    xof.squeeze({blocks[0], blocks[1], blocks[2], blocks[3]});
    for (std::size_t lane = 0; lane < 4; ++lane) {
        std::size_t at = 0;
        // Beyond the block a position is anything that ends the search; the result is then not used.
        sample_in_ball_from<P>([&] { return at < size ? blocks[lane][at++] : (at = size + 1, std::uint8_t{0}); }, c[lane]);
        if (at > size) sample_in_ball<P, X>(std::span<const std::uint8_t, Sizes<P>::c_tilde>(c_tilde[lane]), c[lane]);
    }
}

}  // namespace postern::mldsa
