#include "vectors/mldsa_vectors.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <postern/mldsa.hpp>
#include <stdexcept>

#include "core/hex.hpp"
#include "hash/sha3.hpp"

namespace postern::test {

namespace {

using namespace mldsa;
using Json = nlohmann::ordered_json;

/// Bytes that anybody can make again: SHAKE256 of "postern <scheme> <what> <index>".
Bytes derived(const Scheme& scheme, const std::string& what, int index, std::size_t size) {
    const std::string label = "postern " + std::string(scheme.name) + " " + what + " " + std::to_string(index);
    hash::Shake256 xof;
    xof.absorb({reinterpret_cast<const std::uint8_t*>(label.data()), label.size()});
    Bytes out(size);
    xof.squeeze(out);
    return out;
}

std::string upper(std::string_view name) {
    std::string out(name);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

std::string acvp_name(PreHash algorithm) { return upper(name(algorithm)); }

Json file(const Scheme& scheme, const char* mode) {
    std::string family = upper(scheme.name);
    family.resize(family.rfind('-'));
    return {{"algorithm", family}, {"mode", mode}, {"testGroups", Json::array()}};
}

std::string text(const Json& json) { return json.dump(1) + "\n"; }

Json key_gen(const Scheme& scheme) {
    Json out = file(scheme, "keyGen");
    Json group{{"tgId", 1}, {"testType", "AFT"}, {"parameterSet", upper(scheme.name)}, {"tests", Json::array()}};
    for (int i = 0; i < 3; ++i) {
        const auto seed = Seed::from(derived(scheme, "keyGen", i, 32)).value();
        const auto pair = generate(scheme, seed);
        group["tests"].push_back({{"tcId", i + 1},
                                  {"seed", to_hex(seed.bytes())},
                                  {"pk", to_hex(pair.public_key.bytes())},
                                  {"sk", to_hex(pair.private_key.expanded())}});
    }
    out["testGroups"].push_back(group);
    return out;
}

/// Two deterministic and two hedged signatures through each interface, keys given as seeds.
Json sig_gen(const Scheme& scheme) {
    Json out = file(scheme, "sigGen");
    int case_id = 0, group_id = 0;
    for (const std::string kind : {"pure", "preHash", "mu", "internal"}) {
        for (const bool deterministic : {true, false}) {
            const bool external = kind == "pure" || kind == "preHash";
            Json group{{"tgId", ++group_id},
                       {"testType", "AFT"},
                       {"parameterSet", upper(scheme.name)},
                       {"keyFormat", "seed"},
                       {"deterministic", deterministic},
                       {"signatureInterface", external ? "external" : "internal"}};
            if (external) {
                group["preHash"] = kind;
            } else {
                group["externalMu"] = kind == "mu";
            }
            group["tests"] = Json::array();
            for (int i = 0; i < 2; ++i) {
                const int id = ++case_id;
                const auto seed = Seed::from(derived(scheme, "sigGen seed", id, 32)).value();
                const Bytes rnd_bytes = derived(scheme, "sigGen rnd", id, 32);
                const auto rnd = deterministic ? Randomness::deterministic() : Randomness(std::span<const std::uint8_t, 32>(rnd_bytes));
                const Bytes message = derived(scheme, "sigGen message", id, static_cast<std::size_t>(id * 37 % 300));
                const auto context = Context::from(derived(scheme, "sigGen context", id, static_cast<std::size_t>(i * 255))).value();
                const auto key = PrivateKey::from_seed(scheme, seed);
                Json test{{"tcId", id}, {"seed", to_hex(seed.bytes())}};
                Bytes signature;
                if (kind == "mu") {
                    const auto mu = Mu::from(derived(scheme, "sigGen mu", id, 64)).value();
                    test["mu"] = to_hex(mu.bytes());
                    signature = sign_mu(key, mu, rnd);
                } else {
                    test["message"] = to_hex(message);
                    if (external) test["context"] = to_hex(context.bytes());
                    if (kind == "pure") {
                        signature = sign(key, Message(message), context, rnd);
                    } else if (kind == "preHash") {
                        const auto algorithm = prehashes()[static_cast<std::size_t>(id) % prehashes().size()];
                        test["hashAlg"] = acvp_name(algorithm);
                        signature = sign_prehash(key, prehash(algorithm, Message(message)), context, rnd);
                    } else {
                        signature = sign_internal(key, FormattedMessage(message), rnd);
                    }
                }
                if (!deterministic) test["rnd"] = to_hex(rnd.bytes());
                test["signature"] = to_hex(signature);
                group["tests"].push_back(test);
            }
            out["testGroups"].push_back(group);
        }
    }
    return out;
}

std::size_t omega_of(const Scheme& scheme) {
    switch (scheme.parameter_set) {
        case ParameterSet::ml_dsa_44:
            return MlDsa44::omega;
        case ParameterSet::ml_dsa_65:
            return MlDsa65::omega;
        case ParameterSet::ml_dsa_87:
            return MlDsa87::omega;
    }
    throw std::logic_error("parameter set");
}

/// One key, one signature, and every way to spoil it; the reasons are the ones Postern gives.
Json sig_ver(const Scheme& scheme) {
    Json out = file(scheme, "sigVer");
    const auto pair = generate(scheme, Seed::from(derived(scheme, "sigVer seed", 1, 32)).value());
    Json group{{"tgId", 1},         {"testType", "AFT"},   {"parameterSet", upper(scheme.name)},   {"signatureInterface", "external"},
               {"preHash", "pure"}, {"externalMu", false}, {"pk", to_hex(pair.public_key.bytes())}};
    group["tests"] = Json::array();
    const Bytes message = derived(scheme, "sigVer message", 1, 48), context = derived(scheme, "sigVer context", 1, 12);
    // A signature with two hints in its first polynomial (so that they can be swapped) and a free hint slot.
    Bytes signature;
    SignatureParts parts;
    const std::size_t omega = omega_of(scheme);
    for (int i = 0;; ++i) {
        const Bytes rnd = derived(scheme, "sigVer rnd", i, 32);
        signature =
            sign(pair.private_key, Message(message), Context::from(context).value(), Randomness(std::span<const std::uint8_t, 32>(rnd)));
        parts = inspect_signature(scheme, SignatureView(signature)).value();
        if (parts.hint_counts[0] >= 2 && signature.back() < omega) break;
    }
    const std::size_t k = parts.hint_counts.size(), counts_at = signature.size() - k, hints_at = counts_at - omega;
    const auto add = [&](const Bytes& m, const Bytes& c, const Bytes& s) {
        const auto verdict = verify(pair.public_key, Message(m), SignatureView(s), Context::from(c).value());
        group["tests"].push_back({{"tcId", group["tests"].size() + 1},
                                  {"testPassed", verdict.valid},
                                  {"message", to_hex(m)},
                                  {"context", to_hex(c)},
                                  {"signature", to_hex(s)},
                                  {"reason", verdict.reason}});
    };
    const auto spoil = [&](auto change) {
        Bytes bad = signature;
        change(bad);
        add(message, context, bad);
    };
    add(message, context, signature);
    Bytes other = message;
    other[0] ^= 1;
    add(other, context, signature);
    add(message, {}, signature);
    spoil([&](Bytes& s) { s[0] ^= 1; });                     // c_tilde
    spoil([&](Bytes& s) { s[scheme.c_tilde_bytes] ^= 1; });  // z, still within its bound
    spoil([&](Bytes& s) { std::fill_n(s.begin() + static_cast<std::ptrdiff_t>(scheme.c_tilde_bytes), 3, std::uint8_t{0}); });  // norm of z
    spoil([&](Bytes& s) { std::swap(s[hints_at], s[hints_at + 1]); });
    spoil([&](Bytes& s) { s[hints_at + 1] = s[hints_at]; });
    spoil([&](Bytes& s) { s[counts_at - 1] = 1; });
    spoil([&](Bytes& s) { s.back() = static_cast<std::uint8_t>(omega + 1); });
    spoil([&](Bytes& s) { s.back() = 0; });
    spoil([&](Bytes& s) { s.pop_back(); });
    spoil([&](Bytes& s) { s.push_back(0); });
    out["testGroups"].push_back(group);
    return out;
}

}  // namespace

std::map<std::string, std::string> make_mldsa_vectors() {
    std::map<std::string, std::string> files;
    for (const auto& scheme : schemes()) {
        if (scheme.xof != XofFamily::turbo_shake && scheme.xof != XofFamily::keccak256_ctr) continue;
        const std::string prefix(scheme.name);
        files[prefix + ".keyGen.json"] = text(key_gen(scheme));
        files[prefix + ".sigGen.json"] = text(sig_gen(scheme));
        files[prefix + ".sigVer.json"] = text(sig_ver(scheme));
    }
    return files;
}

}  // namespace postern::test
