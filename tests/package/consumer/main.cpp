// Key pair, signature, verdict, and a tampered signature, through the installed headers.

#include <cstdio>
#include <postern/mldsa.hpp>
#include <string>

int main() {
    const std::string text = "a message";
    const postern::mldsa::Message message(postern::ByteView(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
    for (const char* name : {"ml-dsa-44", "ml-dsa-65", "ml-dsa-87"}) {
        const auto* scheme = postern::mldsa::find_scheme(name);
        if (scheme == nullptr) return 1;
        const auto keys = postern::mldsa::generate(*scheme);
        auto signature = postern::mldsa::sign(keys.private_key, message);
        if (signature.size() != scheme->signature_bytes) return 2;
        if (!postern::mldsa::verify(keys.public_key, message, postern::mldsa::SignatureView(signature))) return 3;
        signature[40] ^= 1;
        if (postern::mldsa::verify(keys.public_key, message, postern::mldsa::SignatureView(signature))) return 4;
        std::printf("%s works\n", name);
    }
    return 0;
}
