// Signing and verifying in all forms: each comes down to mu.

#include <postern/mldsa.hpp>

#include "mldsa/engine.hpp"

namespace postern::mldsa {

namespace {

template <class Key>
Mu mu_of(const Key& key, const Message& message, const Context& context) {
    MuHasher hasher(key, context);
    hasher.update(message.bytes());
    return hasher.finish();
}

template <class Key>
Mu mu_of(const Key& key, const FormattedMessage& message) {
    MuHasher hasher = MuHasher::formatted(key.scheme(), key.tr());
    hasher.update(message.bytes());
    return hasher.finish();
}

/// A signature that fails before any hashing costs no expansion of the key; else `with_key` judges.
template <class WithKey>
Verdict verify_wire(const PublicKey& key, const SignatureView& signature, WithKey with_key) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return with_key(ExpandedPublicKey(key));
}

}  // namespace

Bytes sign_mu(const ExpandedPrivateKey& key, const Mu& mu, const Randomness& rnd) {
    Bytes signature(key.scheme().signature_bytes);
    key.scheme().engine->sign(key.expansion(), mu, rnd, signature);
    return signature;
}
Bytes sign(const ExpandedPrivateKey& key, const Message& message, const Context& context, const Randomness& rnd) {
    return sign_mu(key, mu_of(key, message, context), rnd);
}
Bytes sign_prehash(const ExpandedPrivateKey& key, const MessageDigest& digest, const Context& context, const Randomness& rnd) {
    return sign_mu(key, prehash_mu(key.scheme(), key.tr(), digest, context), rnd);
}
Bytes sign_internal(const ExpandedPrivateKey& key, const FormattedMessage& message, const Randomness& rnd) {
    return sign_mu(key, mu_of(key, message), rnd);
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
    return verify_mu(key, mu_of(key, message, context), signature);
}
Verdict verify_prehash(const ExpandedPublicKey& key, const MessageDigest& digest, const SignatureView& signature, const Context& context) {
    return verify_mu(key, prehash_mu(key.scheme(), key.tr(), digest, context), signature);
}
Verdict verify_internal(const ExpandedPublicKey& key, const FormattedMessage& message, const SignatureView& signature) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, mu_of(key, message), signature);
}

Verdict verify_mu(const PublicKey& key, const Mu& mu, const SignatureView& signature) {
    return verify_wire(key, signature, [&](const ExpandedPublicKey& e) { return verify_mu(e, mu, signature); });
}
Verdict verify(const PublicKey& key, const Message& message, const SignatureView& signature, const Context& context) {
    return verify_wire(key, signature, [&](const ExpandedPublicKey& e) { return verify_mu(e, mu_of(e, message, context), signature); });
}
Verdict verify_prehash(const PublicKey& key, const MessageDigest& digest, const SignatureView& signature, const Context& context) {
    return verify_wire(key, signature, [&](const ExpandedPublicKey& e) { return verify_prehash(e, digest, signature, context); });
}
Verdict verify_internal(const PublicKey& key, const FormattedMessage& message, const SignatureView& signature) {
    return verify_wire(key, signature, [&](const ExpandedPublicKey& e) { return verify_mu(e, mu_of(e, message), signature); });
}

Result<SignatureParts> inspect_signature(const Scheme& scheme, const SignatureView& signature) {
    return scheme.engine->inspect(signature.bytes());
}

}  // namespace postern::mldsa
