// The data files of ML-DSA-ETH-44: expanded keys, SampleInBall, decoding of z, Decompose, and the counter PRNG behind it.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hash/counter_xof.hpp"
#include "hash/xof_family.hpp"
#include "kat/families.hpp"
#include "kat/mldsa_cases.hpp"
#include "mldsa/engine.hpp"
#include "mldsa/packing.hpp"
#include "mldsa/sampling.hpp"

namespace postern::kat {

namespace {

using namespace mldsa;
using nlohmann::json;

const Scheme& eth_or_standard(std::string_view name) {
    if (name == "ML-DSA-ETH-44" || name == "ML-DSA-ETH") return scheme(ParameterSet::ml_dsa_44, XofFamily::keccak_prng);
    return mldsa_scheme(name);
}

/// 32 words of eight 32-bit coefficients, the first in the lowest bits.
Poly poly_from_words(const json& words) {
    if (words.size() != 32) throw Malformed("a polynomial is 32 words");
    Poly f;
    for (std::size_t w = 0; w < 32; ++w) {
        const Bytes word = hex_bytes(words.at(w).get_ref<const std::string&>(), "word");
        if (word.size() != 32) throw Malformed("a word is 32 bytes");
        for (std::size_t lane = 0; lane < 8; ++lane) {
            std::uint32_t value = 0;
            for (std::size_t b = 0; b < 4; ++b) value = value << 8 | word[28 - 4 * lane + b];
            if (value >= static_cast<std::uint32_t>(q)) throw Malformed("a coefficient is not below q");
            f[8 * w + lane] = static_cast<std::int32_t>(value);
        }
    }
    return f;
}

Status expect_poly(std::string_view what, const Poly& actual, const Poly& expected) {
    return actual == expected ? ok() : Status(Error{fmt::format("{} differs", what)});
}

/// Where the file has the public key, its expansion must be the one given; the signature must verify with what is given.
Status check_expanded(const json& test) {
    const Scheme& s = eth_or_standard(test.at("scheme").get_ref<const std::string&>());
    detail::PublicExpansion given;
    for (const auto& row : test.at("aHat"))
        for (const auto& words : row) given.a_hat.push_back(poly_from_words(words));
    for (const auto& words : test.at("t1")) given.t1_hat.push_back(poly_from_words(words));
    const Bytes tr = hex_field(test, "tr");
    if (tr.size() != tr_bytes || given.a_hat.size() != 16 || given.t1_hat.size() != 4) throw Malformed("expanded key of the wrong shape");
    std::copy(tr.begin(), tr.end(), given.tr.begin());

    if (test.contains("publicKey")) {
        const auto key = PublicKey::decode(s, hex_field(test, "publicKey"));
        if (!key) return key.error();
        const ExpandedPublicKey expanded(*key);
        if (auto e = expect_equal("tr", expanded.tr().bytes(), tr); !e) return e;
        for (std::size_t i = 0; i < 16; ++i)
            if (auto e = expect_poly(fmt::format("A[{}][{}]", i / 4, i % 4), expanded.expansion().a_hat.at(i), given.a_hat[i]); !e)
                return e;
        for (std::size_t i = 0; i < 4; ++i)
            if (auto e = expect_poly(fmt::format("t1[{}]", i), expanded.expansion().t1_hat.at(i), given.t1_hat[i]); !e) return e;
    }
    MuHasher mu(s, KeyHash(given.tr), Context{});
    mu.update(hex_field(test, "message"));
    return expect_verdict(s.engine->verify(given, mu.finish(), hex_field(test, "signature")), test.at("result") == "valid");
}

template <class X>
Status check_ball(const json& test) {
    const Bytes c_tilde = hex_field(test, "cTilde");
    if (c_tilde.size() != 32) throw Malformed("cTilde is 32 bytes");
    Poly c;
    sample_in_ball<MlDsa44, X>(std::span<const std::uint8_t, 32>(c_tilde), c);
    const auto& expected = test.at("c");
    if (expected.size() != n) throw Malformed("c has 256 coefficients");
    for (std::size_t i = 0; i < n; ++i)
        if (to_canonical(c[i]) != expected[i].get<std::int32_t>()) return Error{fmt::format("coefficient {} differs", i)};
    return ok();
}

Status check_z(const json& test) {
    const Bytes bytes = hex_field(test, "zBytes");
    constexpr std::size_t kPoly = Sizes<MlDsa44>::z_poly;
    if (bytes.size() != 4 * kPoly || test.at("z").size() != 4) throw Malformed("z of the wrong shape");
    for (std::size_t i = 0; i < 4; ++i) {
        Poly z;
        unpack_z<MlDsa44>(std::span<const std::uint8_t>(bytes).subspan(i * kPoly).first<kPoly>(), z);
        for (std::size_t j = 0; j < n; ++j)
            if (to_canonical(z[j]) != test.at("z").at(i).at(j).get<std::int32_t>()) return Error{fmt::format("z[{}][{}] differs", i, j)};
    }
    return ok();
}

Status check_decompose(const json& test) {
    const auto r = test.at("r").get<std::int32_t>();
    if (high_bits<MlDsa44::gamma2>(r) != test.at("r1").get<std::int32_t>()) return Error{"r1 differs"};
    if (low_bits<MlDsa44::gamma2>(r) != test.at("r0").get<std::int32_t>()) return Error{"r0 differs"};
    return ok();
}

Status check_prng(const json& test) {
    hash::KeccakPrng prng;
    prng.absorb(hex_field(test, "input"));
    const auto matches = [&](ByteView expected) {
        Bytes out(expected.size());
        prng.squeeze(out);
        return expect_equal("output", out, expected);
    };
    if (test.contains("output")) {
        Bytes skipped(bounded_size(test.value("offset", std::size_t{0})));
        prng.squeeze(skipped);
        return matches(hex_field(test, "output"));
    }
    // The first 16 bytes of each block.
    for (const auto& block : test.at("blocks16")) {
        if (auto e = matches(hex_bytes(block.get_ref<const std::string&>(), "block")); !e) return e;
        Bytes rest(16);
        prng.squeeze(rest);
    }
    return ok();
}

/// Runs `check` on every element of `tests`.
template <class Check>
void each(const Document& d, Run& run, std::string_view what, Check check) {
    std::size_t index = 0;
    for (const auto& test : d.json().at("tests")) run.native(fmt::format("test {}", index++), what, [&] { return check(test); });
}

constexpr Kind kKinds[] = {
    {"mldsa-expanded-key",
     [](const Document& d) {
         return d.tests_have({"aHat", "t1", "tr", "signature"});
     },
     [](const Document& d, Run& run) { each(d, run, "verification with an expanded key given", check_expanded); }},
    {"mldsa-sample-in-ball",
     [](const Document& d) {
         return d.tests_have({"tau", "cTilde", "c"});
     },
     [](const Document& d, Run& run) {
         each(d, run, "a part of verification", [](const json& test) {
             const auto& xof = test.at("xof").get_ref<const std::string&>();
             if (xof == "shake256") return check_ball<hash::Fips202>(test);
             if (xof == "keccakprng") return check_ball<hash::KeccakPrng64>(test);
             throw Malformed(fmt::format("unknown xof '{}'", xof));
         });
     }},
    {"mldsa-unpack-z",
     [](const Document& d) {
         return d.tests_have({"zBytes", "z"});
     },
     [](const Document& d, Run& run) { each(d, run, "a part of verification", check_z); }},
    {"mldsa-decompose",
     [](const Document& d) {
         return d.tests_have({"op", "r", "r1", "r0"});
     },
     [](const Document& d, Run& run) { each(d, run, "a part of verification", check_decompose); }},
    {"keccak-prng", [](const Document& d) { return d.has("description") && d.name().starts_with("keccakprng") && d.tests_have({"input"}); },
     [](const Document& d, Run& run) { each(d, run, "hashing", check_prng); }},
};

}  // namespace

std::span<const Kind> mldsa_eth_kinds() { return kKinds; }

}  // namespace postern::kat
