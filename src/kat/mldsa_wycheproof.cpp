// C2SP Wycheproof files of ML-DSA. The verdict is `result`; flags only say why.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <postern/keys.hpp>

#include "kat/families.hpp"
#include "kat/mldsa_cases.hpp"

namespace postern::kat {

namespace {

using namespace mldsa;
using nlohmann::json;

bool is_valid(const json& test) {
    const std::string& result = test.at("result").get_ref<const std::string&>();
    if (result != "valid" && result != "invalid") throw Malformed(fmt::format("result '{}' is neither valid nor invalid", result));
    return result == "valid";
}

std::string id_of(const json& test) { return "tcId " + test.at("tcId").dump(); }

void run_verify(const Document& document, Run& run) {
    const Scheme& scheme = mldsa_scheme(document.json().at("algorithm").get_ref<const std::string&>());
    for (const auto& group : document.json().at("testGroups")) {
        const Bytes pk = hex_field(group, "publicKey");
        // The same key as a SubjectPublicKeyInfo must come out as the same bytes; one of the wrong length must be refused.
        Status spki = ok();
        if (group.contains("publicKeyDer") && !group.at("publicKeyDer").is_null()) {
            const auto key = keys::decode_spki(hex_field(group, "publicKeyDer"));
            if (key.has_value() != (pk.size() == scheme.public_key_bytes)) {
                spki = Error{key ? "publicKeyDer with a key of the wrong length was read" : "publicKeyDer: " + key.error().message};
            } else if (key) {
                spki = expect_equal("publicKeyDer", key->bytes(), pk);
            }
        }
        for (const auto& test : group.at("tests")) {
            const Bytes signature = hex_field(test, "sig");
            if (test.contains("msg")) {
                VerifyCase c =
                    mldsa_verify_case(scheme, pk, hex_field(test, "msg"), optional_hex_field(test, "ctx"), signature, is_valid(test));
                if (!spki) c.native = [&] { return Verdict{!c.valid, spki.error().message}; };
                run.verify(id_of(test), c);
            } else {
                run.native(id_of(test), "external mu", [&]() -> Status {
                    const auto key = PublicKey::decode(scheme, pk);
                    if (!key) return expect_verdict({false, key.error().message}, is_valid(test));
                    return expect_verdict(verify_mu(*key, mldsa_mu(hex_field(test, "mu")), SignatureView(signature)), is_valid(test));
                });
            }
        }
    }
}

Result<PrivateKey> key_of(const Scheme& scheme, const json& group) {
    if (!group.contains("privateSeed")) return PrivateKey::decode(scheme, hex_field(group, "privateKey"));
    const auto seed = Seed::from(hex_field(group, "privateSeed"));
    if (!seed) return seed.error();
    return PrivateKey::from_seed(scheme, *seed);
}

/// Signing must give exactly the signature, or import or signing must fail. Where the file has mu as well, through it too.
Status sign_case(const Result<PrivateKey>& key, const json& test) {
    const bool valid = is_valid(test);
    if (!key) return expect_verdict({false, key.error().message}, valid);
    const auto context = Context::from(optional_hex_field(test, "ctx"));
    if (!context) return expect_verdict({false, context.error().message}, valid);
    if (!valid) return Error{"must fail, but key and context were taken"};
    const auto rnd = mldsa_randomness(optional_hex_field(test, "rnd"));
    const Bytes expected = hex_field(test, "sig");
    if (test.contains("mu")) {
        const auto signature = sign_mu(*key, mldsa_mu(hex_field(test, "mu")), rnd);
        if (auto s = expect_equal("signature over mu", signature, expected); !s) return s;
    }
    if (!test.contains("msg")) return ok();
    return expect_equal("signature", sign(*key, Message(hex_field(test, "msg")), *context, rnd), expected);
}

void run_sign(const Document& document, Run& run) {
    const Scheme& scheme = mldsa_scheme(document.json().at("algorithm").get_ref<const std::string&>());
    for (const auto& group : document.json().at("testGroups")) {
        const auto key = key_of(scheme, group);
        Status group_check = ok();
        if (key && group.contains("publicKey") && !group.at("publicKey").is_null())
            group_check = expect_equal("public key", key->public_key().bytes(), hex_field(group, "publicKey"));
        if (group_check && group.contains("privateKeyPkcs8") && !group.at("privateKeyPkcs8").is_null()) {
            const auto decoded = keys::decode_pkcs8(hex_field(group, "privateKeyPkcs8"));
            if (decoded.has_value() != key.has_value()) {
                group_check =
                    Error{decoded ? "privateKeyPkcs8 of a malformed key was read" : "privateKeyPkcs8: " + decoded.error().message};
            } else if (decoded) {
                group_check = expect_equal("privateKeyPkcs8", decoded->expanded(), key->expanded());
            }
        }
        for (const auto& test : group.at("tests"))
            run.native(id_of(test), "signing", [&]() -> Status { return group_check ? sign_case(key, test) : group_check; });
    }
}

bool is_mldsa(const Document& d) { return d.has("schema") && d.has("testGroups"); }

constexpr Kind kKinds[] = {
    {"wycheproof-verify", [](const Document& d) { return is_mldsa(d) && d.has("schema", "mldsa_verify_schema.json"); }, run_verify},
    {"wycheproof-sign",
     [](const Document& d) {
         return is_mldsa(d) && (d.has("schema", "mldsa_sign_seed_schema.json") || d.has("schema", "mldsa_sign_noseed_schema.json"));
     },
     run_sign},
};

}  // namespace

std::span<const Kind> mldsa_wycheproof_kinds() { return kKinds; }

}  // namespace postern::kat
