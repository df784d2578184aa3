#include "mldsa/kernels.hpp"

#include <gtest/gtest.h>

#include <random>

#include "mldsa/packing.hpp"
#include "mldsa/poly.hpp"
#include "support/cpu_levels.hpp"

// Every table of kernels against the portable one: the same residues, and the same numbers and bytes where they are canonical.

namespace postern::mldsa {
namespace {

using Rng = std::mt19937_64;

Poly random_poly(Rng& rng, std::int32_t low, std::int32_t high) {
    std::uniform_int_distribution<std::int32_t> any(low, high);
    Poly f;
    for (auto& x : f.c) x = any(rng);
    return f;
}
/// Random, or one end of the range, or both ends mixed.
Poly sample(Rng& rng, std::int32_t low, std::int32_t high) {
    const auto kind = rng() % 8;
    Poly f = random_poly(rng, low, high);
    if (kind < 3) {
        for (auto& x : f.c) x = kind == 0 ? low : kind == 1 ? high : (rng() & 1U) != 0 ? low : high;
    }
    return f;
}
std::vector<std::uint8_t> random_bytes(Rng& rng, std::size_t size) {
    std::vector<std::uint8_t> b(size + kernel_slack);
    for (auto& x : b) x = static_cast<std::uint8_t>(rng());
    return b;
}
std::int32_t* data(Poly& f) { return f.c.data(); }
Poly residues(Poly f) {
    reduce(f);
    return f;
}

template <class P>
class MlDsaKernels : public ::testing::Test {
  public:
    template <class Check>
    void compare(int rounds, const Check& check) {
        test::on_every_cpu_level([&](CpuLevel) {
            Rng rng(17);
            for (int i = 0; i < rounds; ++i) check(rng, portable_kernels<P>(), kernels<P>());
        });
    }
};
using Sets = ::testing::Types<MlDsa44, MlDsa65, MlDsa87>;
TYPED_TEST_SUITE(MlDsaKernels, Sets);

TYPED_TEST(MlDsaKernels, Transform) {
    this->compare(200, [](Rng& rng, const auto& a, const auto& b) {
        const std::int32_t bound = (rng() & 1U) != 0 ? q - 1 : (1 << 23) + (1 << 19);
        Poly f = sample(rng, -bound, bound), g = f;
        a.ntt(data(f));
        b.ntt(data(g));
        for (const auto x : g.c) ASSERT_LT(absolute(x), bound + 8 * q);
        ASSERT_EQ(residues(f), residues(g));

        f = g = sample(rng, -q + 1, q - 1);
        a.inverse_ntt(data(f));
        b.inverse_ntt(data(g));
        for (const auto x : g.c) ASSERT_LT(absolute(x), q);
        ASSERT_EQ(residues(f), residues(g));
    });
}

TYPED_TEST(MlDsaKernels, Products) {
    this->compare(60, [](Rng& rng, const auto& a, const auto& b) {
        for (std::size_t terms = 1; terms <= 7; ++terms) {
            PolyVec x(terms), y(terms);
            for (auto& f : x) f = sample(rng, -q + 1, q - 1);
            for (auto& f : y) f = sample(rng, -9 * q + 1, 9 * q - 1);
            const Poly c = sample(rng, -9 * q + 1, 9 * q - 1), t = sample(rng, -q + 1, q - 1);
            for (const bool minus : {false, true}) {
                Poly r, s;
                a.accumulate(data(r), data(x[0]), data(y[0]), terms, minus ? c.c.data() : nullptr, t.c.data());
                b.accumulate(data(s), data(x[0]), data(y[0]), terms, minus ? c.c.data() : nullptr, t.c.data());
                ASSERT_EQ(r, s);
            }
        }
        Poly f = sample(rng, -(1 << 30) * 2 + (1 << 22) + 1, (1 << 30) - 1 + (1 << 30) - (1 << 22)), g = f;
        a.reduce(data(f));
        b.reduce(data(g));
        ASSERT_EQ(f, g);
    });
}

TYPED_TEST(MlDsaKernels, EveryHighPart) {
    this->compare(1, [](Rng&, const auto&, const auto& b) {
        using P = TypeParam;
        alignas(32) std::array<std::uint8_t, n> high{};
        for (std::int32_t start = 0; start < q; start += static_cast<std::int32_t>(n)) {
            Poly w;
            for (std::size_t j = 0; j < n; ++j) {
                const std::int32_t r = std::min(start + static_cast<std::int32_t>(j), q - 1);
                w[j] = (j & 1U) != 0 && r > 0 ? r - q : r;
            }
            b.high_bits(data(w), high.data());
            for (std::size_t j = 0; j < n; ++j) {
                const std::int32_t r = std::min(start + static_cast<std::int32_t>(j), q - 1);
                ASSERT_EQ(w[j], r);
                ASSERT_EQ(high[j], high_bits<P::gamma2>(r)) << r;
            }
        }
    });
}

/// LowBits of every value, seen through the verdict with a zero secret: one value at a time would be slow, so the verdict of whole
/// polynomials on both sides of every bound is compared.
TYPED_TEST(MlDsaKernels, LowPartsAtTheBounds) {
    this->compare(1, [](Rng&, const auto& a, const auto& b) {
        using P = TypeParam;
        ShiftedSecret zero{};
        ChallengeOffsets<P> offsets{};
        ShiftScratch scratch;
        constexpr std::int32_t bound = P::gamma2 - Sizes<P>::beta;
        std::size_t inside = 0, outside = 0;
        const auto check = [&](std::int32_t r) {
            Poly f, g;
            for (std::size_t j = 0; j < n; ++j) f[j] = g[j] = P::gamma2 / 2;
            f[static_cast<std::size_t>(r) % n] = g[static_cast<std::size_t>(r) % n] = r;
            const bool x = a.subtract_and_check(data(f), zero.s.data(), offsets.data(), scratch) != 0;
            const bool y = b.subtract_and_check(data(g), zero.s.data(), offsets.data(), scratch) != 0;
            ASSERT_EQ(x, y) << r;
            ASSERT_EQ(x, absolute(low_bits<P::gamma2>(r)) >= bound) << r;
            ++(x ? outside : inside);
        };
        for (std::int32_t multiple = 0; multiple <= q - 1; multiple += 2 * P::gamma2) {
            for (const std::int32_t at : {bound, -bound, P::gamma2, -P::gamma2, 0}) {
                for (std::int32_t r = multiple + at - 3; r <= multiple + at + 3; ++r) {
                    if (r >= 0 && r < q) check(r);
                }
            }
        }
        ASSERT_GT(inside, 20U);
        ASSERT_GT(outside, 20U);
    });
}

TYPED_TEST(MlDsaKernels, ChallengeProducts) {
    this->compare(300, [](Rng& rng, const auto& a, const auto& b) {
        using P = TypeParam;
        const Poly s = sample(rng, -P::eta, P::eta);
        ShiftedSecret shifted{};
        for (std::size_t j = 0; j < n; ++j) {
            shifted.s[j] = shifted.s[2 * n + j] = static_cast<std::int8_t>(-s[j]);
            shifted.s[n + j] = static_cast<std::int8_t>(s[j]);
        }
        ChallengeOffsets<P> offsets{};
        Poly c;
        for (auto& offset : offsets) {
            std::size_t p = rng() % n;
            while (c[p] != 0) p = rng() % n;
            const bool minus = (rng() & 1U) != 0;
            c[p] = minus ? -1 : 1;
            offset = static_cast<std::uint16_t>((minus ? 2 * n : n) - p);
        }
        Poly expected;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) expected[(i + j) % n] += (i + j < n ? 1 : -1) * c[i] * s[j];
        }
        ShiftScratch scratch;
        const std::int32_t near = P::gamma1 - Sizes<P>::beta / 2;
        const Poly y = (rng() & 1U) != 0 ? sample(rng, -P::gamma1 + 1, P::gamma1) : random_poly(rng, -near, near);
        Poly f, g;
        const bool large = a.mask_and_check(data(f), y.c.data(), shifted.s.data(), offsets.data(), scratch) != 0;
        ASSERT_EQ(large, b.mask_and_check(data(g), y.c.data(), shifted.s.data(), offsets.data(), scratch) != 0);
        for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(f[j], y[j] + expected[j]);
        ASSERT_EQ(f, g);
        ASSERT_EQ(large, a.norm(data(f), P::gamma1 - Sizes<P>::beta) != 0);
        ASSERT_EQ(large, b.norm(data(f), P::gamma1 - Sizes<P>::beta) != 0);

        f = g = sample(rng, 0, q - 1);
        Poly w = f;
        for (std::size_t j = 0; j < n; ++j) w[j] -= expected[j];
        const bool low = a.subtract_and_check(data(f), shifted.s.data(), offsets.data(), scratch) != 0;
        ASSERT_EQ(low, b.subtract_and_check(data(g), shifted.s.data(), offsets.data(), scratch) != 0);
        ASSERT_EQ(f, residues(w));
        ASSERT_EQ(f, g);
    });
}

