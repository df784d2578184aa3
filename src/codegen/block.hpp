#pragma once

// The kernel compiler in one page.
//
// A kernel is a C++ function that fills a Block: a dataflow graph over 256-bit words. Then schedule(block, assembler) turns it
// into straight-line code. Control flow (loops, ifs, calls) is written between blocks with codegen/control.hpp.
//
//     Block b("norm");
//     auto [ptr] = b.entry<1>({"ptr"});              // expected on the stack, top first
//     Value m32 = b.resident("M32", rep(0xffffffff)); // a constant that lies deeper on the stack before and after
//     Value x = b.load(z_area, 64);                   // MLOAD(z.base + 64)
//     Value y = b.load_at(ptr + 32, z_area);          // computed address inside z_area
//     Value t = ((x & m32) * 3 + y) >> 32;
//     b.store(out_area, 0, t);
//     b.exit({ptr + 64});                             // stack afterwards, top first, above the residents
//     schedule(b, assembler);
//
// Stack: [entry items, top first][residents in order of declaration][caller's items, never touched]. Residents stay where they are.
// An entry value that is neither used nor in exit is popped.
//
// Arithmetic is the EVM's mod 2^256. Operators: + - * & | ^ ~ << >> (shift counts on the right, as in C++), and the named
// functions below. Constants are written as numbers or U256. Equal expressions are shared, constants folded, dead values dropped;
// loads are not shared (keep the Value to reuse it).
//
// Order: effects (stores, copies, calls, reject_if) happen as if in program order; the scheduler may reorder what cannot be told
// apart. Values are computed when first needed, so the order in which *effects* are written matters most for quality.
//
// Bounds: every Value carries the set of bits that may be 1 (support(), derived automatically). Lane bounds are carried once a value
// has them: by b.lanes(v, bits, count) (from its support), by a load from an Area with bounds, by b.declare_input(...), or by a library
// function (codegen/reduce.hpp). From then on every operator checks them and a violation throws BoundError:
//     + - and * by a constant scalar are linear and never refuse (lanes may go negative or too big in between);
//     & >> | ^ stores to bounded areas, MULMOD and products of two lane words demand clean lanes, and a shift must not move bits across
//     lanes unless a mask follows (shift_mask does both).

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/assembler.hpp"
#include "codegen/bounds.hpp"
#include "codegen/memory.hpp"
#include "core/u256.hpp"

namespace postern::codegen {

class Block;
struct Graph;  // the nodes, see graph.hpp

/// Handle of a 256-bit word in a block.
class Value {
  public:
    Value() = default;
    Value(Block* block, std::uint32_t id) : block_(block), id_(id) {}
    bool valid() const { return block_ != nullptr; }
    Block& block() const { return *block_; }
    std::uint32_t id() const { return id_; }

    /// Bits that may be 1.
    U256 support() const;
    bool is_constant() const;
    /// Throws Error if it is not a constant.
    U256 constant() const;
    bool has_lanes() const;
    /// Throws BoundError if it has none.
    const LaneBounds& lanes() const;

