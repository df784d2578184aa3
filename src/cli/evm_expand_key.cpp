// postern evm expand-key: a public key as the verifiers read it from contract code.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/falcon.hpp"
#include "cli/files.hpp"
#include "cli/keys.hpp"
#include "core/hex.hpp"
#include "mldsa/expansion.hpp"

namespace postern::cli {

namespace {

struct Arguments {
    std::string pub, out, layout = "postern", scheme;
    bool json = false;
};

/// The published layout of another verifier (20,545 bytes for ml-dsa-44): a zero byte, tr, NTT(t1 * 2^13), A by rows; eight 32-bit
/// coefficients a word, the first in the lowest bits, canonical.
Bytes fireblocks_blob(const mldsa::PublicKey& key) {
    if (key.scheme().name != "ml-dsa-44") fail(Exit::usage, "the layout fireblocks exists for ml-dsa-44 only");
    const mldsa::ExpandedPublicKey expanded(key);
    Bytes out{0x00};
    const auto tr = expanded.tr();
    out.insert(out.end(), tr.bytes().begin(), tr.bytes().end());
    const auto add = [&](const mldsa::PolyVec& polynomials) {
        for (const auto& f : polynomials)
            for (std::size_t word = 0; word < 32; ++word)
                for (std::size_t lane = 8; lane-- > 0;)
                    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(f[8 * word + lane] >> shift));
    };
    add(expanded.expansion().t1_hat);
    add(expanded.expansion().a_hat);
    return out;
}

struct Expanded {
    std::string scheme;
    std::vector<Bytes> parts;
    std::vector<evm::Address> addresses;  ///< empty where no registry makes such blobs
};

Expanded expand(const Arguments& a) {
    if (a.layout != "postern" && a.layout != "fireblocks") fail(Exit::usage, "unknown layout '{}' (known: postern, fireblocks)", a.layout);
    const auto registered = [](const std::string& scheme, ByteView key) -> Expanded {
        auto blob = contracts::expand_key(scheme, key);
        if (!blob) fail(Exit::usage, "{}", blob.error().message);
        Expanded out{scheme, {}, {}};
        if (const auto registry = contracts::find_registry(blob->scheme, blob->form))
            out.addresses = contracts::key_addresses(*registry, blob->key_hash);
        out.parts = std::move(blob->parts);
        return out;
    };
    const Bytes content = read_file(a.pub);
    if (const auto file = identify_falcon(a.pub, content, a.scheme, "public-key", {})) {
        if (a.layout == "fireblocks") fail(Exit::usage, "the layout fireblocks exists for ml-dsa-44 only");
        return registered(std::string(file->scheme->name), falcon_public_key(a.pub, *file));
    }
    const auto key = load_public_key(a.pub, content, scheme_option(a.scheme)).value;
    if (a.layout == "fireblocks") return {std::string(key.scheme().name), {fireblocks_blob(key)}, {}};
    return registered(std::string(key.scheme().name), key.bytes());
}

void run(const Arguments& a, Console& console) {
    const auto [scheme, parts, addresses] = expand(a);
    if (a.out == "-" && parts.size() > 1) fail(Exit::usage, "the key has {} parts: standard output cannot hold them", parts.size());
    Outputs outputs(console);
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string file = i == 0 ? a.out : fmt::format("{}.{}", a.out, i);
        const Bytes init = contracts::creation_code(parts[i]);
        outputs.add(file, parts[i]);
        if (a.out != "-") outputs.add(file + ".init", init);
        rows.push_back({{"file", file}, {"bytes", parts[i].size()}});
        if (!addresses.empty()) rows.back()["address"] = to_hex_0x(addresses[i]);
    }
    outputs.commit();
    if (a.out == "-") return;
    if (a.json) {
        console.print("{}\n", nlohmann::ordered_json{{"scheme", scheme}, {"layout", a.layout}, {"parts", rows}}.dump(2));
        return;
    }
    for (const auto& row : rows) {
        console.print("{}: {} bytes", row["file"].get<std::string>(), grouped(row["bytes"].get<std::uint64_t>()));
        if (row.contains("address")) console.print(", registered at {}", row["address"].get<std::string>());
        console.print("\n");
    }
}

}  // namespace

void add_evm_expand_key(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("expand-key", "Write the key blob of a public key, and the init code that deploys it");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("pub", a->pub, "Public key file")->required();
    cmd->add_option("--out", a->out, "Blob to write; further parts get .1, .2 ... and init codes .init")->required()->type_name("BLOB");
    cmd->add_option("--layout", a->layout, "postern (default) or fireblocks")->type_name("NAME");
    add_scheme_option(*cmd, a->scheme);
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "A verifier reads these bytes from contracts, and only from those that the registry of the scheme made of the public key (see\n"
        "postern evm register). The init codes deploy the same bytes elsewhere, for other uses and for comparison.\n\n"
        "Example:\n  postern evm expand-key pub.pem --out blob");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
