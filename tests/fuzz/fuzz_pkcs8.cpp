// PKCS#8 private keys: what is accepted is exactly what would be written in one of the three forms.

#include <algorithm>
#include <postern/keys.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace postern;
    const ByteView input(data, size);
    const auto key = keys::decode_pkcs8(input);
    if (!key) return 0;
    bool same = std::ranges::equal(keys::encode_pkcs8(*key, keys::PrivateForm::expanded), input);
    if (key->seed()) {
        same = same || std::ranges::equal(keys::encode_pkcs8(*key, keys::PrivateForm::seed), input);
        same = same || std::ranges::equal(keys::encode_pkcs8(*key, keys::PrivateForm::both), input);
    }
    require(same, "an accepted PKCS#8 key is canonical in one of its forms");
    return 0;
}
