// The hex decoder: what it accepts it writes back, in lower case.

#include <algorithm>
#include <cctype>
#include <string>

#include "core/hex.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = as_text({data, size});
    const auto bytes = postern::from_hex(text);
    if (!bytes) return 0;
    std::string lower(text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    require(postern::to_hex(*bytes) == lower, "decoded hex encodes to the same digits");
    return 0;
}
