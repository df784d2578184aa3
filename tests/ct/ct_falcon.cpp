// Runs key generation, decoding, expansion and signing of every Falcon scheme with all secrets marked as undefined memory,
// on every path: portable, AVX2, and integers in place of floating point. Under valgrind (tests/ct/run.sh) any branch or
// address that depends on a secret is an error. With --leak KIND it leaks on purpose, to show that the check sees it.

#include <cstdio>
#include <postern/falcon.hpp>
#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>
#include <postern/falcon_scheme.hpp>
#include <postern/keys.hpp>
#include <string>
#include <vector>

#include "ct.hpp"
#include "falcon/cpu.hpp"
#include "falcon/sign_backend.hpp"
#include "falcon/sign_internal.hpp"

namespace {

using namespace postern;
using namespace postern::falcon;
using ct::require;

const Bytes kMessage = {1, 2, 3};

/// The key of a seed, by way of its encoded form: everything in it is secret but the public key.
template <class P>
PrivateKey<P> made_and_decoded(std::uint8_t fill) {
    const auto key = PrivateKey<P>::from_seed(ct::secret_bytes<48>(fill));
    Bytes encoded = key.encode();
    mark_secret(encoded.data(), encoded.size());
    declassify(encoded.data(), 1);  // the header
    auto decoded = PrivateKey<P>::decode(encoded);
    require(decoded.has_value(), "own private key refused");
    require(decoded->public_key() == key.public_key(), "public key differs");
    secure_wipe(encoded.data(), encoded.size());
    return *std::move(decoded);
}

template <class P>
void check_signing(const PrivateKey<P>& key) {
    const ExpandedPrivateKey<P> expanded(key);
    const ExpandedPublicKey<P> verifier(key.public_key());
    for (const auto policy : {HashToPoint::shake256, HashToPoint::keccak_prng, HashToPoint::keccak_ctr}) {
        require(verify<P>(verifier, kMessage, sign<P>(expanded, kMessage, policy), policy).has_value(), "own signature refused");
        require(verify<P>(verifier, kMessage, sign_deterministic<P>(expanded, kMessage, policy), policy).has_value(),
                "own deterministic signature refused");
    }
    // Enough attempts for vectors that are too long, and encodings that are, to occur; all codecs of the results.
    const std::vector<ByteView> messages(8, kMessage);
    for (const auto& signature : sign_batch<P>(expanded, messages))
        for (const auto codec : signature_codecs())
            require(encode_signature<P>(codec, signature).has_value(), "own signature not encodable");
    // Attempts on seeds of the caller, too long ones included.
    const auto c = hash_to_point<P>(HashToPoint::shake256, {}, kMessage);
    for (std::uint8_t i = 0; i < 8; ++i) {
        SmallPoly<P> s1, s2;
        const auto seed = ct::secret_bytes<56>(i);
        sign_attempt<P>(expanded, s1, s2, c, seed);
#ifdef POSTERN_FNDSA_PREVIEW
        sign_attempt_shake<P>(expanded, s1, s2, c, seed);
#endif
    }
}

void check_recovery(const PrivateKey<Falcon512>& key) {
    const ExpandedPrivateKey<Falcon512> expanded(key);
    const Address address = recover_address(key.public_key());
    for (const auto& signature : {sign_recoverable(expanded, kMessage), sign_recoverable_deterministic(expanded, kMessage)}) {
        const auto found = recover(kMessage, signature);
        require(found && *found == address, "own recoverable signature refused");
    }
    for (const auto policy : {HashToPoint::shake256, HashToPoint::keccak_prng})
        for (const auto& signature : {sign_epervier(expanded, kMessage, policy), sign_epervier_deterministic(expanded, kMessage, policy)}) {
            const auto found = epervier_recover(kMessage, signature, policy);
            require(found && *found == key.public_key(), "own EPERVIER signature refused");
            require(epervier_arguments(signature).has_value(), "own EPERVIER signature has no hint");
        }
}

/// The integer arithmetic of POSTERN_FALCON_SOFT, which is there in every build.
template <class P>
void check_soft(const PrivateKey<P>& key) {
    std::vector<SoftDouble> values(kExpandedValues<P>);
    soft_signing<P>().expand(values.data(), key.f().data(), key.g().data(), key.F().data(), key.G().data());
    const auto c = hash_to_point<P>(HashToPoint::shake256, {}, kMessage);
    bool any = false;
    for (std::uint8_t i = 0; i < 3; ++i) {
        SmallPoly<P> s1, s2;
        const auto seed = ct::secret_bytes<56>(i);
        any = soft_signing<P>().attempt(s1.data(), s2.data(), values.data(), c.data(), seed.data()) || any;
    }
    require(any, "integer arithmetic never gave a short vector");
    require(soft_signing<P>().short_dual(key.f().data(), key.g().data()), "norm of the key under integer arithmetic");
    std::printf("falcon-%u, integers only: expand, sign\n", static_cast<unsigned>(P::n));
}

template <class P>
void check_degree(std::uint8_t keys, const char* path) {
    for (std::uint8_t fill = 0; fill < keys; ++fill) {
        const auto key = made_and_decoded<P>(fill);
        check_signing<P>(key);
        if constexpr (P::n == 512) check_recovery(key);
        if (fill == 0 && !use_avx2()) check_soft<P>(key);
    }
    PrivateKey<P>::generate();
    std::printf("falcon-%u, %s: keygen, decode, expand, sign, recoverable forms\n", static_cast<unsigned>(P::n), path);
}

/// What the command does: bytes in, bytes and PEM out.
void check_scheme(const Scheme& scheme) {
    auto pair = generate(scheme, ct::secret_bytes<48>(9));
    std::string pem = keys::encode_pem(keys::postern_label(scheme.name, "PRIVATE KEY"), pair.private_key);
    declassify(pem.data(), pem.size());
    require(pem.starts_with("-----BEGIN "), "PEM");
    declassify(pair.private_key.data(), 1);
    for (const bool deterministic : {false, true})
        for (const auto codec : codecs(scheme)) {
            const auto signature = sign(scheme, pair.private_key, kMessage, codec, deterministic);
            require(signature.has_value(), "scheme does not sign");
            const auto verdict = verify(scheme, pair.public_key, kMessage, *signature, codec);
            require(verdict && verdict->valid, "own signature refused");
        }
    secure_wipe(pair.private_key.data(), pair.private_key.size());
    std::printf("%s: keygen, sign, write\n", std::string(scheme.name).c_str());
}

void run_all() {
    for (const bool avx2 : {true, false}) {
        allow_avx2(avx2);
        if (avx2 && !use_avx2()) {
            std::puts("no AVX2 here: only the portable path is checked");
            continue;
        }
        check_degree<Falcon512>(3, avx2 ? "AVX2" : "portable");
        check_degree<Falcon1024>(1, avx2 ? "AVX2" : "portable");
    }
    allow_avx2(true);
    for (const Scheme& scheme : schemes()) check_scheme(scheme);
}

}  // namespace

int main(int argc, char** argv) {
    return ct::main(argc, argv, run_all, [] {
        // A coefficient of F.
        return static_cast<std::uint8_t>(PrivateKey<Falcon512>::from_seed(ct::secret_bytes<48>(7)).F()[3]);
    });
}