TYPED_TEST(MlDsaKernels, Hints) {
    this->compare(300, [](Rng& rng, const auto& a, const auto& b) {
        using P = TypeParam;
        const Poly w = sample(rng, 0, q - 1);
        const std::int32_t bound = (rng() & 3U) == 0 ? P::gamma2 + 2 : P::gamma2 - 1;
        Poly product = sample(rng, -bound, bound);
        for (auto& x : product.c) x += (rng() & 1U) == 0 ? 0 : x < 0 ? q : x > 0 ? -q : 0;
        std::array<std::uint8_t, 32> x{}, y{};
        std::uint32_t ones_x = 3, ones_y = 3, counted = 3;
        const bool large = a.make_hints(w.c.data(), product.c.data(), x.data(), ones_x) != 0;
        ASSERT_EQ(large, b.make_hints(w.c.data(), product.c.data(), y.data(), ones_y) != 0);
        ASSERT_EQ(x, y);
        for (const auto byte : x) counted += static_cast<std::uint32_t>(std::popcount(byte));
        ASSERT_EQ(ones_x, counted);
        ASSERT_EQ(ones_y, counted);

        Poly t = w, u = w, low, low_u;
        a.power2round(data(t), data(low));
        b.power2round(data(u), data(low_u));
        ASSERT_EQ(t, u);
        ASSERT_EQ(low, low_u);
    });
}

