// Vector files of Falcon and the variants over the same keys: NIST answers, ETHFALCON, EIP-8052, EPERVIER, sampler, signing.

#define POSTERN_FALCON_KERNELS kat_kernels
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>

#include "core/hex.hpp"
#include "falcon/sampler.hpp"
#include "falcon/sign_internal.hpp"
#include "falcon/words.hpp"
#include "falcon/zq.hpp"
#include "kat/drbg.hpp"
#include "kat/families.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

using namespace falcon;
using nlohmann::json;

template <class T>
T must(Result<T> result, std::string_view what) {
    if (!result) throw Malformed(fmt::format("{}: {}", what, result.error().message));
    return *std::move(result);
}

Salt salt_of(ByteView bytes) {
    if (bytes.size() < kSaltBytes) throw Malformed("a salt has 40 bytes");
    Salt salt;
    std::copy_n(bytes.begin(), kSaltBytes, salt.begin());
    return salt;
}

HashToPoint policy_of(const json& test) {
    const auto& xof = test.at("xof").get_ref<const std::string&>();
    if (xof == "shake256") return HashToPoint::shake256;
    if (xof == "keccakprng") return HashToPoint::keccak_prng;
    if (xof == "blake2s-prng") return HashToPoint::blake2s_prng;
    throw Malformed("unknown xof " + xof);
}

/// Name of the scheme as contracts know it; empty for what is only here to be verified.
std::string scheme_name(HashToPoint policy, unsigned logn) {
    const char* degree = logn == 9 ? "512" : "1024";
    if (policy == HashToPoint::shake256) return fmt::format("falcon-{}", degree);
    if (policy == HashToPoint::keccak_prng) return fmt::format("ethfalcon-{}", degree);
    return std::string(name(policy));
}

template <class P>
void verify_case(Run& run, const std::string& id, HashToPoint policy, const PublicKey<P>& key, const Bytes& message,
                 const Signature<P>& signature) {
    VerifyCase c;
    c.scheme = scheme_name(policy, P::logn);
    c.public_key_bytes = P::public_key_bytes;
    c.public_key = encode_public_key<P>(PublicKeyCodec::nist, key);
    c.message = message;
    c.signature = must(encode_signature<P>(SignatureCodec::native, signature), "signature");
    c.native = [&] {
        const auto status = falcon::verify<P>(key, message, signature, policy);
        return status ? mldsa::Verdict{true, {}} : mldsa::Verdict{false, status.error().message};
    };
    run.verify(id, c);
}

Status expect_poly(std::string_view what, const auto& actual, const std::vector<int>& expected) {
    if (std::equal(actual.begin(), actual.end(), expected.begin(), expected.end())) return ok();
    return Error{fmt::format("{} differs", what)};
}

// ---------------------------------------------------------------------------------------------- answers with seeds

SmForm sm_form(const Bytes& sm, unsigned logn) {
    if (sm.size() < 4) throw Malformed("sm is too short");
    if (sm[0] == 0x30 + logn) return SmForm::padded;
    return static_cast<std::size_t>(sm[0] << 8 | sm[1]) == sm.size() - 2 ? SmForm::eip8052 : SmForm::compressed;
}

