// The signatures of schemes with key recovery: one encoding each, and recovery itself on whatever decodes. First byte: which form.

#include <postern/falcon_scheme.hpp>

#include "fuzz_falcon.hpp"

using namespace postern::falcon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    struct Form {
        const char* scheme;
        const char* codec;
    };
    constexpr Form forms[] = {{"epervier-512", "epervier"}, {"ethepervier-512", "arguments"}, {"falcon-recover-512", "recoverable"}};
    return fuzz_falcon(data, size, std::size(forms), [&]<class P>(std::size_t choice, postern::ByteView bytes) {
        const Scheme& scheme = *find_scheme(forms[choice].scheme);
        const auto again = convert_signature(scheme, forms[choice].codec, forms[choice].codec, bytes);
        if (!again) return;
        require(std::ranges::equal(*again, bytes), "an accepted signature has one encoding");
        // Either an address or a reason.
        const auto address = recover(scheme, {}, bytes, forms[choice].codec);
        require(address || !address.error().message.empty(), "a refusal has a reason");
    });
}
