// Signing and verifying in all forms: each comes down to mu.

#include <array>
#include <postern/mldsa.hpp>

#include "mldsa/engine.hpp"

namespace postern::mldsa {

namespace {

/// mu of a message that is there as a whole: without the streaming hasher's state on the heap.
Mu mu_of(const Scheme& scheme, const KeyHash& tr, const Message& message, const Context& context) {
    const std::array<std::uint8_t, 2> head{0, static_cast<std::uint8_t>(context.bytes().size())};
    const detail::MuInput input{tr.bytes(), head, context.bytes(), message.bytes()};
    Mu mu(std::array<std::uint8_t, mu_bytes>{});
    scheme.engine->hash_mus({&input, 1}, {&mu, 1});
    return mu;
}
Mu mu_of(const Scheme& scheme, const KeyHash& tr, const FormattedMessage& message) {
    const detail::MuInput input{tr.bytes(), {}, {}, message.bytes()};
    Mu mu(std::array<std::uint8_t, mu_bytes>{});
    scheme.engine->hash_mus({&input, 1}, {&mu, 1});
    return mu;
}

}  // namespace

Bytes sign_mu(const ExpandedPrivateKey& key, const Mu& mu, const Randomness& rnd) {
    Bytes signature(key.scheme().signature_bytes);
    key.scheme().engine->sign(key.expansion(), mu, rnd, signature);
    return signature;
}
Bytes sign(const ExpandedPrivateKey& key, const Message& message, const Context& context, const Randomness& rnd) {
    return sign_mu(key, mu_of(key.scheme(), key.tr(), message, context), rnd);
}
Bytes sign_prehash(const ExpandedPrivateKey& key, const MessageDigest& digest, const Context& context, const Randomness& rnd) {
    return sign_mu(key, prehash_mu(key.scheme(), key.tr(), digest, context), rnd);
}
Bytes sign_internal(const ExpandedPrivateKey& key, const FormattedMessage& message, const Randomness& rnd) {
    return sign_mu(key, mu_of(key.scheme(), key.tr(), message), rnd);
}

Bytes sign_mu(const PrivateKey& key, const Mu& mu, const Randomness& rnd) { return sign_mu(ExpandedPrivateKey(key), mu, rnd); }
Bytes sign(const PrivateKey& key, const Message& message, const Context& context, const Randomness& rnd) {
    return sign(ExpandedPrivateKey(key), message, context, rnd);
}
Bytes sign_prehash(const PrivateKey& key, const MessageDigest& digest, const Context& context, const Randomness& rnd) {
    return sign_prehash(ExpandedPrivateKey(key), digest, context, rnd);
}
Bytes sign_internal(const PrivateKey& key, const FormattedMessage& message, const Randomness& rnd) {
    return sign_internal(ExpandedPrivateKey(key), message, rnd);
}

Verdict verify_mu(const ExpandedPublicKey& key, const Mu& mu, const SignatureView& signature) {
    return key.scheme().engine->verify(key.expansion(), mu, signature.bytes());
}
Verdict verify(const ExpandedPublicKey& key, const Message& message, const SignatureView& signature, const Context& context) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, mu_of(key.scheme(), key.tr(), message, context), signature);
}
Verdict verify_prehash(const ExpandedPublicKey& key, const MessageDigest& digest, const SignatureView& signature, const Context& context) {
    return verify_mu(key, prehash_mu(key.scheme(), key.tr(), digest, context), signature);
}
Verdict verify_internal(const ExpandedPublicKey& key, const FormattedMessage& message, const SignatureView& signature) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, mu_of(key.scheme(), key.tr(), message), signature);
}

Verdict verify_mu(const PublicKey& key, const Mu& mu, const SignatureView& signature) {
    return key.scheme().engine->verify_wire(key.bytes(), mu, signature.bytes());
}
Verdict verify(const PublicKey& key, const Message& message, const SignatureView& signature, const Context& context) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, mu_of(key.scheme(), key.tr(), message, context), signature);
}
Verdict verify_prehash(const PublicKey& key, const MessageDigest& digest, const SignatureView& signature, const Context& context) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, prehash_mu(key.scheme(), key.tr(), digest, context), signature);
}
Verdict verify_internal(const PublicKey& key, const FormattedMessage& message, const SignatureView& signature) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, mu_of(key.scheme(), key.tr(), message), signature);
}

Result<SignatureParts> inspect_signature(const Scheme& scheme, const SignatureView& signature) {
    return scheme.engine->inspect(signature.bytes());
}

}  // namespace postern::mldsa
