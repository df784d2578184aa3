// JSON files about TurboSHAKE, the permutation and BLAKE2s.

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "hash/blake2s.hpp"
#include "hash/keccak_p.hpp"
#include "hash/sha3.hpp"
#include "kat/families.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

using nlohmann::json;

template <class Check>
void each(const Document& d, Run& run, Check check) {
    std::size_t index = 0;
    for (const auto& test : d.json().at("tests")) run.native(fmt::format("test {}", index++), "hashing", [&] { return check(test); });
}

/// The message is in hex, or `length` bytes of the pattern 00 01 .. fa repeated.
Bytes turboshake_message(const json& test) {
    if (test.at("kind") != "ptn") return hex_field(test, "message");
    Bytes message(bounded_size(test.at("length").get<std::size_t>()));
    for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::uint8_t>(i % 251);
    return message;
}

template <class Xof>
Bytes squeeze(Xof xof, ByteView message, std::size_t size) {
    xof.absorb(message);
    Bytes out(size);
    xof.squeeze(out);
    return out;
}

Status check_turboshake(const json& test) {
    const auto& algorithm = test.at("algorithm").get_ref<const std::string&>();
    const auto domain = test.at("domain").get<unsigned>();
    if (domain < 1 || domain > 0x7f) throw Malformed("domain must be 1..127");
    const Bytes message = turboshake_message(test);
    const auto size = bounded_size(test.at("outputLength").get<std::size_t>());
    Bytes out;
    if (algorithm == "TurboSHAKE128") {
        out = squeeze(hash::TurboShake128(static_cast<std::uint8_t>(domain)), message, size);
    } else if (algorithm == "TurboSHAKE256") {
        out = squeeze(hash::TurboShake256(static_cast<std::uint8_t>(domain)), message, size);
    } else {
        throw Malformed(fmt::format("unknown algorithm '{}'", algorithm));
    }
    ByteView shown = out;
    if (test.contains("lastBytes")) {
        const auto last = test.at("lastBytes").get<std::size_t>();
        if (last > out.size()) throw Malformed("lastBytes is more than outputLength");
        shown = shown.last(last);
    }
    return expect_equal("output", shown, hex_field(test, "output"));
}

Status check_permutation(const json& test) {
    Bytes bytes = hex_field(test, "input");
    const auto rounds = test.at("rounds").get<unsigned>();
    if (bytes.size() != 200 || rounds > 24) throw Malformed("the state is 200 bytes, at most 24 rounds");
    std::array<std::uint64_t, 25> state{};
    for (std::size_t i = 0; i < 200; ++i) state[i / 8] |= std::uint64_t{bytes[i]} << 8 * (i % 8);
    hash::keccak_p1600(state, rounds);
    for (std::size_t i = 0; i < 200; ++i) bytes[i] = static_cast<std::uint8_t>(state[i / 8] >> 8 * (i % 8));
    return expect_equal("output", bytes, hex_field(test, "output"));
}

Status check_blake2s(const json& test) {
    const Bytes key = hex_field(test, "key");
    if (key.size() > 32) throw Malformed("a key has at most 32 bytes");
    hash::Blake2s h(key);
    h.update(hex_field(test, "in"));
    return expect_equal("out", h.finish(), hex_field(test, "out"));
}

constexpr Kind kKinds[] = {
    {"turboshake",
     [](const Document& d) {
         return d.tests_have({"algorithm", "domain", "outputLength", "output"});
     },
     [](const Document& d, Run& run) { each(d, run, check_turboshake); }},
    {"keccak-permutation",
     [](const Document& d) {
         return d.tests_have({"rounds", "input", "output"});
     },
     [](const Document& d, Run& run) { each(d, run, check_permutation); }},
    {"blake2s",
     [](const Document& d) {
         return d.has("algorithm", "BLAKE2s-256") && d.tests_have({"in", "key", "out"});
     },
     [](const Document& d, Run& run) { each(d, run, check_blake2s); }},
};

}  // namespace

std::span<const Kind> hash_vector_kinds() { return kKinds; }

}  // namespace postern::kat
