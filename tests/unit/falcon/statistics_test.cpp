// Distributions: the integer sampler against its ideal, and norms and lengths of many signatures.

#define POSTERN_FALCON_KERNELS statistics_test
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <postern/falcon.hpp>
#include <postern/falcon_codec.hpp>

#include "falcon/chacha_prng.hpp"
#include "falcon/sampler.hpp"
#include "support.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

/// Chi-square against the discrete Gaussian, bins with fewer than 10 expected samples merged; the limit is six deviations.
void check_sampler(double centre, double sigma) {
    const Bytes seed(56, static_cast<std::uint8_t>(std::lround(centre * 16) + std::lround(sigma * 100)));
    statistics_test::ChaChaPrng rng(seed.data());
    constexpr int count = 40000;
    std::map<int, int> seen;
    for (int i = 0; i < count; ++i) ++seen[statistics_test::sample_z<double>(rng, centre, 1 / sigma, 1.2778336969128337)];
    double total = 0;
    const auto weight = [&](int z) { return std::exp(-(z - centre) * (z - centre) / (2 * sigma * sigma)); };
    const int middle = static_cast<int>(std::floor(centre));
    for (int z = middle - 40; z <= middle + 40; ++z) total += weight(z);
    double chi = 0, rest_expected = 0;
    int rest_seen = 0, bins = 0;
    for (int z = middle - 40; z <= middle + 40; ++z) {
        const double expected = count * weight(z) / total;
        if (expected < 10) {
            rest_expected += expected;
            rest_seen += seen[z];
            continue;
        }
        chi += (seen[z] - expected) * (seen[z] - expected) / expected;
        ++bins;
    }
    if (rest_expected > 5) chi += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
    EXPECT_LT(chi, bins + 6 * std::sqrt(2.0 * bins)) << centre << " " << sigma;
}
TEST(FalconStatistics, SamplerZ) {
    for (const double centre : {0.0, 0.5, -0.25, 7.9, -1234.4375})
        for (const double sigma : {1.28, 1.5, 1.82}) check_sampler(centre, sigma);
}

/// A share of the 10,000 signatures a degree; all of them with POSTERN_FALCON_SIGNATURES=10000.
template <class P>
void check_signatures(double sigma) {
    const char* wanted = std::getenv("POSTERN_FALCON_SIGNATURES");
    const std::size_t count = wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : 400;
    const auto key = PrivateKey<P>::from_seed(Bytes(48, 5));
    const ExpandedPrivateKey<P> expanded(key);
    const ExpandedPublicKey<P> verifier(key.public_key());
    double norms = 0, squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Bytes message = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)};
        const auto signature = sign_deterministic<P>(expanded, message);
        ASSERT_TRUE(verify<P>(verifier, message, signature));
        const auto s1 = recover_s1<P>(verifier, hash_to_point<P>(HashToPoint::shake256, signature.salt, message), signature.s2);
        norms += squared_norm<P>(s1, signature.s2);
        for (const int x : signature.s2) squares += x * x;
        const auto length = must(encode_signature<P>(SignatureCodec::nist, signature)).size();
        EXPECT_LE(length, P::padded_signature_bytes);
        EXPECT_GE(length, P::padded_signature_bytes - (P::n == 512 ? 70 : 90));
    }
    // E ||(s1, s2)||^2 = 2 n sigma^2; its relative deviation is 1 / sqrt(n) for one signature.
    const auto n = static_cast<double>(P::n);
    const double tolerance = 6 / std::sqrt(n * static_cast<double>(count));
    EXPECT_NEAR(norms / (static_cast<double>(count) * 2 * n * sigma * sigma), 1.0, tolerance);
    EXPECT_NEAR(squares / (static_cast<double>(count) * n * sigma * sigma), 1.0, 0.05);
}
TEST(FalconStatistics, Signatures512) { check_signatures<Falcon512>(165.7366171829776); }
TEST(FalconStatistics, Signatures1024) { check_signatures<Falcon1024>(168.38857144654395); }

}  // namespace
}  // namespace postern::falcon
