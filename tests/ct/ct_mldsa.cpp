// Runs key generation, decoding, expansion and signing of every ML-DSA instance with all secrets marked as undefined
// memory. Under valgrind (tests/ct/run.sh) any branch or address that depends on one is an error. With --leak KIND it
// leaks on purpose, to show that the check sees it.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <postern/keys.hpp>
#include <postern/mldsa.hpp>
#include <string>

#include "core/secure.hpp"

namespace {

using namespace postern;
using namespace postern::mldsa;

void require(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "ct_mldsa: %s\n", what.c_str());
    std::exit(1);
}

template <class T>
T secret_bytes(std::uint8_t fill) {
    std::array<std::uint8_t, 32> bytes{};
    bytes.fill(fill);
    mark_secret(bytes.data(), bytes.size());
    return T(bytes);
}

void run(const Scheme& scheme) {
    const std::string name(scheme.name);
    const std::array<std::uint8_t, 32> message_bytes{1, 2, 3};
    const Message message(message_bytes);

    const KeyPair pair = generate(scheme, secret_bytes<Seed>(7));
    Bytes sk(pair.private_key.expanded().begin(), pair.private_key.expanded().end());
    mark_secret(sk.data(), sk.size());
    // rho and tr are public parts of the expanded key.
    declassify(sk.data(), seed_bytes);
    declassify(sk.data() + 2 * seed_bytes, tr_bytes);
    const PrivateKey decoded = PrivateKey::decode(scheme, sk).value();
    require(decoded.check().has_value(), name + ": inconsistent key");
    require(decoded.public_key() == pair.public_key, name + ": public key differs");

    const ExpandedPrivateKey expanded(decoded);
    // Enough signatures for every kind of rejection to occur.
    for (std::uint8_t i = 0; i < 6; ++i) {
        const Bytes signature = sign(expanded, message, {}, secret_bytes<Randomness>(i));
        require(verify(pair.public_key, message, SignatureView(signature)).valid, name + ": own signature refused");
    }
    const Bytes signature = sign(pair.private_key, message, {}, Randomness::deterministic());
    require(verify(pair.public_key, message, SignatureView(signature)).valid, name + ": own signature refused");

    std::string pem = keys::encode_private_pem(pair.private_key, keys::PrivateForm::both);
    declassify(pem.data(), pem.size());
    require(pem.starts_with("-----BEGIN "), name + ": PEM");
    std::printf("%s: keygen, decode, check, expand, sign, write\n", name.c_str());
}

// Secrets that reach what they must not.
int leak(const std::string& kind) {
    const KeyPair pair = generate(*find_scheme("ml-dsa-44"), secret_bytes<Seed>(7));
    const std::uint8_t secret = pair.private_key.expanded()[128];  // packed coefficients of s1
    static const std::array<std::uint8_t, 256> table{1, 2, 3};
    if (kind == "branch") {
        if ((secret & 1U) != 0) std::puts("odd");
        return 0;
    }
    if (kind == "index") {
        const volatile std::uint8_t* entry = table.data() + secret;
        return *entry == 0 ? 0 : 3;
    }
    std::fprintf(stderr, "ct_mldsa: unknown leak %s\n", kind.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
#ifndef POSTERN_CT_CHECK
    std::fprintf(stderr, "ct_mldsa: this build does not mark secrets (preset ct)\n");
    return 2;
#endif
    if (argc == 3 && std::strcmp(argv[1], "--leak") == 0) return leak(argv[2]);
    for (const Scheme& scheme : schemes()) run(scheme);
    return 0;
}
