// Every encoding of a Falcon signature. First byte: codec and parameter set; rest: the encoding.

#include <algorithm>
#include <postern/falcon_codec.hpp>

#include "fuzz.hpp"

namespace {

template <class P>
void decode(postern::falcon::SignatureCodec codec, postern::ByteView bytes) {
    const auto signature = postern::falcon::decode_signature<P>(codec, bytes);
    if (!signature) return;
    const auto again = postern::falcon::encode_signature<P>(codec, *signature);
    require(again && std::ranges::equal(*again, bytes), "an accepted signature has one encoding");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto codecs = postern::falcon::signature_codecs();
    const auto codec = codecs[(data[0] >> 1) % codecs.size()];
    const postern::ByteView bytes(data + 1, size - 1);
    if ((data[0] & 1) != 0)
        decode<postern::falcon::Falcon1024>(codec, bytes);
    else
        decode<postern::falcon::Falcon512>(codec, bytes);
    return 0;
}
