// Known-answer text files of ML-DSA: NIST's .rsp form from a DRBG seed, and the hedged form with xi and rng given.

#include <fmt/format.h>

#include <algorithm>

#include "kat/drbg.hpp"
#include "kat/families.hpp"
#include "kat/mldsa_cases.hpp"

namespace postern::kat {

namespace {

using namespace mldsa;

/// By the size of the public key; the instance with the keccak PRNG has the same sizes and is told by the file's name.
const Scheme* scheme_of(const Document& d) {
    if (!d.entries_have({"pk", "sk", "sm"})) return nullptr;
    const std::size_t size = d.entries().front().at("pk").size() / 2;
    if (d.name().find("ML-DSA-ETH") != std::string::npos) {
        const Scheme& eth = scheme(ParameterSet::ml_dsa_44, XofFamily::keccak_prng);
        return size == eth.public_key_bytes ? &eth : nullptr;
    }
    for (const auto set : {ParameterSet::ml_dsa_44, ParameterSet::ml_dsa_65, ParameterSet::ml_dsa_87})
        if (scheme(set).public_key_bytes == size) return &scheme(set);
    return nullptr;
}

Bytes signature_of(const Entry& entry, const Scheme& s, const Bytes& message) {
    const Bytes sm = entry.hex("sm");
    if (sm.size() != s.signature_bytes + message.size() || sm.size() != entry.number("smlen") || message.size() != entry.number("mlen") ||
        !std::equal(message.begin(), message.end(), sm.begin() + static_cast<std::ptrdiff_t>(s.signature_bytes)))
        throw Malformed(fmt::format("entry at line {}: sm is not signature || msg", entry.line));
    return {sm.begin(), sm.begin() + static_cast<std::ptrdiff_t>(s.signature_bytes)};
}

/// Key generation, signature and verification of one entry. With a contract only the verification.
void run_entry(Run& run, const Entry& entry, const Scheme& s, const Bytes& xi, const Bytes& rnd, const Bytes& context) {
    const Bytes message = entry.hex("msg");
    const Bytes signature = signature_of(entry, s, message);
    VerifyCase c = mldsa_verify_case(s, entry.hex("pk"), message, context, signature, true);
    const auto verify_only = c.native;
    c.native = [&]() -> Verdict {
        const auto pair = generate(s, mldsa_seed(xi));
        if (auto e = expect_equal("pk", pair.public_key.bytes(), entry.hex("pk")); !e) return {false, e.error().message};
        if (auto e = expect_equal("sk", pair.private_key.expanded(), entry.hex("sk")); !e) return {false, e.error().message};
        const Bytes made = sign(pair.private_key, Message(message), mldsa_context(context), mldsa_randomness(rnd));
        if (auto e = expect_equal("signature", made, signature); !e) return {false, e.error().message};
        return verify_only();
    };
    run.verify(entry.id(), c);
}

void run_rsp(const Document& d, Run& run) {
    const Scheme& s = *scheme_of(d);
    for (const Entry& entry : d.entries()) {
        const Bytes seed = entry.hex("seed");
        if (seed.size() != 48) throw Malformed(fmt::format("entry at line {}: seed of {} bytes, expected 48", entry.line, seed.size()));
        Drbg drbg{std::span<const std::uint8_t, 48>(seed)};
        const Bytes xi = drbg.read(32);
        const Bytes rnd = drbg.read(32);
        run_entry(run, entry, s, xi, rnd, {});
    }
}

void run_hedged(const Document& d, Run& run) {
    const Scheme& s = *scheme_of(d);
    for (const Entry& entry : d.entries()) run_entry(run, entry, s, entry.hex("xi"), entry.hex("rng"), entry.hex("ctx"));
}

constexpr Kind kKinds[] = {
    {"mldsa-hedged",
     [](const Document& d) {
         return d.entries_have({"xi", "rng", "ctx"}) && scheme_of(d) != nullptr;
     },
     run_hedged},
    {"mldsa-rsp",
     [](const Document& d) {
         return d.entries_have({"seed", "msg"}) && scheme_of(d) != nullptr;
     },
     run_rsp},
};

}  // namespace

std::span<const Kind> mldsa_answer_kinds() { return kKinds; }

}  // namespace postern::kat
