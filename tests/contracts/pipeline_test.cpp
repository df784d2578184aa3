// From z, challenge, key and hints to the bytes of w1Encode, against plain integer mathematics.

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

struct Inputs {
    std::vector<model::Poly> z, a, t;
    model::Poly c{};
    std::vector<std::array<bool, 256>> hints;
};

std::vector<std::array<std::uint64_t, 256>> unsigned_polys(const std::vector<model::Poly>& polys) {
    std::vector<std::array<std::uint64_t, 256>> out(polys.size());
    for (std::size_t i = 0; i < polys.size(); ++i) {
        for (std::size_t j = 0; j < 256; ++j) out[i][j] = static_cast<std::uint64_t>(model::mod(polys[i][j]));
    }
    return out;
}

KernelRun pipeline(const Plan& plan, const Inputs& in) {
    const KeyBlob blob = make_blob(plan, unsigned_polys(in.a), unsigned_polys(in.t), Bytes(32, 1), Bytes(64, 2));
    std::map<evm::Address, Bytes> accounts;
    std::map<std::uint64_t, Bytes> memory;
    for (std::size_t i = 0; i < blob.parts.size(); ++i) {
        evm::Address address{};
        address[0] = 0xaa;
        address[19] = static_cast<std::uint8_t>(i);
        accounts[address] = blob.parts[i];
        Bytes word(32);
        std::copy(address.begin(), address.end(), word.begin() + 12);
        memory[vars.parts + 32 * i] = word;
    }
    for (unsigned i = 0; i < plan.p.k; ++i) {
        Bytes row(256);
        for (unsigned j = 0; j < 256; ++j) row[j ^ plan.place_flip()] = in.hints[i][j] ? 1 : 0;
        memory[plan.map.hints + 256 * i] = row;
    }
    Bytes calldata = model::pack_z(in.z, plan.p);
    const std::size_t at = calldata.size();
    calldata.resize(at + 2048);
    for (std::size_t j = 0; j < 256; ++j) calldata[at + 8 * j + 7] = static_cast<std::uint8_t>(in.c[j] + 1);
    Label pass_b, table;
    return run_kernel(
        plan, calldata, memory,
        [&](Kernel& k) {
            pass_b = k.label(), table = k.label();
            emit_z(k, plan, pass_b);
            k.push(2048);
            k.push(at);
            k.push(plan.map.work);
            k.op(Op::CALLDATACOPY);
            emit_challenge_transform(k, plan, pass_b);
            Kernel scratch("bounds");
            const auto exits = emit_pass_b(scratch, plan, scratch.label(), {challenge_bounds(plan), pass_a_bounds(plan)});
            const Bounds row = emit_matrix(k, plan, table, exits[1], exits[0]);
            emit_rows(k, plan, row);
        },
        [&](Kernel& k) {
            emit_pass_b(k, plan, pass_b, {challenge_bounds(plan), pass_a_bounds(plan)});
            k.data(table, theta_table(plan));
        },
        accounts);
}

void expect_w1(const Plan& plan, const Inputs& in, const KernelRun& run) {
    for (unsigned i = 0; i < plan.p.k; ++i) {
        model::Poly w{};
        for (unsigned j = 0; j < plan.p.l; ++j) {
            const auto product = model::multiply(in.z[j], in.a[i * plan.p.l + j]);
            for (std::size_t n = 0; n < 256; ++n) w[n] += product[n];
        }
        const auto ct = model::multiply(in.c, in.t[i]);
        for (std::size_t n = 0; n < 256; ++n) w[n] = model::mod(w[n] - ct[n]);
        // w1Encode (algorithm 28) as lanes of the hash: 64-bit little-endian integers, or its bytes where keccak256 hashes them.
        std::vector<std::uint64_t> lanes(4 * plan.p.w1_bits);
        for (unsigned n = 0; n < 256; ++n) {
            const auto r = static_cast<std::uint64_t>(model::use_hint(in.hints[i][n], w[n], static_cast<std::int64_t>(plan.p.gamma2)));
            for (unsigned b = 0; b < plan.p.w1_bits; ++b) {
                const unsigned bit = plan.p.w1_bits * n + b;
                lanes[bit / 64] |= ((r >> b) & 1U) << (bit % 64);
            }
        }
        for (unsigned l = 0; l < lanes.size(); ++l) {
            const std::uint64_t got = run.word(plan.map.packed + 8 * (lanes.size() * i + l)).limb[3];
            ASSERT_EQ(plan.byte_order() ? __builtin_bswap64(got) : got, lanes[l]) << "row " << i << " lane " << l;
        }
    }
}

class Pipeline : public testing::TestWithParam<std::string> {
  protected:
    Plan plan = make_plan(*mldsa::find_scheme(GetParam()));
    std::mt19937_64 rng{7};

    Inputs inputs(int key_kind, int z_kind) {
        Inputs in;
        const auto bound = static_cast<std::int64_t>(plan.p.gamma1 - plan.p.beta - 1);
        std::uniform_int_distribution<std::int64_t> dz(-bound, bound), dq(0, model::Q - 1);
        in.z.resize(plan.p.l), in.a.resize(std::size_t{plan.p.k} * plan.p.l), in.t.resize(plan.p.k), in.hints.resize(plan.p.k);
        for (auto& p : in.z) {
            for (auto& c : p) c = z_kind == 0 ? dz(rng) : z_kind == 1 ? bound : z_kind == 2 ? -bound : 0;
        }
        const auto key = [&] {
            return key_kind == 0   ? dq(rng)
                   : key_kind == 1 ? model::Q - 1
                   : key_kind == 2 ? (rng() % 2 == 0 ? model::Q - 1 : 0)
                                   : std::int64_t{0};
        };
        for (auto& p : in.a) {
            for (auto& c : p) c = key();
        }
        for (auto& p : in.t) {
            for (auto& c : p) c = key();
        }
        for (unsigned n = 0; n < plan.p.tau; ++n) in.c[rng() % 256] = rng() % 2 == 0 ? 1 : -1;
        for (auto& row : in.hints) {
            for (auto& h : row) h = rng() % 4 == 0;
        }
        return in;
    }
};

TEST_P(Pipeline, RandomKey) {
    const Inputs in = inputs(0, 0);
    const KernelRun run = pipeline(plan, in);
    EXPECT_TRUE(run.word(vars.bad).is_zero());
    expect_w1(plan, in, run);
    std::printf("arithmetic %s: %llu gas\n", std::string(plan.p.scheme->name).c_str(), static_cast<unsigned long long>(run.gas));
}

TEST_P(Pipeline, ExtremeKeysAndResponses) {
    for (int key = 0; key < 4; ++key) {
        const Inputs in = inputs(key, key == 0 ? 1 : key == 1 ? 2 : key == 2 ? 3 : 0);
        expect_w1(plan, in, pipeline(plan, in));
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, Pipeline,
                         testing::Values("ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "keccak-ml-dsa-44", "keccak-ml-dsa-65",
                                         "keccak-ml-dsa-87"));

}  // namespace
}  // namespace postern::test
