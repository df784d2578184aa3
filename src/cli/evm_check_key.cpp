// postern evm check-key: the duties of a registry off chain. Is this public key acceptable, and are these bytes its blob?

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/files.hpp"
#include "cli/keys.hpp"
#include "core/hex.hpp"

namespace postern::cli {

namespace {

using nlohmann::ordered_json;

struct Arguments {
    std::string pub, blob, scheme, address;
    bool json = false;
};

/// Code as it is, or as hex (as nodes print it): a blob begins with a zero byte, hex text never does.
Bytes load_code(const std::string& path) {
    const Bytes content = read_file(path);
    if (content.empty() || content.front() == 0) return content;
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    const auto end = text.find_last_not_of(" \t\r\n");
    auto decoded = from_hex(text.substr(0, end == std::string_view::npos ? 0 : end + 1));
    return decoded ? std::move(*decoded) : content;
}

struct Checks {
    ordered_json list = ordered_json::array();
    std::string first_fault;

    bool add(const std::string& what, bool good, const std::string& fault) {
        list.push_back({{"check", what}, {"passed", good}});
        if (!good) list.back()["reason"] = fault;
        if (!good && first_fault.empty()) first_fault = fault;
        return good;
    }
};

/// Where two blobs differ first, in words.
std::string difference(ByteView found, ByteView expected) {
    if (found.size() != expected.size()) return fmt::format("{} bytes, expected {}", found.size(), expected.size());
    const auto at = static_cast<std::size_t>(std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin());
    return fmt::format("byte {} is 0x{:02x}, expected 0x{:02x}", at, found[at], expected[at]);
}

void check_parts(const Arguments& a, const contracts::KeyBlob& expected, Checks& checks) {
    for (std::size_t i = 0; i < expected.parts.size(); ++i) {
        const std::string file = i == 0 ? a.blob : fmt::format("{}.{}", a.blob, i);
        const Bytes found = load_code(file);
        const bool same = found == expected.parts[i];
        checks.add(fmt::format("part {}", i), same, same ? "" : fmt::format("{}: {}", file, difference(found, expected.parts[i])));
    }
}

void run(const Arguments& a, Console& console) {
    const auto key = load_public_key(a.pub, read_file(a.pub), scheme_option(a.scheme)).value;
    const std::string scheme(key.scheme().name);
    const auto registry = contracts::find_registry(scheme);
    const auto blob = contracts::expand_key(scheme, key.bytes());
    if (!registry || !blob) fail(Exit::usage, "no verifier reads registered keys of {}", scheme);
    const auto addresses = contracts::key_addresses(*registry, blob->key_hash);
    Checks checks;
    const auto acceptable = contracts::check_key(scheme, key.bytes());
    checks.add("key", acceptable.has_value(), acceptable ? "" : acceptable.error().message);
    if (!a.blob.empty()) check_parts(a, *blob, checks);
    if (!a.address.empty()) {
        const auto given = evm::parse_address(a.address);
        if (!given) fail(Exit::usage, "--address: {}", given.error().message);
        checks.add("address", *given == addresses.front(),
                   fmt::format("the registry puts this key at {}, not at {}", to_hex_0x(addresses.front()), to_hex_0x(*given)));
    }
    const bool valid = checks.first_fault.empty();
    if (!valid) console.code = Exit::refused;
    if (a.json) {
        ordered_json out{{"valid", valid},
                         {"scheme", scheme},
                         {"key_hash", to_hex_0x(blob->key_hash)},
                         {"address", to_hex_0x(addresses.front())},
                         {"checks", checks.list}};
        if (!valid) out["reason"] = checks.first_fault;
        console.print("{}\n", out.dump(2));
        return;
    }
    if (!valid) {
        console.print("invalid: {}\n", checks.first_fault);
        return;
    }
    console.print("valid: {}{}; registered at {}\n", scheme, a.blob.empty() ? " key" : " key and all parts of its blob",
                  to_hex_0x(addresses.front()));
}

}  // namespace

void add_evm_check_key(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("check-key", "Is a public key acceptable, and is a blob its expansion, byte for byte?");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("pub", a->pub, "Public key file")->required()->type_name("PUB");
    cmd->add_option("blob", a->blob, "Code of part 0, raw or hex; further parts are read from BLOB.1, BLOB.2 ...")->type_name("BLOB");
    cmd->add_option("--address", a->address, "Address of part 0: must be the one at which the registry creates it")->type_name("ADDRESS");
    add_scheme_option(*cmd, a->scheme);
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "The same duties as those of the registry contracts: exact length, no degenerate row of t1, every byte of every part rebuilt\n"
        "from the public key and compared. Exit code 0 if everything holds, 1 if not.\n\n"
        "Examples:\n  postern evm check-key pub.pem\n  postern evm check-key pub.pem blob --address 0x5099...");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
