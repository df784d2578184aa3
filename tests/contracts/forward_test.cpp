#include <gtest/gtest.h>

#include <random>

#include "contracts/kernel_bench.hpp"
#include "contracts/model/field.hpp"
#include "contracts/model/pack.hpp"

namespace postern::test {
namespace {

using namespace contracts;
using namespace contracts::mldsa_evm;

const mldsa::ParameterSet kSets[] = {mldsa::ParameterSet::ml_dsa_44, mldsa::ParameterSet::ml_dsa_65, mldsa::ParameterSet::ml_dsa_87};

struct ForwardRun {
    KernelRun run;
    bool bad = false;
};
ForwardRun forward(const Plan& plan, const Bytes& signature) {
    Kernel probe;
    ForwardRun f;
    Label pass_b;
    f.run = run_kernel(
        plan, signature, {},
        [&](Kernel& k) {
            pass_b = k.label();
            emit_z(k, plan, pass_b);
        },
        [&](Kernel& k) {
            emit_pass_b(k, plan, pass_b, {challenge_bounds(plan), pass_a_bounds(plan)});
        });
    f.bad = !f.run.word(vars.bad).is_zero();
    return f;
}

class Forward : public testing::TestWithParam<mldsa::ParameterSet> {
  protected:
    Plan plan = make_plan(mldsa::scheme(GetParam()));
    std::mt19937_64 rng{1};

    void expect_leaves(const KernelRun& run, const std::vector<model::Poly>& z) {
        const auto v = plan.w1.v;
        for (unsigned i = 0; i < plan.p.l; ++i) {
            for (unsigned p = 0; p < 64; ++p) {
                const U256 word = run.word(plan.map.array(i) + 32 * p);
                const auto expected = model::at_leaf(z[i], p);
                for (unsigned j = 0; j < 4; ++j) {
                    const std::uint64_t lane = word.limb[3 - j];
                    ASSERT_EQ(lane & 0xffffffffU, 0U);
                    ASSERT_EQ(static_cast<std::int64_t>((lane >> 32) % q), model::mod(expected[j] * v)) << i << " " << p << " " << j;
                }
            }
        }
    }
};

TEST_P(Forward, RandomPolynomials) {
    std::vector<model::Poly> z(plan.p.l);
    const auto bound = static_cast<std::int64_t>(plan.p.gamma1 - plan.p.beta - 1);
    std::uniform_int_distribution<std::int64_t> d(-bound, bound);
    for (auto& p : z) {
        for (auto& c : p) c = d(rng);
    }
    const ForwardRun f = forward(plan, model::pack_z(z, plan.p));
    EXPECT_FALSE(f.bad);
    expect_leaves(f.run, z);
    RecordProperty("gas", static_cast<int>(f.run.gas));
    std::printf("forward %s: %llu gas\n", std::string(plan.p.scheme->name).c_str(), static_cast<unsigned long long>(f.run.gas));
}

TEST_P(Forward, ExtremePolynomials) {
    const auto bound = static_cast<std::int64_t>(plan.p.gamma1 - plan.p.beta - 1);
    for (int pattern = 0; pattern < 4; ++pattern) {
        std::vector<model::Poly> z(plan.p.l);
        for (auto& p : z) {
            for (std::size_t c = 0; c < 256; ++c)
                p[c] = pattern == 0 ? bound : pattern == 1 ? -bound : pattern == 2 ? (c % 2 == 0 ? bound : -bound) : 0;
        }
        const ForwardRun f = forward(plan, model::pack_z(z, plan.p));
        EXPECT_FALSE(f.bad);
        expect_leaves(f.run, z);
    }
}

TEST_P(Forward, ArbitraryBytesStayInsideTheirLanes) {
    for (int pattern = 0; pattern < 6; ++pattern) {
        Bytes signature(plan.p.c_tilde + plan.p.l * plan.p.z_poly);
        for (auto& b : signature)
            b = pattern == 0   ? 0
                : pattern == 1 ? 0xff
                : pattern == 2 ? static_cast<std::uint8_t>(rng() % 16 == 0)
                               : static_cast<std::uint8_t>(rng());
        std::vector<model::Poly> z(plan.p.l);
        bool bad = false;
        for (unsigned i = 0; i < plan.p.l; ++i) {
            for (unsigned c = 0; c < 256; ++c) {
                std::int64_t f = 0;
                for (unsigned b = 0; b < plan.p.z_bits; ++b) {
                    const std::size_t bit = std::size_t{c} * plan.p.z_bits + b;
                    f |= static_cast<std::int64_t>((signature[plan.p.c_tilde + i * plan.p.z_poly + bit / 8] >> (bit % 8)) & 1) << b;
                }
                z[i][c] = static_cast<std::int64_t>(plan.p.gamma1) - f;
                bad = bad || std::abs(z[i][c]) >= static_cast<std::int64_t>(plan.p.gamma1 - plan.p.beta);
                // A field below beta wraps in the decoder: it stands for z - 2^z_bits, and the norm fails anyway.
                if (f + plan.p.beta >= (std::int64_t{1} << plan.p.z_bits)) z[i][c] += std::int64_t{1} << plan.p.z_bits;
            }
        }
        const ForwardRun f = forward(plan, signature);
        EXPECT_EQ(f.bad, bad);
        expect_leaves(f.run, z);
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, Forward, testing::ValuesIn(kSets));

}  // namespace
}  // namespace postern::test
