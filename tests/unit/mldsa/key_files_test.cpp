#include <gtest/gtest.h>

#include <postern/keys.hpp>

#include "core/base64.hpp"
#include "core/der.hpp"
#include "core/hex.hpp"

namespace postern::keys {
namespace {

using mldsa::Seed;

mldsa::KeyPair pair_of(std::string_view scheme) {
    std::array<std::uint8_t, 32> bytes{};
    bytes.fill(9);
    return mldsa::generate(*mldsa::find_scheme(scheme), Seed(bytes));
}

TEST(KeyFiles, RoundTripsOfEveryScheme) {
    for (const auto& scheme : mldsa::schemes()) {
        SCOPED_TRACE(scheme.name);
        const auto pair = pair_of(scheme.name);
        const auto pub = decode_public_pem(encode_public_pem(pair.public_key));
        ASSERT_TRUE(pub) << pub.error().message;
        EXPECT_EQ(*pub, pair.public_key);
        for (const auto form : {PrivateForm::seed, PrivateForm::expanded, PrivateForm::both}) {
            const auto pem = encode_private_pem(pair.private_key, form);
            const auto key = decode_private_pem(pem);
            ASSERT_TRUE(key) << key.error().message;
            EXPECT_EQ(&key->scheme(), &scheme);
            EXPECT_TRUE(std::ranges::equal(key->expanded(), pair.private_key.expanded()));
            EXPECT_EQ(key->seed().has_value(), form != PrivateForm::expanded);
            EXPECT_EQ(encode_private_pem(*key, form), pem);
            if (form == PrivateForm::expanded) {
                EXPECT_THROW((void)encode_private_pem(*key, PrivateForm::seed), std::invalid_argument);
                EXPECT_THROW((void)encode_private_pem(*key, PrivateForm::both), std::invalid_argument);
            }
        }
    }
    EXPECT_TRUE(encode_private_pem(pair_of("ml-dsa-44").private_key).starts_with("-----BEGIN PRIVATE KEY-----\n"));
    EXPECT_TRUE(
        encode_public_pem(pair_of("keccak-ml-dsa-65").public_key).starts_with("-----BEGIN POSTERN KECCAK-ML-DSA-65 PUBLIC KEY-----\n"));
    EXPECT_THROW((void)encode_spki(pair_of("turbo-ml-dsa-44").public_key), std::invalid_argument);
    EXPECT_THROW((void)encode_pkcs8(pair_of("eth-ml-dsa-44").private_key), std::invalid_argument);
}

TEST(KeyFiles, Encryption) {
    for (const char* scheme : {"ml-dsa-65", "eth-ml-dsa-44"}) {
        const auto pair = pair_of(scheme);
        const auto pem = encode_private_pem(pair.private_key, PrivateForm::seed, "correct horse");
        const auto again = encode_private_pem(pair.private_key, PrivateForm::seed, "correct horse");
        EXPECT_NE(pem, again) << "fresh salt and IV";
        EXPECT_TRUE(is_encrypted_label(decode_pem(pem)->label));
        const auto key = decode_private_pem(pem, "correct horse");
        ASSERT_TRUE(key) << key.error().message;
        EXPECT_TRUE(std::ranges::equal(key->expanded(), pair.private_key.expanded()));
        EXPECT_EQ(decode_private_pem(pem).error().message, "the private key is encrypted: a passphrase is needed");
        EXPECT_NE(decode_private_pem(pem, "wrong horse").error().message.find("wrong passphrase"), std::string::npos);
        EXPECT_FALSE(decode_private_pem(pem, ""));
        // Damage anywhere is refused.
        const auto block = decode_pem(pem).value();
        for (const std::size_t at : {std::size_t{1}, std::size_t{10}, std::size_t{60}, block.bytes.size() - 1}) {
            Bytes bad = block.bytes;
            bad[at] ^= 0x41;
            EXPECT_FALSE(decode_private_pem(encode_pem(block.label, bad), "correct horse")) << at;
        }
    }
    EXPECT_FALSE(is_encrypted_label("PRIVATE KEY"));
    EXPECT_FALSE(is_encrypted_label("POSTERN X PRIVATE KEY"));
    EXPECT_TRUE(is_encrypted_label("POSTERN FALCON-512 ENCRYPTED PRIVATE KEY"));
}

TEST(KeyFiles, CostsOfForeignEncryptionAreBounded) {
    // PBES2 with scrypt N = 2^24, r = 8: refused before any work is done.
    const auto scrypt = [](const char* n_hex) {
        const auto salt = der::element(der::octet_string, Bytes(8));
        const auto parameters =
            der::element(der::sequence, der::concatenate({salt, der::element(der::integer, from_hex(n_hex).value()),
                                                          der::element(der::integer, Bytes{8}), der::element(der::integer, Bytes{1})}));
        const auto oid = der::element(der::object_identifier, from_hex("2b06010401da47040b").value());
        const auto kdf = der::element(der::sequence, der::concatenate({oid, parameters}));
        const auto aes = from_hex("301d060960864801650304012a041000000000000000000000000000000000").value();
        const auto pbes2 = der::element(der::object_identifier, from_hex("2a864886f70d01050d").value());
        const auto algorithm =
            der::element(der::sequence, der::concatenate({pbes2, der::element(der::sequence, der::concatenate({kdf, aes}))}));
        return der::element(der::sequence, der::concatenate({algorithm, der::element(der::octet_string, Bytes(16))}));
    };
    EXPECT_EQ(decrypt(scrypt("01000000"), "x").error().message, "encrypted private key: scrypt parameters cost too much");
    EXPECT_EQ(decrypt(scrypt("0400"), "x").error().message, "encrypted private key: wrong passphrase or damaged file");
}

TEST(KeyFiles, SaysWhyAPrivateKeyIsRefused) {
    const auto pair = pair_of("ml-dsa-44");
    const auto other = mldsa::generate(*mldsa::find_scheme("ml-dsa-44"));
    const auto sk = pair.private_key.expanded();
    const auto pkcs8 = [](ByteView choice) {
        return der::element(der::sequence, der::concatenate({from_hex("020100300b0609608648016503040311").value(),
                                                             der::element(der::octet_string, choice)}));
    };
    const auto reason = [](const Bytes& der_bytes) {
        const auto key = decode_pkcs8(der_bytes);
        EXPECT_FALSE(key);
        return key ? std::string() : key.error().message;
    };
    const auto both = [&](ByteView seed, ByteView expanded) {
        return pkcs8(der::element(der::sequence,
                                  der::concatenate({der::element(der::octet_string, seed), der::element(der::octet_string, expanded)})));
    };
    ASSERT_TRUE(decode_pkcs8(both(pair.private_key.seed()->bytes(), sk)));
    EXPECT_EQ(reason(both(other.private_key.seed()->bytes(), sk)), "private key: the expanded key does not come from the seed");
    Bytes bad(sk.begin(), sk.end());
    bad[64] ^= 1;
    EXPECT_EQ(reason(pkcs8(der::element(der::octet_string, bad))), "private key: tr is not the hash of the public key");
    bad[64] ^= 1;
    bad.back() ^= 1;
    EXPECT_EQ(reason(pkcs8(der::element(der::octet_string, bad))), "private key: t0 does not belong to rho, s1 and s2");
    bad.pop_back();
    EXPECT_EQ(reason(pkcs8(der::element(der::octet_string, bad))), "private key is 2559 bytes, expected 2560 for ml-dsa-44");
    EXPECT_EQ(reason(pkcs8(der::element(0x80, Bytes(31)))), "seed is 31 bytes, expected 32");
    EXPECT_EQ(reason(pkcs8({})), "private key is empty");
    EXPECT_EQ(reason(pkcs8(Bytes{0x81, 0})), "private key is neither a seed, nor an expanded key, nor both");

    // The same key with the other parameter set's identifier.
    Bytes other_set = pkcs8(der::element(der::octet_string, sk));
    other_set[other_set.size() - sk.size() - 9] = 0x12;
    EXPECT_EQ(reason(other_set), "private key is 2560 bytes, expected 4032 for ml-dsa-65");
}

TEST(KeyFiles, StrictDer) {
    const auto pair = pair_of("ml-dsa-44");
    const Bytes seed_form = encode_pkcs8(pair.private_key);
    ASSERT_TRUE(decode_pkcs8(seed_form));
    const auto refused = [](const Bytes& der_bytes, const std::string& why) {
        const auto key = decode_pkcs8(der_bytes);
        ASSERT_FALSE(key);
        EXPECT_NE(key.error().message.find(why), std::string::npos) << key.error().message;
    };
    // Every truncation, and any byte after the end.
    for (std::size_t size = 0; size < seed_form.size(); ++size) EXPECT_FALSE(decode_pkcs8(ByteView(seed_form).first(size))) << size;
    Bytes bad = seed_form;
    bad.push_back(0);
    refused(bad, "1 bytes after PrivateKeyInfo");
    // Lengths in another form.
    bad = seed_form;
    bad.insert(bad.begin() + 1, 0x81);
    refused(bad, "shortest form");
    bad = seed_form;
    bad[1] = 0x80;
    refused(bad, "indefinite length");
    bad = seed_form;
    bad.insert(bad.begin() + 1, {0x82, 0x00});
    refused(bad, "shortest form");
    // Version 1, parameters NULL, HashML-DSA, another algorithm, a BIT STRING with unused bits.
    bad = seed_form;
    bad[4] = 1;
    refused(bad, "version is 1");
    bad = from_hex("3036020100300d060960864801650304031105000422").value();
    bad.insert(bad.end(), seed_form.end() - 34, seed_form.end());
    refused(bad, "parameters are present");
    bad = seed_form;
    bad[17] = 32;
    refused(bad, "HashML-DSA");
    bad[17] = 16;
    refused(bad, "not ML-DSA");
    bad[10] ^= 1;
    refused(bad, "not ML-DSA");
    // Attributes after the key.
    bad = seed_form;
    bad.insert(bad.end(), {0xa0, 0x00});
    bad[1] = static_cast<std::uint8_t>(bad[1] + 2);
    refused(bad, "after the private key");

    Bytes spki = encode_spki(pair.public_key);
    ASSERT_TRUE(decode_spki(spki));
    spki[21] = 1;
    EXPECT_EQ(decode_spki(spki).error().message, "public key: the bit string is not made of whole bytes");
    EXPECT_FALSE(decode_spki(seed_form));
    EXPECT_FALSE(decode_pkcs8(encode_spki(pair.public_key)));
    EXPECT_FALSE(decode_spki({}));
}

TEST(KeyFiles, StrictPem) {
    const std::string pem = encode_pem("TEST", Bytes(100, 7));
    ASSERT_TRUE(decode_pem(pem));
    EXPECT_EQ(decode_pem(pem)->bytes, Bytes(100, 7));
    EXPECT_EQ(decode_pem(pem)->label, "TEST");
    std::string crlf;
    for (const char c : pem) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_TRUE(decode_pem(crlf));
    EXPECT_TRUE(decode_pem("\n" + pem + "\n\n"));
    EXPECT_TRUE(decode_pem(encode_pem("TEST", {})));
    for (std::size_t size = 0; size < pem.size() - 1; ++size) EXPECT_FALSE(decode_pem(std::string_view(pem).substr(0, size))) << size;
    EXPECT_FALSE(decode_pem(pem + pem));
    EXPECT_FALSE(decode_pem(pem + "x"));
    EXPECT_FALSE(decode_pem("x" + pem));
    const auto changed = [&](std::string_view from, std::string_view to) {
        std::string text = pem;
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos);
        return text.replace(at, from.size(), to);
    };
    EXPECT_FALSE(decode_pem(changed("END TEST", "END BEST")));
    EXPECT_FALSE(decode_pem(changed("BwcH", "Bw H")));
    EXPECT_FALSE(decode_pem(changed("BwcH", "Bw\ncH")));
    EXPECT_FALSE(decode_pem(changed("Bw==", "Bx==")));
    EXPECT_FALSE(decode_pem(changed("-----BEGIN TEST-----\n", "-----BEGIN TEST-----\n\n")));
    EXPECT_FALSE(decode_pem(changed("BEGIN TEST", "BEGIN ")));
    EXPECT_NE(decode_private_pem(pem).error().message.find("PEM label is \"TEST\""), std::string::npos);
    EXPECT_FALSE(decode_public_pem(encode_private_pem(pair_of("ml-dsa-44").private_key)));
    EXPECT_FALSE(decode_private_pem(encode_public_pem(pair_of("ml-dsa-44").public_key)));
    EXPECT_FALSE(decode_public_pem(encode_pem("POSTERN ML-DSA-44 PUBLIC KEY", pair_of("ml-dsa-44").public_key.bytes())));
}

TEST(Base64, KnownAnswersAndStrictness) {
    const auto text = [](std::string_view s) { return Bytes(s.begin(), s.end()); };
    const std::vector<std::pair<std::string, std::string>> known{
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [plain, encoded] : known) {
        EXPECT_EQ(to_base64(text(plain)), encoded);
        EXPECT_EQ(from_base64(encoded).value(), text(plain));
    }
    Bytes all(256);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
    EXPECT_EQ(from_base64(to_base64(all)).value(), all);
    for (const char* bad : {"Zg", "Zg=", "Zh==", "Zm9=", "Zm8=Zm8=", "Z===", "====", "Zm9v\n", " Zm9v", "Zm-v", "Zm_v", "Zm\xc3v"}) {
        EXPECT_FALSE(from_base64(bad)) << bad;
    }
}

TEST(Der, Integers) {
    const auto read = [](const char* hex) {
        const auto bytes = from_hex(hex).value();
        return der::Reader(bytes).read_unsigned("n");
    };
    EXPECT_EQ(read("020100").value(), 0U);
    EXPECT_EQ(read("02020080").value(), 128U);
    EXPECT_EQ(read("0209"
                   "00ffffffffffffffff")
                  .value(),
              UINT64_MAX);
    for (const char* bad : {"0200", "020180", "02020001",
                            "0209"
                            "01ffffffffffffffff",
                            "020a0000ffffffffffffffff", "0301", "02", ""}) {
        EXPECT_FALSE(read(bad)) << bad;
    }
}

TEST(Der, LongLengths) {
    for (const std::size_t size : {0U, 127U, 128U, 255U, 256U, 65535U, 65536U}) {
        const Bytes e = der::element(der::octet_string, Bytes(size, 1));
        der::Reader reader(e);
        EXPECT_EQ(reader.read(der::octet_string, "x")->size(), size);
        EXPECT_TRUE(reader.finish("x"));
    }
    EXPECT_FALSE(der::Reader(from_hex("0485ffffffffff").value()).read(der::octet_string, "x"));
    EXPECT_FALSE(der::Reader(from_hex("0484ffffffff").value()).read(der::octet_string, "x"));
}

}  // namespace
}  // namespace postern::keys
