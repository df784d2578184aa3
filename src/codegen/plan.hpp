#pragma once

// What the scheduler works on: the live nodes of a block with their uses, and the stack they are arranged on. Internal to the room.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/block.hpp"
#include "codegen/graph.hpp"

namespace postern::codegen {

/// A live node. Everything refers to plan indices.
struct Task {
    std::uint32_t node = kNone;  // in the Graph
    bool leaf = false;           // pushed anew at every use: constants, labels, environment, reloads of spilled values
    bool resident = false;
    bool known = false;  // resident constant: can be pushed when out of reach
    bool entry = false;
    bool commutative = false;
    bool result = true;
    std::vector<int> args;   // top first
    std::vector<int> after;  // must be done before
    std::vector<int> users;  // one entry an occurrence, exit not included
    int exit_uses = 0;
    std::uint64_t spill_address = 0;
    bool spill_store = false;  // MSTORE of args[0] to spill_address
    bool fused = false;        // leaf: an expression of leaves and residents with a single use
    int phase = 0;
    bool reload = false;       // leaf: MLOAD of spill_address
    int reload_of_store = -1;  // the store it depends on
};

struct Plan {
    std::vector<Task> tasks;
    std::vector<int> entry;      // top first
    std::vector<int> residents;  // top first
    std::vector<int> exit;       // top first
    std::vector<int> order;      // reference order of the tasks that are executed
    /// Builds it from the block: resolves aliases, shares equal expressions, drops what is dead. `spilled`: graph nodes that go
    /// through memory at `spill`.
    static Plan build(const Graph& g, const std::vector<std::uint32_t>& spilled, const std::optional<Area>& spill);
};

struct Step {
    enum class Kind : std::uint8_t { push, dup, swap, pop, exec } kind = Kind::exec;
    int arg = 0;  // task for push and exec; number for dup and swap
};

inline constexpr int kJunk = -1;  // a dead item

/// The stack, bottom first; the lowest `fixed` items are residents.
struct Stack {
    static constexpr int kCapacity = 96;
    std::array<std::int16_t, kCapacity> item{};
    int size = 0;
    int fixed = 0;
    int top(int depth) const { return item[static_cast<std::size_t>(size - 1 - depth)]; }
    void push(int v);
    /// Depth (0 = top) or -1.
    int find(int v) const;
};

/// Thrown inside the scheduler: value out of reach.
struct OutOfReach {
    int task;
};

/// How to bring the operands of a task to the top: SWAPs before, pushes and DUPs in an order, SWAPs after.
struct Arrangement {
    std::vector<Step> steps;
    Stack stack;  // after steps, before the instruction
    int swaps = 0;
};

/// Cheapest arrangements (at most `limit`, all with the minimum number of SWAPs unless `slack` allows more). `last_use[i]` says whether
/// args[i] may be consumed. Throws OutOfReach.
std::vector<Arrangement> arrange(const Plan& p, const Stack& s, int task, const std::vector<bool>& last_use, std::size_t limit, int slack);

/// Final permutation to the exit layout.
void arrange_exit(const Plan& p, Stack& s, std::vector<Step>& steps);

/// Runs the tasks in the given order.
std::vector<Step> follow_order(const Plan& p, const std::vector<int>& order);
/// Beam search around the reference order; none if it found nothing complete.
std::optional<std::vector<Step>> beam_search(const Plan& p, const ScheduleOptions& options, unsigned height_weight);

/// Checks a schedule against the plan: operands, order of effects, exit stack. Throws std::logic_error.
void verify_schedule(const Plan& p, const std::vector<Step>& steps);

/// Static gas of a schedule's stack traffic: DUP, SWAP, POP, PUSH.
std::uint64_t traffic_gas(const Plan& p, const Graph& g, const std::vector<Step>& steps);
std::uint64_t leaf_gas(const Task& t, const Graph& g);

}  // namespace postern::codegen
