#include <postern/mldsa.hpp>

#include "core/secure.hpp"
#include "mldsa/engine.hpp"

namespace postern::mldsa {

namespace {

Error wrong_size(const char* what, const Scheme& scheme, ByteView bytes, std::size_t expected) {
    return Error{std::string(what) + " is " + std::to_string(bytes.size()) + " bytes, expected " + std::to_string(expected) + " for " +
                 std::string(scheme.name)};
}

// Offsets that do not depend on the parameter set (algorithm 24).
constexpr std::size_t kTrOffset = 2 * seed_bytes;

}  // namespace

Result<PublicKey> PublicKey::decode(const Scheme& scheme, ByteView bytes) {
    if (bytes.size() != scheme.public_key_bytes) return wrong_size("public key", scheme, bytes, scheme.public_key_bytes);
    return PublicKey(scheme, Bytes(bytes.begin(), bytes.end()));
}

KeyHash PublicKey::tr() const { return scheme_->engine->hash_public_key(bytes_); }

PrivateKey PrivateKey::from_seed(const Scheme& scheme, const Seed& seed) { return generate(scheme, seed).private_key; }

Result<PrivateKey> PrivateKey::decode(const Scheme& scheme, ByteView expanded) {
    if (expanded.size() != scheme.private_key_bytes) return wrong_size("private key", scheme, expanded, scheme.private_key_bytes);
    if (auto range = scheme.engine->check_range(expanded); !range) return range.error();
    return PrivateKey(scheme, Bytes(expanded.begin(), expanded.end()), std::nullopt);
}

Status PrivateKey::check() const {
    Bytes pk(scheme_->public_key_bytes);
    SecureBytes t0;
    scheme_->engine->recompute(bytes_, pk, t0);
    if (!ct_equal(t0, ByteView(bytes_).last(t0.size()))) return Error{"private key: t0 does not belong to rho, s1 and s2"};
    const KeyHash expected = scheme_->engine->hash_public_key(pk);
    if (!ct_equal(expected.bytes(), tr().bytes())) return Error{"private key: tr is not the hash of the public key"};
    return ok();
}

KeyHash PrivateKey::tr() const { return KeyHash(ByteView(bytes_).subspan<kTrOffset, tr_bytes>()); }

PublicKey PrivateKey::public_key() const {
    Bytes pk(scheme_->public_key_bytes);
    SecureBytes t0;
    scheme_->engine->recompute(bytes_, pk, t0);
    return {*scheme_, std::move(pk)};
}

PrivateKey::~PrivateKey() { secure_wipe(bytes_.data(), bytes_.size()); }

KeyPair generate(const Scheme& scheme, const Seed& seed) {
    Bytes pk(scheme.public_key_bytes), sk(scheme.private_key_bytes);
    scheme.engine->keygen(seed.fixed(), pk, sk);
    return {PublicKey(scheme, std::move(pk)), PrivateKey(scheme, std::move(sk), seed)};
}

ExpandedPublicKey::ExpandedPublicKey(const PublicKey& key)
    : scheme_(&key.scheme()), expansion_(std::make_shared<const detail::PublicExpansion>(scheme_->engine->expand_public(key.bytes()))) {}

KeyHash ExpandedPublicKey::tr() const { return KeyHash(expansion_->tr); }

ExpandedPrivateKey::ExpandedPrivateKey(const PrivateKey& key)
    : scheme_(&key.scheme()),
      expansion_(std::make_shared<const detail::PrivateExpansion>(scheme_->engine->expand_private(key.expanded()))) {}

KeyHash ExpandedPrivateKey::tr() const { return KeyHash(expansion_->tr); }

}  // namespace postern::mldsa
