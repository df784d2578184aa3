#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/hex.hpp"
#include "evm/opcodes.hpp"
#include "evm/profile_impl.hpp"

namespace postern::evm {

namespace {

constexpr std::string_view kNoRegion = "(none)";

std::string op_name(std::size_t byte) {
    const std::string_view known = info(static_cast<std::uint8_t>(byte)).name;
    if (!known.empty()) return std::string(known);
    const std::uint8_t b = static_cast<std::uint8_t>(byte);
    return "undefined " + to_hex_0x({&b, 1});
}

}  // namespace

RegionMap::RegionMap(std::vector<Region> regions) : regions_(std::move(regions)) {
    for (const Region& r : regions_) {
        if (r.begin >= r.end) throw std::invalid_argument("region '" + r.name + "' is empty");
    }
    std::stable_sort(regions_.begin(), regions_.end(),
                     [](const Region& a, const Region& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    std::vector<const Region*> open;
    for (const Region& r : regions_) {
        while (!open.empty() && open.back()->end <= r.begin) open.pop_back();
        if (!open.empty() && open.back()->end < r.end) {
            throw std::invalid_argument("regions '" + open.back()->name + "' and '" + r.name + "' overlap");
        }
        open.push_back(&r);
    }
}

std::string_view RegionMap::at(std::size_t pc) const {
    std::string_view found = kNoRegion;
    for (const Region& r : regions_) {
        if (r.begin > pc) break;
        if (pc < r.end) found = r.name;
    }
    return found;
}

std::size_t Profile::Impl::contract(const Address& address, bool init_code) {
    const auto [it, inserted] = contract_index.try_emplace({address, init_code}, contracts.size());
    if (inserted) {
        Contract c;
        c.address = address;
        c.init_code = init_code;
        c.label = to_hex_0x(address) + (init_code ? " (init code)" : "");
        contracts.push_back(std::move(c));
    }
    return it->second;
}

void Profile::Impl::map_code(Contract& c, std::size_t code_size) const {
    if (c.region_at.size() > code_size) return;
    c.gas_by_pc.resize(code_size + 1);
    c.region_at.assign(code_size + 1, 0);
    const auto regions = c.map.regions();
    for (std::size_t i = 0; i < regions.size(); ++i) {
        for (std::size_t pc = regions[i].begin; pc < std::min(regions[i].end, code_size + 1); ++pc) {
            c.region_at[pc] = static_cast<std::uint32_t>(i + 1);
        }
    }
}

std::size_t Profile::Impl::enter(std::size_t parent, std::size_t parent_region, const Address& address, bool init_code,
                                 std::size_t code_size) {
    const std::size_t which = contract(address, init_code);
    Contract& c = contracts[which];
    if (parent == kNoNode) c.called_first = true;
    map_code(c, code_size);
    const auto [it, inserted] = node_index.try_emplace({parent, parent_region, which}, nodes.size());
    if (inserted) nodes.push_back({parent, parent_region, which, std::vector<Count>(c.map.regions().size() + 1)});
    return it->second;
}

void Profile::Impl::add(std::size_t node, std::size_t pc, std::uint8_t op, std::uint64_t gas) {
    Contract& c = contracts[nodes[node].contract];
    // A push whose immediate is cut off by the end of the code leaves the pc beyond it; the implicit STOP counts at the end.
    pc = std::min(pc, c.region_at.size() - 1);
    Count& count = nodes[node].regions[c.region_at[pc]];
    if (count.first_use == 0) count.first_use = ++clock;
    count.gas += gas;
    ++count.steps;
    c.gas_by_pc[pc] += gas;
    by_opcode[op].gas += gas;
    ++by_opcode[op].steps;
}

void Profile::Impl::add_extra(const std::string& what, std::uint64_t gas) {
    Count& count = extras[what];
    if (count.first_use == 0) count.first_use = ++clock;
    count.gas += gas;
}

std::string Profile::Impl::path(std::size_t node) const {
    const Node& n = nodes[node];
    std::string out;
    if (n.parent != kNoNode) {
        out = path(n.parent) + ';';
        const std::span<const Region> regions = contracts[nodes[n.parent].contract].map.regions();
        std::string region = n.parent_region == 0 ? std::string(kNoRegion) : regions[n.parent_region - 1].name;
        std::replace(region.begin(), region.end(), '/', ';');
        out += region + ';';
    }
    return out + contracts[n.contract].label;
}

Profile::Profile() : impl_(std::make_unique<Impl>()) {}
Profile::~Profile() = default;
Profile::Profile(Profile&&) noexcept = default;
Profile& Profile::operator=(Profile&&) noexcept = default;

void Profile::set_regions(const Address& address, std::string label, RegionMap map) {
    clear();
    Impl::Contract& c = impl_->contracts[impl_->contract(address, false)];
    c.label = std::move(label);
    c.map = std::move(map);
    c.region_at.clear();
    c.gas_by_pc.clear();
}

std::vector<Profile::Row> Profile::by_region() const {
    std::map<std::string, Impl::Count> rows;
    for (const Impl::Node& node : impl_->nodes) {
        const Impl::Contract& c = impl_->contracts[node.contract];
        const auto regions = c.map.regions();
        for (std::size_t i = 0; i < node.regions.size(); ++i) {
            const Impl::Count& count = node.regions[i];
            if (count.first_use == 0) continue;
            const std::string region = i == 0 ? std::string(kNoRegion) : regions[i - 1].name;
            Impl::Count& row = rows[c.called_first ? region : c.label + ":" + region];
            row.first_use = row.first_use == 0 ? count.first_use : std::min(row.first_use, count.first_use);
            row.gas += count.gas;
            row.steps += count.steps;
        }
    }
    for (const auto& [what, count] : impl_->extras) rows[what] = count;
    std::vector<std::pair<std::uint64_t, Row>> ordered;
    ordered.reserve(rows.size());
    for (const auto& [row_name, count] : rows) ordered.push_back({count.first_use, {row_name, count.gas, count.steps}});
    std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Row> out;
    out.reserve(ordered.size());
    for (auto& entry : ordered) out.push_back(std::move(entry.second));
    return out;
}

std::vector<Profile::Row> Profile::by_opcode() const {
    std::vector<Row> out;
    for (std::size_t op = 0; op < 256; ++op) {
        const Impl::Count& count = impl_->by_opcode[op];
        if (count.steps != 0) out.push_back({op_name(op), count.gas, count.steps});
    }
    for (const auto& [what, count] : impl_->extras) out.push_back({what, count.gas, 0});
    std::stable_sort(out.begin(), out.end(), [](const Row& a, const Row& b) { return a.gas > b.gas; });
    return out;
}

std::string Profile::folded_stacks() const {
    std::map<std::string, std::uint64_t> lines;
    for (std::size_t n = 0; n < impl_->nodes.size(); ++n) {
        const Impl::Node& node = impl_->nodes[n];
        const auto regions = impl_->contracts[node.contract].map.regions();
        const std::string path = impl_->path(n);
        for (std::size_t i = 0; i < node.regions.size(); ++i) {
            if (node.regions[i].gas == 0) continue;
            std::string region = i == 0 ? std::string(kNoRegion) : regions[i - 1].name;
            std::replace(region.begin(), region.end(), '/', ';');
            lines[path + ";" + region] += node.regions[i].gas;
        }
    }
    for (const auto& [what, count] : impl_->extras) lines[what] += count.gas;
    std::string out;
    for (const auto& [line, gas] : lines) out += line + " " + std::to_string(gas) + "\n";
    return out;
}

std::vector<std::uint64_t> Profile::gas_by_pc(const Address& address) const {
    const auto it = impl_->contract_index.find({address, false});
    return it == impl_->contract_index.end() ? std::vector<std::uint64_t>{} : impl_->contracts[it->second].gas_by_pc;
}

std::uint64_t Profile::total_gas() const {
    std::uint64_t sum = 0;
    for (const Impl::Count& count : impl_->by_opcode) sum += count.gas;
    for (const auto& [what, count] : impl_->extras) sum += count.gas;
    return sum;
}

std::uint64_t Profile::total_steps() const {
    std::uint64_t sum = 0;
    for (const Impl::Count& count : impl_->by_opcode) sum += count.steps;
    return sum;
}

void Profile::clear() {
    impl_->nodes.clear();
    impl_->node_index.clear();
    impl_->extras.clear();
    impl_->by_opcode = {};
    impl_->clock = 0;
    for (Impl::Contract& c : impl_->contracts) {
        c.called_first = false;
        std::fill(c.gas_by_pc.begin(), c.gas_by_pc.end(), 0);
    }
}

}  // namespace postern::evm
