// Key files of RFC 9881: SubjectPublicKeyInfo and PKCS#8 in DER, valid and invalid; and digests that are only informational.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <postern/keys.hpp>

#include "kat/families.hpp"
#include "kat/mldsa_cases.hpp"

namespace postern::kat {

namespace {

using namespace mldsa;
using nlohmann::json;

Status expect_scheme(const Scheme& found, const Scheme& expected) {
    if (&found == &expected) return ok();
    return Error{fmt::format("read as {}, expected {}", found.name, expected.name)};
}

Status check_public(const Scheme& s, const json& test, const Bytes& der) {
    const auto key = keys::decode_spki(der);
    if (!test.at("valid").get<bool>()) return key ? Status(Error{"must be refused, but was read"}) : ok();
    if (!key) return key.error();
    if (auto e = expect_scheme(key->scheme(), s); !e) return e;
    if (auto e = expect_equal("public key", key->bytes(), hex_field(test, "publicKey")); !e) return e;
    return expect_equal("SubjectPublicKeyInfo written again", keys::encode_spki(*key), der);
}

Status check_private(const Scheme& s, const json& test, const Bytes& der, keys::PrivateForm form) {
    const auto key = keys::decode_pkcs8(der);
    if (!test.at("valid").get<bool>()) return key ? Status(Error{"must be refused, but was read"}) : ok();
    if (!key) return key.error();
    if (auto e = expect_scheme(key->scheme(), s); !e) return e;
    if (test.contains("publicKey"))
        if (auto e = expect_equal("public key", key->public_key().bytes(), hex_field(test, "publicKey")); !e) return e;
    if (test.contains("seed") && key->seed())
        if (auto e = expect_equal("seed", key->seed()->bytes(), hex_field(test, "seed")); !e) return e;
    if (test.contains("expandedPrivateKey"))
        if (auto e = expect_equal("expanded key", key->expanded(), hex_field(test, "expandedPrivateKey")); !e) return e;
    return expect_equal("PKCS#8 written again", keys::encode_pkcs8(*key, form), der);
}

void run_encodings(const Document& d, Run& run) {
    for (const auto& test : d.json().at("tests")) {
        const Scheme& s = mldsa_scheme(test.at("parameterSet").get_ref<const std::string&>());
        const std::string& kind = test.at("kind").get_ref<const std::string&>();
        const Bytes der = hex_field(test, "der");
        run.native(test.at("name").get<std::string>(), "key files", [&]() -> Status {
            if (kind == "spki") return check_public(s, test, der);
            if (kind == "pkcs8-seed") return check_private(s, test, der, keys::PrivateForm::seed);
            if (kind == "pkcs8-expanded") return check_private(s, test, der, keys::PrivateForm::expanded);
            if (kind == "pkcs8-both") return check_private(s, test, der, keys::PrivateForm::both);
            throw Malformed(fmt::format("unknown kind of encoding '{}'", kind));
        });
    }
}

constexpr Kind kKinds[] = {
    {"mldsa-encodings",
     [](const Document& d) {
         return d.has("algorithm", "ML-DSA") && d.tests_have({"kind", "der", "parameterSet"});
     },
     run_encodings},
    {"liboqs-digests",
     [](const Document& d) {
         return d.form() == Document::Form::json && d.json().is_object() && !d.json().empty() && d.json().begin()->is_object() &&
                d.json().begin()->size() == 2 && d.json().begin()->contains("all") && d.json().begin()->contains("single");
     },
     [](const Document& d, Run& run) { run.skip("informational: digests of another library's text layout", 2 * d.json().size()); }},
};

}  // namespace

std::span<const Kind> mldsa_encoding_kinds() { return kKinds; }

}  // namespace postern::kat
