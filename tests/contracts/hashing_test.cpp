#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>

#include "contracts/kernel_bench.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

using namespace contracts;
using namespace contracts::mldsa_evm;

Bytes word_of(std::uint64_t v) {
    const auto w = to_be_bytes(U256{v});
    return {w.begin(), w.end()};
}

std::uint64_t lane_of(const Bytes& bytes, std::size_t i) {
    std::uint64_t l = 0;
    for (std::size_t b = 8; b-- > 0;) l = l << 8 | bytes[8 * i + b];
    return l;
}

/// Bench of mu alone or with the draws behind it.
KernelBench hash_bench(const Plan& plan, bool draws) {
    std::unique_ptr<HashCode> hash;
    return KernelBench(
        plan,
        [&](Kernel& k) {
            hash = std::make_unique<HashCode>(k, plan);
            hash->emit_mu(k);
            if (draws) hash->emit_draws(k);
        },
        [&](Kernel& k) { hash->emit_routines(k); });
}

void check_mu(const Plan& plan) {
    const KernelBench bench = hash_bench(plan, false);
    std::mt19937_64 rng(11);
    Bytes tr(64);
    for (auto& b : tr) b = static_cast<std::uint8_t>(rng());
    std::vector<std::pair<std::size_t, std::size_t>> sizes;
    for (std::size_t r = 0; r < 140; ++r) sizes.emplace_back(r, 0);
    for (std::size_t c : {1U, 31U, 36U, 37U, 38U, 69U, 70U, 71U, 255U}) sizes.emplace_back(c == 36 || c == 37 || c == 38 ? 32 : c + 3, c);
    sizes.emplace_back(5000, 7);
    for (const auto& [message_size, context_size] : sizes) {
        Bytes message(message_size), context(context_size);
        for (auto& b : message) b = static_cast<std::uint8_t>(rng());
        for (auto& b : context) b = static_cast<std::uint8_t>(rng());
        // 0xff all around what belongs to the message.
        Bytes calldata(17 + context_size + 40 + message_size + 300, 0xff);
        std::copy(context.begin(), context.end(), calldata.begin() + 17);
        std::copy(message.begin(), message.end(), calldata.begin() + static_cast<std::ptrdiff_t>(57 + context_size));
        const KernelRun run = bench.run(calldata, {{vars.context, word_of(17)},
                                                   {vars.context_size, word_of(context_size)},
                                                   {vars.message, word_of(57 + context_size)},
                                                   {vars.message_size, word_of(message_size)},
                                                   {message_buffer(plan), tr}});
        hash::Shake256 h;
        h.absorb(tr);
        const Bytes head{0, static_cast<std::uint8_t>(context_size)};
        h.absorb(head);
        h.absorb(context);
        h.absorb(message);
        Bytes mu(64);
        h.squeeze(mu);
        for (std::size_t i = 0; i < 8; ++i) {
            ASSERT_EQ(run.word(plan.map.lanes + 8 * i).limb[3], lane_of(mu, i)) << message_size << " " << context_size << " lane " << i;
        }
        ASSERT_TRUE(run.word(plan.map.hints).is_zero()) << "hint bytes must stay zero";
    }
}

