// Every line of the rewrite table: what it turns an expression into, and that the value stays the same.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "codegen/block.hpp"
#include "codegen/graph.hpp"
#include "interpret.hpp"

namespace postern::codegen {
namespace {

struct Case {
    std::string rule;
    std::function<Value(Block&, Value, Value)> expression;  // with the rewrites
    std::function<U256(U256, U256)> meaning;
    std::size_t operations;  // left in the graph
};

std::vector<Case> cases() {
    return {
        {"fold constants", [](Block& b, Value, Value) { return b.constant(6) * b.constant(7); }, [](U256, U256) { return U256{42}; }, 0},
        {"neutral element", [](Block&, Value x, Value) { return ((x + U256{0}) * U256{1}) << 0; }, [](U256 x, U256) { return x; }, 0},
        {"absorbing element", [](Block&, Value x, Value) { return (x & U256{0}) | (x << 256); }, [](U256, U256) { return U256{}; }, 0},
        {"equal operands", [](Block&, Value x, Value y) { return (x ^ x) | (y & y); }, [](U256, U256 y) { return y; }, 0},
        {"mask that removes nothing", [](Block&, Value x, Value) { return (x >> 192) & U256::mask(64); },
         [](U256 x, U256) { return x >> 192; }, 1},
        {"operands without common bits", [](Block&, Value x, Value y) { return (x << 128) & (y >> 128); },
         [](U256, U256) { return U256{}; }, 0},
        {"double NOT", [](Block&, Value x, Value) { return ~~x; }, [](U256 x, U256) { return x; }, 0},
        {"XOR with all ones", [](Block&, Value x, Value) { return x ^ U256::max(); }, [](U256 x, U256) { return ~x; }, 1},
        {"subtract a constant", [](Block&, Value x, Value) { return x - U256{5}; }, [](U256 x, U256) { return x - U256{5}; }, 1},
        {"multiply by a power of two", [](Block&, Value x, Value) { return x * U256{8}; }, [](U256 x, U256) { return x << 3; }, 1},
        {"divide by a power of two", [](Block& b, Value x, Value) { return div(x, b.constant(8)) + mod(x, b.constant(8)); },
         [](U256 x, U256) { return (x >> 3) + (x & U256{7}); }, 3},
        {"chained shifts", [](Block&, Value x, Value) { return (x >> 3) >> 5; }, [](U256 x, U256) { return x >> 8; }, 1},
        {"chained constants", [](Block&, Value x, Value) { return (x + U256{3}) + U256{4}; }, [](U256 x, U256) { return x + U256{7}; }, 1},
        {"compare with zero", [](Block& b, Value x, Value) { return eq(x, b.constant(0)); },
         [](U256 x, U256) { return U256{x.is_zero() ? 1U : 0U}; }, 1},
        {"ISZERO of ISZERO of a flag", [](Block&, Value x, Value y) { return is_zero(is_zero(lt(x, y))); },
         [](U256 x, U256 y) { return U256{x < y ? 1U : 0U}; }, 1},
        {"constant operand first", [](Block& b, Value x, Value) { return lt(x, b.constant(77)); },
         [](U256 x, U256) { return U256{x < U256{77} ? 1U : 0U}; }, 1},
    };
}

std::size_t live_operations(const Graph& g, std::uint32_t root) {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work{root};
    std::size_t n = 0;
    while (!work.empty()) {
        const std::uint32_t id = work.back();
        work.pop_back();
        if (!seen.insert(id).second) continue;
        n += g.at(id).kind == Kind::operation ? 1 : 0;
        work.insert(work.end(), g.at(id).args.begin(), g.at(id).args.end());
    }
    return n;
}

TEST(Rewrite, EveryRuleKeepsTheMeaning) {
    std::mt19937_64 rng(4);
    std::set<std::string> covered;
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.rule);
        covered.insert(c.rule);
        Block b("rewrite");
        const auto in = b.entry({"x", "y"});
        const Value v = c.expression(b, in[0], in[1]);
        EXPECT_EQ(live_operations(b.graph(), v.id()), c.operations);
        test::Interpreter run(b);
        for (int i = 0; i < 50; ++i) {
            const U256 x = i == 0 ? U256{} : i == 1 ? U256::max() : i == 2 ? U256{77} : U256{rng(), rng(), rng(), rng()};
            const U256 y = i % 7 == 0 ? x : U256{rng(), rng(), rng(), rng()};
            run.set(in[0], x);
            run.set(in[1], y);
            EXPECT_EQ(run(v), c.meaning(x, y));
        }
    }
    for (const Rewrite& r : rewrites()) EXPECT_TRUE(covered.contains(r.name)) << r.name << " has no test";
    EXPECT_EQ(covered.size(), rewrites().size());
}

TEST(Rewrite, EqualExpressionsAreShared) {
    Block b("share");
    const auto in = b.entry({"x", "y"});
    EXPECT_EQ((in[0] + in[1]).id(), (in[1] + in[0]).id());
    EXPECT_NE((in[0] - in[1]).id(), (in[1] - in[0]).id());
}

}  // namespace
}  // namespace postern::codegen
