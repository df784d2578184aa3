#include "mldsa/sampling.hpp"

#include <gtest/gtest.h>

#include "support/cpu_levels.hpp"

// The four-way samplers against one polynomial at a time, read byte by byte as FIPS 204 writes it.

namespace postern::mldsa {
namespace {

template <class Xof>
struct ByteStream {
    Xof xof;
    explicit ByteStream(ByteView seed) { xof.absorb(seed); }
    std::uint8_t next() {
        std::uint8_t byte = 0;
        xof.squeeze({&byte, 1});
        return byte;
    }
};

std::array<std::uint8_t, 64> seed64() {
    std::array<std::uint8_t, 64> seed{};
    for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(3 * i + 1);
    return seed;
}

template <class P, class X>
void check_all() {
    const auto seed = seed64();
    const auto rho = std::span(seed).template first<32>();
    PolyVec a_hat(P::k * P::l);
    expand_a<P, X>(rho, std::span<Poly, P::k * P::l>(a_hat));
    for (std::size_t r = 0; r < P::k; ++r) {
        for (std::size_t s = 0; s < P::l; ++s) {
            Bytes input(rho.begin(), rho.end());
            input.push_back(static_cast<std::uint8_t>(s));
            input.push_back(static_cast<std::uint8_t>(r));
            ByteStream<typename X::Xof128> stream(input);
            for (std::size_t j = 0; j < n;) {
                std::int32_t v = stream.next();
                v |= stream.next() << 8;
                v |= (stream.next() & 0x7f) << 16;
                if (v >= q) continue;
                ASSERT_EQ(a_hat[r * P::l + s][j++], v);
            }
        }
    }

    PolyVec secrets(P::k + P::l);
    expand_s<P, X>(seed, std::span<Poly, P::k + P::l>(secrets));
    for (std::size_t i = 0; i < P::k + P::l; ++i) {
        Bytes input(seed.begin(), seed.end());
        input.push_back(static_cast<std::uint8_t>(i));
        input.push_back(0);
        ByteStream<typename X::Xof256> stream(input);
        for (std::size_t j = 0; j < n;) {
            const int byte = stream.next();
            for (const int nibble : {byte & 15, byte >> 4}) {
                if (j == n || nibble >= (P::eta == 2 ? 15 : 9)) continue;
                ASSERT_EQ(secrets[i][j++], P::eta == 2 ? 2 - nibble % 5 : 4 - nibble);
            }
        }
    }

    MatrixRows<P, X> rows(rho);
    for (std::size_t r = 0; r < P::k; ++r) {
        const Poly* row = rows.next();
        for (std::size_t s = 0; s < P::l; ++s) ASSERT_EQ(row[s], a_hat[r * P::l + s]);
    }

    MaskStream<P, X> masks(seed);
    for (std::size_t attempt = 0; attempt < 6; ++attempt) {
        PolyVec y(P::l);
        expand_mask<P, X>(seed, attempt * P::l, std::span<Poly, P::l>(y));
        const Poly* next = masks.next();
        for (std::size_t i = 0; i < P::l; ++i) ASSERT_EQ(next[i], y[i]);
    }

    for (const std::size_t kappa : {std::size_t{0}, std::size_t{254}, std::size_t{0xfff0}}) {
        PolyVec y(P::l);
        expand_mask<P, X>(seed, kappa, std::span<Poly, P::l>(y));
        for (std::size_t i = 0; i < P::l; ++i) {
            Bytes input(seed.begin(), seed.end());
            input.push_back(static_cast<std::uint8_t>(kappa + i));
            input.push_back(static_cast<std::uint8_t>((kappa + i) >> 8));
            Bytes bytes(Sizes<P>::z_poly);
            hash_h<X>({input}, bytes);
            Poly expected;
            unpack_z<P>(std::span(bytes).template first<Sizes<P>::z_poly>(), expected);
            ASSERT_EQ(y[i], expected);
        }
    }

    std::array<std::uint8_t, Sizes<P>::c_tilde> c_tilde{};
    for (std::uint8_t round = 0; round < 20; ++round) {
        c_tilde[0] = round;
        Poly expected;
        Challenge<P> challenge;
        sample_in_ball<P, X>(c_tilde, challenge);
        const Poly c = challenge.dense();
        ByteStream<typename X::Xof256> stream(c_tilde);
        std::array<std::uint8_t, 8> signs{};
        for (auto& byte : signs) byte = stream.next();
        for (std::size_t i = n - P::tau; i < n; ++i) {
            std::size_t j = stream.next();
            while (j > i) j = stream.next();
            expected[i] = expected[j];
            const std::size_t bit = i + P::tau - n;
            expected[j] = ((signs[bit / 8] >> (bit % 8)) & 1) != 0 ? -1 : 1;
        }
        ASSERT_EQ(c, expected);
        auto other = c_tilde;
        other[1] = 1;
        std::array<Challenge<P>, 4> four;
        sample_in_ball_x4<P, X>({other, c_tilde, other, c_tilde}, four);
        ASSERT_EQ(four[1].offsets, challenge.offsets);
        ASSERT_EQ(four[3].offsets, challenge.offsets);
        ASSERT_EQ(four[0].offsets, four[2].offsets);
        ASSERT_NE(four[0].offsets, challenge.offsets);
        ASSERT_EQ(n - static_cast<std::size_t>(std::count(c.c.begin(), c.c.end(), 0)), static_cast<std::size_t>(P::tau));
    }
}

template <class P, class X>
void check_everywhere() {
    test::on_every_cpu_level([](CpuLevel) { check_all<P, X>(); });
}
TEST(MlDsaSampling, Fips202) {
    check_everywhere<MlDsa44, hash::Fips202>();
    check_everywhere<MlDsa65, hash::Fips202>();
    check_everywhere<MlDsa87, hash::Fips202>();
}
TEST(MlDsaSampling, TurboShake) { check_everywhere<MlDsa65, hash::TurboShake>(); }
TEST(MlDsaSampling, Keccak256Ctr) { check_everywhere<MlDsa87, hash::Keccak256Ctr>(); }
TEST(MlDsaSampling, KeccakPrng) { check_everywhere<MlDsa44, hash::KeccakPrng64>(); }

}  // namespace
}  // namespace postern::mldsa