template <class P>
void run_answers(const Document& d, Run& run) {
    // Nothing in these files says how the message is hashed: the file's name does.
    const bool eth = d.name().find("ethfalcon") != std::string::npos;
    for (const Entry& entry : d.entries()) {
        const Bytes sm = entry.hex("sm");
        const SmForm form = sm_form(sm, P::logn);
        const HashToPoint policy = form == SmForm::eip8052 ? HashToPoint::eip8052 : eth ? HashToPoint::keccak_prng : HashToPoint::shake256;
        const Bytes message = entry.hex("msg");
        const Bytes seed = entry.hex("seed");
        if (seed.size() != 48) throw Malformed("a seed has 48 bytes");
        Drbg drbg(std::span<const std::uint8_t, 48>(seed.data(), 48));
        const Bytes key_seed = drbg.read(48);
        run.native(entry.id() + " key generation", "key generation", [&]() -> Status {
            const auto key = PrivateKey<P>::from_seed(key_seed);
            if (auto e = expect_equal("sk", key.encode(), entry.hex("sk")); !e) return e;
            return expect_equal("pk", encode_public_key<P>(PublicKeyCodec::nist, key.public_key()), entry.hex("pk"));
        });
        const Salt salt = salt_of(drbg.read(kSaltBytes));
        SamplerSeed sampler_seed;
        std::ranges::copy(drbg.read(sampler_seed.size()), sampler_seed.begin());
        if (policy == HashToPoint::eip8052) {
            run.skip("signing: this hash-to-point is for verification only");
        } else {
            run.native(entry.id() + " signing", "signing", [&]() -> Status {
                const ExpandedPrivateKey<P> key(must(PrivateKey<P>::decode(entry.hex("sk")), "sk"));
                const auto signature =
                    sign_point<P>(key, salt, hash_to_point<P>(policy, salt, message), sampler_seed, form == SmForm::padded);
                return expect_equal("sm", must(encode_sm<P>(form, signature, message), "sm"), sm);
            });
        }
        const auto key = must(decode_public_key<P>(PublicKeyCodec::nist, entry.hex("pk")), "pk");
        const auto decoded = must(decode_sm<P>(form, sm), "sm");
        if (decoded.message != message) throw Malformed("sm holds another message than msg");
        verify_case<P>(run, entry.id(), policy, key, decoded.message, decoded.signature);
    }
}

// ---------------------------------------------------------------------------------------------- EIP-8052

std::vector<int> integers(std::string_view text) {
    std::vector<int> out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] < '0' || text[i] > '9') {
            ++i;
            continue;
        }
        int x = 0;
        for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) x = 10 * x + (text[i] - '0');
        out.push_back(x);
    }
    return out;
}

void run_hash_to_point(const Document& d, Run& run) {
    for (const Entry& entry : d.entries())
        run.native(entry.id(), "hash-to-point", [&] {
            return expect_poly("point", hash_to_point<Falcon512>(HashToPoint::shake256, salt_of(entry.hex("salt")), entry.hex("msg")),
                               integers(entry.at("hash")));
        });
}

void run_core(const Document& d, Run& run) {
    for (const Entry& entry : d.entries())
        run.native(entry.id(), "verification of a given point", [&]() -> Status {
            const auto list = integers(entry.at("hashtopoint"));
            if (list.size() != 512) throw Malformed("a point has 512 coefficients");
            Poly<Falcon512> c;
            std::copy(list.begin(), list.end(), c.begin());
            const auto key = must(decode_public_key<Falcon512>(PublicKeyCodec::nist, entry.hex("pk")), "pk");
            const Bytes field = entry.hex("s2");  // message || esig in these files
            const std::size_t skip = 33 * (entry.number("count") + 1);
            if (field.size() <= skip || field[skip] != 0x29) throw Malformed("s2 without its header");
            SmallPoly<Falcon512> s2;
            if (auto e = decompress(s2, ByteView(field).subspan(skip + 1), false); !e) return e;
            return verify_point<Falcon512>(ExpandedPublicKey<Falcon512>(key), c, s2);
        });
}

// ---------------------------------------------------------------------------------------------- JSON

/// Runs `check` on every element of `tests`.
template <class Check>
void each(const Document& d, Run& run, std::string_view what, Check check) {
    std::size_t index = 0;
    for (const auto& test : d.json().at("tests")) run.native(fmt::format("test {}", index++), what, [&] { return check(test); });
}

/// Nine bytes for the base sampler, the first being the most significant; then byte by byte.
class Octets {
  public:
    explicit Octets(Bytes bytes) : bytes_(std::move(bytes)) {}
    std::uint64_t next_u64() {
        high_ = take();
        std::uint64_t low = 0;
        for (int i = 0; i < 8; ++i) low = low << 8 | take();
        waiting_ = true;
        return low;
    }
    std::uint8_t next_u8() {
        if (!waiting_) return take();
        waiting_ = false;
        return high_;
    }
    bool used_up() const { return position_ == bytes_.size(); }

