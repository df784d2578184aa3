// Distributions: the integer sampler against its ideal, and norms and lengths of many signatures. A share of the full campaign
// (`make campaign-falcon`), which prints what it measures.

#define POSTERN_FALCON_KERNELS statistics_test
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <postern/falcon.hpp>
#include <postern/falcon_codec.hpp>
#include <set>

#include "falcon/chacha_prng.hpp"
#include "falcon/sampler.hpp"
#include "support.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;

std::size_t share(const char* variable, std::size_t otherwise) {
    const char* wanted = std::getenv(variable);
    return wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : otherwise;
}
bool full_campaign() { return std::getenv("POSTERN_FALCON_SIGNATURES") != nullptr; }

/// Chi-square against the discrete Gaussian, bins with fewer than 10 expected samples merged; the limit is six deviations.
void check_sampler(double centre, double sigma) {
    const Bytes seed(56, static_cast<std::uint8_t>(std::lround(centre * 16) + std::lround(sigma * 100)));
    statistics_test::ChaChaPrng rng(seed.data());
    const std::size_t samples = share("POSTERN_FALCON_SAMPLES", 40000);
    const auto count = static_cast<double>(samples);
    std::map<int, double> seen;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < samples; ++i) {
        const int z = statistics_test::sample_z<double>(rng, centre, 1 / sigma, 1.2778336969128337);
        ++seen[z];
        sum += z - centre;
        squares += (z - centre) * (z - centre);
    }
    const auto weight = [&](int z) { return std::exp(-(z - centre) * (z - centre) / (2 * sigma * sigma)); };
    const int middle = static_cast<int>(std::floor(centre));
    double total = 0, ideal_square = 0;
    for (int z = middle - 40; z <= middle + 40; ++z) {
        total += weight(z);
        ideal_square += weight(z) * (z - centre) * (z - centre);
    }
    ideal_square /= total;
    double chi = 0, rest_expected = 0, rest_seen = 0;
    int bins = 0;
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
    if (rest_expected > 5) {
        chi += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
        ++bins;
    }
    EXPECT_LT(chi, bins + 6 * std::sqrt(2.0 * bins)) << centre << " " << sigma;
    EXPECT_NEAR(sum / count, 0, 6 * sigma / std::sqrt(count));
    EXPECT_NEAR(squares / count / ideal_square, 1, 6 * std::sqrt(2 / count));
    if (full_campaign())
        std::printf("sampler: centre %10.4f sigma %.2f: %zu samples, chi-square %.1f in %d bins, variance / ideal %.5f\n", centre, sigma,
                    samples, chi, bins, squares / count / ideal_square);
}
TEST(FalconStatistics, SamplerZ) {
    for (const double centre : {0.0, 0.5, -0.25, 7.9, -1234.4375})
        for (const double sigma : {1.28, 1.5, 1.82}) check_sampler(centre, sigma);
}

/// Mean and variance of floor(|x| / 128) for the Gaussian of that deviation rounded to integers: the unary part of a coefficient.
struct Moments {
    double mean = 0, variance = 0;
};
Moments unary_part(double sigma) {
    double total = 0, first = 0, second = 0;
    for (int x = -2047; x <= 2047; ++x) {
        const double w = std::exp(-x * x / (2 * sigma * sigma));
        const int high = std::abs(x) / 128;
        total += w;
        first += w * high;
        second += w * high * high;
    }
    return {first / total, second / total - first / total * first / total};
}

/// A share of the 10,000 signatures a degree; all of them with POSTERN_FALCON_SIGNATURES=10000.
template <class P>
void check_signatures(double sigma) {
    const std::size_t count = share("POSTERN_FALCON_SIGNATURES", 400);
    const auto many = static_cast<double>(count);
    const auto n = static_cast<double>(P::n);
    const auto key = PrivateKey<P>::from_seed(Bytes(48, 5));
    const ExpandedPrivateKey<P> expanded(key);
    const ExpandedPublicKey<P> verifier(key.public_key());
    std::set<Salt> salts;
    double norms = 0, norm_squares = 0, squares = 0, bits = 0;
    std::size_t shortest = ~std::size_t{0}, longest = 0;
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Bytes message = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)};
        const auto signature = sign_deterministic<P>(expanded, message);
        ASSERT_TRUE(verify<P>(verifier, message, signature));
        ASSERT_TRUE(salts.insert(signature.salt).second) << "a salt for two messages";
        const auto s1 = recover_s1<P>(verifier, hash_to_point<P>(HashToPoint::shake256, signature.salt, message), signature.s2);
        const double norm = squared_norm<P>(s1, signature.s2);
        norms += norm;
        norm_squares += norm * norm;
        largest = std::max(largest, norm);
        for (const int x : signature.s2) {
            squares += x * x;
            bits += 9 + std::abs(x) / 128;
        }
        const auto length = must(encode_signature<P>(SignatureCodec::nist, signature)).size();
        EXPECT_LE(length, P::padded_signature_bytes);
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
    }
    // E ||(s1, s2)||^2 = 2 n sigma^2; its relative deviation is 1 / sqrt(n) for one signature.
    const double ideal_norm = 2 * n * sigma * sigma;
    const double mean = norms / many;
    const double deviation = std::sqrt(std::max(0.0, norm_squares / many - mean * mean)) / mean * std::sqrt(n);
    EXPECT_NEAR(mean / ideal_norm, 1, 6 / std::sqrt(n * many));
    EXPECT_NEAR(deviation, 1, 6 / std::sqrt(2 * many));
    EXPECT_NEAR(squares / (many * n * sigma * sigma), 1, 6 * std::sqrt(2 / (n * many)) + 0.01);
    // Bits: 9 for each coefficient and the unary parts. Over-long signatures are made anew, which is rare enough not to show.
    const Moments unary = unary_part(sigma);
    const double ideal_bits = n * (9 + unary.mean);
    EXPECT_NEAR(bits / many, ideal_bits, 6 * std::sqrt(n * unary.variance / many) + 0.001 * ideal_bits);
    if (full_campaign())
        std::printf(
            "falcon-%zu: %zu signatures valid, salts all different; squared norm / (2 n sigma^2): mean %.5f, relative deviation * sqrt(n) "
            "%.4f, largest %.4f of the bound; s2: variance / sigma^2 %.5f; compressed bits %.2f (ideal %.2f), bytes %zu to %zu of %zu\n",
            P::n, count, mean / ideal_norm, deviation, largest / P::beta2, squares / (many * n * sigma * sigma), bits / many, ideal_bits,
            shortest, longest, P::padded_signature_bytes);
}
TEST(FalconStatistics, Signatures512) { check_signatures<Falcon512>(165.7366171829776); }
TEST(FalconStatistics, Signatures1024) { check_signatures<Falcon1024>(168.38857144654395); }

}  // namespace
}  // namespace postern::falcon
