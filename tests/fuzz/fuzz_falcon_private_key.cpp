// The encoding of a Falcon private key: what is accepted is a basis, and encodes to the same bytes.

#include "fuzz_falcon.hpp"

using namespace postern::falcon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz_falcon(data, size, 1, [&]<class P>(std::size_t, postern::ByteView bytes) {
        const auto key = PrivateKey<P>::decode(bytes);
        if (key) require(std::ranges::equal(key->encode(), bytes), "an accepted private key has one encoding");
    });
}
