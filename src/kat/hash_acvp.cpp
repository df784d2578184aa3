// NIST ACVP files of SHA-3, SHAKE and cSHAKE. Byte-oriented: cases with odd bits are skipped, and so are the large-data ones.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hash/sha3.hpp"
#include "kat/families.hpp"
#include "kat/hash_functions.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

template <class Hash>
Bytes digest(ByteView message) {
    const auto d = Hash::hash(message);
    return {d.begin(), d.end()};
}

}  // namespace

Bytes digest_of(std::string_view function, ByteView message) {
    if (function == "SHA3-224") return digest<hash::Sha3_224>(message);
    if (function == "SHA3-256") return digest<hash::Sha3_256>(message);
    if (function == "SHA3-384") return digest<hash::Sha3_384>(message);
    if (function == "SHA3-512") return digest<hash::Sha3_512>(message);
    if (function == "Keccak-256") return digest<hash::Keccak256>(message);
    if (function == "Keccak-512") return digest<hash::Keccak512>(message);
    return {};
}

Bytes shake(unsigned security, ByteView message, std::size_t output) {
    Bytes out(output);
    if (security == 128) {
        hash::Shake128 xof;
        xof.absorb(message);
        xof.squeeze(out);
    } else {
        hash::Shake256 xof;
        xof.absorb(message);
        xof.squeeze(out);
    }
    return out;
}

namespace {

using nlohmann::json;

constexpr std::string_view kBits = "bit-oriented: a length is not a whole number of bytes";
constexpr std::string_view kLarge = "gigabytes of input";

std::string id_of(const json& test) { return "tcId " + test.at("tcId").dump(); }

/// `len` bits of `msg`; the field may hold a byte where the length is 0.
Bytes message_of(const json& test) {
    Bytes message = hex_field(test, "msg");
    const auto size = test.at("len").get<std::size_t>() / 8;
    if (message.size() < size) throw Malformed(fmt::format("tcId {}: msg is shorter than len", test.at("tcId").dump()));
    message.resize(size);
    return message;
}

bool whole_bytes(const json& test, const char* field) { return test.at(field).get<std::size_t>() % 8 == 0; }

/// SHA-3: 100 times 1000 hashes of the hash before.
Status sha3_monte_carlo(std::string_view algorithm, const json& test) {
    Bytes md = message_of(test);
    for (const auto& result : test.at("resultsArray")) {
        for (int i = 0; i < 1000; ++i) md = digest_of(algorithm, md);
        if (auto e = expect_equal("md", md, hex_field(result, "md")); !e) return e;
    }
    return ok();
}

/// SHAKE: the next input is the first 128 bits of the output, the next output length comes from its last 16 bits.
Status shake_monte_carlo(unsigned security, const json& group, const json& test) {
    const auto least = group.at("minOutLen").get<std::size_t>() / 8, most = group.at("maxOutLen").get<std::size_t>() / 8;
    if (most < least) throw Malformed("maxOutLen is below minOutLen");
    std::size_t size = bounded_size(most);
    Bytes message = message_of(test);
    for (const auto& result : test.at("resultsArray")) {
        Bytes output;
        for (int i = 0; i < 1000; ++i) {
            message.resize(16);
            output = shake(security, message, size);
            if (output.size() < 2) throw Malformed("minOutLen is too small");
            const std::size_t tail = output[output.size() - 2] * std::size_t{256} + output.back();
            size = least + tail % (most - least + 1);
            message.assign(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(16, output.size())));
        }
        if (auto e = expect_equal("md", output, hex_field(result, "md")); !e) return e;
    }
    return ok();
}

template <class Visit>
void for_each_case(const Document& document, Run& run, Visit visit) {
    for (const auto& group : document.json().at("testGroups")) {
        const auto& type = group.at("testType").get_ref<const std::string&>();
        if (type != "AFT" && type != "VOT" && type != "MCT" && type != "LDT") throw Malformed(fmt::format("unknown testType '{}'", type));
        for (const auto& test : group.at("tests")) {
            if (type == "LDT") {
                run.skip(kLarge);
            } else if (!whole_bytes(test, "len") || (test.contains("outLen") && !whole_bytes(test, "outLen"))) {
                run.skip(kBits);
            } else {
                visit(group, type == "MCT", test);
            }
        }
    }
}

void run_sha3(const Document& d, Run& run) {
    const auto& algorithm = d.json().at("algorithm").get_ref<const std::string&>();
    for_each_case(d, run, [&](const json&, bool monte_carlo, const json& test) {
        run.native(id_of(test), "hashing", [&]() -> Status {
            if (monte_carlo) return sha3_monte_carlo(algorithm, test);
            return expect_equal("md", digest_of(algorithm, message_of(test)), hex_field(test, "md"));
        });
    });
}

unsigned security_of(const Document& d) { return d.json().at("algorithm").get_ref<const std::string&>().ends_with("128") ? 128 : 256; }

void run_shake(const Document& d, Run& run) {
    const unsigned security = security_of(d);
    for_each_case(d, run, [&](const json& group, bool monte_carlo, const json& test) {
        run.native(id_of(test), "hashing", [&]() -> Status {
            if (monte_carlo) return shake_monte_carlo(security, group, test);
            return expect_equal("md", shake(security, message_of(test), bounded_size(test.at("outLen").get<std::size_t>() / 8)),
                                hex_field(test, "md"));
        });
    });
}

Bytes text_bytes(const std::string& text) { return {text.begin(), text.end()}; }

void run_cshake(const Document& d, Run& run) {
    const unsigned security = security_of(d);
    for_each_case(d, run, [&](const json& group, bool monte_carlo, const json& test) {
        // Output lengths of its Monte Carlo test go by single bits.
        if (monte_carlo && group.value("outLenIncrement", 8) % 8 != 0) return run.skip(kBits);
        if (monte_carlo) throw Malformed("a byte-oriented Monte Carlo test of cSHAKE is not known");
        run.native(id_of(test), "hashing", [&]() -> Status {
            const auto& customization = test.at("customization").get_ref<const std::string&>();
            const Bytes s = group.value("hexCustomization", false) ? hex_bytes(customization, "customization") : text_bytes(customization);
            const Bytes function_name = text_bytes(test.at("functionName").get_ref<const std::string&>());
            hash::CShake xof(security, function_name, s);
            xof.absorb(message_of(test));
            Bytes out(bounded_size(test.at("outLen").get<std::size_t>() / 8));
            xof.squeeze(out);
            return expect_equal("md", out, hex_field(test, "md"));
        });
    });
}

template <std::size_t N>
bool one_of(const Document& d, const std::string_view (&names)[N]) {
    return d.has("testGroups") && std::any_of(std::begin(names), std::end(names), [&](auto name) { return d.has("algorithm", name); });
}

constexpr std::string_view kSha3[] = {"SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"};
constexpr std::string_view kShake[] = {"SHAKE-128", "SHAKE-256"};
constexpr std::string_view kCShake[] = {"cSHAKE-128", "cSHAKE-256"};

constexpr Kind kKinds[] = {
    {"acvp-sha3", [](const Document& d) { return one_of(d, kSha3); }, run_sha3},
    {"acvp-shake", [](const Document& d) { return one_of(d, kShake); }, run_shake},
    {"acvp-cshake", [](const Document& d) { return one_of(d, kCShake); }, run_cshake},
};

}  // namespace

std::span<const Kind> hash_acvp_kinds() { return kKinds; }

}  // namespace postern::kat
