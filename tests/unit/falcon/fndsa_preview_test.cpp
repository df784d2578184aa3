// The FN-DSA digests of c-fn-dsa for both degrees, with its SHAKE256 generator.

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <postern/falcon_codec.hpp>
#include <postern/fndsa_preview.hpp>

#include "core/hex.hpp"
#include "hash/sha3.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace postern::falcon::fndsa_preview {
namespace {

using namespace postern::test;

TEST(FnDsaPreview, KeygenDigests) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto file = read_json(dir / "falcon/fn-dsa/keygen-digests.json");
    std::size_t seen = 0;
    const auto check = [&]<class P>(const nlohmann::json& test) {
        const auto key = key_from_seed<P>(unhex(test["seed"]));
        std::vector<std::uint8_t> bytes;
        for (const auto* part : {&key.f(), &key.g(), &key.F(), &key.G()})
            for (const auto x : *part) bytes.push_back(static_cast<std::uint8_t>(x));
        Bytes digest(32);
        SHA256(bytes.data(), bytes.size(), digest.data());
        EXPECT_EQ(to_hex(digest), test["sha256_fgFG"]) << test["logn"] << " " << test["index"];
        ++seen;
    };
    for (const auto& test : file["tests"]) {
        if (test["prng"] != "shake256") continue;
        if (test["logn"] == 9) check.template operator()<Falcon512>(test);
        if (test["logn"] == 10) check.template operator()<Falcon1024>(test);
    }
    EXPECT_GE(seen, 100U);
}

TEST(FnDsaPreview, SignDigests) {
    POSTERN_REQUIRE_VECTORS(dir);
    const auto file = read_json(dir / "falcon/fn-dsa/sign-digests.json");
    const Bytes context = unhex(file["context"]);
    const Bytes text = unhex(file["message"]);
    std::size_t seen = 0;
    const auto check = [&]<class P>(const nlohmann::json& test) {
        hash::Shake256 xof;
        xof.absorb(unhex(test["seed1"]));
        Bytes seed(32);
        xof.squeeze(seed);
        const auto key = key_from_seed<P>(seed);
        Domain domain{context, {}};
        Bytes message = text;
        if (test["prehash"] == "SHA3-256") {
            domain.prehash_oid = kSha3_256Oid;
            const auto digest = hash::Sha3_256::hash(text);
            message.assign(digest.begin(), digest.end());
        }
        const auto signature = sign<P>(ExpandedPrivateKey<P>(key), domain, message, unhex(test["seed2"]));
        EXPECT_TRUE(verify<P>(key.public_key(), domain, message, signature));
        EXPECT_FALSE(verify<P>(key.public_key(), {}, message, signature));
        Bytes all = key.encode();
        for (const Bytes& part :
             {encode_public_key<P>(PublicKeyCodec::nist, key.public_key()), must(encode_signature<P>(SignatureCodec::padded, signature))})
            all.insert(all.end(), part.begin(), part.end());
        EXPECT_EQ(to_hex(hash::Sha3_256::hash(all)), test["sha3_256_sk_vk_sig"]) << test["logn"] << " " << test["index"];
        ++seen;
    };
    for (const auto& test : file["tests"]) {
        if (test["prng"] != "shake256") continue;
        if (test["logn"] == 9) check.template operator()<Falcon512>(test);
        if (test["logn"] == 10) check.template operator()<Falcon1024>(test);
    }
    EXPECT_GE(seen, 10U);
}

}  // namespace
}  // namespace postern::falcon::fndsa_preview
