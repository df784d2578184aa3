// RFC 9881 (SubjectPublicKeyInfo, PKCS#8) and the plain forms of the other instances.

#include <algorithm>
#include <array>
#include <postern/keys.hpp>
#include <stdexcept>

#include "core/der.hpp"
#include "core/secure.hpp"

namespace postern::keys {

namespace {

using mldsa::PrivateKey;
using mldsa::PublicKey;
using mldsa::Scheme;
using mldsa::Seed;

// 2.16.840.1.101.3.4.3.x: 17, 18, 19 are ML-DSA-44, -65, -87; 32, 33, 34 the HashML-DSA ones.
constexpr std::array<std::uint8_t, 8> kNistSignatures{0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03};
constexpr std::uint8_t kFirstArc = 17, kFirstHashArc = 32;
constexpr std::uint8_t kSeedTag = 0x80;  // [0] IMPLICIT OCTET STRING

/// Bytes with secrets that die with the scope.
struct Wiped {
    Bytes bytes;
    explicit Wiped(Bytes b) : bytes(std::move(b)) {}
    ~Wiped() { secure_wipe(bytes.data(), bytes.size()); }
    Wiped(const Wiped&) = delete;
    Wiped& operator=(const Wiped&) = delete;
};

Bytes algorithm_identifier(const Scheme& scheme) {
    if (!scheme.standard()) throw std::invalid_argument(std::string(scheme.name) + " has no object identifier");
    Bytes oid(kNistSignatures.begin(), kNistSignatures.end());
    oid.push_back(static_cast<std::uint8_t>(kFirstArc + static_cast<int>(scheme.parameter_set)));
    return der::element(der::sequence, der::element(der::object_identifier, oid));
}

Result<const Scheme*> read_algorithm(der::Reader& reader) {
    const auto contents = reader.read(der::sequence, "algorithm identifier");
    if (!contents) return contents.error();
    der::Reader algorithm(*contents);
    const auto oid = algorithm.read(der::object_identifier, "object identifier");
    if (!oid) return oid.error();
    if (oid->size() != kNistSignatures.size() + 1 || !std::equal(kNistSignatures.begin(), kNistSignatures.end(), oid->begin())) {
        return Error{"the key's algorithm is not ML-DSA"};
    }
    const int set = oid->back() - kFirstArc;
    if (oid->back() >= kFirstHashArc && oid->back() < kFirstHashArc + 3)
        return Error{"the key's algorithm is HashML-DSA, which RFC 9881 does not allow"};
    if (set < 0 || set > 2) return Error{"the key's algorithm is not ML-DSA"};
    if (!algorithm.empty()) return Error{"algorithm parameters are present, RFC 9881 requires them to be absent"};
    return &mldsa::scheme(static_cast<mldsa::ParameterSet>(set));
}

Result<PrivateKey> checked_expanded(const Scheme& scheme, ByteView expanded) {
    auto key = PrivateKey::decode(scheme, expanded);
    if (!key) return key.error();
    if (auto consistent = key->check(); !consistent) return consistent.error();
    return key;
}

Result<PrivateKey> checked_seed(const Scheme& scheme, ByteView bytes) {
    const auto seed = Seed::from(bytes);
    if (!seed) return seed.error();
    return PrivateKey::from_seed(scheme, *seed);
}

Result<PrivateKey> checked_both(const Scheme& scheme, ByteView seed, ByteView expanded) {
    if (auto key = PrivateKey::decode(scheme, expanded); !key) return key.error();
    auto key = checked_seed(scheme, seed);
    if (!key) return key.error();
    if (!ct_equal(key->expanded(), expanded)) return Error{"private key: the expanded key does not come from the seed"};
    return key;
}

const Seed& seed_of(const PrivateKey& key) {
    if (!key.seed()) throw std::invalid_argument("the seed of this private key is not known: only the expanded form can be written");
    return *key.seed();
}

Result<PrivateKey> decode_choice(const Scheme& scheme, ByteView bytes) {
    der::Reader choice(bytes);
    if (choice.empty()) return Error{"private key is empty"};
    switch (choice.peek()) {
        case kSeedTag: {
            const auto seed = choice.read(kSeedTag, "seed");
            if (!seed) return seed.error();
            if (auto end = choice.finish("the seed"); !end) return end.error();
            return checked_seed(scheme, *seed);
        }
        case der::octet_string: {
            const auto expanded = choice.read(der::octet_string, "expanded key");
            if (!expanded) return expanded.error();
            if (auto end = choice.finish("the expanded key"); !end) return end.error();
            return checked_expanded(scheme, *expanded);
        }
        case der::sequence: {
            const auto both = choice.read(der::sequence, "private key");
            if (!both) return both.error();
            if (auto end = choice.finish("the private key"); !end) return end.error();
            der::Reader parts(*both);
            const auto seed = parts.read(der::octet_string, "seed");
            if (!seed) return seed.error();
            const auto expanded = parts.read(der::octet_string, "expanded key");
            if (!expanded) return expanded.error();
            if (auto end = parts.finish("the expanded key"); !end) return end.error();
            return checked_both(scheme, *seed, *expanded);
        }
        default:
            return Error{"private key is neither a seed, nor an expanded key, nor both"};
    }
}

const Scheme* scheme_of_label(std::string_view label, std::string_view kind) {
    for (const Scheme& scheme : mldsa::schemes()) {
        if (!scheme.standard() && label == postern_label(scheme.name, kind)) return &scheme;
    }
    return nullptr;
}

Error wrong_label(const std::string& label, std::string_view expected) {
    return Error{"PEM label is \"" + label + "\", expected an ML-DSA " + std::string(expected)};
}

constexpr std::string_view kPublic = "PUBLIC KEY", kPrivate = "PRIVATE KEY", kEncrypted = "ENCRYPTED PRIVATE KEY";

}  // namespace

Bytes encode_spki(const PublicKey& key) {
    constexpr std::array<std::uint8_t, 1> no_unused_bits{0};
    return der::element(der::sequence, der::concatenate({algorithm_identifier(key.scheme()),
                                                         der::element(der::bit_string, der::concatenate({no_unused_bits, key.bytes()}))}));
}

Result<PublicKey> decode_spki(ByteView bytes) {
    der::Reader outer(bytes);
    const auto contents = outer.read(der::sequence, "SubjectPublicKeyInfo");
    if (!contents) return contents.error();
    if (auto end = outer.finish("SubjectPublicKeyInfo"); !end) return end.error();
    der::Reader fields(*contents);
    const auto scheme = read_algorithm(fields);
    if (!scheme) return scheme.error();
    const auto key = fields.read(der::bit_string, "public key");
    if (!key) return key.error();
    if (auto end = fields.finish("the public key"); !end) return end.error();
    if (key->empty() || key->front() != 0) return Error{"public key: the bit string is not made of whole bytes"};
    return PublicKey::decode(**scheme, key->subspan(1));
}

Bytes encode_pkcs8(const PrivateKey& key, PrivateForm form) {
    const Bytes algorithm = algorithm_identifier(key.scheme());
    Bytes choice;
    switch (form) {
        case PrivateForm::seed:
            choice = der::element(kSeedTag, seed_of(key).bytes());
            break;
        case PrivateForm::expanded:
            choice = der::element(der::octet_string, key.expanded());
            break;
        case PrivateForm::both: {
            const Wiped seed(der::element(der::octet_string, seed_of(key).bytes()));
            const Wiped expanded(der::element(der::octet_string, key.expanded()));
            const Wiped pair(der::concatenate({seed.bytes, expanded.bytes}));
            choice = der::element(der::sequence, pair.bytes);
            break;
        }
    }
    const Wiped wiped_choice(std::move(choice));
    const Wiped octets(der::element(der::octet_string, wiped_choice.bytes));
    constexpr std::array<std::uint8_t, 3> version{der::integer, 1, 0};
    const Wiped contents(der::concatenate({version, algorithm, octets.bytes}));
    return der::element(der::sequence, contents.bytes);
}

Result<PrivateKey> decode_pkcs8(ByteView bytes) {
    der::Reader outer(bytes);
    const auto contents = outer.read(der::sequence, "PrivateKeyInfo");
    if (!contents) return contents.error();
    if (auto end = outer.finish("PrivateKeyInfo"); !end) return end.error();
    der::Reader fields(*contents);
    const auto version = fields.read_unsigned("version");
    if (!version) return version.error();
    if (*version != 0) return Error{"PrivateKeyInfo version is " + std::to_string(*version) + ", expected 0"};
    const auto scheme = read_algorithm(fields);
    if (!scheme) return scheme.error();
    const auto key = fields.read(der::octet_string, "private key");
    if (!key) return key.error();
    if (!fields.empty()) return Error{"PrivateKeyInfo has attributes or other fields after the private key, which are not accepted"};
    return decode_choice(**scheme, *key);
}

Bytes encode_plain(const PrivateKey& key, PrivateForm form) {
    switch (form) {
        case PrivateForm::seed:
            return der::concatenate({seed_of(key).bytes()});
        case PrivateForm::expanded:
            return der::concatenate({key.expanded()});
        case PrivateForm::both:
            return der::concatenate({seed_of(key).bytes(), key.expanded()});
    }
    throw std::invalid_argument("no such form of private key");
}

Result<PrivateKey> decode_plain(const Scheme& scheme, ByteView bytes) {
    if (bytes.size() == mldsa::seed_bytes) return checked_seed(scheme, bytes);
    if (bytes.size() == scheme.private_key_bytes) return checked_expanded(scheme, bytes);
    if (bytes.size() == mldsa::seed_bytes + scheme.private_key_bytes) {
        return checked_both(scheme, bytes.first(mldsa::seed_bytes), bytes.subspan(mldsa::seed_bytes));
    }
    return Error{"private key is " + std::to_string(bytes.size()) + " bytes, expected 32 (seed), " +
                 std::to_string(scheme.private_key_bytes) + " (expanded) or " +
                 std::to_string(scheme.private_key_bytes + mldsa::seed_bytes) + " (both) for " + std::string(scheme.name)};
}

std::string encode_public_pem(const PublicKey& key) {
    if (key.scheme().standard()) return encode_pem(kPublic, encode_spki(key));
    return encode_pem(postern_label(key.scheme().name, kPublic), key.bytes());
}

std::string encode_private_pem(const PrivateKey& key, PrivateForm form, std::optional<std::string_view> passphrase) {
    const Scheme& scheme = key.scheme();
    const Wiped plain(scheme.standard() ? encode_pkcs8(key, form) : encode_plain(key, form));
    const std::string_view kind = passphrase ? kEncrypted : kPrivate;
    const std::string label = scheme.standard() ? std::string(kind) : postern_label(scheme.name, kind);
    return passphrase ? encode_pem(label, encrypt(plain.bytes, *passphrase)) : encode_pem(label, plain.bytes);
}

Result<PublicKey> decode_public_pem(std::string_view text) {
    const auto block = decode_pem(text);
    if (!block) return block.error();
    if (block->label == kPublic) return decode_spki(block->bytes);
    if (const Scheme* scheme = scheme_of_label(block->label, kPublic)) return PublicKey::decode(*scheme, block->bytes);
    return wrong_label(block->label, kPublic);
}

Result<PrivateKey> decode_private_pem(std::string_view text, std::optional<std::string_view> passphrase) {
    auto block = decode_pem(text);
    if (!block) return block.error();
    const std::string label = block->label;
    const bool encrypted = is_encrypted_label(label);
    const std::string_view kind = encrypted ? kEncrypted : kPrivate;
    const Scheme* scheme = scheme_of_label(label, kind);
    if (scheme == nullptr && label != kind) return wrong_label(label, kPrivate);
    if (encrypted && !passphrase) return Error{"the private key is encrypted: a passphrase is needed"};

    Wiped content(std::move(block->bytes));
    if (encrypted) {
        auto opened = decrypt(content.bytes, *passphrase);
        if (!opened) return opened.error();
        content.bytes = std::move(*opened);
    }
    auto key = scheme == nullptr ? decode_pkcs8(content.bytes) : decode_plain(*scheme, content.bytes);
    // Padding comes out right by chance for one wrong passphrase in 256.
    if (!key && encrypted) return Error{"wrong passphrase or damaged file: " + key.error().message};
    return key;
}

}  // namespace postern::keys
