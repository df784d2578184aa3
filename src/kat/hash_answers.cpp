// Known-answer text files of the Keccak family: NIST CAVP, the Keccak team's round-3 files, Keccak-256 of aws-lc.

#include <fmt/format.h>

#include "kat/families.hpp"
#include "kat/hash_functions.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

/// Which function a file is about: its fields do not say, so its heading or its name must.
std::string function_of(const Document& d) {
    if (!d.entries_have({"MD"})) return {};
    const std::string name = d.name() + " " + std::string(d.heading());
    const std::size_t bits = d.entries().front().at("MD").size() * 4;
    const auto says = [&](std::string_view word) { return name.find(word) != std::string::npos; };
    if (d.entries_have({"Outputlen"})) return says("SHAKE128") ? "SHAKE-128" : says("SHAKE256") ? "SHAKE-256" : "";
    if (!d.entries_have({"Msg"}) && !d.entries_have({"Text"})) return {};
    if (says("SHA3_") || says("SHA3-")) return fmt::format("SHA3-{}", bits);
    if (says("Keccak") || says("keccak") || says("MsgKAT_")) return fmt::format("Keccak-{}", bits);
    return {};
}

/// `Len` bits; the field holds a byte where the length is 0.
Bytes message_of(const Entry& entry) {
    Bytes message = entry.hex("Msg");
    if (!entry.has("Len")) return message;
    const std::size_t size = entry.number("Len") / 8;
    if (message.size() < size) throw Malformed(fmt::format("entry at line {}: Msg is shorter than Len", entry.line));
    message.resize(size);
    return message;
}

void run_digests(const Document& d, Run& run) {
    const std::string function = function_of(d);
    if (digest_of(function, {}).empty()) throw Malformed(fmt::format("unknown hash function {}", function));
    for (const Entry& entry : d.entries()) {
        if (entry.has("Repeat")) {
            run.skip("gigabytes of input");
        } else if (entry.has("Len") && entry.number("Len") % 8 != 0) {
            run.skip("bit-oriented: a length is not a whole number of bytes");
        } else {
            run.native(entry.id(), "hashing", [&] { return expect_equal("MD", digest_of(function, message_of(entry)), entry.hex("MD")); });
        }
    }
}

void run_variable_output(const Document& d, Run& run) {
    const unsigned security = function_of(d) == "SHAKE-128" ? 128 : 256;
    for (const Entry& entry : d.entries()) {
        const std::size_t bits = entry.number("Outputlen");
        if (bits % 8 != 0) {
            run.skip("bit-oriented: a length is not a whole number of bytes");
        } else {
            run.native(entry.id(), "hashing",
                       [&] { return expect_equal("MD", shake(security, message_of(entry), bounded_size(bits / 8)), entry.hex("MD")); });
        }
    }
}

constexpr Kind kKinds[] = {
    {"shake-variable-output", [](const Document& d) { return function_of(d).starts_with("SHAKE"); }, run_variable_output},
    {"hash-answers", [](const Document& d) { return !function_of(d).empty(); }, run_digests},
};

}  // namespace

std::span<const Kind> hash_answer_kinds() { return kKinds; }

}  // namespace postern::kat
