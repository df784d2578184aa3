// EncryptedPrivateKeyInfo with the passphrase "passphrase": parameters may ask for any cost, the decoder must bound it.

#include <postern/keys.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto plain = postern::keys::decrypt({data, size}, "passphrase");
    if (!plain) require(!plain.error().message.empty(), "a refusal has a reason");
    return 0;
}