  private:
    Block* block_ = nullptr;
    std::uint32_t id_ = 0;
};

// A Value or a number; needs at least one Value for the block.
Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator*(Value a, Value b);
Value operator&(Value a, Value b);
Value operator|(Value a, Value b);
Value operator^(Value a, Value b);
Value operator+(Value a, const U256& b);
Value operator-(Value a, const U256& b);
Value operator*(Value a, const U256& b);
Value operator&(Value a, const U256& b);
Value operator|(Value a, const U256& b);
Value operator^(Value a, const U256& b);
Value operator+(const U256& a, Value b);
Value operator-(const U256& a, Value b);
Value operator*(const U256& a, Value b);
Value operator~(Value a);
Value operator<<(Value a, unsigned n);
Value operator>>(Value a, unsigned n);
Value shl(Value a, Value count);
Value shr(Value a, Value count);
Value sar(Value a, Value count);
Value div(Value a, Value b);
Value mod(Value a, Value b);
Value sdiv(Value a, Value b);
Value smod(Value a, Value b);
Value addmod(Value a, Value b, Value m);
Value mulmod(Value a, Value b, Value m);
Value exp(Value a, Value e);
Value signextend(Value index, Value a);
Value lt(Value a, Value b);  // 1 or 0
Value gt(Value a, Value b);
Value slt(Value a, Value b);
Value sgt(Value a, Value b);
Value eq(Value a, Value b);
Value is_zero(Value a);
/// Byte `index` of a, 0 = most significant.
Value byte_at(Value index, Value a);
Value clz(Value a);

/// Multiplication used as "copy to several places": refuses (BoundError) unless the shifted copies of v's support are disjoint,
/// so that no carry can happen. Copies or parts of them above bit 255 fall away.
Value spread(Value v, const U256& factor);
/// OR of values with disjoint supports (refused otherwise).
Value join_bits(Value a, Value b);
/// (v >> n) & mask for lane words: bits of the neighbour that the shift brings in must be removed by the mask.
Value shift_mask(Value v, unsigned n, const U256& mask);

/// How a Block is turned into code.
struct ScheduleOptions {
    /// Memory for values that do not fit 16 stack slots; none: such a block is refused (Error).
    std::optional<Area> spill = std::nullopt;
    /// 0: the plain scheduler in program order only. Otherwise width of the beam search that tries to beat it.
    unsigned beam_width = 48;
    /// How many values ahead of program order the search may go.
    unsigned window = 24;
    /// Weights of the stack height in the search's key (tenths of a gas unit), tried one after the other.
    std::vector<unsigned> height_weights = {2, 8, 20};
    /// Stack items of the caller above which the block may not reach; only for the check of depth 1024.
    bool annotate = true;
};

struct CostReport {
    std::string block;
    std::uint64_t gas = 0;  // static gas of the emitted code (memory growth, cold access, words of copies excluded)
    std::uint64_t bytes = 0;
    std::uint64_t operations = 0;  // gas of operators
    std::uint64_t memory = 0;      // gas of loads, stores and copies, without address pushes
    std::uint64_t pushes = 0;      // gas of constants
    std::uint64_t dups = 0;
    std::uint64_t swaps = 0;
    std::uint64_t pops = 0;
    std::uint64_t spills = 0;  // values that went through memory
    unsigned max_depth = 0;    // highest stack above the caller's items
    /// gas without SWAPs and POPs: no schedule of this graph is cheaper.
    std::uint64_t lower_bound = 0;
    std::string to_string() const;
};

/// What an instruction sequence of your own touches (see Block::macro).
struct Effects {
    std::vector<Area> reads;
    std::vector<Area> writes;
    bool external = false;  // calls, return data, other contracts
};

class Block {
  public:
    explicit Block(std::string name);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    const std::string& name() const;

    // ---- stack layout
    /// Entry items, top first. Call once.
    std::vector<Value> entry(const std::vector<std::string>& names);
    template <std::size_t N>
    std::array<Value, N> entry(const std::array<std::string, N>& names) {
        std::array<Value, N> out;
        const auto v = entry(std::vector<std::string>(names.begin(), names.end()));
        for (std::size_t i = 0; i < N; ++i) out[i] = v[i];
        return out;
    }
    /// An item below the entry items that stays where it is; declare top first. With a value it stands for that constant, and every
    /// equal constant of the block uses it (DUP) as long as it is within reach.
    Value resident(const std::string& name);
    Value resident(const std::string& name, const U256& value);
    /// Stack after the block, top first, above the residents. Call at most once (default: empty).
    void exit(const std::vector<Value>& values);

    // ---- leaves
    Value constant(const U256& v);
    Value label(Label l);
    Value data_offset(const Data& d) { return label(d.label); }
    Value calldataload(Value offset);
    Value calldataload(std::uint64_t offset);
    Value calldatasize();
    Value returndatasize();
    Value codesize();
    Value address();
    Value caller();
    Value callvalue();

