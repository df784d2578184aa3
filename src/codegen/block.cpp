#include "codegen/block.hpp"

#include <algorithm>
#include <utility>

#include "codegen/graph.hpp"

namespace postern::codegen {
namespace {

Graph& graph_of(Value v) {
    if (!v.valid()) throw Error("use of an empty Value");
    return v.block().graph();
}

Value binary(Op op, Value a, Value b) {
    if (&graph_of(a) != &graph_of(b)) throw Error("kernel " + graph_of(a).name + ": operands of two different blocks");
    return {&a.block(), graph_of(a).operation(op, {a.id(), b.id()})};
}
Value unary(Op op, Value a) { return {&a.block(), graph_of(a).operation(op, {a.id()})}; }
Value number(Value like, const U256& v) { return like.block().constant(v); }

}  // namespace

U256 Value::support() const { return graph_of(*this).at(id_).support; }
bool Value::is_constant() const { return graph_of(*this).known_value(id_).has_value(); }
U256 Value::constant() const {
    const auto v = graph_of(*this).known_value(id_);
    if (!v) throw Error("kernel " + graph_of(*this).name + ": a constant is needed here");
    return *v;
}
bool Value::has_lanes() const { return graph_of(*this).at(id_).lanes != nullptr; }
const LaneBounds& Value::lanes() const {
    const Graph& g = graph_of(*this);
    if (!g.at(id_).lanes) g.refuse("a value without lane bounds is used as a lane word");
    return *g.at(id_).lanes;
}

Value operator+(Value a, Value b) { return binary(Op::ADD, a, b); }
Value operator-(Value a, Value b) { return binary(Op::SUB, a, b); }
Value operator*(Value a, Value b) { return binary(Op::MUL, a, b); }
Value operator&(Value a, Value b) { return binary(Op::AND, a, b); }
Value operator|(Value a, Value b) { return binary(Op::OR, a, b); }
Value operator^(Value a, Value b) { return binary(Op::XOR, a, b); }
Value operator+(Value a, const U256& b) { return a + number(a, b); }
Value operator-(Value a, const U256& b) { return a - number(a, b); }
Value operator*(Value a, const U256& b) { return a * number(a, b); }
Value operator&(Value a, const U256& b) { return a & number(a, b); }
Value operator|(Value a, const U256& b) { return a | number(a, b); }
Value operator^(Value a, const U256& b) { return a ^ number(a, b); }
Value operator+(const U256& a, Value b) { return number(b, a) + b; }
Value operator-(const U256& a, Value b) { return number(b, a) - b; }
Value operator*(const U256& a, Value b) { return number(b, a) * b; }
Value operator~(Value a) { return unary(Op::NOT, a); }
Value operator<<(Value a, unsigned n) { return binary(Op::SHL, number(a, n), a); }
Value operator>>(Value a, unsigned n) { return binary(Op::SHR, number(a, n), a); }
Value shl(Value a, Value count) { return binary(Op::SHL, count, a); }
Value shr(Value a, Value count) { return binary(Op::SHR, count, a); }
Value sar(Value a, Value count) { return binary(Op::SAR, count, a); }
Value div(Value a, Value b) { return binary(Op::DIV, a, b); }
Value mod(Value a, Value b) { return binary(Op::MOD, a, b); }
Value sdiv(Value a, Value b) { return binary(Op::SDIV, a, b); }
Value smod(Value a, Value b) { return binary(Op::SMOD, a, b); }
Value addmod(Value a, Value b, Value m) { return {&a.block(), graph_of(a).operation(Op::ADDMOD, {a.id(), b.id(), m.id()})}; }
Value mulmod(Value a, Value b, Value m) { return {&a.block(), graph_of(a).operation(Op::MULMOD, {a.id(), b.id(), m.id()})}; }
Value exp(Value a, Value e) { return binary(Op::EXP, a, e); }
Value signextend(Value index, Value a) { return binary(Op::SIGNEXTEND, index, a); }
Value lt(Value a, Value b) { return binary(Op::LT, a, b); }
Value gt(Value a, Value b) { return binary(Op::GT, a, b); }
Value slt(Value a, Value b) { return binary(Op::SLT, a, b); }
Value sgt(Value a, Value b) { return binary(Op::SGT, a, b); }
Value eq(Value a, Value b) { return binary(Op::EQ, a, b); }
Value is_zero(Value a) { return unary(Op::ISZERO, a); }
Value byte_at(Value index, Value a) { return binary(Op::BYTE, index, a); }
Value clz(Value a) { return unary(Op::CLZ, a); }

Value spread(Value v, const U256& factor) {
    U256 sum;
    for (unsigned i = 0; i < 256; ++i) {
        if (!factor.bit(i)) continue;
        const U256 copy = v.support() << i;
        if (!(sum & copy).is_zero())
            graph_of(v).refuse("spread by " + to_hex_0x(factor) + ": the copy at bit " + std::to_string(i) + " overlaps another (support " +
                               to_hex_0x(v.support()) + ")");
        sum |= copy;
    }
    return v * factor;
}

Value join_bits(Value a, Value b) {
    if (!(a.support() & b.support()).is_zero())
        graph_of(a).refuse("join_bits: operands share bits " + to_hex_0x(a.support() & b.support()));
    return a | b;
}

Value shift_mask(Value v, unsigned n, const U256& mask) { return (v >> n) & mask; }

// ---------------------------------------------------------------------------------------------- Block

Block::Block(std::string name) : graph_(std::make_unique<Graph>()) { graph_->name = std::move(name); }
Block::~Block() = default;
const std::string& Block::name() const { return graph_->name; }

std::vector<Value> Block::entry(const std::vector<std::string>& names) {
    if (graph_->entry_set) throw Error("kernel " + name() + ": entry() called twice");
    graph_->entry_set = true;
    std::vector<Value> out;
    for (const std::string& n : names) {
        Node node;
        node.kind = Kind::entry;
        node.name = n;
        const std::uint32_t id = graph_->add_node(std::move(node));
        graph_->entry.push_back(id);
        out.emplace_back(this, id);
    }
    return out;
}

Value Block::resident(const std::string& resident_name) {
    Node node;
    node.kind = Kind::entry;
    node.resident = true;
    node.name = resident_name;
    const std::uint32_t id = graph_->add_node(std::move(node));
    graph_->residents.push_back(id);
    return {this, id};
}

Value Block::resident(const std::string& resident_name, const U256& value) {
    if (graph_->shared.contains("c" + to_hex_0x(value)))
        throw Error("kernel " + name() + ": declare resident constant " + resident_name + " before its first use");
    const Value v = resident(resident_name);
    Node& n = graph_->nodes[v.id()];
    n.known = true;
    n.value = value;
    n.support = value;
    return v;
}

void Block::exit(const std::vector<Value>& values) {
    if (graph_->exit_set) throw Error("kernel " + name() + ": exit() called twice");
    graph_->exit_set = true;
    for (const Value& v : values) {
        demand_clean(*graph_, v.id(), "exit");
        graph_->exit.push_back(v.id());
    }
}

Value Block::constant(const U256& v) { return {this, graph_->constant(v)}; }

Value Block::label(Label l) {
    const std::string key = "l" + std::to_string(l.id);
    if (const auto it = graph_->shared.find(key); it != graph_->shared.end()) return {this, it->second};
    Node n;
    n.kind = Kind::label;
    n.label = l;
    n.support = U256::mask(16);
    return {this, graph_->shared[key] = graph_->add_node(std::move(n))};
}

namespace {

Value environment(Block& b, Op op, const U256& support) {
    Graph& g = b.graph();
    const std::string key = "e" + std::to_string(static_cast<unsigned>(op));
    if (const auto it = g.shared.find(key); it != g.shared.end()) return {&b, it->second};
    Node n;
    n.kind = Kind::environment;
    n.op = op;
    n.support = support;
    return {&b, g.shared[key] = g.add_node(std::move(n))};
}

/// What an access at `address` may touch.
Access access(Graph& g, std::uint32_t address, const Area& area, std::uint64_t length, bool write) {
    Access a;
    a.write = write;
    a.lo = area.base;
    a.hi = area.end();
    a.length = length;
    const std::uint32_t id = g.resolve(address);
    if (const auto c = g.known_value(id)) {
        if (!c->fits_u64()) throw Error("kernel " + g.name + ": memory address " + to_hex_0x(*c));
        a.lo = c->low64();
        a.hi = a.lo + length;
        return a;
    }
    a.base = id;
    const Node& n = g.at(id);
    if (n.kind == Kind::operation && n.op == Op::ADD) {
        const auto c = g.known_value(n.args[0]);
        if (c && (c->fits_u64() || (-*c).fits_u64())) {
            a.base = g.resolve(n.args[1]);
            a.offset = static_cast<std::int64_t>(c->low64());
        }
    }
    return a;
}

std::uint64_t constant_size(Graph& g, std::uint32_t size, const Area& area) {
    const auto c = g.known_value(size);
    return c && c->fits_u64() ? c->low64() : area.size;
}

/// A copy or access of computed length: the whole area, relative to nothing.
Access block_access(Graph& g, Value address, Value size, const Area& area, bool write) {
    const bool sized = g.known_value(size.id()).has_value();
    Access a = access(g, address.id(), area, constant_size(g, size.id(), area), write);
    if (!sized) {
        a.lo = area.base;
        a.hi = area.end();
        a.base = g.resolve(size.id());
        a.offset = 0;
        a.length = UINT32_MAX;  // two accesses of computed length always meet if their areas do
    }
    return a;
}

Value ordered_operation(Block& b, Op op, std::vector<std::uint32_t> args, std::vector<Access> accesses, bool result, bool effect) {
    Graph& g = b.graph();
    Node n;
    n.op = op;
    n.args = std::move(args);
    n.accesses = std::move(accesses);
    n.result = result;
    n.effect = effect;
    n.pinned_order = true;
    const std::uint32_t id = g.add_node(std::move(n));
    g.order(id);
    return {&b, id};
}

const Access kExternalRead{.write = false, .external = true};
const Access kExternalWrite{.write = true, .external = true};

}  // namespace

Value Block::calldataload(Value offset) { return {this, graph_->operation(Op::CALLDATALOAD, {offset.id()})}; }
Value Block::calldataload(std::uint64_t offset) { return calldataload(constant(offset)); }
Value Block::calldatasize() { return environment(*this, Op::CALLDATASIZE, U256::mask(64)); }
Value Block::codesize() { return environment(*this, Op::CODESIZE, U256::mask(32)); }
Value Block::address() { return environment(*this, Op::ADDRESS, U256::mask(160)); }
Value Block::caller() { return environment(*this, Op::CALLER, U256::mask(160)); }
Value Block::callvalue() { return environment(*this, Op::CALLVALUE, U256::max()); }
Value Block::returndatasize() {
    const Value v = ordered_operation(*this, Op::RETURNDATASIZE, {}, {kExternalRead}, true, false);
    graph_->nodes[v.id()].support = U256::mask(64);
    return v;
}

namespace {

Value load_word(Block& b, std::uint32_t address, const Area& area, unsigned displaced) {
    Graph& g = b.graph();
    std::shared_ptr<const LaneBounds> lanes;
    if (area.bounds) {
        LaneBounds bounds = *area.bounds;
        const unsigned n = 8 * displaced;
        if (bounds.zeros < n)
            g.refuse("load displaced by " + std::to_string(displaced) + " bytes from " + area.name + ", whose lanes are " +
                     to_string(bounds));
        bounds.zeros -= n;
        for (Interval& i : bounds.lane) i = {i.lo >> n, i.hi >> n};
        lanes = std::make_shared<const LaneBounds>(std::move(bounds));
    } else if (displaced != 0) {
        g.refuse("displaced load from " + area.name + ", which has no bounds");
    }
    const Value v = ordered_operation(b, Op::MLOAD, {address}, {access(g, address, area, 32, false)}, true, false);
    Node& n = g.nodes[v.id()];
    if (lanes) {
        if (lanes->clean()) n.support = lanes->support();
        n.lanes = lanes;
    }
    return v;
}

void check_inside(const Graph& g, const Area& area, std::uint64_t offset, std::uint64_t length) {
    if (offset > area.size || length > area.size - offset)
        g.refuse("access to bytes " + std::to_string(offset) + ".." + std::to_string(offset + length) + " of area " + area.name +
                 ", which has " + std::to_string(area.size));
}

void store_word(Block& b, Op op, std::uint32_t address, const Area& area, Value v) {
    Graph& g = b.graph();
    demand_clean(g, v.id(), op == Op::MSTORE8 ? "MSTORE8" : "MSTORE to " + area.name);
    if (area.bounds && op == Op::MSTORE) {
        const LaneBounds have = view_as(g, v.id(), area.bounds->bits, area.bounds->lane.size(), "MSTORE");
        if (!have.within(*area.bounds))
            g.refuse("MSTORE to " + area.name + " (" + to_string(*area.bounds) + ") of a value " + to_string(have));
    }
    ordered_operation(b, op, {address, v.id()}, {access(g, address, area, op == Op::MSTORE ? 32 : 1, true)}, false, true);
}

}  // namespace

Value Block::load(const Area& area, std::uint64_t offset) {
    check_inside(*graph_, area, offset, 1);
    return load_word(*this, graph_->constant(area.base + offset), area, 0);
}
Value Block::load_at(Value at, const Area& area) { return load_word(*this, at.id(), area, 0); }
Value Block::load_displaced(const Area& area, std::uint64_t offset, unsigned bytes) {
    check_inside(*graph_, area, offset, 32);
    if (area.base + offset < bytes) graph_->refuse("displaced load below address 0");
    return load_word(*this, graph_->constant(area.base + offset - bytes), area, bytes);
}
Value Block::load_displaced_at(Value at, const Area& area, unsigned bytes) {
    return load_word(*this, (at - U256{bytes}).id(), area, bytes);
}
void Block::store(const Area& area, std::uint64_t offset, Value v) {
    check_inside(*graph_, area, offset, 32);
    store_word(*this, Op::MSTORE, graph_->constant(area.base + offset), area, v);
}
void Block::store_at(Value at, const Area& area, Value v) { store_word(*this, Op::MSTORE, at.id(), area, v); }
void Block::store8(const Area& area, std::uint64_t offset, Value v) {
    check_inside(*graph_, area, offset, 1);
    store_word(*this, Op::MSTORE8, graph_->constant(area.base + offset), area, v);
}
void Block::store8_at(Value at, const Area& area, Value v) { store_word(*this, Op::MSTORE8, at.id(), area, v); }

void Block::mcopy(const Area& to, std::uint64_t to_offset, const Area& from, std::uint64_t from_offset, std::uint64_t size) {
    check_inside(*graph_, to, to_offset, size);
    check_inside(*graph_, from, from_offset, size);
    if (to.bounds && !(from.bounds && from.bounds->within(*to.bounds)))
        graph_->refuse("MCOPY from " + from.name + " to " + to.name + ", whose bounds are narrower");
    mcopy_at(constant(to.base + to_offset), to, constant(from.base + from_offset), from, constant(size));
}
void Block::mcopy_at(Value to, const Area& to_area, Value from, const Area& from_area, Value size) {
    ordered_operation(*this, Op::MCOPY, {to.id(), from.id(), size.id()},
                      {block_access(*graph_, to, size, to_area, true), block_access(*graph_, from, size, from_area, false)}, false, true);
}
void Block::calldatacopy(const Area& to, Value to_address, Value from, Value size) {
    ordered_operation(*this, Op::CALLDATACOPY, {to_address.id(), from.id(), size.id()}, {block_access(*graph_, to_address, size, to, true)},
                      false, true);
}
void Block::codecopy(const Area& to, Value to_address, Value from, Value size) {
    ordered_operation(*this, Op::CODECOPY, {to_address.id(), from.id(), size.id()}, {block_access(*graph_, to_address, size, to, true)},
                      false, true);
}
void Block::extcodecopy(Value account, const Area& to, Value to_address, Value from, Value size) {
    ordered_operation(*this, Op::EXTCODECOPY, {account.id(), to_address.id(), from.id(), size.id()},
                      {block_access(*graph_, to_address, size, to, true), kExternalRead}, false, true);
}
void Block::returndatacopy(const Area& to, Value to_address, Value from, Value size) {
    ordered_operation(*this, Op::RETURNDATACOPY, {to_address.id(), from.id(), size.id()},
                      {block_access(*graph_, to_address, size, to, true), kExternalRead}, false, true);
}
Value Block::keccak256(const Area& area, Value at, Value size) {
    return ordered_operation(*this, Op::KECCAK256, {at.id(), size.id()}, {block_access(*graph_, at, size, area, false)}, true, false);
}
Value Block::extcodesize(Value account) {
    const Value v = ordered_operation(*this, Op::EXTCODESIZE, {account.id()}, {kExternalRead}, true, false);
    graph_->nodes[v.id()].support = U256::mask(32);
    return v;
}
Value Block::extcodehash(Value account) { return ordered_operation(*this, Op::EXTCODEHASH, {account.id()}, {kExternalRead}, true, false); }

Value Block::staticcall(Value account, const Area& in, Value in_address, Value in_size, const Area& out, Value out_address,
                        Value out_size) {
    Node n;
    n.kind = Kind::macro;
    n.name = "STATICCALL";
    n.args = {account.id(), in_address.id(), in_size.id(), out_address.id(), out_size.id()};
    n.accesses = {block_access(*graph_, in_address, in_size, in, false), block_access(*graph_, out_address, out_size, out, true),
                  kExternalWrite};
    n.effect = true;
    n.support = U256{1};
    n.gas = 102;
    n.bytes = 2;
    n.emit = [](Assembler& a) { a.ops({Op::GAS, Op::STATICCALL}); };
    const std::uint32_t id = graph_->add_node(std::move(n));
    graph_->order(id);
    return {this, id};
}

void Block::reject_if(Value cond, Label target) {
    demand_clean(*graph_, cond.id(), "reject_if");
    Node n;
    n.kind = Kind::macro;
    n.name = "reject_if";
    n.args = {cond.id()};
    n.accesses = {kExternalWrite};
    n.result = false;
    n.effect = true;
    n.gas = 13;
    n.bytes = 4;
    n.emit = [target](Assembler& a) { a.jumpi(target); };
    const std::uint32_t id = graph_->add_node(std::move(n));
    graph_->order(id);
    graph_->last_reject = id;
}

Value Block::macro(std::string macro_name, const std::vector<Value>& args, bool result, const Effects& effects, std::uint64_t gas,
                   std::uint64_t bytes, std::function<void(Assembler&)> emit) {
    Node n;
    n.kind = Kind::macro;
    n.name = std::move(macro_name);
    for (const Value& v : args) {
        demand_clean(*graph_, v.id(), n.name);
        n.args.push_back(v.id());
    }
    for (const Area& a : effects.reads) n.accesses.push_back({.write = false, .external = false, .lo = a.base, .hi = a.end()});
    for (const Area& a : effects.writes) n.accesses.push_back({.write = true, .external = false, .lo = a.base, .hi = a.end()});
    if (effects.external) n.accesses.push_back(kExternalWrite);
    n.result = result;
    n.effect = !effects.writes.empty() || effects.external || !result;
    n.gas = gas;
    n.bytes = bytes;
    n.emit = std::move(emit);
    const std::uint32_t id = graph_->add_node(std::move(n));
    graph_->order(id);
    return {this, id};
}

void Block::barrier() {
    Node n;
    n.kind = Kind::macro;
    n.name = "barrier";
    n.result = false;
    n.effect = true;
    n.after = graph_->ordered;
    n.emit = [](Assembler&) {};
    graph_->barrier = graph_->add_node(std::move(n));
    graph_->ordered.clear();
}

void Block::compute(Value v) {
    Node n;
    n.kind = Kind::alias;
    n.args = {v.id()};
    n.effect = true;
    n.support = graph_->at(v.id()).support;
    graph_->add_node(std::move(n));
}

Value Block::early(const U256& value) {
    Node n;
    n.kind = Kind::macro;
    n.name = "early constant";
    n.known = true;
    n.early = true;
    n.value = value;
    n.support = value;
    return {this, graph_->add_node(std::move(n))};
}

void Block::phase() {
    Node n;
    n.kind = Kind::phase;
    n.effect = true;
    n.result = false;
    graph_->add_node(std::move(n));
}

void Block::note(std::string text) { graph_->note = std::move(text); }

Value Block::lanes(Value v, unsigned bits, unsigned count) {
    return {this, graph_->alias(v.id(), view_as(*graph_, v.id(), bits, count, "lanes"))};
}

Value Block::declare_input(Value v, const LaneBounds& bounds, std::string producer) {
    const Node& n = graph_->at(graph_->resolve(v.id()));
    graph_->contracts.push_back((n.name.empty() ? "value" : n.name) + ": " + codegen::to_string(bounds) + " <- " + producer);
    return {this, graph_->alias(v.id(), bounds)};
}

Value Block::lemma(Value v, const LaneBounds& bounds, std::string lemma_name) {
    (void)lemma_name;
    return {this, graph_->alias(v.id(), bounds)};
}

Value Block::expect(Value v, const LaneBounds& bounds, std::string what) {
    const LaneBounds have = view_as(*graph_, v.id(), bounds.bits, bounds.lane.size(), what.c_str());
    if (!have.within(bounds)) graph_->refuse(what + ": " + codegen::to_string(have) + " is not inside " + codegen::to_string(bounds));
    return v;
}

Value Block::plain(Value v) {
    demand_clean(*graph_, v.id(), "plain");
    if (!graph_->at(v.id()).lanes) return v;
    Node n;
    n.kind = Kind::alias;
    n.args = {v.id()};
    n.support = graph_->at(v.id()).support;
    return {this, graph_->add_node(std::move(n))};
}

const std::vector<std::string>& Block::contracts() const { return graph_->contracts; }

}  // namespace postern::codegen
