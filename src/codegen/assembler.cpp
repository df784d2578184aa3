#include "codegen/assembler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

namespace postern::codegen {
namespace {

struct Instruction {
    Op op;
};
struct PushConstant {
    U256 value;
};
struct PushLabel {
    Label to;
    Label from;  // invalid: the offset itself
};
struct Bind {
    Label label;
};
struct RegionBegin {
    std::string name;
};
struct RegionEnd {};
struct Comment {
    std::string text;
};
struct Picture {
    std::string text;
};
using Item = std::variant<Instruction, PushConstant, PushLabel, Bind, RegionBegin, RegionEnd, Comment, Picture>;

struct DataSection {
    Label label;
    std::string name;
    Bytes bytes;
};

unsigned width_for(std::uint64_t v) {
    unsigned w = 0;
    for (; v != 0; v >>= 8) ++w;
    return w;
}

}  // namespace

struct Assembler::Impl {
    std::string name;
    std::vector<Item> items;
    std::vector<std::string> labels;  // names
    std::vector<DataSection> data;
    std::size_t estimate = 0;
    unsigned open_regions = 0;
};

Assembler::Assembler(std::string name) : impl_(std::make_unique<Impl>()) { impl_->name = std::move(name); }
Assembler::~Assembler() = default;
Assembler::Assembler(Assembler&&) noexcept = default;
Assembler& Assembler::operator=(Assembler&&) noexcept = default;

void Assembler::op(Op op) {
    const auto byte = static_cast<std::uint8_t>(op);
    if (byte >= 0x60 && byte <= 0x7f) throw Error(impl_->name + ": use push() for PUSH instructions");
    impl_->items.emplace_back(Instruction{op});
    ++impl_->estimate;
}
void Assembler::ops(std::initializer_list<Op> list) {
    for (const Op o : list) op(o);
}
void Assembler::push(const U256& value) {
    impl_->items.emplace_back(PushConstant{value});
    impl_->estimate += 1 + value.byte_length();
}
void Assembler::dup(unsigned n) {
    if (n < 1 || n > 16) throw Error(fmt::format("{}: DUP{}", impl_->name, n));
    op(evm::op_dup(n));
}
void Assembler::swap(unsigned n) {
    if (n < 1 || n > 16) throw Error(fmt::format("{}: SWAP{}", impl_->name, n));
    op(evm::op_swap(n));
}
void Assembler::push_label(Label label) {
    impl_->items.emplace_back(PushLabel{label, {}});
    impl_->estimate += 3;
}
void Assembler::push_distance(Label from, Label to) {
    impl_->items.emplace_back(PushLabel{to, from});
    impl_->estimate += 3;
}
Label Assembler::new_label(std::string name) {
    impl_->labels.push_back(std::move(name));
    return {static_cast<std::uint32_t>(impl_->labels.size() - 1)};
}
void Assembler::bind(Label label) { impl_->items.emplace_back(Bind{label}); }
void Assembler::jumpdest(Label label) {
    bind(label);
    op(Op::JUMPDEST);
}
void Assembler::jump(Label label) {
    push_label(label);
    op(Op::JUMP);
}
void Assembler::jumpi(Label label) {
    push_label(label);
    op(Op::JUMPI);
}
Data Assembler::data(std::string name, Bytes bytes) {
    for (const DataSection& d : impl_->data) {
        if (d.bytes == bytes) return {d.label, d.bytes.size()};
    }
    const Label label = new_label(name);
    const std::size_t size = bytes.size();
    impl_->estimate += size;
    impl_->data.push_back({label, std::move(name), std::move(bytes)});
    return {label, size};
}
void Assembler::begin_region(std::string name) {
    impl_->items.emplace_back(RegionBegin{std::move(name)});
    ++impl_->open_regions;
}
void Assembler::end_region() {
    if (impl_->open_regions == 0) throw Error(impl_->name + ": end_region without begin_region");
    --impl_->open_regions;
    impl_->items.emplace_back(RegionEnd{});
}
void Assembler::comment(std::string text) { impl_->items.emplace_back(Comment{std::move(text)}); }
void Assembler::stack_picture(std::string text) { impl_->items.emplace_back(Picture{std::move(text)}); }
const std::string& Assembler::name() const { return impl_->name; }
std::size_t Assembler::size_estimate() const { return impl_->estimate; }

namespace {

/// Offsets of all labels and widths of all label pushes, by growing the widths until nothing moves.
struct Layout {
    std::vector<std::optional<std::size_t>> offset;
    std::vector<unsigned> width;  // of the i-th PushLabel
    std::size_t code_end = 0;
    std::size_t size = 0;
};

Layout lay_out(const Assembler::Impl& a) {
    Layout l;
    std::size_t pushes = 0;
    for (const Item& item : a.items) pushes += std::holds_alternative<PushLabel>(item) ? 1 : 0;
    l.width.assign(pushes, 1);
    for (bool changed = true; changed;) {
        l.offset.assign(a.labels.size(), std::nullopt);
        std::size_t at = 0;
        std::size_t push = 0;
        for (const Item& item : a.items) {
            if (std::holds_alternative<Instruction>(item)) {
                ++at;
            } else if (const auto* c = std::get_if<PushConstant>(&item)) {
                at += 1 + c->value.byte_length();
            } else if (std::holds_alternative<PushLabel>(item)) {
                at += 1 + l.width[push++];
            } else if (const auto* b = std::get_if<Bind>(&item)) {
                if (l.offset[b->label.id]) throw Error(fmt::format("{}: label {} bound twice", a.name, a.labels[b->label.id]));
                l.offset[b->label.id] = at;
            }
        }
        l.code_end = at;
        for (const DataSection& d : a.data) {
            l.offset[d.label.id] = at;
            at += d.bytes.size();
        }
        l.size = at;
        changed = false;
        push = 0;
        for (const Item& item : a.items) {
            const auto* p = std::get_if<PushLabel>(&item);
            if (p == nullptr) continue;
            for (const Label t : {p->to, p->from}) {
                if (t.valid() && !l.offset[t.id])
                    throw Error(fmt::format("{}: label '{}' is used but never bound", a.name, a.labels[t.id]));
            }
            const std::size_t base = p->from.valid() ? *l.offset[p->from.id] : 0;
            if (*l.offset[p->to.id] < base) throw Error(a.name + ": push_distance to an earlier label");
            const unsigned need = width_for(*l.offset[p->to.id] - base);
            if (need > l.width[push]) {
                l.width[push] = need;
                changed = true;
            }
            ++push;
        }
    }
    return l;
}

/// ERC-7562: what a validating account's code may not run.
bool banned(Op op) {
    switch (op) {
        case Op::INVALID:
        case Op::SELFDESTRUCT:
        case Op::SLOAD:
        case Op::SSTORE:
        case Op::TLOAD:
        case Op::TSTORE:
        case Op::BALANCE:
        case Op::SELFBALANCE:
        case Op::ORIGIN:
        case Op::GASPRICE:
        case Op::BLOCKHASH:
        case Op::COINBASE:
        case Op::TIMESTAMP:
        case Op::NUMBER:
        case Op::PREVRANDAO:
        case Op::GASLIMIT:
        case Op::BASEFEE:
        case Op::BLOBHASH:
        case Op::BLOBBASEFEE:
        case Op::SLOTNUM:
        case Op::CREATE:
        case Op::CREATE2:
            return true;
        default:
            return false;
    }
}

void lint(const std::string& name, const std::vector<std::pair<std::size_t, Op>>& code, const AssembleOptions& options) {
    for (std::size_t i = 0; i < code.size(); ++i) {
        const auto [at, op] = code[i];
        if (std::find(options.lint_allow.begin(), options.lint_allow.end(), op) != options.lint_allow.end()) continue;
        if (banned(op)) throw Error(fmt::format("{}: {} at {:#x} is not allowed by ERC-7562", name, evm::name(op), at));
        if (op == Op::GAS) {
            const Op next = i + 1 < code.size() ? code[i + 1].second : Op::STOP;
            if (next != Op::CALL && next != Op::STATICCALL && next != Op::DELEGATECALL && next != Op::CALLCODE)
                throw Error(fmt::format("{}: GAS at {:#x} is not directly before a call (ERC-7562)", name, at));
        }
    }
}

}  // namespace

Program Assembler::assemble(const AssembleOptions& options) const {
    const Impl& a = *impl_;
    if (a.open_regions != 0) throw Error(a.name + ": a region is still open");
    const Layout layout = lay_out(a);
    Program p;
    p.name = a.name;
    std::vector<std::pair<std::string, std::size_t>> open;
    std::vector<std::pair<std::size_t, Op>> decoded;
    std::string pending;
    std::size_t push = 0;
    const auto line = [&](std::size_t at, std::string text) {
        p.lines.push_back({at, std::move(text), {}, std::move(pending)});
        pending.clear();
    };
    const auto emit_push = [&](const U256& value, unsigned width, const std::string& what) {
        const std::size_t at = p.code.size();
        const Op op = evm::op_push(width);
        if (!evm::info(op).defined(options.fork))
            throw Error(fmt::format("{}: {} does not exist in {}", a.name, evm::name(op), evm::name(options.fork)));
        decoded.emplace_back(at, op);
        p.code.push_back(static_cast<std::uint8_t>(op));
        const auto bytes = to_be_bytes(value);
        p.code.insert(p.code.end(), bytes.end() - width, bytes.end());
        line(at, width == 0 ? std::string(evm::name(op)) : fmt::format("{} {}{}", evm::name(op), to_hex_0x(value), what));
    };
    for (const Item& item : a.items) {
        if (const auto* i = std::get_if<Instruction>(&item)) {
            if (!evm::info(i->op).defined(options.fork))
                throw Error(fmt::format("{}: {} does not exist in {}", a.name, evm::name(i->op), evm::name(options.fork)));
            decoded.emplace_back(p.code.size(), i->op);
            line(p.code.size(), std::string(evm::name(i->op)));
            p.code.push_back(static_cast<std::uint8_t>(i->op));
        } else if (const auto* c = std::get_if<PushConstant>(&item)) {
            emit_push(c->value, c->value.byte_length(), "");
        } else if (const auto* l = std::get_if<PushLabel>(&item)) {
            const std::size_t base = l->from.valid() ? *layout.offset[l->from.id] : 0;
            emit_push(U256{*layout.offset[l->to.id] - base}, layout.width[push++], " (" + a.labels[l->to.id] + ")");
        } else if (const auto* b = std::get_if<Bind>(&item)) {
            if (!a.labels[b->label.id].empty()) {
                p.symbols.emplace(a.labels[b->label.id], p.code.size());
                p.lines.push_back({p.code.size(), {}, {}, a.labels[b->label.id] + ":"});
            }
        } else if (const auto* r = std::get_if<RegionBegin>(&item)) {
            open.emplace_back(open.empty() ? r->name : open.back().first + "/" + r->name, p.code.size());
        } else if (std::holds_alternative<RegionEnd>(item)) {
            if (open.back().second < p.code.size()) p.regions.push_back({open.back().second, p.code.size(), open.back().first});
            open.pop_back();
        } else if (const auto* t = std::get_if<Comment>(&item)) {
            pending = pending.empty() ? t->text : pending + "; " + t->text;
        } else if (const auto* s = std::get_if<Picture>(&item)) {
            if (!p.lines.empty()) p.lines.back().stack = s->text;
        }
    }
    if (!a.data.empty() && (p.code.empty() || [&] {
            const Op last = decoded.back().second;
            return last != Op::STOP && last != Op::RETURN && last != Op::REVERT && last != Op::JUMP && last != Op::INVALID;
        }()))
        throw Error(a.name + ": code falls through into its data");
    for (const DataSection& d : a.data) {
        p.symbols.emplace(d.name, p.code.size());
        p.lines.push_back({p.code.size(), fmt::format("<{} bytes>", d.bytes.size()), {}, "data " + d.name});
        p.code.insert(p.code.end(), d.bytes.begin(), d.bytes.end());
    }
    if (p.code.size() > options.max_code_size)
        throw Error(fmt::format("{}: {} bytes of code, the limit is {}", a.name, p.code.size(), options.max_code_size));
    if (options.check_first_byte && !p.code.empty() && p.code[0] == 0xef) throw Error(a.name + ": first byte is 0xEF (EIP-3541)");
    if (options.lint_erc7562) lint(a.name, decoded, options);
    std::stable_sort(p.regions.begin(), p.regions.end(),
                     [](const evm::Region& x, const evm::Region& y) { return x.begin != y.begin ? x.begin < y.begin : x.end > y.end; });
    return p;
}

}  // namespace postern::codegen
