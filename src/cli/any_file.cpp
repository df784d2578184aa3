#include "cli/any_file.hpp"

#include <algorithm>

namespace postern::cli {

namespace {

std::vector<const mldsa::Scheme*> signature_schemes(std::size_t size, const mldsa::Scheme* scheme) {
    std::vector<const mldsa::Scheme*> out;
    for (const auto& s : mldsa::schemes())
        if (s.signature_bytes == size && (scheme == nullptr || scheme == &s)) out.push_back(&s);
    return out;
}

/// What plain bytes of this length can be.
std::vector<std::string> types_of_length(std::size_t size, const mldsa::Scheme* scheme) {
    std::vector<std::string> out;
    const auto any = [&](auto fits) {
        const auto all = mldsa::schemes();
        return std::any_of(all.begin(), all.end(), [&](const auto& s) { return (scheme == nullptr || scheme == &s) && fits(s); });
    };
    if (any([&](const auto& s) { return s.public_key_bytes == size; })) out.emplace_back("public-key");
    if (any([&](const auto& s) {
            return size == mldsa::seed_bytes || size == s.private_key_bytes || size == s.private_key_bytes + mldsa::seed_bytes;
        }))
        out.emplace_back("private-key");
    if (any([&](const auto& s) { return s.signature_bytes == size; })) out.emplace_back("signature");
    return out;
}

std::string type_of(const std::string& path, ByteView content, const mldsa::Scheme* scheme) {
    constexpr const char* kExpected = "a key or signature (see postern schemes for sizes)";
    if (is_pem(content)) {
        const auto block = keys::decode_pem(as_text(content));
        if (!block) fail(Exit::malformed, "{}: {}", path, block.error().message);
        if (block->label.ends_with("PRIVATE KEY")) return "private-key";
        if (block->label.ends_with("PUBLIC KEY")) return "public-key";
        if (block->label.starts_with("POSTERN ") && block->label.ends_with(" SIGNATURE")) return "signature";
        fail(Exit::malformed, "{} holds a {}, expected {}", path, block->label, kExpected);
    }
    const auto reading = pick(
        path, content, [&](ByteView b) { return !der_type(b).empty() || !types_of_length(b.size(), scheme).empty(); }, kExpected);
    const auto types = types_of_length(reading.bytes.size(), scheme);
    if (types.empty()) return der_type(reading.bytes) == "public key" ? "public-key" : "private-key";
    if (types.size() == 1) return types.front();
    std::string names;
    for (const auto& t : types) names += fmt::format("{}{}", names.empty() ? "" : " or a ", t);
    fail(Exit::malformed, "{} is ambiguous: {} bytes can be a {}; say which with --type or --scheme", path, reading.bytes.size(), names);
}

AnyFile identify_signature(const std::string& path, ByteView content, const mldsa::Scheme* scheme) {
    if (is_pem(content)) {
        const auto block = keys::decode_pem(as_text(content));
        if (!block) fail(Exit::malformed, "{}: {}", path, block.error().message);
        for (const auto& s : mldsa::schemes())
            if (block->label == signature_label(s) && (scheme == nullptr || scheme == &s))
                return {AnySignature{load_signature(path, content, s).value, {&s}}, "PEM"};
        fail(Exit::malformed, "{} holds a {}, expected a signature{}", path, block->label,
             scheme == nullptr ? "" : fmt::format(" of {}", scheme->name));
    }
    auto reading = pick(
        path, content, [&](ByteView b) { return !signature_schemes(b.size(), scheme).empty(); }, "a signature");
    auto fitting = signature_schemes(reading.bytes.size(), scheme);
    return {AnySignature{std::move(reading.bytes), std::move(fitting)}, std::string(name(reading.form))};
}

}  // namespace

AnyFile identify(const std::string& path, ByteView content, const mldsa::Scheme* scheme, const std::string& type,
                 const PassphraseSource& passphrase) {
    const std::string t = type.empty() ? type_of(path, content, scheme) : type;
    if (t == "public-key") {
        auto key = load_public_key(path, content, scheme);
        return {std::move(key.value), std::move(key.form)};
    }
    if (t == "private-key") {
        auto key = load_private_key(path, content, scheme, passphrase);
        return {std::move(key.value), std::move(key.form)};
    }
    if (t == "signature") return identify_signature(path, content, scheme);
    fail(Exit::usage, "unknown type '{}' (known: public-key, private-key, signature)", t);
}

}  // namespace postern::cli
