#include "codegen/kernel.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace postern::codegen {

V Kernel::fresh(Info info) {
    info_.push_back(std::move(info));
    return V{static_cast<int>(base_ + info_.size()) - 1};
}

Kernel Kernel::rehearsal() const {
    Kernel copy(name_);
    copy.stack_ = stack_;
    copy.parent_ = this;
    copy.base_ = base_ + info_.size();
    copy.next_label_ = next_label_;
    copy.reachable_ = reachable_;
    return copy;
}

V Kernel::at(unsigned depth) const {
    if (depth >= stack_.size()) fail("stack underflow");
    return stack_[stack_.size() - 1 - depth];
}

bool Kernel::on_stack(V v) const { return std::find(stack_.begin(), stack_.end(), v) != stack_.end(); }

unsigned Kernel::depth_of(V v) const {
    for (unsigned d = 0; d < stack_.size(); ++d) {
        if (at(d) == v) return d;
    }
    fail("value is not on the stack");
}

void Kernel::emit(Op op) {
    if (!reachable_) fail("code after a terminator");
    Item item;
    item.op = op;
    item.text = std::exchange(pending_comment_, {});
    items_.push_back(std::move(item));
    gas_ += evm::base_gas(op);
    ++bytes_;
}

V Kernel::push(const U256& value) {
    const unsigned width = value.byte_length();
    if (width > 1) {
        for (unsigned d = 0; d < 16 && d < stack_.size(); ++d) {
            const Info& i = info(at(d));
            if (i.constant && *i.constant == value) return dup(at(d));
        }
    }
    if (!reachable_) fail("code after a terminator");
    Item item;
    item.kind = Item::Kind::push;
    item.value = value;
    item.width = width;
    item.text = std::exchange(pending_comment_, {});
    items_.push_back(std::move(item));
    gas_ += width == 0 ? 2 : 3;
    bytes_ += 1 + width;
    Info i;
    i.support = value;
    i.constant = value;
    stack_.push_back(fresh(std::move(i)));
    return top();
}

V Kernel::push(const U256& value, const Lanes& lanes) {
    const V v = push(value);
    own_info(v).lanes = lanes;
    return v;
}

V Kernel::push_compact(const U256& value) {
    const unsigned plain = 1 + value.byte_length();
    if ((~value).byte_length() + 2 < plain) {
        push(~value);
        return op(Op::NOT);
    }
    for (const unsigned width : {16U, 32U, 64U, 128U}) {
        const U256 lane = value & U256::mask(width);
        if (lane.byte_length() + 3 >= plain || !lane.fits_u64() || (width <= 64 ? splat(lane.low64(), width) : lane | lane << 128) != value)
            continue;
        const U256 ones = width <= 64 ? splat(1, width) : U256{1} | U256::pow2(128);
        for (unsigned d = 0; d < 16 && d < stack_.size(); ++d) {
            const Info& i = info(at(d));
            if (!i.constant || *i.constant != ones) continue;
            dup(at(d));
            push(lane);
            emit(Op::MUL);
            stack_.resize(stack_.size() - 2);
            Info product;
            product.support = value;
            product.constant = value;
            stack_.push_back(fresh(std::move(product)));
            return top();
        }
    }
    return push(value);
}

V Kernel::push_label(Label label) {
    if (!reachable_) fail("code after a terminator");
    Item item;
    item.kind = Item::Kind::push_label;
    item.label = label;
    item.width = 2;
    items_.push_back(std::move(item));
    gas_ += 3;
    bytes_ += 3;
    stack_.push_back(fresh({}));
    return top();
}

V Kernel::dup(V v) {
    const unsigned d = depth_of(v);
    if (d >= 16) fail("value out of reach of DUP");
    emit(evm::op_dup(d + 1));
    // A copy is another place on the stack with the same knowledge.
    const Info copy = info(v);
    stack_.push_back(fresh(copy));
    return top();
}

void Kernel::swap(unsigned n) {
    if (n == 0) return;
    if (n > 16) fail("value out of reach of SWAP");
    if (n >= stack_.size()) fail("stack underflow");
    emit(evm::op_swap(n));
    std::swap(stack_[stack_.size() - 1], stack_[stack_.size() - 1 - n]);
}

void Kernel::raise(V v) { swap(depth_of(v)); }

void Kernel::pop() {
    at(0);
    emit(Op::POP);
    stack_.pop_back();
}

V Kernel::op(Op op) {
    const evm::OpInfo& oi = evm::info(op);
    const unsigned in = oi.stack_in;
    const int out = static_cast<int>(in) + oi.stack_change;
    if (stack_.size() < in) fail("stack underflow at " + std::string(oi.name));
    std::vector<V> arguments;
    for (unsigned i = 0; i < in; ++i) arguments.push_back(at(i));
    Info result = out > 0 ? transfer(op, arguments) : Info{};
    emit(op);
    stack_.resize(stack_.size() - in);
    if (out <= 0) return V{};
    stack_.push_back(fresh(std::move(result)));
    return top();
}

