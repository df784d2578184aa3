// Signing and verifying in all forms: each comes down to mu.

#include <array>
#include <postern/mldsa.hpp>

#include "mldsa/engine.hpp"

namespace postern::mldsa {

namespace {

/// What mu hashes, for a message that is there as a whole: without the streaming hasher's state on the heap.
class WholeMessage {
  public:
    WholeMessage(const KeyHash& tr, const Message& message, const Context& context)
        : tr_(tr), head_{0, static_cast<std::uint8_t>(context.bytes().size())}, context_(context.bytes()), message_(message.bytes()) {}
    WholeMessage(const KeyHash& tr, const FormattedMessage& message) : tr_(tr), message_(message.bytes()), formatted_(true) {}
    detail::MuInput input() const { return {tr_.bytes(), formatted_ ? ByteView{} : ByteView(head_), context_, message_}; }
    Mu mu(const Scheme& scheme) const {
        const detail::MuInput in = input();
        Mu out(std::array<std::uint8_t, mu_bytes>{});
        scheme.engine->hash_mus({&in, 1}, {&out, 1});
        return out;
    }

  private:
    KeyHash tr_;
    std::array<std::uint8_t, 2> head_{};
    ByteView context_, message_;
    bool formatted_ = false;
};
template <class Key>
Mu mu_of(const Key& key, const Message& message, const Context& context) {
    return WholeMessage(key.tr(), message, context).mu(key.scheme());
}
template <class Key>
Mu mu_of(const Key& key, const FormattedMessage& message) {
    return WholeMessage(key.tr(), message).mu(key.scheme());
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
    return key.scheme().engine->verify(key.expansion(), WholeMessage(key.tr(), message, context).input(), signature.bytes());
}
Verdict verify_prehash(const ExpandedPublicKey& key, const MessageDigest& digest, const SignatureView& signature, const Context& context) {
    return verify_mu(key, prehash_mu(key.scheme(), key.tr(), digest, context), signature);
}
Verdict verify_internal(const ExpandedPublicKey& key, const FormattedMessage& message, const SignatureView& signature) {
    return key.scheme().engine->verify(key.expansion(), WholeMessage(key.tr(), message).input(), signature.bytes());
}

Verdict verify_mu(const PublicKey& key, const Mu& mu, const SignatureView& signature) {
    return key.scheme().engine->verify_wire(key.bytes(), mu, signature.bytes());
}
Verdict verify(const PublicKey& key, const Message& message, const SignatureView& signature, const Context& context) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, mu_of(key, message, context), signature);
}
Verdict verify_prehash(const PublicKey& key, const MessageDigest& digest, const SignatureView& signature, const Context& context) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, prehash_mu(key.scheme(), key.tr(), digest, context), signature);
}
Verdict verify_internal(const PublicKey& key, const FormattedMessage& message, const SignatureView& signature) {
    if (Verdict v = key.scheme().engine->precheck(signature.bytes()); !v) return v;
    return verify_mu(key, mu_of(key, message), signature);
}

std::vector<Bytes> sign_batch(const ExpandedPrivateKey& key, std::span<const SignItem> items) {
    const Scheme& scheme = key.scheme();
    std::vector<Mu> mu(items.size(), Mu(std::array<std::uint8_t, mu_bytes>{}));
    std::vector<WholeMessage> messages;
    std::vector<detail::MuInput> inputs;
    std::vector<Randomness> rnd;
    messages.reserve(items.size());
    for (const auto& item : items) {
        messages.emplace_back(key.tr(), item.message, item.context);
        inputs.push_back(messages.back().input());
        rnd.push_back(item.randomness);
    }
    scheme.engine->hash_mus(inputs, mu);
    std::vector<Bytes> signatures(items.size(), Bytes(scheme.signature_bytes));
    const std::vector<std::span<std::uint8_t>> out(signatures.begin(), signatures.end());
    scheme.engine->sign_batch(key.expansion(), mu, rnd, out);
    return signatures;
}

std::vector<Verdict> verify_batch(std::span<const VerifyItem> items) {
    std::vector<Verdict> verdicts(items.size());
    std::vector<WholeMessage> messages;
    std::vector<detail::MuInput> inputs;
    std::vector<const detail::PublicExpansion*> keys;
    std::vector<ByteView> signatures;
    messages.reserve(items.size());
    for (const auto& item : items) {
        messages.emplace_back(item.key->tr(), item.message, item.context);
        inputs.push_back(messages.back().input());
        keys.push_back(&item.key->expansion());
        signatures.push_back(item.signature.bytes());
    }
    // Neighbours of one scheme go together.
    for (std::size_t i = 0; i < items.size();) {
        const Scheme& scheme = items[i].key->scheme();
        std::size_t end = i + 1;
        while (end < items.size() && &items[end].key->scheme() == &scheme) ++end;
        const auto part = [&](auto& all) { return std::span(all).subspan(i, end - i); };
        scheme.engine->verify_batch(part(keys), part(inputs), part(signatures), part(verdicts));
        i = end;
    }
    return verdicts;
}

Result<SignatureParts> inspect_signature(const Scheme& scheme, const SignatureView& signature) {
    return scheme.engine->inspect(signature.bytes());
}

}  // namespace postern::mldsa
