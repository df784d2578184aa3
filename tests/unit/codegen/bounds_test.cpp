// The compiler refuses kernels whose lanes could disturb each other, and says why.

#include <gtest/gtest.h>

#include "codegen/block.hpp"
#include "codegen/reduce.hpp"
#include "interpret.hpp"

namespace postern::codegen {
namespace {

constexpr Int kTop64 = (Int{1} << 64) - 1;

LaneBounds below(Int hi, unsigned zeros = 0) { return LaneBounds::uniform(64, 4, {0, hi}, zeros); }

/// Runs f and returns what it was refused for; empty if it was not.
template <class F>
std::string refusal(F f) {
    Block b("norm");
    try {
        f(b);
    } catch (const BoundError& e) {
        return e.what();
    }
    return {};
}

Value input(Block& b, Int hi, unsigned zeros = 0) { return b.declare_input(b.entry({"x"})[0], below(hi, zeros), "test"); }

void expect_refused(const std::string& what, std::initializer_list<const char*> parts) {
    ASSERT_FALSE(what.empty()) << "was not refused";
    for (const char* p : parts) EXPECT_NE(what.find(p), std::string::npos) << what << " does not mention " << p;
}

TEST(Bounds, AdditionMayCarryOnlyWhileNobodyLooks) {
    EXPECT_EQ(refusal([](Block& b) {
                  const Value x = input(b, kTop64);
                  // Leaves the lanes and comes back: fine.
                  const Value y = (x + rep(U256{5})) - rep(U256{5});
                  b.store({"out", 0, 32}, 0, y);
              }),
              "");
    expect_refused(refusal([](Block& b) {
                       b.store({"out", 0, 32}, 0, input(b, kTop64) + rep(U256{1}));
                   }),
                   {"kernel norm", "MSTORE", "18446744073709551616"});
    expect_refused(refusal([](Block& b) { (void)((input(b, kTop64) + rep(U256{1})) & rep(U256{0xff})); }), {"AND", "[0, 2^64)"});
}

TEST(Bounds, SubtractionMayNotBorrow) {
    expect_refused(refusal([](Block& b) { b.exit({input(b, 10) - rep(U256{1})}); }), {"exit", "-1"});
    EXPECT_EQ(refusal([](Block& b) { b.exit({(input(b, 10) + rep(U256{1})) - rep(U256{1})}); }), "");
}

TEST(Bounds, ProductsMustStayInTheirLanes) {
    EXPECT_EQ(refusal([](Block& b) { (void)((input(b, (1 << 20)) * U256{1ULL << 40}) & rep(U256{0xff})); }), "");
    expect_refused(refusal([](Block& b) { (void)((input(b, (1 << 24)) * U256{1ULL << 40}) & rep(U256{0xff})); }), {"AND"});
}

TEST(Bounds, RightShiftsNeedAMask) {
    expect_refused(refusal([](Block& b) { b.exit({input(b, kTop64) >> 8}); }), {"exit", "neighbouring lane"});
    expect_refused(refusal([](Block& b) { b.exit({(input(b, kTop64) >> 8) + rep(U256{1})}); }), {"ADD", "neighbouring lane"});
    expect_refused(refusal([](Block& b) { b.exit({shift_mask(input(b, kTop64), 8, rep(U256::mask(57)))}); }), {"mask after >> 8"});
    EXPECT_EQ(refusal([](Block& b) { b.exit({shift_mask(input(b, kTop64), 8, rep(U256::mask(56)))}); }), "");
    // Lanes that are multiples of 2^32 have nothing to move.
    EXPECT_EQ(refusal([](Block& b) { b.exit({input(b, kTop64, 32) >> 32}); }), "");
}

TEST(Bounds, StoresRespectWhatTheAreaDeclares) {
    const Area area{"rows", 0x100, 64, below(1000)};
    EXPECT_EQ(refusal([&](Block& b) { b.store(area, 0, input(b, 1000)); }), "");
    expect_refused(refusal([&](Block& b) { b.store(area, 0, input(b, 1001)); }), {"rows", "1001", "1000"});
    expect_refused(refusal([&](Block& b) { b.store(area, 0, b.entry({"plain"})[0]); }), {"rows"});
    expect_refused(refusal([&](Block& b) { b.store(area, 40, input(b, 1)); }), {"rows", "72"});
    // What one kernel stores is what the next one loads.
    Block b("load");
    EXPECT_EQ(b.load(area, 32).lanes().max_hi(), 1000);
}

TEST(Bounds, DisplacedLoadsNeedZeros) {
    const Area upper{"upper", 0x100, 64, below(Int{7} << 32, 32)};
    const Area lower{"lower", 0x100, 64, below(7)};
    Block b("load");
    EXPECT_EQ(b.load_displaced(upper, 0, 4).lanes().max_hi(), 7);
    expect_refused(refusal([&](Block& k) { (void)k.load_displaced(lower, 0, 4); }), {"displaced", "lower"});
}

TEST(Bounds, SpreadCopiesMayNotOverlap) {
    EXPECT_EQ(refusal([](Block& b) { (void)spread(b.entry({"v"})[0] >> 184, U256::pow2(100) + U256{1}); }), "");
    // Isolating 32 bits too few: the copies of the carry chain meet.
    expect_refused(refusal([](Block& b) { (void)spread(b.entry({"v"})[0] >> 152, U256::pow2(100) + U256{1}); }), {"spread", "bit 100"});
    expect_refused(refusal([](Block& b) {
                       const auto v = b.entry({"v", "w"});
                       (void)join_bits(v[0] & U256::mask(9), (v[1] & U256::mask(8)) << 8);
                   }),
                   {"join_bits"});
}

TEST(Bounds, FoldedProductsMayNotCarry) {
    const auto product = [](Int a, Int z) {
        return refusal([&](Block& b) {
            const auto v = b.entry({"a", "z"});
            const Value key = b.declare_input(v[0], below(a), "key");
            const Value data = b.declare_input(v[1], below(z), "data");
            (void)leaf_mulmod(key, data, b.constant(U256::max()));
        });
    };
    EXPECT_EQ(product(8380416, Int{119} * 8380417), "");
    expect_refused(product(Int{1} << 31, Int{1} << 31), {"MULMOD", "could carry"});
}

TEST(Bounds, DifferentlyShapedLanesAreViewedThroughTheirBits) {
    Block b("shape");
    const Value x = b.declare_input(b.entry({"x"})[0], LaneBounds::uniform(32, 8, {0, 100}), "test");
    const Value wide = b.lanes(b.plain(x), 64, 4);
    EXPECT_EQ(wide.lanes().max_hi(), (Int{127} << 32) + 127);
}

// ---------------------------------------------------------------------------------------------- reductions

constexpr Modulus kQ{8380417};

std::vector<std::uint64_t> samples(std::uint64_t limit) {
    std::vector<std::uint64_t> v = {0, 1, 2, limit - 1, limit - 2, limit / 2};
    for (std::uint64_t k = 1; k < 40; ++k) {
        if (kQ.q * k < limit) {
            v.push_back(kQ.q * k);
            v.push_back(kQ.q * k - 1);
        }
    }
    std::uint64_t s = 12345;
    for (int i = 0; i < 2000; ++i) {
        s = s * 6364136223846793005ULL + 1442695040888963407ULL;
        v.push_back((s >> 8) % limit);
    }
    return v;
}

/// Every lane of the result lies in the declared interval and is congruent to factor * x.
void check_reduction(std::uint64_t limit, const std::function<Value(Value)>& reduce, std::uint64_t factor) {
    Block b("reduce");
    const Value x = b.declare_input(b.entry({"x"})[0], below(static_cast<Int>(limit) - 1), "test");
    const Value r = reduce(x);
    const LaneBounds bounds = r.lanes();
    test::Interpreter run(b);
    const auto values = samples(limit);
    for (std::size_t i = 0; i + 4 <= values.size(); i += 4) {
        run.set(Value(&b, b.graph().entry[0]), U256{values[i + 3], values[i + 2], values[i + 1], values[i]});
        U256 word = run(r);
        // As a sum of signed lanes: subtract what is negative lane by lane from the bottom.
        for (std::size_t lane = 0; lane < 4; ++lane) {
            Int got = static_cast<Int>(word.low64());
            if (bounds.lane[lane].lo < 0 && got > bounds.lane[lane].hi) got -= Int{1} << 64;
            ASSERT_GE(got, bounds.lane[lane].lo) << values[i + lane];
            ASSERT_LE(got, bounds.lane[lane].hi) << values[i + lane];
            const Int q = static_cast<Int>(kQ.q);
            ASSERT_EQ(static_cast<std::uint64_t>(((got % q) + q) % q), kQ.mul(values[i + lane] % kQ.q, factor)) << values[i + lane];
            word = got < 0 ? (word >> 64) + U256{1} : word >> 64;
        }
    }
}

TEST(Reduce, MontgomeryProduct) {
    for (const std::uint64_t w : {1ULL, 1753ULL, 3602218ULL, 8380416ULL})
        check_reduction(
            1ULL << 32, [&](Value x) { return to_lower(montgomery_mul(x, w, kQ)); }, w);
}

TEST(Reduce, MontgomeryReduction) {
    const std::uint64_t inverse = kQ.inverse((1ULL << 32) % kQ.q);
    check_reduction(
        1ULL << 57, [&](Value x) { return to_lower(montgomery_reduce(x, kQ)); }, inverse);
    check_reduction((1ULL << 63) - 1, [&](Value x) { return to_lower(montgomery_reduce(x, kQ)); }, inverse);
}

TEST(Reduce, ShoupProduct) {
    for (const std::uint64_t w : {1ULL, 1753ULL, 3602218ULL, 8380416ULL}) {
        check_reduction(
            1ULL << 29, [&](Value x) { return shoup_mul(x, w, 35, kQ); }, w);
        check_reduction(
            1ULL << 28, [&](Value x) { return shoup_mul_ceil(x, w, 35, kQ); }, w);
    }
}

TEST(Reduce, Trims) {
    check_reduction(
        1ULL << 40, [](Value x) { return trim(x, 23, 8380417, kQ); }, 1);
    check_reduction(
        1ULL << 50, [](Value x) { return trim(x, 33, 1025 * 8380417ULL, kQ); }, 1);
}

TEST(Reduce, RefusesOperandsThatAreTooLarge) {
    expect_refused(refusal([](Block& b) { (void)montgomery_mul(input(b, Int{1} << 32), 5, kQ); }), {"Montgomery product", "4294967296"});
    expect_refused(refusal([](Block& b) { (void)shoup_mul(input(b, Int{1} << 30), 8380416, 35, kQ); }), {"Shoup", "2^64"});
    expect_refused(refusal([](Block& b) { (void)montgomery_reduce(input(b, kTop64), kQ); }), {"Montgomery reduction"});
}

}  // namespace
}  // namespace postern::codegen