V Kernel::opaque(Op op) {
    const evm::OpInfo& oi = evm::info(op);
    if (stack_.size() < oi.stack_in) fail("stack underflow at " + std::string(oi.name));
    emit(op);
    stack_.resize(stack_.size() - oi.stack_in);
    if (static_cast<int>(oi.stack_in) + oi.stack_change <= 0) return V{};
    stack_.push_back(fresh({}));
    return top();
}

Kernel::Info Kernel::multiply(const Info& a, const Info& b) const {
    Info r;
    const Info& x = b.constant ? a : b;
    const std::optional<U256>& c = b.constant ? b.constant : a.constant;
    if (!c) return r;
    if (x.lanes) {
        r.lanes = transfer::scale(*x.lanes, *c);
        if (r.lanes) return r;
    }
    // A sum of shifted copies: harmless only if no two copies can meet, because then it is an OR.
    unsigned ones = 0;
    for (unsigned i = 0; i < 256; ++i) ones += c->bit(i) ? 1U : 0U;
    if (ones > 16 || x.support == U256::max()) return r;
    U256 seen;
    for (unsigned i = 0; i < 256; ++i) {
        if (!c->bit(i)) continue;
        const U256 copy = x.support << i;
        if (!(seen & copy).is_zero()) fail("copies made by a multiplication overlap");
        seen |= copy;
    }
    r.support = seen;
    return r;
}

Kernel::Info Kernel::transfer(Op op, std::span<const V> arguments) const {
    Info r;
    const auto arg = [&](std::size_t i) -> const Info& { return info(arguments[i]); };
    const auto as_lanes = [&](const Info& x, unsigned width) -> std::optional<Lanes> {
        if (x.lanes) return x.lanes;
        if (x.constant) return transfer::constant(*x.constant, width);
        return std::nullopt;
    };
    const auto junk_free = [&](const Info& x) { return !x.lanes || x.junk_from >= x.lanes->width; };
    switch (op) {
        case Op::ADD:
        case Op::SUB: {
            const Info &a = arg(0), &b = arg(1);
            if (!a.lanes && !b.lanes) return r;
            const unsigned width = a.lanes ? a.lanes->width : b.lanes->width;
            const auto la = as_lanes(a, width), lb = as_lanes(b, width);
            if (!la || !lb || !junk_free(a) || !junk_free(b)) return r;
            r.lanes = op == Op::ADD ? transfer::add(*la, *lb) : transfer::sub(*la, *lb);
            return r;
        }
        case Op::MUL:
            if (!junk_free(arg(0)) || !junk_free(arg(1))) return r;
            return multiply(arg(0), arg(1));
        case Op::AND: {
            const Info &a = arg(0), &b = arg(1);
            const Info& x = b.constant ? a : b;
            const auto& c = b.constant ? b.constant : a.constant;
            r.support = a.support & b.support;
            if (c && x.lanes) {
                if (!x.lanes->contained()) fail("mask on lanes that may have left their bounds: " + to_string(*x.lanes));
                r.lanes = transfer::mask(*x.lanes, *c, std::min(x.junk_from, x.lanes->width));
            }
            return r;
        }
        case Op::OR:
        case Op::XOR: {
            const Info &a = arg(0), &b = arg(1);
            r.support = a.support | b.support;
            return r;
        }
        case Op::SHR:
        case Op::SHL: {
            if (!arg(0).constant || !arg(0).constant->fits_u64() || arg(0).constant->low64() > 255) return r;
            const auto s = static_cast<unsigned>(arg(0).constant->low64());
            const Info& x = arg(1);
            r.support = op == Op::SHR ? x.support >> s : x.support << s;
            if (x.lanes) {
                const Lanes& l = *x.lanes;
                if (op == Op::SHR) {
                    if (!l.contained()) fail("right shift of lanes that may have left their bounds: " + to_string(l));
                    if (s >= l.width) return r;
                    r.lanes = Lanes{l.width, l.lo >> s, l.hi >> s, l.zeros > s ? l.zeros - s : 0};
                    if (l.zeros < s)
                        r.junk_from = std::min(x.junk_from, l.width) - s;
                    else if (x.junk_from < l.width)
                        r.lanes.reset();
                } else if (junk_free(x)) {
                    r.lanes = transfer::scale(l, U256::pow2(s));
                }
            }
            return r;
        }
        case Op::NOT:
            if (arg(0).constant) r.constant = ~*arg(0).constant;
            return r;
        default:
            return r;
    }
}