    // ---- memory
    /// MLOAD(area.base + offset). A load that is displaced against the stored words (upper words read as lower) is `load_displaced`.
    Value load(const Area& area, std::uint64_t offset);
    /// Load from a computed address; `address` must stay inside the area.
    Value load_at(Value address, const Area& area);
    /// MLOAD(base + offset - bytes): the word shifted right by 8*bytes. The area's bounds must say that so many low bits of every lane
    /// are zero; `bytes` bytes in front of the word (the low end of the word before, or a guard) must be zero at run time.
    Value load_displaced(const Area& area, std::uint64_t offset, unsigned bytes);
    Value load_displaced_at(Value address, const Area& area, unsigned bytes);
    void store(const Area& area, std::uint64_t offset, Value v);
    void store_at(Value address, const Area& area, Value v);
    void store8(const Area& area, std::uint64_t offset, Value v);
    void store8_at(Value address, const Area& area, Value v);
    void mcopy(const Area& to, std::uint64_t to_offset, const Area& from, std::uint64_t from_offset, std::uint64_t size);
    void mcopy_at(Value to, const Area& to_area, Value from, const Area& from_area, Value size);
    void calldatacopy(const Area& to, Value to_address, Value from, Value size);
    void codecopy(const Area& to, Value to_address, Value from, Value size);
    void extcodecopy(Value account, const Area& to, Value to_address, Value from, Value size);
    void returndatacopy(const Area& to, Value to_address, Value from, Value size);
    Value keccak256(const Area& area, Value address, Value size);
    Value extcodesize(Value account);
    Value extcodehash(Value account);
    /// GAS; STATICCALL.
    Value staticcall(Value account, const Area& in, Value in_address, Value in_size, const Area& out, Value out_address, Value out_size);

    // ---- leaving
    /// Jumps if cond is not zero. The target may not rely on the stack above the residents (it ends the call, or restores it).
    void reject_if(Value cond, Label target);

    /// Instructions of your own: operands are on the stack (args[0] on top) and consumed, `result` tells if one value is left.
    Value macro(std::string name, const std::vector<Value>& args, bool result, const Effects& effects, std::uint64_t gas,
                std::uint64_t bytes, std::function<void(Assembler&)> emit);

    /// Everything before happens before everything after (only for what has effects).
    void barrier();
    /// Has v computed here in program order (the search may still move it). Without it a value is computed when first needed.
    void compute(Value v);
    /// A constant that is put on the stack when it is reached in the order of operands, not just before its use: what is computed
    /// after it comes to lie above it, and needs no SWAP (the modulus of MULMOD, for example). For one use.
    Value early(const U256& value);
    /// Nothing of what follows is started before everything so far is done. Fewer choices, so a better search of long blocks.
    void phase();
    /// Comment for the listing, attached to the values made from here on.
    void note(std::string text);

    // ---- bounds
    /// Gives v lanes with intervals read off its support (so it must be clean).
    Value lanes(Value v, unsigned bits, unsigned count);
    /// States bounds of an input (entry value, load, calldata) by contract; `producer` names who guarantees them.
    Value declare_input(Value v, const LaneBounds& bounds, std::string producer);
    /// States bounds that a lemma proves although interval arithmetic cannot see it (a congruence, correlated operands). The lemma is
    /// named; tests prove it.
    Value lemma(Value v, const LaneBounds& bounds, std::string name);
    /// Checks (BoundError) that v's lanes lie inside the bounds, and returns v.
    Value expect(Value v, const LaneBounds& bounds, std::string what);
    /// Drops the lane view: the word as a plain integer; demands clean lanes.
    Value plain(Value v);
    /// Contracts stated by declare_input, for the record: "value: bounds <- producer".
    const std::vector<std::string>& contracts() const;

    Graph& graph() { return *graph_; }
    const Graph& graph() const { return *graph_; }

  private:
    std::unique_ptr<Graph> graph_;
};

/// Emits the block. Deterministic. Throws Error if it does not fit the stack and there is nowhere to spill.
CostReport schedule(Block& block, Assembler& assembler, const ScheduleOptions& options = {});

}  // namespace postern::codegen
