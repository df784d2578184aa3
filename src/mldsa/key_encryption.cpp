// RFC 5958 EncryptedPrivateKeyInfo with PBES2 (RFC 8018), scrypt (RFC 7914) and AES-256-CBC, computed by OpenSSL.

#include <openssl/err.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <postern/keys.hpp>
#include <stdexcept>

#include "core/der.hpp"
#include "core/random.hpp"
#include "core/secure.hpp"

namespace postern::keys {

namespace {

using Algorithm = std::unique_ptr<X509_ALGOR, decltype(&X509_ALGOR_free)>;

constexpr std::uint64_t kScryptN = 1U << 14, kScryptR = 8, kScryptP = 1;
// What a file may ask for before it is refused: sixteen times the cost of our own files, a second or so.
constexpr std::uint64_t kMaxScryptWork = std::uint64_t{1} << 21, kMaxPbkdf2Iterations = 2'000'000;

constexpr std::array<std::uint8_t, 9> kPbes2{0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d};   // 1.2.840.113549.1.5.13
constexpr std::array<std::uint8_t, 9> kPbkdf2{0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c};  // 1.2.840.113549.1.5.12
constexpr std::array<std::uint8_t, 9> kScrypt{0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b};  // 1.3.6.1.4.1.11591.4.11

bool same(ByteView a, ByteView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

Bytes crypt(const X509_ALGOR* algorithm, std::string_view passphrase, ByteView in, bool encrypting) {
    if (in.size() > std::numeric_limits<int>::max() || passphrase.size() > std::numeric_limits<int>::max()) return {};
    unsigned char* out = nullptr;
    int out_size = 0;
    if (PKCS12_pbe_crypt(algorithm, passphrase.data(), static_cast<int>(passphrase.size()), in.data(), static_cast<int>(in.size()), &out,
                         &out_size, encrypting ? 1 : 0) == nullptr) {
        ERR_clear_error();
        return {};
    }
    Bytes result(out, out + out_size);
    OPENSSL_clear_free(out, static_cast<std::size_t>(out_size));
    return result;
}

/// Reads the parameters as far as they decide the cost of deriving the key.
Status check_cost(ByteView algorithm_contents) {
    der::Reader algorithm(algorithm_contents);
    const auto oid = algorithm.read(der::object_identifier, "encryption algorithm");
    if (!oid) return oid.error();
    if (!same(*oid, kPbes2)) return Error{"encrypted private key: the algorithm is not PBES2"};
    const auto parameters = algorithm.read(der::sequence, "PBES2 parameters");
    if (!parameters) return parameters.error();
    der::Reader pbes2(*parameters);
    const auto kdf = pbes2.read(der::sequence, "key derivation function");
    if (!kdf) return kdf.error();
    der::Reader function(*kdf);
    const auto kdf_oid = function.read(der::object_identifier, "key derivation function");
    if (!kdf_oid) return kdf_oid.error();
    const auto kdf_parameters = function.read(der::sequence, "key derivation parameters");
    if (!kdf_parameters) return kdf_parameters.error();
    der::Reader cost(*kdf_parameters);
    if (const auto salt = cost.read(der::octet_string, "salt"); !salt) return salt.error();
    if (same(*kdf_oid, kScrypt)) {
        std::uint64_t work = 1;
        for (const char* name : {"scrypt N", "scrypt r", "scrypt p"}) {
            const auto value = cost.read_unsigned(name);
            if (!value) return value.error();
            if (*value == 0 || *value > kMaxScryptWork || (work *= *value) > kMaxScryptWork) {
                return Error{"encrypted private key: scrypt parameters cost too much"};
            }
        }
        return ok();
    }
    if (same(*kdf_oid, kPbkdf2)) {
        const auto iterations = cost.read_unsigned("PBKDF2 iterations");
        if (!iterations) return iterations.error();
        if (*iterations > kMaxPbkdf2Iterations) return Error{"encrypted private key: too many PBKDF2 iterations"};
        return ok();
    }
    return Error{"encrypted private key: the key derivation function is neither scrypt nor PBKDF2"};
}

}  // namespace

Bytes encrypt(ByteView plaintext, std::string_view passphrase) {
    std::array<std::uint8_t, 16> salt{}, iv{};
    os_random(salt);
    os_random(iv);
    const Algorithm algorithm(
        PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), salt.data(), static_cast<int>(salt.size()), iv.data(), kScryptN, kScryptR, kScryptP),
        X509_ALGOR_free);
    if (!algorithm) throw std::runtime_error("OpenSSL cannot set up PBES2 with scrypt");
    const Bytes ciphertext = crypt(algorithm.get(), passphrase, plaintext, true);
    unsigned char* encoded = nullptr;
    const int encoded_size = i2d_X509_ALGOR(algorithm.get(), &encoded);
    if (ciphertext.empty() || encoded_size <= 0) throw std::runtime_error("OpenSSL cannot encrypt the private key");
    const Bytes head(encoded, encoded + encoded_size);
    OPENSSL_free(encoded);
    return der::element(der::sequence, der::concatenate({head, der::element(der::octet_string, ciphertext)}));
}

Result<Bytes> decrypt(ByteView der_bytes, std::string_view passphrase) {
    der::Reader outer(der_bytes);
    const auto info = outer.read(der::sequence, "EncryptedPrivateKeyInfo");
    if (!info) return info.error();
    if (auto end = outer.finish("EncryptedPrivateKeyInfo"); !end) return end.error();
    der::Reader fields(*info);
    const auto head = fields.read_whole(der::sequence, "encryption algorithm");
    if (!head) return head.error();
    const auto ciphertext = fields.read(der::octet_string, "encrypted data");
    if (!ciphertext) return ciphertext.error();
    if (auto end = fields.finish("the encrypted data"); !end) return end.error();

    der::Reader algorithm_reader(*head);
    if (auto cost = check_cost(*algorithm_reader.read(der::sequence, "encryption algorithm")); !cost) return cost.error();
    const unsigned char* at = head->data();
    const Algorithm algorithm(d2i_X509_ALGOR(nullptr, &at, static_cast<long>(head->size())), X509_ALGOR_free);
    if (!algorithm || at != head->data() + head->size()) {
        ERR_clear_error();
        return Error{"encrypted private key: the algorithm is not readable"};
    }
    Bytes plaintext = crypt(algorithm.get(), passphrase, *ciphertext, false);
    if (plaintext.empty()) return Error{"encrypted private key: wrong passphrase or damaged file"};
    return plaintext;
}

}  // namespace postern::keys