void Kernel::declare(V v, const Lanes& lanes) {
    Info& i = own_info(v);
    i.lanes = lanes;
    i.junk_from = 256;
}

void Kernel::declare_bits(V v, const U256& support) {
    Info& i = own_info(v);
    i.lanes.reset();
    i.support = support;
}

Lanes Kernel::declare_from_bits(V v, unsigned width) {
    const Lanes bits = transfer::constant(support(v), width);
    declare(v, {width, 0, bits.hi, 0});
    return {width, 0, bits.hi, 0};
}

V Kernel::forget(V v) {
    const V unknown = fresh({});
    std::replace(stack_.begin(), stack_.end(), v, unknown);
    return unknown;
}

Lanes Kernel::require_known(V v, std::string_view what) const {
    const Info& i = info(v);
    if (!i.lanes) fail(std::string(what) + ": nothing is known about these lanes");
    if (i.junk_from < i.lanes->width) fail(std::string(what) + ": lanes still hold bits of their neighbours");
    return *i.lanes;
}

Lanes Kernel::require(V v, const Lanes& bound, std::string_view what) const {
    const Lanes l = require_known(v, what);
    if (!l.inside(bound)) fail(std::string(what) + ": " + to_string(l) + " is not inside " + to_string(bound));
    return l;
}

void Kernel::check(bool condition, std::string_view what) const {
    if (!condition) fail(what);
}

void Kernel::fail(std::string_view what) const { throw BoundError(name_ + ": " + std::string(what)); }

void Kernel::bind(Label label) {
    Item item;
    item.kind = Item::Kind::label;
    item.label = label;
    items_.push_back(std::move(item));
    gas_ += 1;
    ++bytes_;
    if (std::find(exits_.begin(), exits_.end(), label) != exits_.end()) {
        stack_.clear();
        reachable_ = true;
        return;
    }
    if (reachable_) check_height(label, "label");
    reachable_ = true;
    check_height(label, "label");
}

void Kernel::check_height(Label label, std::string_view where) {
    if (std::find(exits_.begin(), exits_.end(), label) != exits_.end()) return;
    for (const auto& [l, height] : heights_) {
        if (l == label && height != stack_.size()) fail("stack heights differ at a " + std::string(where));
    }
    heights_.emplace_back(label, stack_.size());
}

void Kernel::jump(Label label) {
    push_label(label);
    emit(Op::JUMP);
    stack_.pop_back();
    check_height(label, "jump");
    reachable_ = false;
}

void Kernel::jumpi(Label label) {
    push_label(label);
    emit(Op::JUMPI);
    stack_.pop_back();
    at(0);
    stack_.pop_back();
    check_height(label, "jump");
}

void Kernel::jump_dynamic() {
    at(0);
    emit(Op::JUMP);
    stack_.pop_back();
    reachable_ = false;
}

void Kernel::call(Label routine, unsigned in, unsigned out) {
    const Label back = label();
    push_label(back);
    push_label(routine);
    emit(Op::JUMP);
    stack_.resize(stack_.size() - 2);
    if (stack_.size() < in) fail("stack underflow at a call");
    stack_.resize(stack_.size() - in);
    for (unsigned i = 0; i < out; ++i) stack_.push_back(fresh({}));
    bind(back);
}

void Kernel::jump_routine(Label routine) {
    push_label(routine);
    emit(Op::JUMP);
    stack_.pop_back();
    reachable_ = false;
}

void Kernel::terminate(Op op) {
    const unsigned in = evm::info(op).stack_in;
    if (stack_.size() < in) fail("stack underflow at a terminator");
    emit(op);
    stack_.resize(stack_.size() - in);
    reachable_ = false;
}

V Kernel::argument(std::string_view) {
    stack_.push_back(fresh({}));
    return top();
}

V Kernel::argument_constant(const U256& value) {
    Info i;
    i.support = value;
    i.constant = value;
    stack_.push_back(fresh(std::move(i)));
    return top();
}

void Kernel::native(std::function<void(Assembler&)> emit_code) {
    if (!reachable_) fail("code after a terminator");
    Item item;
    item.kind = Item::Kind::native;
    item.native = std::move(emit_code);
    items_.push_back(std::move(item));
}

void Kernel::data(Label label, std::vector<std::uint8_t> bytes) {
    if (reachable_) fail("data in the path of execution");
    Item item;
    item.kind = Item::Kind::data;
    item.label = label;
    bytes_ += bytes.size();
    item.data = std::move(bytes);
    items_.push_back(std::move(item));
}

void Kernel::begin_region(std::string name) {
    Item item;
    item.kind = Item::Kind::region_begin;
    item.text = std::move(name);
    items_.push_back(std::move(item));
}

void Kernel::end_region() {
    Item item;
    item.kind = Item::Kind::region_end;
    items_.push_back(std::move(item));
}

}  // namespace postern::codegen
