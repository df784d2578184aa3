// Random dataflow graphs: what the scheduled code leaves on the stack and in memory is what the graph says.

#include <gtest/gtest.h>

#include <random>

#include "codegen/block.hpp"
#include "codegen/graph.hpp"
#include "machine.hpp"

namespace postern::codegen {
namespace {

struct Sample {
    std::size_t entries, residents, operations, stores, exits;
    unsigned beam;
    bool spill;
};

/// Builds a random block, runs it, and compares with direct evaluation.
void check(std::uint32_t seed, const Sample& shape) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 rng(seed);
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(rng() % n); };
    const auto random_word = [&] { return pick(4) == 0 ? U256{rng() % 5} : U256{rng(), rng(), rng(), rng()}; };

    const Area memory{"memory", 0x400, 0x400};
    const Area spill{"spill", 0x100, 0x300};
    Block b("random");
    std::vector<Value> values;
    std::vector<U256> expected;
    std::vector<U256> entry_words, resident_words;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < shape.entries; ++i) {
        names.push_back("e" + std::to_string(i));
        entry_words.push_back(random_word());
    }
    values = b.entry(names);
    expected = entry_words;
    for (std::size_t i = 0; i < shape.residents; ++i) {
        resident_words.push_back(U256{rng(), rng(), rng(), rng()});
        values.push_back(i % 2 == 0 ? b.resident("r", resident_words.back()) : b.resident("r"));
        expected.push_back(resident_words.back());
    }
    if (values.empty()) {
        values.push_back(b.constant(7));
        expected.emplace_back(7);
    }
    std::map<std::uint64_t, U256> words;
    static constexpr std::array<Op, 16> kOps = {Op::ADD, Op::SUB, Op::MUL, Op::AND, Op::OR,  Op::XOR, Op::SHL,    Op::SHR,
                                                Op::NOT, Op::LT,  Op::GT,  Op::EQ,  Op::DIV, Op::MOD, Op::ISZERO, Op::MULMOD};
    std::size_t stores = 0;
    for (std::size_t i = 0; i < shape.operations; ++i) {
        const auto choose = [&]() -> std::pair<Value, U256> {
            if (pick(5) == 0) {
                const U256 c = random_word();
                return {b.constant(c), c};
            }
            // Recent values are used more often, as in real kernels.
            const std::size_t k = pick(3) == 0 ? pick(values.size()) : values.size() - 1 - pick(std::min<std::size_t>(values.size(), 6));
            return {values[k], expected[k]};
        };
        if (stores < shape.stores && pick(3) == 0) {
            ++stores;
            const auto [v, w] = choose();
            const std::uint64_t at = 32 * pick(8);
            b.store(memory, at, v);
            words[at] = w;
            continue;
        }
        if (shape.stores != 0 && pick(6) == 0) {
            const std::uint64_t at = 32 * pick(8);
            values.push_back(b.load(memory, at));
            expected.push_back(words[at]);
            continue;
        }
        const Op op = kOps[pick(kOps.size())];
        std::vector<std::uint32_t> args;
        std::vector<U256> arg_words;
        for (unsigned k = 0; k < evm::info(op).stack_in; ++k) {
            auto [v, w] = choose();
            if ((op == Op::SHL || op == Op::SHR) && k == 0) {
                w = U256{pick(300)};
                v = b.constant(w);
            }
            args.push_back(v.id());
            arg_words.push_back(w);
        }
        values.emplace_back(&b, b.graph().operation(op, args));
        expected.push_back(*evaluate(op, arg_words));
    }
    std::vector<Value> exits;
    std::vector<U256> exit_words;
    for (std::size_t i = 0; i < shape.exits; ++i) {
        const std::size_t k = pick(values.size());
        exits.push_back(values[k]);
        exit_words.push_back(expected[k]);
    }
    b.exit(exits);

    Assembler a("random");
    a.push(U256{0xabcdef});  // the caller's item
    for (auto it = resident_words.rbegin(); it != resident_words.rend(); ++it) a.push(*it);
    for (auto it = entry_words.rbegin(); it != entry_words.rend(); ++it) a.push(*it);
    ScheduleOptions options;
    options.beam_width = shape.beam;
    if (shape.spill) options.spill = spill;
    try {
        schedule(b, a, options);
    } catch (const Error& e) {
        if (!shape.spill) GTEST_SKIP() << e.what();
        throw;
    }
    // Stack items go to memory from 0x800 on, then everything is returned.
    for (std::size_t i = 0; i < shape.exits + shape.residents + 1; ++i) {
        a.push(U256{0x800 + 32 * i});
        a.op(Op::MSTORE);
    }
    a.push(0x800);
    a.push(0x400);
    a.op(Op::RETURN);
    AssembleOptions assemble;
    assemble.max_code_size = 1 << 20;
    const auto r = test::run(a.assemble(assemble).code);
    ASSERT_TRUE(r.success()) << r.reason;
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(test::word_at(r.output, i), words[32 * i]) << "memory word " << i;
    std::vector<U256> want = exit_words;
    want.insert(want.end(), resident_words.begin(), resident_words.end());
    want.emplace_back(0xabcdef);
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(test::word_at(r.output, 32 + i), want[i]) << "stack item " << i;
}

TEST(Schedule, SmallGraphsInProgramOrder) {
    for (std::uint32_t seed = 0; seed < 400; ++seed) check(seed, {3, 2, 12, 3, 2, 0, true});
}

TEST(Schedule, SmallGraphsWithBeam) {
    for (std::uint32_t seed = 0; seed < 300; ++seed) check(seed, {3, 2, 14, 4, 3, 8, true});
}

TEST(Schedule, LargeGraphsSpill) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) check(seed, {6, 4, 120, 10, 6, seed % 2 == 0 ? 0U : 4U, true});
}

TEST(Schedule, NothingToDo) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) check(seed, {seed % 5, seed % 3, 0, 0, seed % 4, 4, true});
}

}  // namespace
}  // namespace postern::codegen
