// Every encoding of a Falcon public key.

#include <postern/falcon_codec.hpp>

#include "fuzz_falcon.hpp"

using namespace postern::falcon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto codecs = public_key_codecs();
    return fuzz_falcon(data, size, codecs.size(), [&]<class P>(std::size_t choice, postern::ByteView bytes) {
        const auto key = decode_public_key<P>(codecs[choice], bytes);
        if (key) require(std::ranges::equal(encode_public_key<P>(codecs[choice], *key), bytes), "an accepted key has one encoding");
    });
}