TEST(Mu, AbsorbsExactlyTheMessage) {
    for (const bool pair : {false, true}) {
        Overrides overrides;
        overrides.pair_hash = pair;
        check_mu(make_plan(mldsa::scheme(mldsa::ParameterSet::ml_dsa_44), overrides));
        check_mu(make_plan(mldsa::scheme(mldsa::ParameterSet::ml_dsa_87), overrides));
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

class SampleInBall : public testing::TestWithParam<mldsa::ParameterSet> {
  protected:
    void expect(const Plan& plan, const KernelRun& run, const Bytes& stream) {
        std::size_t at = 8;
        const auto c = sample(stream, plan.p.tau, at);
        for (std::size_t i = 0; i < 256; ++i) {
            ASSERT_EQ(run.word(plan.map.work + 8 * i).limb[3], static_cast<std::uint64_t>(c[i] + 1)) << i;
        }
    }
};

// One message that fits a block and one that does not, so that both ways to the stream are taken. With the first block of the stream
// skipped the draws begin with a refill: the sponge must then hold the right state whichever way was taken.
TEST_P(SampleInBall, FromTheSponge) {
    std::mt19937_64 rng(5);
    for (const bool pair : {false, true}) {
        for (const bool skip : {false, true}) {
            Overrides overrides;
            overrides.pair_hash = pair;
            overrides.skip_first_block = skip;
            const Plan plan = make_plan(mldsa::scheme(GetParam()), overrides);
            const KernelBench bench = hash_bench(plan, true);
            for (int n = 0; n < 12; ++n) {
                Bytes signature(plan.p.signature);
                for (auto& b : signature) b = static_cast<std::uint8_t>(rng());
                const KernelRun run = bench.run(signature, {{vars.message_size, word_of(n % 2 == 0 ? 32 : 200)}});
                hash::Shake256 h;
                h.absorb(ByteView(signature).first(plan.p.c_tilde));
                Bytes stream(1000);
                h.squeeze(stream);
                // What was squeezed from the pair ends earlier than a block.
                const std::ptrdiff_t first = pair && n % 2 == 0 ? 32 * plan.stream_blocks : 136;
                if (skip) stream.erase(stream.begin() + 8, stream.begin() + first);
                expect(plan, run, stream);
            }
        }
    }
}

// The stream squeezed from the pair ends after 64 bytes: with the draws beginning late the end falls on the last draw, on refused
// ones and between them.
TEST(PairStream, EndsOnEveryKindOfDraw) {
    Overrides overrides;
    overrides.first_draw = 22;
    const Plan plan = make_plan(mldsa::scheme(mldsa::ParameterSet::ml_dsa_44), overrides);
    ASSERT_TRUE(plan.pair_hash);
    const KernelBench bench = hash_bench(plan, true);
    std::mt19937_64 rng(8);
    std::set<std::size_t> ends;
    for (int n = 0; n < 60; ++n) {
        Bytes signature(plan.p.signature);
        for (auto& b : signature) b = static_cast<std::uint8_t>(rng());
        const KernelRun run = bench.run(signature, {{vars.message_size, word_of(32)}});
        hash::Shake256 h;
        h.absorb(ByteView(signature).first(plan.p.c_tilde));
        Bytes stream(1000);
        h.squeeze(stream);
        std::size_t used = 22;
        const auto c = sample(stream, plan.p.tau, used);
        ends.insert(used);
        for (std::size_t i = 0; i < 256; ++i) {
            ASSERT_EQ(run.word(plan.map.work + 8 * i).limb[3], static_cast<std::uint64_t>(c[i] + 1)) << n << ": " << i;
        }
    }
    for (const std::size_t used : {63U, 64U, 65U, 66U}) EXPECT_TRUE(ends.contains(used)) << "no stream ended after byte " << used;
}

// No real c_tilde uses up the first block, so the stream is injected: how many draws are refused decides where the end of the block
// falls, in particular on the very last draw.
TEST_P(SampleInBall, RefillsFromAnInjectedSqueeze) {
    Overrides overrides;
    overrides.injected_squeeze = true;
    const Plan plan = make_plan(mldsa::scheme(GetParam()), overrides);
    std::unique_ptr<HashCode> hash;
    const KernelBench bench(
        plan,
        [&](Kernel& k) {
            hash = std::make_unique<HashCode>(k, plan);
            hash->emit_draws(k);
        },
        [&](Kernel& k) { hash->emit_routines(k); });
    std::mt19937_64 rng(6);
    for (unsigned refused :
         {0U, 128U - plan.p.tau, 129U - plan.p.tau, 130U - plan.p.tau, 100U, 127U, 128U, 129U, 200U, 264U - plan.p.tau}) {
        for (const bool last_only : {false, true}) {
            Bytes stream(3 * 136);
            for (auto& b : stream) b = static_cast<std::uint8_t>(rng());
            // tau accepted draws with `refused` refused ones before the first or spread; 0xff is refused below i = 255.
            std::size_t at = 8;
            unsigned left = refused;
            for (unsigned i = 256 - plan.p.tau; i < 256; ++i) {
                const unsigned here = i == 255    ? 0
                                      : last_only ? (i == 254 ? left : 0)
                                                  : std::min<unsigned>(left, static_cast<unsigned>(rng() % 8));
                for (unsigned r = 0; r < here; ++r) stream[at++] = 0xff;
                left -= here;
                stream[at++] = static_cast<std::uint8_t>(rng() % (i + 1));
            }
            Bytes lanes(stream.size());
            for (std::size_t b = 0; b < stream.size(); ++b) lanes[b ^ 7U] = stream[b];
            Bytes calldata(plan.p.signature);
            const std::size_t offset = calldata.size();
            calldata.insert(calldata.end(), lanes.begin(), lanes.end());
            const KernelRun run = bench.run(calldata, {{vars.scratch, word_of(offset)}});
            expect(plan, run, stream);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, SampleInBall,
                         testing::Values(mldsa::ParameterSet::ml_dsa_44, mldsa::ParameterSet::ml_dsa_65, mldsa::ParameterSet::ml_dsa_87));

}  // namespace
}  // namespace postern::test
