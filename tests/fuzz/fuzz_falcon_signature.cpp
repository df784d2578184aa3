// Every encoding of a Falcon signature.

#include <postern/falcon_codec.hpp>

#include "fuzz_falcon.hpp"

using namespace postern::falcon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto codecs = signature_codecs();
    return fuzz_falcon(data, size, codecs.size(), [&]<class P>(std::size_t choice, postern::ByteView bytes) {
        const auto signature = decode_signature<P>(codecs[choice], bytes);
        if (!signature) return;
        const auto again = encode_signature<P>(codecs[choice], *signature);
        require(again && std::ranges::equal(*again, bytes), "an accepted signature has one encoding");
    });
}
