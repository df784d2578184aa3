#include "contracts/falcon/key_blob.hpp"

#include <postern/falcon_codec.hpp>

#include "contracts/falcon/arithmetic.hpp"
#include "core/u256.hpp"
#include "falcon/compact_key.hpp"
#include "hash/sha3.hpp"

namespace postern::contracts::falcon_evm {

namespace {

using Leaf = std::array<std::uint64_t, 8>;

void append(Bytes& out, const U256& word) {
    const auto bytes = to_be_bytes(word);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Coefficient i stands in lane (8 - i) mod 8.
void append_pair(Bytes& out, const Leaf& h, std::uint64_t zeta) {
    U256 m, d;
    for (unsigned i = 0; i < 8; ++i) {
        m |= U256{h[i]} << (32 * ((8 - i) % 8));
        if (i == 0) continue;
        d = d + (U256{h[i] * zeta % q} << (32 * (8 - i)));
        d = d - (U256{h[i]} << (32 * (8 - i)));
    }
    append(out, d);
    append(out, m);
}

}  // namespace

template <class P>
Bytes expanded_blob(const falcon::PublicKey<P>& key) {
    const Bytes compact = falcon::encode_compact_key<P>(key);
    Bytes out{0x00};
    out.reserve(1 + 6 * compact.size());
    for (std::size_t leaf = 0; leaf < P::n / 16; ++leaf) {
        Leaf even{}, odd{}, shifted{};
        for (unsigned i = 0; i < 8; ++i) {
            const std::size_t at = 32 * leaf + 28 - 4 * ((8 - i) % 8);
            even[i] = static_cast<std::uint64_t>(compact[at]) << 8 | compact[at + 1];
            odd[i] = static_cast<std::uint64_t>(compact[at + 2]) << 8 | compact[at + 3];
        }
        const std::uint64_t zeta = falcon::compact_key_root<P>(leaf);
        shifted[0] = odd[7] * zeta % q;
        for (unsigned i = 1; i < 8; ++i) shifted[i] = odd[i - 1];
        append_pair(out, even, zeta);
        append_pair(out, shifted, zeta);
        append_pair(out, odd, zeta);
    }
    return out;
}

template Bytes expanded_blob<falcon::Falcon512>(const falcon::PublicKey<falcon::Falcon512>&);
template Bytes expanded_blob<falcon::Falcon1024>(const falcon::PublicKey<falcon::Falcon1024>&);

Result<KeyBlob> make_blob(const falcon::Scheme& scheme, ByteView public_key, KeyForm form) {
    if (form != KeyForm::expanded)
        return Error{"key form '" + std::string(name(form)) + "' is not available for " + std::string(scheme.name)};
    KeyBlob blob;
    blob.scheme = scheme.name;
    blob.form = form;
    blob.key_hash = hash::keccak256(public_key);
    const auto add = [&]<class P>(const Result<falcon::PublicKey<P>>& key) -> Status {
        if (!key) return key.error();
        blob.parts.push_back(expanded_blob<P>(*key));
        return ok();
    };
    constexpr auto codec = falcon::PublicKeyCodec::nist;
    const Status status = scheme.logn == 9 ? add(falcon::decode_public_key<falcon::Falcon512>(codec, public_key))
                                           : add(falcon::decode_public_key<falcon::Falcon1024>(codec, public_key));
    if (!status) return status.error();
    return blob;
}

}  // namespace postern::contracts::falcon_evm
