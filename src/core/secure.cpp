#include "core/secure.hpp"

#include <cstring>

namespace postern {

void secure_wipe(void* data, std::size_t size) noexcept {
    if (size == 0) return;
    std::memset(data, 0, size);
    __asm__ __volatile__("" : : "r"(data) : "memory");
}

bool ct_equal(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) noexcept {
    if (a.size() != b.size()) return false;
    std::uint32_t diff = 0;
    for (std::size_t i = 0; i < a.size(); ++i) diff |= static_cast<std::uint32_t>(a[i] ^ b[i]);
    return declassify(value_barrier(diff)) == 0;
}

}  // namespace postern
