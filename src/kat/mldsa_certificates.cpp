// X.509 certificates and PKCS#10 requests signed with ML-DSA. OpenSSL cuts out the signed part, the key and the
// signature; checking is ours. Names decide who signed what, validity periods are not looked at.

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <memory>

#include "kat/families.hpp"
#include "kat/mldsa_cases.hpp"

namespace postern::kat {

namespace {

using namespace mldsa;

template <class T, void (*Free)(T*)>
struct Deleter {
    void operator()(T* p) const { Free(p); }
};
using CertificatePtr = std::unique_ptr<X509, Deleter<X509, X509_free>>;
using RequestPtr = std::unique_ptr<X509_REQ, Deleter<X509_REQ, X509_REQ_free>>;
using BioPtr = std::unique_ptr<BIO, Deleter<BIO, BIO_free_all>>;

BioPtr memory(std::string_view text) { return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))); }

const Scheme& scheme_of(const X509_ALGOR* algorithm) {
    const ASN1_OBJECT* oid = nullptr;
    int parameter_type = 0;
    X509_ALGOR_get0(&oid, &parameter_type, nullptr, algorithm);
    std::array<char, 80> text{};
    OBJ_obj2txt(text.data(), static_cast<int>(text.size()), oid, 1);
    const std::string_view name(text.data());
    constexpr std::string_view kArc = "2.16.840.1.101.3.4.3.";
    if (parameter_type != V_ASN1_UNDEF) throw Malformed("algorithm parameters must be absent");
    if (name.starts_with(kArc)) {
        const auto last = name.substr(kArc.size());
        if (last == "17") return scheme(ParameterSet::ml_dsa_44);
        if (last == "18") return scheme(ParameterSet::ml_dsa_65);
        if (last == "19") return scheme(ParameterSet::ml_dsa_87);
    }
    throw Malformed(fmt::format("algorithm {} is not ML-DSA", name));
}

struct SignerKey {
    const Scheme& scheme;
    Bytes bytes;
};

SignerKey key_of(X509_PUBKEY* info) {
    const unsigned char* bytes = nullptr;
    int size = 0;
    X509_ALGOR* algorithm = nullptr;
    if (info == nullptr || X509_PUBKEY_get0_param(nullptr, &bytes, &size, &algorithm, info) != 1) throw Malformed("no public key");
    return {scheme_of(algorithm), Bytes(bytes, bytes + size)};
}

template <class T>
Bytes tbs_of(T* object, int (*encode)(T*, unsigned char**)) {
    unsigned char* der = nullptr;
    const int size = encode(object, &der);
    if (size <= 0) throw Malformed("the signed part does not encode");
    const Bytes out(der, der + size);
    OPENSSL_free(der);
    return out;
}

void check(Run& run, const std::string& id, const SignerKey& key, const X509_ALGOR* algorithm, const ASN1_BIT_STRING* signature,
           Bytes tbs) {
    if (&scheme_of(algorithm) != &key.scheme) throw Malformed("signature algorithm and signer's key differ");
    Bytes bytes(signature->data, signature->data + signature->length);
    run.verify(id, mldsa_verify_case(key.scheme, key.bytes, std::move(tbs), {}, std::move(bytes), true));
}

std::vector<CertificatePtr> read_certificates(std::string_view text) {
    const BioPtr bio = memory(text);
    std::vector<CertificatePtr> out;
    while (CertificatePtr c{PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)}) out.push_back(std::move(c));
    return out;
}

/// The certificate whose subject is this certificate's issuer: in the same file, or in a .pem file beside it.
SignerKey issuer_of(X509* certificate, const Document& d, const std::vector<CertificatePtr>& here) {
    const auto matches = [&](const CertificatePtr& c) {
        return X509_NAME_cmp(X509_get_subject_name(c.get()), X509_get_issuer_name(certificate)) == 0;
    };
    if (const auto it = std::find_if(here.begin(), here.end(), matches); it != here.end()) return key_of(X509_get_X509_PUBKEY(it->get()));
    const auto folder = d.path().has_parent_path() ? d.path().parent_path() : std::filesystem::path(".");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".pem" || !entry.is_regular_file()) continue;
        const auto others = read_certificates(Document::load(entry.path()).text());
        if (const auto it = std::find_if(others.begin(), others.end(), matches); it != others.end())
            return key_of(X509_get_X509_PUBKEY(it->get()));
    }
    throw Malformed("no certificate of the issuer in this folder");
}

void run_certificates(const Document& d, Run& run) {
    const auto certificates = read_certificates(d.text());
    if (certificates.empty()) throw Malformed("the certificate does not decode");
    for (std::size_t i = 0; i < certificates.size(); ++i) {
        X509* certificate = certificates[i].get();
        const ASN1_BIT_STRING* signature = nullptr;
        const X509_ALGOR* algorithm = nullptr;
        X509_get0_signature(&signature, &algorithm, certificate);
        check(run, fmt::format("certificate {}", i), issuer_of(certificate, d, certificates), algorithm, signature,
              tbs_of(certificate, i2d_re_X509_tbs));
    }
}

void run_requests(const Document& d, Run& run) {
    const BioPtr bio = memory(d.text());
    std::size_t count = 0;
    while (const RequestPtr request{PEM_read_bio_X509_REQ(bio.get(), nullptr, nullptr, nullptr)}) {
        const ASN1_BIT_STRING* signature = nullptr;
        const X509_ALGOR* algorithm = nullptr;
        X509_REQ_get0_signature(request.get(), &signature, &algorithm);
        check(run, fmt::format("request {}", count++), key_of(X509_REQ_get_X509_PUBKEY(request.get())), algorithm, signature,
              tbs_of(request.get(), i2d_re_X509_REQ_tbs));
    }
    if (count == 0) throw Malformed("the request does not decode");
}

bool has_block(const Document& d, std::string_view begin) {
    return d.form() == Document::Form::pem && d.text().find(begin) != std::string_view::npos;
}

constexpr Kind kKinds[] = {
    {"x509", [](const Document& d) { return has_block(d, "-----BEGIN CERTIFICATE-----"); }, run_certificates},
    {"pkcs10", [](const Document& d) { return has_block(d, "-----BEGIN CERTIFICATE REQUEST-----"); }, run_requests},
};

}  // namespace

std::span<const Kind> mldsa_certificate_kinds() { return kKinds; }

}  // namespace postern::kat