TYPED_TEST(MlDsaKernels, Encodings) {
    this->compare(100, [](Rng& rng, const auto& a, const auto& b) {
        using P = TypeParam;
        using S = Sizes<P>;
        const auto pack = [&](auto packer, const Poly& f, std::size_t size) {
            std::vector<std::uint8_t> x(size + kernel_slack, 0xa5), y = x;
            (a.*packer)(f.c.data(), x.data());
            (b.*packer)(f.c.data(), y.data());
            ASSERT_EQ(x, y);  // and nothing behind the end
        };
        using K = Kernels<P>;
        pack(&K::pack_t1, sample(rng, 0, 1023), S::t1_poly);
        pack(&K::pack_t0, sample(rng, -4095, 4096), S::t0_poly);
        pack(&K::pack_eta, sample(rng, -P::eta, P::eta), S::eta_poly);
        pack(&K::pack_z, sample(rng, -P::gamma1 + 1, P::gamma1), S::z_poly);
        const auto unpack = [&](auto unpacker, std::size_t size) {
            const auto in = random_bytes(rng, size);
            Poly f, g;
            (a.*unpacker)(in.data(), data(f));
            (b.*unpacker)(in.data(), data(g));
            ASSERT_EQ(f, g);
        };
        unpack(&K::unpack_t1, S::t1_poly);
        unpack(&K::unpack_t0, S::t0_poly);
        unpack(&K::unpack_eta, S::eta_poly);
        unpack(&K::unpack_z, S::z_poly);
        alignas(32) std::array<std::uint8_t, n> high{};
        for (auto& h : high) h = static_cast<std::uint8_t>(rng() % S::w1_values);
        std::vector<std::uint8_t> x(S::w1_poly + kernel_slack, 0x5a), y = x;
        a.pack_w1(high.data(), x.data());
        b.pack_w1(high.data(), y.data());
        ASSERT_EQ(x, y);
    });
}

TYPED_TEST(MlDsaKernels, Rejection) {
    this->compare(200, [](Rng& rng, const auto& a, const auto& b) {
        auto stream = random_bytes(rng, 840);
        // Candidates at and around q, and many of them.
        for (std::size_t i = 0; i + 3 <= 840; i += 3) {
            if (rng() % 4 != 0) continue;
            const auto v = static_cast<std::uint32_t>(q) - 2 + static_cast<std::uint32_t>(rng() % 4);
            for (std::size_t byte = 0; byte < 3; ++byte) stream[i + byte] = static_cast<std::uint8_t>(v >> (8 * byte));
        }
        const auto run = [&](auto reject, std::size_t bytes) {
            struct Guarded {
                Poly f;
                std::array<std::int32_t, 8> behind{};
            } x{}, y{};
            std::size_t have_x = 0, have_y = 0;
            for (const std::size_t start : {std::size_t{0}, bytes}) {
                have_x = (a.*reject)(stream.data() + start, bytes, data(x.f), have_x);
                have_y = (b.*reject)(stream.data() + start, bytes, data(y.f), have_y);
                ASSERT_EQ(have_x, have_y);
            }
            for (std::size_t i = 0; i < have_x; ++i) ASSERT_EQ(x.f[i], y.f[i]) << i;
            ASSERT_EQ(y.behind, x.behind);
        };
        using K = Kernels<TypeParam>;
        run(&K::reject_uniform, 24 * (1 + rng() % 17));
        run(&K::reject_bounded, 8 * (1 + rng() % 40));
    });
}

}  // namespace
}  // namespace postern::mldsa
