// The base64 decoder: canonical, so what it accepts it writes back.

#include "core/base64.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = as_text({data, size});
    const auto bytes = postern::from_base64(text);
    if (bytes) require(postern::to_base64(*bytes) == text, "one encoding only");
    return 0;
}