  private:
    std::uint8_t take() {
        if (position_ == bytes_.size()) throw Malformed("not enough octets");
        return bytes_[position_++];
    }
    Bytes bytes_;
    std::size_t position_ = 0;
    std::uint8_t high_ = 0;
    bool waiting_ = false;
};

Status check_sampler(const json& test) {
    Octets octets(hex_field(test, "octets"));
    const int z = kat_kernels::sample_z<double>(octets, test.at("mu").get<double>(), 1 / test.at("sigma").get<double>(),
                                                test.at("sigmin").get<double>());
    if (z != test.at("z").get<int>()) return Error{fmt::format("z is {}, expected {}", z, test.at("z").get<int>())};
    return octets.used_up() ? ok() : Status(Error{"octets left over"});
}

template <class P>
Status check_signing(const json& test, ByteView message) {
    BasisPoly<P> f, g, F;
    for (std::size_t i = 0; i < P::n; ++i) {
        f[i] = test.at("f").at(i).get<std::int8_t>();
        g[i] = test.at("g").at(i).get<std::int8_t>();
        F[i] = test.at("F").at(i).get<std::int8_t>();
    }
    const auto key = PrivateKey<P>::from_basis(f, g, F);
    if (!key) return key.error();
    if (auto e = expect_poly("G", key->G(), test.at("G").get<std::vector<int>>()); !e) return e;
    const Salt salt = salt_of(hex_field(test, "nonce"));
    const Bytes seed = hex_field(test, "prng_seed");
    if (seed.size() != 56) throw Malformed("prng_seed has 56 bytes");
    SmallPoly<P> s1;
    Signature<P> signature{salt, {}};
    if (!sign_attempt<P>(ExpandedPrivateKey<P>(*key), s1, signature.s2, hash_to_point<P>(HashToPoint::shake256, salt, message),
                         std::span<const std::uint8_t, 56>(seed.data(), 56)))
        return Error{"the vector is too long"};
    if (auto e = expect_poly("s2", signature.s2, test.at("s2").get<std::vector<int>>()); !e) return e;
    if (auto e = expect_equal("sig", must(encode_signature<P>(SignatureCodec::padded, signature), "sig"), hex_field(test, "sig")); !e)
        return e;
    return falcon::verify<P>(key->public_key(), message, signature);
}

void run_signing(const Document& d, Run& run) {
    const Bytes message = {'d', 'a', 't', 'a', '1'};
    std::size_t index = 0;
    for (const auto& test : d.json().at("tests")) {
        const std::string id = fmt::format("test {}", index++);
        const int n = test.at("n").get<int>();
        if (n == 512)
            run.native(id, "signing", [&] { return check_signing<Falcon512>(test, message); });
        else if (n == 1024)
            run.native(id, "signing", [&] { return check_signing<Falcon1024>(test, message); });
        else
            run.skip("reduced degree");
    }
}

void run_original(const Document& d, Run& run) {
    std::size_t index = 0;
    const auto one = [&]<class P>(const json& test) {
        const auto key = must(decode_public_key<P>(PublicKeyCodec::nist, hex_field(test, "publicKey")), "publicKey");
        const auto signature = must(decode_signature<P>(SignatureCodec::padded, hex_field(test, "signature")), "signature");
        verify_case<P>(run, fmt::format("test {}", index++), HashToPoint::shake256, key, hex_field(test, "message"), signature);
    };
    for (const auto& test : d.json().at("tests"))
        if (test.at("logn") == 9)
            one.operator()<Falcon512>(test);
        else
            one.operator()<Falcon1024>(test);
}

Bytes bytes_of_words(const json& words) {
    Bytes out;
    for (const auto& word : words) {
        std::string hex = word.get<std::string>();
        if (!hex.starts_with("0x") || hex.size() > 66) throw Malformed("a word is 0x and up to 64 digits");
        hex = std::string(66 - hex.size(), '0') + hex.substr(2);
        const Bytes bytes = hex_bytes(hex, "word");
        out.insert(out.end(), bytes.begin(), bytes.end());
    }
    if (out.size() != 1024) throw Malformed("a polynomial is 32 words");
    return out;
}

