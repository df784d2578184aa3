// The hashing steps on keccak256 counter XOFs, one by one: exact absorption, the stream of SampleInBall across its refills, and
// every byte of the comparison.

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "contracts/kernel_bench.hpp"
#include "hash/counter_xof.hpp"

namespace postern::test {
namespace {

using namespace contracts;
using namespace contracts::mldsa_evm;

Bytes word_of(std::uint64_t v) {
    const auto w = to_be_bytes(U256{v});
    return {w.begin(), w.end()};
}

Bytes counter_xof(const Plan& plan, const std::vector<Bytes>& parts, std::size_t size) {
    Bytes out(size);
    const auto run = [&](auto xof) {
        for (const Bytes& part : parts) xof.absorb(part);
        xof.squeeze(out);
    };
    if (plan.counter_bytes == 8)
        run(hash::KeccakPrng());
    else
        run(hash::Keccak256CtrXof());
    return out;
}

class CounterHashing : public testing::TestWithParam<std::string> {
  protected:
    std::mt19937_64 rng{12};
    Bytes random(std::size_t size) {
        Bytes out(size);
        for (auto& b : out) b = static_cast<std::uint8_t>(rng());
        return out;
    }
    static Plan plan_with(const Overrides& overrides) { return make_plan(*mldsa::find_scheme(GetParam()), overrides); }
    static KernelBench bench(const Plan& plan, bool draws) {
        std::unique_ptr<CounterHash> hash;
        return KernelBench(
            plan,
            [&](Kernel& k) {
                hash = std::make_unique<CounterHash>(k, plan);
                hash->emit_mu(k);
                if (draws) hash->emit_draws(k);
            },
            [&](Kernel& k) { hash->emit_routines(k); });
    }
};

TEST_P(CounterHashing, MuAbsorbsExactlyTheMessage) {
    const Plan plan = plan_with({});
    const KernelBench mu = bench(plan, false);
    const Bytes tr = random(64);
    for (std::size_t n = 0; n < 200; ++n) {
        const std::size_t context_size = n < 150 ? n % 7 : n + 50, message_size = n == 199 ? 5000 : n;
        const Bytes message = random(message_size), context = random(context_size);
        Bytes calldata(17 + context_size + 40 + message_size + 300, 0xff);
        std::copy(context.begin(), context.end(), calldata.begin() + 17);
        std::copy(message.begin(), message.end(), calldata.begin() + static_cast<std::ptrdiff_t>(57 + context_size));
        const KernelRun run = mu.run(calldata, {{vars.context, word_of(17)},
                                                {vars.context_size, word_of(context_size)},
                                                {vars.message, word_of(57 + context_size)},
                                                {vars.message_size, word_of(message_size)},
                                                {message_buffer(plan), tr}});
        const Bytes expected = counter_xof(plan, {tr, Bytes{0, static_cast<std::uint8_t>(context_size)}, context, message}, 64);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), run.memory.begin() + static_cast<std::ptrdiff_t>(plan.map.lanes)))
            << message_size << " " << context_size;
        ASSERT_TRUE(run.word(plan.map.hints).is_zero()) << "hint bytes must stay zero";
    }
}

/// Algorithm 29 on a stream of bytes, the draws from `at` on; tells where they end.
std::array<int, 256> sample(const Bytes& stream, unsigned tau, std::size_t& at) {
    std::array<int, 256> c{};
    for (unsigned i = 256 - tau; i < 256; ++i) {
        while (stream.at(at) > i) ++at;
        const std::size_t j = stream[at++];
        c[i] = c[j];
        const unsigned bit = i + tau - 256;
        c[j] = ((stream[bit / 8] >> (bit % 8)) & 1U) != 0 ? -1 : 1;
    }
    return c;
}

// With one block at a time every challenge needs refills, and where the draws begin decides on which of them the end of a block
// falls: the first, one that is refused, the last.
TEST_P(CounterHashing, ChallengeAcrossRefills) {
    std::size_t refills = 0, ends_on_a_block = 0;
    for (const unsigned blocks : {0U, 1U, 2U}) {
        for (unsigned first = 8; first <= 32; first += blocks == 1 ? 1 : 24) {
            Overrides overrides;
            if (blocks != 0) overrides.stream_blocks = blocks;
            overrides.first_draw = first;
            const Plan plan = plan_with(overrides);
            const std::size_t batch = 32ULL * plan.stream_blocks;
            const KernelBench draws = bench(plan, true);
            for (int n = 0; n < 20; ++n) {
                const Bytes signature = random(plan.p.signature);
                const KernelRun run = draws.run(signature, {{vars.message_size, word_of(32)}});
                const Bytes stream = counter_xof(plan, {Bytes(signature.begin(), signature.begin() + plan.p.c_tilde)}, 600);
                std::size_t used = first;
                const auto c = sample(stream, plan.p.tau, used);
                if (used > batch) ++refills;
                if (used % batch == 1) ++ends_on_a_block;
                for (std::size_t i = 0; i < 256; ++i) {
                    ASSERT_EQ(run.word(plan.map.work + 8 * i).limb[3], static_cast<std::uint64_t>(c[i] + 1)) << n << ": " << i;
                }
            }
        }
    }
    EXPECT_GT(refills, 400U);
    EXPECT_GT(ends_on_a_block, 0U) << "no last draw met the end of a block";
}

// The comparison, with whatever a refill left in the counter.
TEST_P(CounterHashing, EveryByteIsCompared) {
    const Plan plan = plan_with({});
    std::unique_ptr<CounterHash> hash;
    const KernelBench final(
        plan,
        [&](Kernel& k) {
            hash = std::make_unique<CounterHash>(k, plan);
            hash->emit_final(k);
        },
        [&](Kernel& k) { hash->emit_routines(k); });
    const Bytes hashed = random(64 + 32ULL * plan.p.w1_bits * plan.p.k);
    const Bytes c_tilde = counter_xof(plan, {hashed}, plan.p.c_tilde);
    const auto bad = [&](const Bytes& claimed) {
        Bytes signature = random(plan.p.signature);
        std::copy(claimed.begin(), claimed.end(), signature.begin());
        Bytes dirty(plan.counter_bytes, 0xa5);
        return !final.run(signature, {{plan.map.lanes, hashed}, {plan.map.counter + 32, dirty}}).word(vars.bad).is_zero();
    };
    EXPECT_FALSE(bad(c_tilde));
    for (std::size_t n = 0; n < c_tilde.size(); ++n) {
        Bytes other = c_tilde;
        other[n] ^= static_cast<std::uint8_t>(1U << (rng() % 8));
        EXPECT_TRUE(bad(other)) << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, CounterHashing,
                         testing::Values("keccak-ml-dsa-44", "keccak-ml-dsa-65", "keccak-ml-dsa-87", "eth-ml-dsa-44"));

}  // namespace
}  // namespace postern::test
