// The integer floating point against the processor's, operation by operation.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "falcon/soft_double.hpp"
#include "support.hpp"

namespace postern::falcon {
namespace {

using postern::test::TestRandom;

/// Magnitudes as they occur in Falcon, with edge mantissas often.
double sample(TestRandom& random) {
    const std::uint64_t kind = random.below(8);
    if (kind == 0) return static_cast<double>(static_cast<std::int64_t>(random.below(41)) - 20);
    std::uint64_t mantissa = random.next() & ((std::uint64_t{1} << 52) - 1);
    if (kind == 1) mantissa &= 0xfffff00000000;
    if (kind == 2) mantissa |= 0x000fffffffffffff >> random.below(20);
    if (kind == 3) mantissa = random.below(4);
    const std::uint64_t exponent = 1023 - 60 + random.below(120);
    return std::bit_cast<double>((random.next() & (std::uint64_t{1} << 63)) | exponent << 52 | mantissa);
}

void expect_same(double hard, SoftDouble soft, double a, double b, const char* what) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(hard), soft.bits()) << what << " " << std::hexfloat << a << " " << b;
}

TEST(SoftDouble, AgreesWithTheProcessor) {
    TestRandom random(11);
    for (int i = 0; i < 400000; ++i) {
        const double a = sample(random);
        double b = sample(random);
        if (i % 16 == 0) b = a;
        if (i % 16 == 1) b = -a;
        if (i % 16 == 2) b = std::nextafter(-a, 0);
        const SoftDouble x(a), y(b);
        expect_same(a + b, x + y, a, b, "+");
        expect_same(a - b, x - y, a, b, "-");
        if (a != 0 && b != 0) {  // -0 is of no use here and not kept
            expect_same(a * b, x * y, a, b, "*");
            expect_same(a / b, x / y, a, b, "/");
        }
        expect_same(std::sqrt(std::fabs(a)), SoftDouble(std::fabs(a)).square_root(), a, 0, "sqrt");
        ASSERT_EQ(a < b ? 1U : 0U, SoftDouble::less(x, y)) << a << " " << b;
        if (std::fabs(a) < 0x1p62) {
            ASSERT_EQ(static_cast<std::int64_t>(a), x.truncate()) << a;
        }
        const auto n = static_cast<std::int64_t>(random.next() >> random.below(64)) * (i % 2 == 0 ? 1 : -1);
        expect_same(static_cast<double>(n), SoftDouble::from_int(n), static_cast<double>(n), 0, "from_int");
    }
    EXPECT_EQ((SoftDouble(0.0) * SoftDouble(3.0)).bits(), 0U);
    EXPECT_EQ((SoftDouble(0.0) + SoftDouble(3.0)).bits(), SoftDouble(3.0).bits());
    EXPECT_EQ(SoftDouble(0.0).truncate(), 0);
    EXPECT_EQ(SoftDouble::from_int(0).bits(), 0U);
}

}  // namespace
}  // namespace postern::falcon
