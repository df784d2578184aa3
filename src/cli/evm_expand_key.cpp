// postern evm expand-key: a public key as the verifiers read it from contract code.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/evm.hpp"
#include "cli/files.hpp"
#include "cli/keys.hpp"
#include "core/hex.hpp"
#include "hash/sha3.hpp"
#include "mldsa/expansion.hpp"

namespace postern::cli {

namespace {

struct Arguments {
    std::string pub, out, layout = "postern", scheme;
    std::vector<std::string> links;
    bool json = false;
};

/// The deterministic deployment factory that most tools use; salt zero.
evm::Address create2_address(ByteView init) {
    constexpr evm::Address kFactory{0x4e, 0x59, 0xb4, 0x48, 0x47, 0xb3, 0x79, 0x57, 0x85, 0x88,
                                    0x92, 0x0c, 0xa7, 0x8f, 0xbf, 0x26, 0xc0, 0xb4, 0x95, 0x6c};
    Bytes preimage{0xff};
    preimage.insert(preimage.end(), kFactory.begin(), kFactory.end());
    preimage.resize(1 + 20 + 32);
    const auto init_hash = hash::keccak256(init);
    preimage.insert(preimage.end(), init_hash.begin(), init_hash.end());
    const auto digest = hash::keccak256(preimage);
    evm::Address address{};
    std::copy(digest.begin() + 12, digest.end(), address.begin());
    return address;
}

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

/// Part i > 0 is deployed through the factory unless its address is given.
void link_parts(contracts::KeyBlob& blob, const std::vector<std::string>& given) {
    std::vector<evm::Address> others;
    if (!given.empty() && given.size() + 1 != blob.parts.size())
        fail(Exit::usage, "--link: {} addresses, expected {}", given.size(), blob.parts.size() - 1);
    for (std::size_t i = 1; i < blob.parts.size(); ++i) {
        if (given.empty()) {
            others.push_back(create2_address(contracts::creation_code(blob.parts[i])));
            continue;
        }
        const auto address = evm::parse_address(given[i - 1]);
        if (!address) fail(Exit::usage, "--link {}: {}", given[i - 1], address.error().message);
        others.push_back(*address);
    }
    contracts::link(blob, others);
}

void run(const Arguments& a, Console& console) {
    const auto key = load_public_key(a.pub, read_file(a.pub), scheme_option(a.scheme)).value;
    std::vector<Bytes> parts;
    if (a.layout == "postern") {
        auto blob = contracts::expand_key(key.scheme().name, key.bytes());
        if (!blob) fail(Exit::usage, "{}", blob.error().message);
        link_parts(*blob, a.links);
        parts = std::move(blob->parts);
    } else if (a.layout == "fireblocks") {
        parts.push_back(fireblocks_blob(key));
    } else {
        fail(Exit::usage, "unknown layout '{}' (known: postern, fireblocks)", a.layout);
    }
    if (a.out == "-" && parts.size() > 1) fail(Exit::usage, "the key has {} parts: standard output cannot hold them", parts.size());
    Outputs outputs(console);
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string file = i == 0 ? a.out : fmt::format("{}.{}", a.out, i);
        const Bytes init = contracts::creation_code(parts[i]);
        outputs.add(file, parts[i]);
        if (a.out != "-") outputs.add(file + ".init", init);
        rows.push_back({{"file", file}, {"bytes", parts[i].size()}, {"create2_address", to_hex_0x(create2_address(init))}});
    }
    outputs.commit();
    if (a.out == "-") return;
    if (a.json) {
        console.print("{}\n", nlohmann::ordered_json{{"scheme", key.scheme().name}, {"layout", a.layout}, {"parts", rows}}.dump(2));
        return;
    }
    for (const auto& row : rows)
        console.print("{}: {} bytes, through the CREATE2 factory at {}\n", row["file"].get<std::string>(),
                      grouped(row["bytes"].get<std::uint64_t>()), row["create2_address"].get<std::string>());
}

}  // namespace

void add_evm_expand_key(CLI::App& evm, Console& console) {
    CLI::App* cmd = evm.add_subcommand("expand-key", "Write the key blob of a public key, and the init code that deploys it");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("pub", a->pub, "Public key file")->required();
    cmd->add_option("--out", a->out, "Blob to write; further parts get .1, .2 ... and init codes .init")->required()->type_name("BLOB");
    cmd->add_option("--layout", a->layout, "postern (default) or fireblocks")->type_name("NAME");
    cmd->add_option("--link", a->links, "Addresses of the parts after the first (default: their CREATE2 addresses, salt 0)")
        ->type_name("ADDRESS");
    add_scheme_option(*cmd, a->scheme);
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer("Example:\n  postern evm expand-key pub.pem --out blob");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
