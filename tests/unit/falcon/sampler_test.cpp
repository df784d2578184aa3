// SamplerZ against the published answers, on the processor's reals and on the emulated ones.

#define POSTERN_FALCON_KERNELS sampler_test
#include "falcon/sampler.hpp"

#include <gtest/gtest.h>

#include "falcon/chacha_prng.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace postern::falcon {
namespace {

using namespace postern::test;
using namespace sampler_test;

/// Bytes in the order of the test files: nine for the base sampler, the first being the most significant.
class RecordedBytes {
  public:
    explicit RecordedBytes(Bytes bytes) : bytes_(std::move(bytes)) {}
    std::uint64_t next_u64() {
        high_ = bytes_.at(position_++);
        std::uint64_t low = 0;
        for (int i = 0; i < 8; ++i) low = low << 8 | bytes_.at(position_++);
        has_high_ = true;
        return low;
    }
    std::uint8_t next_u8() {
        if (has_high_) {
            has_high_ = false;
            return high_;
        }
        return bytes_.at(position_++);
    }
    bool used_up() const { return position_ == bytes_.size(); }

  private:
    Bytes bytes_;
    std::size_t position_ = 0;
    std::uint8_t high_ = 0;
    bool has_high_ = false;
};

TEST(SamplerZ, PublishedAnswers) {
    POSTERN_REQUIRE_VECTORS(dir);
    for (const auto* file : {"falcon/sampler/samplerz-KAT512.json", "falcon/sampler/samplerz-KAT1024.json"}) {
        const auto json = read_json(dir / file);
        EXPECT_GE(json["tests"].size(), 717U);
        for (const auto& test : json["tests"]) {
            const double mu = test["mu"], sigma = test["sigma"], sigma_min = test["sigmin"];
            RecordedBytes hard(unhex(test["octets"]));
            EXPECT_EQ(sample_z<double>(hard, mu, 1 / sigma, sigma_min), test["z"].get<int>());
            EXPECT_TRUE(hard.used_up());
            RecordedBytes soft(unhex(test["octets"]));
            EXPECT_EQ(sample_z<SoftDouble>(soft, SoftDouble(mu), SoftDouble(1 / sigma), SoftDouble(sigma_min)), test["z"].get<int>());
            EXPECT_TRUE(soft.used_up());
        }
    }
}

}  // namespace
}  // namespace postern::falcon
