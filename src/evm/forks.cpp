#include <limits>
#include <postern/evm.hpp>

namespace postern::evm {

namespace {
constexpr std::array<std::string_view, 6> kForkNames{"frontier", "shanghai", "cancun", "prague", "osaka", "amsterdam"};
}

std::string_view name(Fork fork) { return kForkNames[static_cast<std::size_t>(fork)]; }

Result<Fork> parse_fork(std::string_view text) {
    for (std::size_t i = 0; i < kForkNames.size(); ++i) {
        if (kForkNames[i] == text) return static_cast<Fork>(i);
    }
    return Error{"unknown fork '" + std::string(text) + "' (known: frontier, shanghai, cancun, prague, osaka, amsterdam)"};
}

Limits limits(Fork fork) {
    constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
    if (fork == Fork::frontier) return {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max(), unlimited};
    const std::uint64_t gas = fork >= Fork::osaka ? 1ULL << 24 : unlimited;
    if (fork == Fork::amsterdam) return {0x10000, 0x20000, gas};
    return {0x6000, 0xc000, gas};
}

}  // namespace postern::evm
