// The three forms of signature and message together.

#include <postern/falcon_codec.hpp>

#include "fuzz_falcon.hpp"

using namespace postern::falcon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr SmForm forms[] = {SmForm::compressed, SmForm::padded, SmForm::eip8052};
    return fuzz_falcon(data, size, std::size(forms), [&]<class P>(std::size_t choice, postern::ByteView bytes) {
        const auto opened = decode_sm<P>(forms[choice], bytes);
        if (!opened) return;
        const auto again = encode_sm<P>(forms[choice], opened->signature, opened->message);
        require(again && std::ranges::equal(*again, bytes), "an accepted signed message has one encoding");
    });
}
