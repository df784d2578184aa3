#include "codegen/memory.hpp"

#include <stdexcept>
#include <utility>

namespace postern::codegen {

Area Area::part(std::string part_name, std::uint64_t offset, std::uint64_t part_size, std::optional<LaneBounds> part_bounds) const {
    if (offset > size || part_size > size - offset) throw std::invalid_argument("part " + part_name + " leaves area " + name);
    return {std::move(part_name), base + offset, part_size, std::move(part_bounds)};
}

}  // namespace postern::codegen
