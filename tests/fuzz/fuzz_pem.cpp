// PEM, and the key files that it carries.

#include <postern/keys.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace postern;
    const auto text = as_text({data, size});
    const auto block = keys::decode_pem(text);
    if (block) {
        const auto again = keys::decode_pem(keys::encode_pem(block->label, block->bytes));
        require(again && again->label == block->label && again->bytes == block->bytes, "a block survives being written and read");
    }
    const auto public_key = keys::decode_public_pem(text);
    if (public_key) {
        const auto again = keys::decode_public_pem(keys::encode_public_pem(*public_key));
        require(again && *again == *public_key, "a public key survives being written and read");
    }
    if (keys::decode_private_pem(text)) require(block.has_value(), "a private key file is PEM");
    return 0;
}
