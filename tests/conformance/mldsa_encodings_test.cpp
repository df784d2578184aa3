#include <postern/keys.hpp>

#include "conformance/mldsa_vectors.hpp"
#include "core/der.hpp"

// Key files of others: RFC 9881 samples, and the keys and signatures inside certificates and requests.

namespace postern::test {
namespace {

using namespace mldsa;

TEST(MlDsaEncodings, SpkiAndPkcs8) {
    POSTERN_REQUIRE_VECTORS(vectors);
    const auto file = load_json(vectors / "mldsa" / "encodings" / "spki-pkcs8.json");
    std::size_t cases = 0;
    for (const auto& test : file.at("tests")) {
        SCOPED_TRACE(test.at("name"));
        const auto kind = test.at("kind").get<std::string>();
        const auto der = hex_field(test, "der");
        ++cases;
        if (kind == "spki") {
            const auto key = keys::decode_spki(der);
            ASSERT_EQ(key.has_value(), test.at("valid").get<bool>()) << (key ? "" : key.error().message);
            if (!key) continue;
            EXPECT_EQ(&key->scheme(), &scheme_of(test.at("parameterSet")));
            EXPECT_EQ(to_hex(key->bytes()), to_hex(hex_field(test, "publicKey")));
            EXPECT_EQ(keys::encode_spki(*key), der);
            continue;
        }
        const auto key = keys::decode_pkcs8(der);
        ASSERT_TRUE(key) << key.error().message;
        EXPECT_EQ(&key->scheme(), &scheme_of(test.at("parameterSet")));
        EXPECT_EQ(to_hex(key->public_key().bytes()), to_hex(hex_field(test, "publicKey")));
        const auto form = kind == "pkcs8-seed"       ? keys::PrivateForm::seed
                          : kind == "pkcs8-expanded" ? keys::PrivateForm::expanded
                                                     : keys::PrivateForm::both;
        EXPECT_EQ(keys::encode_pkcs8(*key, form), der);
    }
    EXPECT_EQ(cases, 21U);
}

struct Signed {
    Bytes body;
    Bytes key_info;
    Bytes signature;
};

/// The signed body, the subject's key and the signature of a certificate or a request.
Signed take_apart(const std::filesystem::path& path, std::size_t fields_before_key) {
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto block = keys::decode_pem(text).value();
    der::Reader outer(block.bytes);
    der::Reader parts(outer.read(der::sequence, "file").value());
    const auto body = parts.read_whole(der::sequence, "body").value();
    (void)parts.read(der::sequence, "algorithm").value();
    const auto signature = parts.read(der::bit_string, "signature").value();
    der::Reader whole(body);
    der::Reader fields(whole.read(der::sequence, "body").value());
    for (std::size_t i = 0; i < fields_before_key; ++i) (void)fields.read(fields.peek(), "field").value();
    const auto key = fields.read_whole(der::sequence, "key").value();
    return {{body.begin(), body.end()}, {key.begin(), key.end()}, {signature.begin() + 1, signature.end()}};
}

void check_signed(const Signed& object, const Bytes& issuer_key_info) {
    const auto key = keys::decode_spki(issuer_key_info);
    ASSERT_TRUE(key) << key.error().message;
    const auto verdict = verify(*key, Message(object.body), SignatureView(object.signature));
    EXPECT_TRUE(verdict) << verdict.reason;
    auto tampered = object.body;
    tampered.back() ^= 1;
    EXPECT_FALSE(verify(*key, Message(tampered), SignatureView(object.signature)));
}

TEST(MlDsaEncodings, CertificatesAndRequests) {
    POSTERN_REQUIRE_VECTORS(vectors);
    const auto folder = vectors / "mldsa" / "encodings";
    // Request: version, subject, key. Certificate: version, serial, algorithm, issuer, validity, subject, key.
    for (const char* set : {"44", "65", "87"}) {
        const auto request = take_apart(folder / (std::string("csr-mldsa") + set + ".pem"), 2);
        check_signed(request, request.key_info);
    }
    const auto root = take_apart(folder / "x509-root.pem", 6);
    const auto intermediate = take_apart(folder / "x509-intermediate.pem", 6);
    const auto leaf = take_apart(folder / "x509-leaf.pem", 6);
    check_signed(root, root.key_info);
    check_signed(intermediate, root.key_info);
    check_signed(leaf, intermediate.key_info);
}

}  // namespace
}  // namespace postern::test
