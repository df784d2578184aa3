#pragma once

#include <limits>
#include <map>
#include <postern/evm.hpp>
#include <utility>
#include <vector>

namespace postern::evm {

struct Profile::Impl {
    static constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();

    struct Count {
        std::uint64_t gas = 0;
        std::uint64_t steps = 0;
        std::uint64_t first_use = 0;  // 0 = never
    };
    struct Contract {
        Address address{};
        bool init_code = false;
        std::string label;
        RegionMap map;
        std::vector<std::uint32_t> region_at;  // pc -> 1 + index into the map, 0 = none; grows with the code seen
        std::vector<std::uint64_t> gas_by_pc;
        bool called_first = false;
    };
    /// One contract on one call path.
    struct Node {
        std::size_t parent = kNoNode;
        std::size_t parent_region = 0;
        std::size_t contract = 0;
        std::vector<Count> regions;
    };

    std::vector<Contract> contracts;
    std::map<std::pair<Address, bool>, std::size_t> contract_index;
    std::vector<Node> nodes;
    std::map<std::array<std::size_t, 3>, std::size_t> node_index;
    std::map<std::string, Count> extras;
    std::array<Count, 256> by_opcode{};
    std::uint64_t clock = 0;

    std::size_t contract(const Address& address, bool init_code);
    std::size_t enter(std::size_t parent, std::size_t parent_region, const Address& address, bool init_code, std::size_t code_size);
    std::size_t region_of(std::size_t node, std::size_t pc) const { return contracts[nodes[node].contract].region_at[pc]; }
    void add(std::size_t node, std::size_t pc, std::uint8_t op, std::uint64_t gas);
    void add_extra(const std::string& what, std::uint64_t gas);
    void map_code(Contract& c, std::size_t code_size) const;
    std::string path(std::size_t node) const;
};

}  // namespace postern::evm
