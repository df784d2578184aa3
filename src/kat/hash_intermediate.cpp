// The Keccak team's step-by-step listings (XKCP): every permutation in them, and every sponge example whose message is a
// whole number of bytes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "hash/keccak_p.hpp"
#include "kat/families.hpp"
#include "kat/hash_functions.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

/// A heading ("Input of permutation:") and the bytes below it.
struct Section {
    std::size_t line = 0;
    std::string_view title;
    std::string body;
};

std::vector<Section> sections_of(std::string_view text) {
    std::vector<Section> out;
    std::size_t number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
        if (line.empty()) continue;
        if (line.ends_with(':') || line.starts_with("+++") || line.starts_with("---") || line.starts_with("This is")) {
            out.push_back({number, line, {}});
        } else if (!out.empty()) {
            for (const char c : line)
                if (!std::isspace(static_cast<unsigned char>(c))) out.back().body += c;
        }
    }
    return out;
}

Bytes bytes_of(const Section& s) { return hex_bytes(s.body, fmt::format("line {}", s.line)); }

Status check_permutation(const Bytes& in, const Bytes& out) {
    if (in.size() != 200 || out.size() != 200) throw Malformed("a state is 200 bytes");
    std::array<std::uint64_t, 25> state{};
    for (std::size_t i = 0; i < 200; ++i) state[i / 8] |= std::uint64_t{in[i]} << 8 * (i % 8);
    hash::keccak_p1600(state, 24);
    Bytes bytes(200);
    for (std::size_t i = 0; i < 200; ++i) bytes[i] = static_cast<std::uint8_t>(state[i / 8] >> 8 * (i % 8));
    return expect_equal("state after permutation", bytes, out);
}

void run_permutations(const Document& d, Run& run) {
    const auto sections = sections_of(d.text());
    const Section* input = nullptr;
    for (const Section& s : sections) {
        if (s.title == "Input of permutation:") input = &s;
        if (s.title != "State after permutation:") continue;
        if (input == nullptr) throw Malformed(fmt::format("line {}: a state without an input", s.line));
        run.native(fmt::format("permutation at line {}", input->line), "hashing",
                   [&] { return check_permutation(bytes_of(*input), bytes_of(s)); });
        input = nullptr;
    }
}

Bytes output_of(std::string_view function, const Bytes& message, std::size_t size) {
    if (function.starts_with("SHAKE")) return shake(function == "SHAKE-128" ? 128 : 256, message, size);
    return digest_of(function, message);
}

void run_sponge(const Document& d, Run& run) {
    run_permutations(d, run);
    const std::string function = d.name().find("SHAKE128") != std::string::npos   ? "SHAKE-128"
                                 : d.name().find("SHAKE256") != std::string::npos ? "SHAKE-256"
                                                                                  : "SHA3-256";
    const auto sections = sections_of(d.text());
    for (std::size_t i = 0; i < sections.size();) {
        if (!sections[i].title.starts_with("+++")) {
            ++i;
            continue;
        }
        const std::size_t start = i++;
        Bytes message, output;
        std::size_t bits = 0;
        for (; i < sections.size() && !sections[i].title.starts_with("+++"); ++i) {
            const Section& s = sections[i];
            if (s.title.starts_with("Input message (last byte")) message = bytes_of(s);
            if (s.title == "Input message (in bits):") bits = s.body.size();
            if (s.title.starts_with("Squeezed block")) {
                const Bytes block = bytes_of(s);
                output.insert(output.end(), block.begin(), block.end());
            }
        }
        if (output.empty()) throw Malformed(fmt::format("line {}: an example without output", sections[start].line));
        if (bits % 8 != 0) {
            run.skip("bit-oriented: a length is not a whole number of bytes");
            continue;
        }
        if (message.size() != bits / 8) throw Malformed(fmt::format("line {}: the two forms of the message differ", sections[start].line));
        run.native(fmt::format("example at line {}", sections[start].line), "hashing",
                   [&] { return expect_equal("output", output_of(function, message, output.size()), output); });
    }
}

bool has_states(const Document& d) {
    return d.form() == Document::Form::text && d.text().find("Input of permutation:") != std::string_view::npos &&
           d.text().find("State after permutation:") != std::string_view::npos;
}
bool has_squeezing(const Document& d) { return d.text().find("Squeezed block") != std::string_view::npos; }
bool names_function(const Document& d) {
    for (const std::string_view name : {"SHA3-256", "SHAKE128", "SHAKE256"})
        if (d.name().find(name) != std::string::npos) return true;
    return false;
}

constexpr Kind kKinds[] = {
    {"keccak-sponge-steps", [](const Document& d) { return has_states(d) && has_squeezing(d) && names_function(d); }, run_sponge},
    {"keccak-permutation-steps", [](const Document& d) { return has_states(d) && !has_squeezing(d); }, run_permutations},
};

}  // namespace

std::span<const Kind> hash_intermediate_kinds() { return kKinds; }

}  // namespace postern::kat
