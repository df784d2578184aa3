// Runs key generation, decoding, expansion and signing of every ML-DSA instance with all secrets marked as undefined
// memory. Under valgrind (tests/ct/run.sh) any branch or address that depends on one is an error. With --leak KIND it
// leaks on purpose, to show that the check sees it.

#include <array>
#include <cstdio>
#include <postern/keys.hpp>
#include <postern/mldsa.hpp>
#include <string>
#include <vector>

#include "core/cpu.hpp"
#include "ct.hpp"

namespace {

using namespace postern;
using namespace postern::mldsa;
using ct::require;

template <class T>
T secret(std::uint8_t fill) {
    return T(ct::secret_bytes<32>(fill));
}

void run(const Scheme& scheme) {
    const std::string name(scheme.name);
    const std::array<std::uint8_t, 32> message_bytes{1, 2, 3};
    const Message message(message_bytes);

    const KeyPair pair = generate(scheme, secret<Seed>(7));
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
        const Bytes signature = sign(expanded, message, {}, secret<Randomness>(i));
        require(verify(pair.public_key, message, SignatureView(signature)).valid, name + ": own signature refused");
    }
    std::vector<SignItem> items;
    for (std::uint8_t i = 0; i < 6; ++i) items.push_back({message, {}, secret<Randomness>(i)});
    for (const Bytes& signature : sign_batch(expanded, items))
        require(verify(pair.public_key, message, SignatureView(signature)).valid, name + ": signature of a batch refused");
    const Bytes signature = sign(pair.private_key, message, {}, Randomness::deterministic());
    require(verify(pair.public_key, message, SignatureView(signature)).valid, name + ": own signature refused");

    std::string pem = keys::encode_private_pem(pair.private_key, keys::PrivateForm::both);
    declassify(pem.data(), pem.size());
    require(pem.starts_with("-----BEGIN "), name + ": PEM");
    std::printf("%s: keygen, decode, check, expand, sign, batch, write\n", name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    return ct::main(
        argc, argv,
        [] {
            // Every path there is under valgrind.
            for (const auto level : {CpuLevel::scalar, CpuLevel::avx2}) {
                limit_cpu_level(level);
                std::printf("kernels: %s\n", std::string(name(cpu_level())).c_str());
                if (cpu_level() != level) continue;
                for (const Scheme& scheme : schemes()) run(scheme);
            }
            limit_cpu_level(CpuLevel::avx512);
        },
        [] {
            // Packed coefficients of s1.
            return generate(*find_scheme("ml-dsa-44"), secret<Seed>(7)).private_key.expanded()[128];
        });
}