void run_three_xofs(const Document& d, Run& run) {
    std::size_t index = 0;
    for (const auto& test : d.json().at("tests")) {
        const std::string id = fmt::format("test {}", index++);
        const auto key = must(decode_public_key<Falcon512>(PublicKeyCodec::ethfalcon, bytes_of_words(test.at("publicKeyNttCompact"))),
                              "publicKeyNttCompact");
        Bytes encoded = hex_field(test, "salt");
        const Bytes words = bytes_of_words(test.at("s2Compact"));
        encoded.insert(encoded.end(), words.begin(), words.end());
        const auto signature = must(decode_signature<Falcon512>(SignatureCodec::ethfalcon, encoded), "s2Compact");
        const Bytes message = hex_field(test, "message");
        run.native(id + " encodings", "encodings", [&]() -> Status {
            if (auto e = expect_poly("NTT(h)", key.h_ntt(), test.at("publicKeyNtt").get<std::vector<int>>()); !e) return e;
            if (!test.contains("hashToPoint")) return ok();
            return expect_poly("point", hash_to_point<Falcon512>(policy_of(test), signature.salt, message),
                               test.at("hashToPoint").get<std::vector<int>>());
        });
        verify_case<Falcon512>(run, id, policy_of(test), key, message, signature);
    }
}

Status check_point(const json& test) {
    return expect_poly("point", hash_to_point<Falcon512>(policy_of(test), salt_of(hex_field(test, "salt")), hex_field(test, "message")),
                       test.at("hashToPoint").get<std::vector<int>>());
}

