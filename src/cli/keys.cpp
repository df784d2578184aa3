#include "cli/keys.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <postern/falcon_scheme.hpp>

#include "core/der.hpp"

namespace postern::cli {

using mldsa::PrivateKey;
using mldsa::PublicKey;
using mldsa::Scheme;

const Scheme* scheme_option(const std::string& name) {
    if (name.empty()) return nullptr;
    if (const Scheme* s = mldsa::find_scheme(name)) return s;
    // Files of Falcon schemes are recognised before this is asked for.
    if (falcon::find_scheme(name) != nullptr) fail(Exit::malformed, "the file holds nothing of {} that this command can take", name);
    std::string known;
    for (const Scheme& s : mldsa::schemes()) known += fmt::format("{}{}", known.empty() ? "" : ", ", s.name);
    for (const falcon::Scheme& s : falcon::schemes()) known += fmt::format(", {}", s.name);
    fail(Exit::usage, "unknown scheme '{}' (known: {})", name, known);
}

void add_scheme_option(CLI::App& cmd, std::string& name) {
    cmd.add_option("--scheme", name, "Scheme of a key or signature that is plain bytes, where the length fits several")->type_name("S");
}

namespace {

void expect_scheme(const std::string& path, const Scheme& found, const Scheme* wanted) {
    if (wanted != nullptr && wanted != &found) fail(Exit::malformed, "{} belongs to {}, expected {}", path, found.name, wanted->name);
}

/// All schemes (or the one wanted) whose sizes of this kind include `size`.
template <class Sizes>
std::vector<const Scheme*> fitting_schemes(std::size_t size, const Scheme* wanted, Sizes sizes) {
    std::vector<const Scheme*> out;
    for (const Scheme& s : mldsa::schemes()) {
        if (wanted != nullptr && wanted != &s) continue;
        const auto all = sizes(s);
        if (std::find(all.begin(), all.end(), size) != all.end()) out.push_back(&s);
    }
    return out;
}

std::vector<std::size_t> public_sizes(const Scheme& s) { return {s.public_key_bytes}; }
std::vector<std::size_t> private_sizes(const Scheme& s) {
    return {mldsa::seed_bytes, s.private_key_bytes, mldsa::seed_bytes + s.private_key_bytes};
}

const Scheme& only_scheme(const std::string& path, std::size_t size, std::string_view what, const std::vector<const Scheme*>& fitting) {
    if (fitting.size() == 1) return *fitting.front();
    std::string names;
    for (const Scheme* s : fitting) names += fmt::format("{}{}", names.empty() ? "" : ", ", s->name);
    fail(Exit::malformed, "{} is ambiguous: {} bytes are a {} of {}; say which with --scheme", path, size, what, names);
}

template <class T>
T decoded(const std::string& path, Result<T> result) {
    if (!result) fail(Exit::malformed, "{}: {}", path, result.error().message);
    return std::move(*result);
}

std::string list_sizes(const std::vector<std::size_t>& sizes) {
    std::string out;
    for (const auto size : sizes) out += fmt::format("{}{}", out.empty() ? "" : " or ", size);
    return out;
}

template <class Sizes>
std::string expected_text(std::string_view what, const Scheme* scheme, Sizes sizes) {
    if (scheme != nullptr) return fmt::format("a {} of {} (PEM, DER, or {} bytes)", what, scheme->name, list_sizes(sizes(*scheme)));
    return fmt::format("a {} (PEM, DER, or plain bytes with --scheme)", what);
}

/// EncryptedPrivateKeyInfo starts with a SEQUENCE where PrivateKeyInfo has its version.
bool is_encrypted_der(ByteView bytes) {
    der::Reader outer(bytes);
    const auto body = outer.read(der::sequence, "key");
    return body && !body->empty() && der::Reader(*body).peek() == der::sequence;
}

void expect_der_type(const std::string& path, ByteView bytes, std::string_view type, const std::string& expected) {
    if (der_type(bytes) != type) fail(Exit::malformed, "{} holds a {}, expected {}", path, der_type(bytes), expected);
}

}  // namespace

// An unencrypted PKCS#8 starts with a version, a SubjectPublicKeyInfo with an algorithm; so does an encrypted key, but with an
// OCTET STRING behind it.
std::string_view der_type(ByteView bytes) {
    der::Reader outer(bytes);
    if (outer.empty() || outer.peek() != der::sequence) return {};
    const auto body = outer.read(der::sequence, "file");
    if (!body || !outer.empty() || body->empty()) return {};
    der::Reader inner(*body);
    if (inner.peek() == der::integer) return "private key";
    if (!inner.read(der::sequence, "algorithm") || inner.empty()) return {};
    if (inner.peek() == der::bit_string) return "public key";
    if (inner.peek() == der::octet_string) return "private key";
    return {};
}

Loaded<PublicKey> load_public_key(const std::string& path, ByteView content, const Scheme* scheme) {
    const std::string expected = expected_text("public key", scheme, public_sizes);
    if (is_pem(content)) {
        const auto block = decoded(path, keys::decode_pem(as_text(content)));
        if (!block.label.ends_with("PUBLIC KEY")) fail(Exit::malformed, "{} holds a {}, expected {}", path, block.label, expected);
        auto key = decoded(path, keys::decode_public_pem(as_text(content)));
        expect_scheme(path, key.scheme(), scheme);
        return {std::move(key), "PEM"};
    }
    const auto reading = pick(
        path, content, [&](ByteView b) { return !der_type(b).empty() || !fitting_schemes(b.size(), scheme, public_sizes).empty(); },
        expected);
    const auto fitting = fitting_schemes(reading.bytes.size(), scheme, public_sizes);
    if (fitting.empty()) {
        expect_der_type(path, reading.bytes, "public key", expected);
        auto key = decoded(path, keys::decode_spki(reading.bytes));
        expect_scheme(path, key.scheme(), scheme);
        return {std::move(key), reading.form == Form::raw ? "DER" : fmt::format("DER in {}", name(reading.form))};
    }
    const Scheme& s = only_scheme(path, reading.bytes.size(), "public key", fitting);
    return {decoded(path, PublicKey::decode(s, reading.bytes)), std::string(name(reading.form))};
}

Loaded<PrivateKey> load_private_key(const std::string& path, ByteView content, const Scheme* scheme, const PassphraseSource& passphrase) {
    const std::string expected = expected_text("private key", scheme, private_sizes);
    if (is_pem(content)) {
        const auto block = decoded(path, keys::decode_pem(as_text(content)));
        if (!block.label.ends_with("PRIVATE KEY")) fail(Exit::malformed, "{} holds a {}, expected {}", path, block.label, expected);
        std::optional<std::string> phrase;
        if (keys::is_encrypted_label(block.label)) phrase = passphrase.get(path, false);
        auto key = decoded(path, phrase ? keys::decode_private_pem(as_text(content), *phrase) : keys::decode_private_pem(as_text(content)));
        expect_scheme(path, key.scheme(), scheme);
        return {std::move(key), phrase ? "PEM, encrypted" : "PEM"};
    }
    const auto reading = pick(
        path, content, [&](ByteView b) { return !der_type(b).empty() || !fitting_schemes(b.size(), scheme, private_sizes).empty(); },
        expected);
    const auto fitting = fitting_schemes(reading.bytes.size(), scheme, private_sizes);
    if (fitting.empty()) {
        expect_der_type(path, reading.bytes, "private key", expected);
        const bool encrypted = is_encrypted_der(reading.bytes);
        Bytes der = reading.bytes;
        if (encrypted) der = decoded(path, keys::decrypt(reading.bytes, passphrase.get(path, false)));
        auto key = decoded(path, keys::decode_pkcs8(der));
        expect_scheme(path, key.scheme(), scheme);
        return {std::move(key), encrypted ? "DER, encrypted" : "DER"};
    }
    const Scheme& s = only_scheme(path, reading.bytes.size(), "private key", fitting);
    return {decoded(path, keys::decode_plain(s, reading.bytes)), std::string(name(reading.form))};
}

std::string signature_label(const Scheme& scheme) { return keys::postern_label(scheme.name, "SIGNATURE"); }

Loaded<Bytes> load_signature(const std::string& path, ByteView content, const Scheme& scheme) {
    const std::string expected = fmt::format("a signature of {} ({} bytes)", scheme.name, scheme.signature_bytes);
    if (is_pem(content)) {
        auto block = decoded(path, keys::decode_pem(as_text(content)));
        if (block.label != signature_label(scheme)) fail(Exit::malformed, "{} holds a {}, expected {}", path, block.label, expected);
        if (block.bytes.size() != scheme.signature_bytes)
            fail(Exit::malformed, "{}: {} bytes in the PEM block, expected {}", path, block.bytes.size(), expected);
        return {std::move(block.bytes), "PEM"};
    }
    auto reading = pick(
        path, content, [&](ByteView b) { return b.size() == scheme.signature_bytes; }, expected);
    return {std::move(reading.bytes), std::string(name(reading.form))};
}

keys::PrivateForm parse_private_form(const std::string& text) {
    if (text == "seed") return keys::PrivateForm::seed;
    if (text == "expanded") return keys::PrivateForm::expanded;
    if (text == "both") return keys::PrivateForm::both;
    fail(Exit::usage, "unknown form '{}' (known: seed, expanded, both)", text);
}

}  // namespace postern::cli
