#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "contracts/kernel.hpp"
#include "core/hex.hpp"

namespace postern::contracts {

namespace {

std::size_t size_of(const Item& item) {
    switch (item.kind) {
        case Item::Kind::op:
            return 1;
        case Item::Kind::push:
            return 1 + item.width;
        case Item::Kind::push_label:
            return 3;
        case Item::Kind::label:
            return 1;
        case Item::Kind::data:
            return item.data.size();
        default:
            return 0;
    }
}

}  // namespace

Assembled assemble(const Kernel& kernel) {
    Assembled out;
    std::size_t at = 0;
    std::vector<std::size_t>& offsets = out.label_offsets;
    for (const Item& item : kernel.items()) {
        if (item.kind == Item::Kind::label || item.kind == Item::Kind::data) {
            const auto id = static_cast<std::size_t>(item.label.id);
            if (offsets.size() <= id) offsets.resize(id + 1, SIZE_MAX);
            if (offsets[id] != SIZE_MAX) throw std::logic_error("label bound twice");
            offsets[id] = at;
        }
        at += size_of(item);
    }
    if (at > 0xffff) throw std::logic_error("code too large for two-byte labels");
    std::vector<std::pair<std::size_t, std::string>> open;
    for (const Item& item : kernel.items()) {
        const std::size_t offset = out.code.size();
        std::string line;
        switch (item.kind) {
            case Item::Kind::op:
                out.code.push_back(static_cast<std::uint8_t>(item.op));
                line = evm::info(item.op).name;
                break;
            case Item::Kind::push: {
                out.code.push_back(static_cast<std::uint8_t>(evm::op_push(item.width)));
                const auto bytes = to_be_bytes(item.value);
                out.code.insert(out.code.end(), bytes.end() - item.width, bytes.end());
                line = fmt::format("PUSH{} {}", item.width, to_hex_0x(item.value));
                break;
            }
            case Item::Kind::push_label: {
                const auto id = static_cast<std::size_t>(item.label.id);
                if (id >= offsets.size() || offsets[id] == SIZE_MAX) throw std::logic_error("label never bound");
                out.code.push_back(static_cast<std::uint8_t>(evm::op_push(2)));
                out.code.push_back(static_cast<std::uint8_t>(offsets[id] >> 8));
                out.code.push_back(static_cast<std::uint8_t>(offsets[id]));
                line = fmt::format("PUSH2 {:#x} (L{})", offsets[id], id);
                break;
            }
            case Item::Kind::label:
                out.code.push_back(static_cast<std::uint8_t>(Op::JUMPDEST));
                line = fmt::format("JUMPDEST L{}", item.label.id);
                break;
            case Item::Kind::data:
                out.code.insert(out.code.end(), item.data.begin(), item.data.end());
                line = fmt::format("data ({} bytes) L{}", item.data.size(), item.label.id);
                break;
            case Item::Kind::region_begin:
                open.emplace_back(offset, open.empty() ? item.text : open.back().second + "/" + item.text);
                out.listing += fmt::format("\n; ---- {}\n", open.back().second);
                continue;
            case Item::Kind::region_end:
                if (open.empty()) throw std::logic_error("region ends that never began");
                if (open.back().first != offset) out.regions.push_back({open.back().first, offset, open.back().second});
                open.pop_back();
                continue;
        }
        out.listing += fmt::format("{:05x}  {:<44}{}{}\n", offset, line, item.text.empty() ? "" : "; ", item.text);
    }
    if (!open.empty()) throw std::logic_error("region never ends: " + open.back().second);
    return out;
}

}  // namespace postern::contracts
