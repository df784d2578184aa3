#pragma once

// The nodes behind a Block. Internal to the room.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/assembler.hpp"
#include "codegen/bounds.hpp"
#include "codegen/memory.hpp"
#include "core/u256.hpp"

namespace postern::codegen {

inline constexpr std::uint32_t kNone = 0xffffffffU;

enum class Kind : std::uint8_t {
    constant,
    label,
    environment,  // an instruction without operands that is as cheap as a DUP: repeated at every use
    entry,        // on the stack at entry; resident: stays there
    operation,
    macro,
    alias,  // the same word under other bounds
    phase,  // a border in program order
};

/// Bytes of memory (or, with `external`, the world outside) that a node reads or writes.
struct Access {
    bool write = false;
    bool external = false;
    std::uint64_t lo = 0;  // absolute range [lo, hi)
    std::uint64_t hi = 0;
    std::uint32_t base = kNone;  // computed address: base value + offset, `length` bytes
    std::int64_t offset = 0;
    std::uint64_t length = 0;
};
bool conflict(const Access& a, const Access& b);

struct Node {
    Kind kind = Kind::operation;
    Op op = Op::STOP;
    std::vector<std::uint32_t> args;  // args[0] is the top of the stack
    U256 value;                       // constant; resident with a known value
    bool known = false;
    bool early = false;  // a constant brought to the stack where program order says so, a copy of a resident if one is in reach
    bool resident = false;
    Label label;
    bool result = true;
    bool effect = false;
    bool pinned_order = false;  // reads memory or the world: not shared
    std::vector<Access> accesses;
    std::vector<std::uint32_t> after;
    U256 support = U256::max();
    std::shared_ptr<const LaneBounds> lanes;
    bool shifted_lanes = false;  // SHR of a lane word whose neighbour bits still have to be masked
    std::function<void(Assembler&)> emit;
    std::uint64_t gas = 0;
    std::uint64_t bytes = 0;
    std::string name;
    std::string note;
};

struct Graph {
    std::string name;
    std::vector<Node> nodes;
    std::vector<std::uint32_t> entry;      // top first
    std::vector<std::uint32_t> residents;  // top first
    std::vector<std::uint32_t> exit;       // top first
    bool entry_set = false;
    bool exit_set = false;
    std::uint32_t barrier = kNone;
    std::uint32_t last_reject = kNone;
    std::vector<std::uint32_t> ordered;  // nodes with accesses, in order
    std::vector<std::string> contracts;
    std::string note;
    std::unordered_map<std::string, std::uint32_t> shared;  // expression -> node

    const Node& at(std::uint32_t id) const { return nodes[id]; }
    std::uint32_t resolve(std::uint32_t id) const;
    /// Adds an operation after rewriting; checks and derives bounds.
    std::uint32_t operation(Op op, std::vector<std::uint32_t> args);
    std::uint32_t constant(const U256& v);
    std::uint32_t add_node(Node n);
    /// Adds the ordering edges for the node's accesses.
    void order(std::uint32_t id);
    std::optional<U256> known_value(std::uint32_t id) const;
    std::uint32_t alias(std::uint32_t id, LaneBounds bounds);
    [[noreturn]] void refuse(const std::string& what) const;
};

/// Is a op b = b op a (in the first two operands)?
bool commutative(Op op);

/// Bits that may be 1 in the result (bounds_transfer.cpp).
U256 support_of(const Graph& g, Op op, const std::vector<std::uint32_t>& args);
/// Lane bounds of the result, or none; checks what the operator demands and throws BoundError.
std::shared_ptr<const LaneBounds> lanes_of(const Graph& g, Op op, const std::vector<std::uint32_t>& args, bool& shifted);
/// The lanes of a word in a given shape: its own, or read off its support.
LaneBounds view_as(const Graph& g, std::uint32_t id, unsigned bits, std::size_t count, const char* op);
/// Demands clean lanes (if it has any) and no unmasked shift.
void demand_clean(const Graph& g, std::uint32_t id, const std::string& op);

/// One algebraic identity: the replacement, or none. See rewrite.cpp for the table.
struct Rewrite {
    const char* name;
    std::optional<std::uint32_t> (*apply)(Graph& g, Op op, const std::vector<std::uint32_t>& args);
};
const std::vector<Rewrite>& rewrites();
/// Value of the operator on constants, if it is one that folds.
std::optional<U256> evaluate(Op op, const std::vector<U256>& args);

}  // namespace postern::codegen