SmallPoly<Falcon512> wide_small(ByteView bytes) {
    Poly<Falcon512> u;
    for (std::size_t i = 0; i < 512; ++i) u[i] = static_cast<std::uint16_t>(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    return must(small_from_residues<Falcon512>(u), "16-bit coefficients");
}

void run_16bit(const Document& d, Run& run) {
    std::size_t index = 0;
    for (const auto& test : d.json().at("tests")) {
        const std::string id = fmt::format("test {}", index++);
        const Bytes sm = hex_field(test, "sm");
        const auto mlen = test.at("mlen").get<std::size_t>();
        const std::string scheme = test.at("scheme");
        if (scheme != "falcon" && scheme != "ethfalcon") {
            run.skip("layout of an EPERVIER signature without a defined meaning");
            continue;
        }
        const Bytes pk = hex_field(test, "pk");
        if (pk.size() != 1025 || sm.size() != 42 + mlen + 1 + 1024) throw Malformed("pk or sm of the wrong length");
        Poly<Falcon512> h;
        for (std::size_t i = 0; i < 512; ++i) h[i] = static_cast<std::uint16_t>(pk[1 + 2 * i] << 8 | pk[2 + 2 * i]);
        const auto key = must(PublicKey<Falcon512>::from_coefficients(h), "pk");
        const ByteView view(sm);
        const Bytes message(sm.begin() + 42, sm.begin() + 42 + static_cast<std::ptrdiff_t>(mlen));
        verify_case<Falcon512>(run, id, policy_of(test), key, message,
                               Signature<Falcon512>{salt_of(view.subspan(2)), wide_small(view.subspan(43 + mlen))});
    }
}

Status check_encoding(const json& test) {
    if (test.contains("compressed")) {
        SmallPoly<Falcon512> s;
        if (auto e = decompress(s, hex_field(test, "compressed"), true); !e) return e;
        return expect_poly("coefficients", s, test.at("coefficients").get<std::vector<int>>());
    }
    const auto key = must(decode_public_key<Falcon512>(PublicKeyCodec::nist, hex_field(test, "pk")), "pk");
    if (auto e = expect_poly("publicKey", key.h(), test.at("publicKey").get<std::vector<int>>()); !e) return e;
    const auto sm = must(decode_sm<Falcon512>(SmForm::compressed, hex_field(test, "sm")), "sm");
    if (auto e = expect_equal("message", sm.message, hex_field(test, "message")); !e) return e;
    if (auto e = expect_equal("salt", sm.signature.salt, hex_field(test, "salt")); !e) return e;
    Poly<Falcon512> residues;
    for (std::size_t i = 0; i < 512; ++i) residues[i] = to_residue(sm.signature.s2[i]);
    if (auto e = expect_poly("s2", residues, test.at("s2").get<std::vector<int>>()); !e) return e;
    return expect_poly("point", hash_to_point<Falcon512>(HashToPoint::shake256, sm.signature.salt, sm.message),
                       test.at("hashToPoint").get<std::vector<int>>());
}

Status check_epervier(const json& test) {
    EpervierArguments arguments;
    arguments.salt = salt_of(hex_field(test, "salt"));
    const Bytes s1 = bytes_of_words(test.at("s1Compact"));
    const Bytes s2 = bytes_of_words(test.at("s2Compact"));
    for (std::size_t i = 0; i < 1024; ++i) {
        arguments.s1[i / 32][i % 32] = s1[i];
        arguments.s2[i / 32][i % 32] = s2[i];
    }
    arguments.hint = test.at("hint").get<std::uint16_t>();
    const auto signature = epervier_from_arguments(arguments);
    if (!signature) return signature.error();
    const auto key = epervier_recover(hex_field(test, "message"), *signature, policy_of(test));
    if (!key) return key.error();
    const std::string address = to_hex_0x(epervier_address(*key));
    return address == test.at("address").get<std::string>() ? ok() : Status(Error{"address is " + address});
}

constexpr Kind kKinds[] = {
    {"falcon-answers",
     [](const Document& d) {
         if (!d.entries_have({"pk", "sk", "sm", "seed"})) return false;
         const auto size = d.entries().front().at("pk").size();
         return size == 2 * 897 || size == 2 * 1793;
     },
     [](const Document& d, Run& run) {
         if (d.entries().front().at("pk").size() == 2 * 897)
             run_answers<Falcon512>(d, run);
         else
             run_answers<Falcon1024>(d, run);
     }},
    {"falcon-hash-to-point",
     [](const Document& d) {
         return d.entries_have({"hash", "salt", "msg"});
     },
     run_hash_to_point},
    {"falcon-core",
     [](const Document& d) {
         return d.entries_have({"hashtopoint", "s2", "pk"});
     },
     run_core},
    {"falcon-samplerz",
     [](const Document& d) {
         return d.tests_have({"sigmin", "octets"});
     },
     [](const Document& d, Run& run) { each(d, run, "sampler", check_sampler); }},
    {"falcon-signing",
     [](const Document& d) {
         return d.tests_have({"prng_seed", "nonce"});
     },
     run_signing},
    {"falcon-original",
     [](const Document& d) {
         return d.tests_have({"logn", "publicKey", "signature"});
     },
     run_original},
    {"falcon-verification",
     [](const Document& d) {
         return d.tests_have({"publicKeyNttCompact", "s2Compact"});
     },
     run_three_xofs},
    {"falcon-points",
     [](const Document& d) {
         return d.tests_have({"xof", "salt", "hashToPoint"});
     },
     [](const Document& d, Run& run) { each(d, run, "hash-to-point", check_point); }},
    {"falcon-16-bit",
     [](const Document& d) {
         return d.tests_have({"pk", "sm", "mlen", "scheme"});
     },
     run_16bit},
    {"falcon-encodings",
     [](const Document& d) {
         return d.tests_have({"compressed", "coefficients"});
     },
     [](const Document& d, Run& run) { each(d, run, "decoding", check_encoding); }},
    {"epervier-recovery",
     [](const Document& d) {
         return d.tests_have({"s1Compact", "s2Compact", "hint"});
     },
     [](const Document& d, Run& run) { each(d, run, "key recovery", check_epervier); }},
};

}  // namespace

std::span<const Kind> falcon_kinds() { return kKinds; }

}  // namespace postern::kat
