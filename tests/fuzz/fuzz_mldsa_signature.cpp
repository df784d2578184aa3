// ML-DSA signatures against fixed keys. First byte: the instance; rest: the signature.

#include <array>
#include <map>
#include <postern/mldsa.hpp>

#include "fuzz.hpp"

namespace {

using namespace postern;

const mldsa::ExpandedPublicKey& key_of(const mldsa::Scheme& scheme) {
    static std::map<const mldsa::Scheme*, mldsa::ExpandedPublicKey> keys;
    const auto found = keys.find(&scheme);
    if (found != keys.end()) return found->second;
    const mldsa::Seed seed(std::array<std::uint8_t, 32>{});
    return keys.emplace(&scheme, mldsa::ExpandedPublicKey(mldsa::generate(scheme, seed).public_key)).first->second;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto schemes = mldsa::schemes();
    const auto& scheme = schemes[data[0] % schemes.size()];
    const mldsa::SignatureView signature(ByteView(data + 1, size - 1));
    const auto parts = mldsa::inspect_signature(scheme, signature);
    const auto verdict = mldsa::verify(key_of(scheme), mldsa::Message(ByteView{}), signature);
    if (verdict) {
        require(parts.has_value(), "an accepted signature has readable parts");
        require(parts->z_norm < parts->z_bound, "an accepted signature is short");
    } else {
        require(!verdict.reason.empty(), "a refusal has a reason");
    }
    return 0;
}
