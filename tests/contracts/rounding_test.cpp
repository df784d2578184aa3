// Decompose, UseHint and w1Encode on chosen values: with A[i] = (1, 2^k, 0, ..) the commitment w = z0 + 2^k z1 takes any value. All
// boundaries of the buckets, both hint bits. And the norm's constants, half-lane by half-lane.

#include <gtest/gtest.h>

#include <random>

#include "contracts/kernel_bench.hpp"
#include "contracts/mldsa/key_blob.hpp"
#include "contracts/model/field.hpp"
#include "contracts/model/pack.hpp"

namespace postern::test {
namespace {

using namespace contracts;
using namespace contracts::mldsa_evm;

class Rounding : public testing::TestWithParam<std::string> {};

TEST_P(Rounding, EveryBucketBoundary) {
    const Plan plan = make_plan(*mldsa::find_scheme(GetParam()));
    const auto gamma2 = static_cast<std::int64_t>(plan.p.gamma2);
    std::vector<std::int64_t> values;
    for (std::int64_t b = 0; b <= model::Q / gamma2 + 1; ++b) {
        for (std::int64_t d = -2; d <= 2; ++d) values.push_back(model::mod(b * gamma2 + d));
    }
    for (std::int64_t d = 1; d <= gamma2; d = d * 3 + 1) values.push_back(model::Q - d);
    while (values.size() % 256 != 0) values.push_back(static_cast<std::int64_t>(values.size() * 7919 % model::Q));
    const std::int64_t step = static_cast<std::int64_t>(plan.p.gamma1) / 2;
    for (std::size_t first = 0; first < values.size(); first += 256) {
        std::vector<model::Poly> z(plan.p.l);
        for (std::size_t n = 0; n < 256; ++n) {
            z[1][n] = values[first + n] / step;
            z[0][n] = values[first + n] % step;
        }
        std::vector<std::array<std::uint64_t, 256>> a(std::size_t{plan.p.k} * plan.p.l), t(plan.p.k);
        for (unsigned i = 0; i < plan.p.k; ++i) {
            a[i * plan.p.l][0] = 1;
            a[i * plan.p.l + 1][0] = static_cast<std::uint64_t>(step);
        }
        const KeyBlob blob = make_blob(plan, a, t, Bytes(32, 0), Bytes(64, 0));
        std::map<evm::Address, Bytes> accounts;
        std::map<std::uint64_t, Bytes> memory;
        for (std::size_t i = 0; i < blob.parts.size(); ++i) {
            evm::Address address{};
            address[0] = 0xab;
            address[19] = static_cast<std::uint8_t>(i);
            accounts[address] = blob.parts[i];
            Bytes word(32);
            std::copy(address.begin(), address.end(), word.begin() + 12);
            memory[vars.parts + 32 * i] = word;
        }
        // Hints alternate with the row: every value is seen with and without.
        for (unsigned i = 0; i < plan.p.k; ++i) memory[plan.map.hints + 256 * i] = Bytes(256, static_cast<std::uint8_t>(i % 2));
        Label pass_b, table;
        const KernelRun run = run_kernel(
            plan, model::pack_z(z, plan.p), memory,
            [&](Kernel& k) {
                pass_b = k.label(), table = k.label();
                emit_z(k, plan, pass_b);
                // No challenge: ones everywhere in the byte coding.
                k.push(splat(1));
                k.mstore(plan.map.work);
                for (unsigned n = 32; n < 2048; n *= 2) {
                    k.push(n);
                    k.push(plan.map.work);
                    k.push(plan.map.work + n);
                    k.op(Op::MCOPY);
                }
                emit_challenge_transform(k, plan, pass_b);
                Kernel scratch("bounds");
                const auto exits = emit_pass_b(scratch, plan, scratch.label(), {challenge_bounds(plan), pass_a_bounds(plan)});
                emit_rows(k, plan, emit_matrix(k, plan, table, exits[1], exits[0]));
            },
            [&](Kernel& k) {
                emit_pass_b(k, plan, pass_b, {challenge_bounds(plan), pass_a_bounds(plan)});
                k.data(table, theta_table(plan));
            },
            accounts);
        EXPECT_TRUE(run.word(vars.bad).is_zero());
        const unsigned lanes = 4 * plan.p.w1_bits;
        for (unsigned i = 0; i < plan.p.k; ++i) {
            for (unsigned n = 0; n < 256; ++n) {
                std::uint64_t got = 0;
                for (unsigned b = 0; b < plan.p.w1_bits; ++b) {
                    const unsigned bit = (plan.p.w1_bits * n + b) ^ (plan.byte_order() ? 56U : 0U);  // byte 0 on top, or at the bottom
                    got |= ((run.word(plan.map.packed + 8 * (lanes * i + bit / 64)).limb[3] >> (bit % 64)) & 1U) << b;
                }
                const auto expected = model::use_hint(i % 2 == 1, values[first + n], gamma2);
                ASSERT_EQ(static_cast<std::int64_t>(got), expected) << "r = " << values[first + n] << ", hint " << i % 2;
            }
        }
    }
}

bool norm_verdict(const Plan& plan, const std::vector<model::Poly>& z) {
    Label pass_b;
    const KernelRun run = run_kernel(
        plan, model::pack_z(z, plan.p), {},
        [&](Kernel& k) {
            pass_b = k.label();
            emit_z(k, plan, pass_b);
        },
        [&](Kernel& k) {
            emit_pass_b(k, plan, pass_b, {challenge_bounds(plan), pass_a_bounds(plan)});
        });
    return run.word(vars.bad).is_zero();
}

// What the position tests are worth: with one half-lane of the norm's constant or of its verdict made blind, a coefficient there passes.
TEST_P(Rounding, EveryHalfLaneOfTheNormCounts) {
    const Plan right = make_plan(*mldsa::find_scheme(GetParam()));
    const auto bound = static_cast<std::int64_t>(right.p.gamma1 - right.p.beta);
    for (unsigned half = 0; half < 8; ++half) {
        std::vector<model::Poly> z(right.p.l);
        // Half-lane 2l of word w is coefficient 4w + 3 - l (group a), 2l + 1 the same 32 words later (group b).
        const unsigned coefficient = 3 - half / 2 + (half % 2 == 0 ? 0 : 128);
        z[0][coefficient] = bound;
        EXPECT_FALSE(norm_verdict(right, z)) << half;
        Overrides overrides;
        overrides.norm_blind = half;
        EXPECT_TRUE(norm_verdict(make_plan(*mldsa::find_scheme(GetParam()), overrides), z)) << half;
        for (unsigned other = 0; other < 8; ++other) {
            if (other == half) continue;
            overrides.norm_blind = other;
            EXPECT_FALSE(norm_verdict(make_plan(*mldsa::find_scheme(GetParam()), overrides), z)) << half << " " << other;
            if (!(half == 0 || other == 0)) break;  // one pairing suffices beyond the first
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, Rounding,
                         testing::Values("ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "keccak-ml-dsa-44", "keccak-ml-dsa-65",
                                         "keccak-ml-dsa-87"));

}  // namespace
}  // namespace postern::test
