#include <map>

#include "codegen/kernel.hpp"

namespace postern::codegen {

Assembler lower(const Kernel& kernel) {
    Assembler out(kernel.name());
    std::map<std::uint32_t, Label> labels;
    for (const Item& item : kernel.items()) {
        if (item.kind == Item::Kind::data) {
            labels[item.label.id] = out.data("data" + std::to_string(item.label.id), item.data).label;
        }
    }
    const auto label_of = [&](Label l) {
        const auto it = labels.find(l.id);
        if (it != labels.end()) return it->second;
        return labels[l.id] = out.new_label();
    };
    for (const Item& item : kernel.items()) {
        if (!item.text.empty() && item.kind != Item::Kind::region_begin) out.comment(item.text);
        switch (item.kind) {
            case Item::Kind::op:
                out.op(item.op);
                break;
            case Item::Kind::push:
                out.push(item.value);
                break;
            case Item::Kind::push_label:
                out.push_label(label_of(item.label));
                break;
            case Item::Kind::label:
                out.jumpdest(label_of(item.label));
                break;
            case Item::Kind::data:
                break;
            case Item::Kind::native:
                item.native(out);
                break;
            case Item::Kind::region_begin:
                out.begin_region(item.text);
                break;
            case Item::Kind::region_end:
                out.end_region();
                break;
        }
    }
    return out;
}

}  // namespace postern::codegen
