// Expanded ML-DSA private keys. First byte: the instance; rest: the encoding.

#include <algorithm>
#include <postern/mldsa.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace postern;
    if (size == 0) return 0;
    const auto schemes = mldsa::schemes();
    const auto& scheme = schemes[data[0] % schemes.size()];
    const ByteView encoding(data + 1, size - 1);
    const auto key = mldsa::PrivateKey::decode(scheme, encoding);
    if (!key) return 0;
    require(std::ranges::equal(key->expanded(), encoding), "a decoded key encodes to the same bytes");
    if (!key->check()) return 0;
    // A key whose parts belong together signs what its public key verifies.
    const mldsa::Message message(encoding.first(8));
    const auto signature = mldsa::sign(*key, message, {}, mldsa::Randomness::deterministic());
    require(mldsa::verify(key->public_key(), message, mldsa::SignatureView(signature)).valid, "a checked key's signature is valid");
    return 0;
}
