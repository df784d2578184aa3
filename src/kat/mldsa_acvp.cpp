// NIST ACVP files of ML-DSA, with the older schema in which only the internal interface exists.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kat/families.hpp"
#include "kat/mldsa_cases.hpp"

namespace postern::kat {

using namespace mldsa;
using nlohmann::json;

const Scheme& mldsa_scheme(std::string_view name) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const Scheme* found = find_scheme(lower);
    if (found == nullptr) throw Malformed(fmt::format("unknown parameter set '{}'", name));
    return *found;
}

Randomness mldsa_randomness(const Bytes& rnd) {
    if (rnd.empty()) return Randomness::deterministic();
    if (rnd.size() != 32) throw Malformed(fmt::format("rnd of {} bytes, expected 32", rnd.size()));
    return Randomness(std::span<const std::uint8_t, 32>(rnd));
}

namespace {

template <class T>
T role(Result<T> result) {
    if (!result) throw Malformed(result.error().message);
    return std::move(*result);
}

}  // namespace

Seed mldsa_seed(const Bytes& seed) { return role(Seed::from(seed)); }
Context mldsa_context(const Bytes& context) { return role(Context::from(context)); }
Mu mldsa_mu(const Bytes& mu) { return role(Mu::from(mu)); }

VerifyCase mldsa_verify_case(const Scheme& scheme, Bytes public_key, Bytes message, Bytes context, Bytes signature, bool valid) {
    VerifyCase test{std::string(scheme.name),
                    scheme.public_key_bytes,
                    std::move(public_key),
                    std::move(message),
                    std::move(context),
                    std::move(signature),
                    valid,
                    {}};
    test.native = [&scheme, pk = test.public_key, m = test.message, ctx = test.context, sig = test.signature]() -> Verdict {
        const auto key = PublicKey::decode(scheme, pk);
        if (!key) return {false, key.error().message};
        const auto context_value = Context::from(ctx);
        if (!context_value) return {false, context_value.error().message};
        return mldsa::verify(*key, Message(m), SignatureView(sig), *context_value);
    };
    return test;
}

namespace {

enum class Interface { pure, prehash, mu, internal };

Interface interface_of(const json& group) {
    if (group.value("externalMu", false)) return Interface::mu;
    if (group.value("signatureInterface", "internal") == "internal") return Interface::internal;
    return group.at("preHash") == "preHash" ? Interface::prehash : Interface::pure;
}

std::string id_of(const json& test) { return "tcId " + test.at("tcId").dump(); }

MessageDigest digest_of(const json& test) {
    const std::string& name = test.at("hashAlg").get_ref<const std::string&>();
    const auto algorithm = find_prehash(name);
    if (!algorithm) throw Malformed(fmt::format("unknown hashAlg '{}'", name));
    return prehash(*algorithm, Message(hex_field(test, "message")));
}

Bytes sign_case(Interface interface, const PrivateKey& key, const json& test) {
    const auto rnd = mldsa_randomness(optional_hex_field(test, "rnd"));
    switch (interface) {
        case Interface::pure:
            return sign(key, Message(hex_field(test, "message")), mldsa_context(optional_hex_field(test, "context")), rnd);
        case Interface::prehash:
            return sign_prehash(key, digest_of(test), mldsa_context(optional_hex_field(test, "context")), rnd);
        case Interface::mu:
            return sign_mu(key, mldsa_mu(hex_field(test, "mu")), rnd);
        case Interface::internal:
            return sign_internal(key, FormattedMessage(hex_field(test, "message")), rnd);
    }
    throw std::logic_error("interface");
}

template <class Visit>
void for_each_case(const Document& document, Visit visit) {
    for (const auto& group : document.json().at("testGroups")) {
        const Scheme& scheme = mldsa_scheme(group.at("parameterSet").get_ref<const std::string&>());
        for (const auto& test : group.at("tests")) visit(scheme, group, test);
    }
}

void run_keygen(const Document& document, Run& run) {
    for_each_case(document, [&](const Scheme& scheme, const json&, const json& test) {
        run.native(id_of(test), "key generation", [&]() -> Status {
            const auto pair = generate(scheme, mldsa_seed(hex_field(test, "seed")));
            if (auto s = expect_equal("pk", pair.public_key.bytes(), hex_field(test, "pk")); !s) return s;
            return expect_equal("sk", pair.private_key.expanded(), hex_field(test, "sk"));
        });
    });
}

void run_siggen(const Document& document, Run& run) {
    for_each_case(document, [&](const Scheme& scheme, const json& group, const json& test) {
        run.native(id_of(test), "signing", [&]() -> Status {
            auto key = test.contains("seed") ? Result<PrivateKey>(PrivateKey::from_seed(scheme, mldsa_seed(hex_field(test, "seed"))))
                                             : PrivateKey::decode(scheme, hex_field(test, "sk"));
            if (!key) return key.error();
            return expect_equal("signature", sign_case(interface_of(group), *key, test), hex_field(test, "signature"));
        });
    });
}

Verdict verify_native(Interface interface, const Scheme& scheme, const Bytes& pk, const json& test) {
    const auto key = PublicKey::decode(scheme, pk);
    if (!key) return {false, key.error().message};
    const Bytes signature = hex_field(test, "signature");
    const SignatureView view(signature);
    switch (interface) {
        case Interface::prehash:
            return verify_prehash(*key, digest_of(test), view, mldsa_context(optional_hex_field(test, "context")));
        case Interface::mu:
            return verify_mu(*key, mldsa_mu(hex_field(test, "mu")), view);
        case Interface::internal:
            return verify_internal(*key, FormattedMessage(hex_field(test, "message")), view);
        case Interface::pure:
            break;
    }
    throw std::logic_error("interface");
}

std::string_view describe(Interface interface) {
    switch (interface) {
        case Interface::prehash:
            return "pre-hash";
        case Interface::mu:
            return "external mu";
        default:
            return "internal interface";
    }
}

void run_sigver(const Document& document, Run& run) {
    for_each_case(document, [&](const Scheme& scheme, const json& group, const json& test) {
        const Interface interface = interface_of(group);
        const Bytes pk = hex_field(test.contains("pk") ? test : group, "pk");
        const bool valid = test.at("testPassed").get<bool>();
        if (interface == Interface::pure) {
            run.verify(id_of(test), mldsa_verify_case(scheme, pk, hex_field(test, "message"), optional_hex_field(test, "context"),
                                                      hex_field(test, "signature"), valid));
        } else {
            run.native(id_of(test), describe(interface), [&] { return expect_verdict(verify_native(interface, scheme, pk, test), valid); });
        }
    });
}

/// NIST's own, or Postern's vectors of the instances with other XOFs (tests/vectors), which have the same shape.
bool is_mldsa(const Document& d) {
    return d.has("testGroups") &&
           (d.has("algorithm", "ML-DSA") || d.has("algorithm", "TURBO-ML-DSA") || d.has("algorithm", "KECCAK-ML-DSA"));
}

constexpr Kind kKinds[] = {
    {"acvp-keygen", [](const Document& d) { return is_mldsa(d) && d.has("mode", "keyGen"); }, run_keygen},
    {"acvp-siggen", [](const Document& d) { return is_mldsa(d) && d.has("mode", "sigGen"); }, run_siggen},
    {"acvp-sigver", [](const Document& d) { return is_mldsa(d) && d.has("mode", "sigVer"); }, run_sigver},
};

}  // namespace

std::span<const Kind> mldsa_acvp_kinds() { return kKinds; }

}  // namespace postern::kat
