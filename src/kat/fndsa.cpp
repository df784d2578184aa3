// The digests of FN-DSA keys and signatures as c-fn-dsa forecasts them: run by builds with the preview, skipped by others.

#include <openssl/sha.h>

#include <nlohmann/json.hpp>
#include <postern/falcon_codec.hpp>
#ifdef POSTERN_FNDSA_PREVIEW
#include <postern/fndsa_preview.hpp>
#endif

#include "core/hex.hpp"
#include "hash/sha3.hpp"
#include "kat/families.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

using namespace falcon;
using nlohmann::json;

/// Runs body.operator()<P>(test) on the cases of the two standard degrees with the one generator that is built.
template <class Body>
void run_cases(const Document& d, Run& run, [[maybe_unused]] const Body& body) {
    std::size_t index = 0;
    for (const auto& test : d.json().at("tests")) {
        const std::string id = "test " + std::to_string(index++);
        const auto logn = test.at("logn").get<unsigned>();
        if (logn != 9 && logn != 10) {
            run.skip("degree that is no parameter set");
        } else if (test.at("prng") != "shake256") {
            run.skip("generator that is not built in");
        } else {
#ifdef POSTERN_FNDSA_PREVIEW
            run.native(id, "preview of FN-DSA", [&]() -> Status {
                return logn == 9 ? body.template operator()<Falcon512>(test) : body.template operator()<Falcon1024>(test);
            });
#else
            run.skip("built without -DPOSTERN_FNDSA_PREVIEW=ON");
#endif
        }
    }
}

struct KeygenDigest {
    template <class P>
    Status operator()([[maybe_unused]] const json& test) const {
#ifdef POSTERN_FNDSA_PREVIEW
        const auto key = fndsa_preview::key_from_seed<P>(hex_field(test, "seed"));
        Bytes bytes;
        for (const auto* part : {&key.f(), &key.g(), &key.F(), &key.G()})
            for (const auto x : *part) bytes.push_back(static_cast<std::uint8_t>(x));
        Bytes digest(SHA256_DIGEST_LENGTH);
        SHA256(bytes.data(), bytes.size(), digest.data());
        return expect_equal("sha256_fgFG", digest, hex_field(test, "sha256_fgFG"));
#else
        return ok();
#endif
    }
};

struct SigningDigest {
    Bytes context, message;
    template <class P>
    Status operator()([[maybe_unused]] const json& test) const {
#ifdef POSTERN_FNDSA_PREVIEW
        hash::Shake256 xof;
        xof.absorb(hex_field(test, "seed1"));
        Bytes seed(32);
        xof.squeeze(seed);
        const auto key = fndsa_preview::key_from_seed<P>(seed);
        fndsa_preview::Domain domain{context, {}};
        Bytes text = message;
        if (test.at("prehash") == "SHA3-256") {
            domain.prehash_oid = fndsa_preview::kSha3_256Oid;
            const auto digest = hash::Sha3_256::hash(message);
            text.assign(digest.begin(), digest.end());
        }
        const auto signature = fndsa_preview::sign<P>(ExpandedPrivateKey<P>(key), domain, text, hex_field(test, "seed2"));
        if (auto e = fndsa_preview::verify<P>(key.public_key(), domain, text, signature); !e) return e;
        const auto encoded = encode_signature<P>(SignatureCodec::padded, signature);
        if (!encoded) return encoded.error();
        Bytes all = key.encode();
        for (const Bytes& part : {encode_public_key<P>(PublicKeyCodec::nist, key.public_key()), *encoded})
            all.insert(all.end(), part.begin(), part.end());
        return expect_equal("sha3_256_sk_vk_sig", hash::Sha3_256::hash(all), hex_field(test, "sha3_256_sk_vk_sig"));
#else
        return ok();
#endif
    }
};

constexpr Kind kKinds[] = {
    {"fndsa-keygen-digests",
     [](const Document& d) {
         return d.tests_have({"logn", "prng", "sha256_fgFG"});
     },
     [](const Document& d, Run& run) { run_cases(d, run, KeygenDigest{}); }},
    {"fndsa-signing-digests",
     [](const Document& d) {
         return d.tests_have({"logn", "prng", "sha3_256_sk_vk_sig"});
     },
     [](const Document& d, Run& run) {
         run_cases(d, run, SigningDigest{hex_field(d.json(), "context"), hex_field(d.json(), "message")});
     }},
};

}  // namespace

std::span<const Kind> fndsa_kinds() { return kKinds; }

}  // namespace postern::kat
