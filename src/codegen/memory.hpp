#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codegen/bounds.hpp"

namespace postern::codegen {

/// A stretch of memory with a name. Accesses whose byte ranges can meet are kept in order, others may be reordered: with a
/// constant address the range is exact, with a computed one it is the whole area (or, for equal base values, decided by the
/// distance). Areas may overlay each other; what counts is bytes.
struct Area {
    std::string name;
    std::uint64_t base = 0;
    std::uint64_t size = 0;  // bytes; a store past the end is refused
    /// What words stored here are allowed to hold and what loads may rely on: stores of anything wider are refused (BoundError).
    std::optional<LaneBounds> bounds = std::nullopt;

    std::uint64_t end() const { return base + size; }
    /// Part of it, without bounds unless given.
    Area part(std::string part_name, std::uint64_t offset, std::uint64_t part_size,
              std::optional<LaneBounds> part_bounds = std::nullopt) const;
};

}  // namespace postern::codegen
