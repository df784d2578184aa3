// SubjectPublicKeyInfo: what is accepted is exactly what would be written.

#include <algorithm>
#include <postern/keys.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace postern;
    const auto key = keys::decode_spki({data, size});
    if (!key) return 0;
    require(std::ranges::equal(keys::encode_spki(*key), ByteView(data, size)), "an accepted SPKI is the canonical one");
    return 0;
}
