// postern inspect: what a file is and what a strict decoder says about it. Secrets are not shown.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/any_file.hpp"
#include "cli/commands.hpp"
#include "cli/falcon.hpp"
#include "cli/files.hpp"
#include "core/hex.hpp"

namespace postern::cli {

namespace {

using nlohmann::ordered_json;

struct Arguments {
    std::string file, scheme, type;
    bool json = false;
    PassphraseSource passphrase;
};

ordered_json describe(const mldsa::PublicKey& key) {
    return {{"type", "public key"},           {"scheme", key.scheme().name},
            {"bytes", key.bytes().size()},    {"rho", to_hex(key.bytes().first(mldsa::seed_bytes))},
            {"tr", to_hex(key.tr().bytes())}, {"strict", "accepted"}};
}

ordered_json describe(const mldsa::PrivateKey& key) {
    const auto check = key.check();
    return {{"type", "private key"},
            {"scheme", key.scheme().name},
            {"bytes", key.expanded().size()},
            {"seed", key.seed() ? "known" : "not in the file"},
            {"rho", to_hex(key.expanded().first(mldsa::seed_bytes))},
            {"tr", to_hex(key.tr().bytes())},
            {"strict", check ? "accepted" : "refused: " + check.error().message}};
}

ordered_json describe(const AnySignature& signature) {
    const mldsa::Scheme& s = *signature.schemes.front();
    ordered_json out{{"type", "signature"}};
    if (signature.schemes.size() == 1) {
        out["scheme"] = s.name;
    } else {
        out["scheme"] = ordered_json::array();
        for (const auto* each : signature.schemes) out["scheme"].push_back(each->name);
    }
    out["bytes"] = signature.bytes.size();
    out["c_tilde"] = to_hex(ByteView(signature.bytes).first(s.c_tilde_bytes));
    const auto parts = mldsa::inspect_signature(s, mldsa::SignatureView(signature.bytes));
    if (!parts) {
        out["strict"] = "refused: " + parts.error().message;
        return out;
    }
    out["z_norm"] = parts->z_norm;
    out["z_bound"] = parts->z_bound;
    out["hint_counts"] = parts->hint_counts;
    out["strict"] = parts->z_norm < parts->z_bound ? "accepted" : "refused: norm of z too large";
    return out;
}

std::string to_text(const ordered_json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return value.dump();
    std::string out;
    for (const auto& item : value) out += (out.empty() ? "" : ", ") + to_text(item);
    return out;
}

void run(const Arguments& a, Console& console) {
    if (falcon_inspect(a.file, a.scheme, a.type, a.json, a.passphrase, console)) return;
    const auto file = identify(a.file, read_file(a.file), scheme_option(a.scheme), a.type, a.passphrase);
    ordered_json out = std::visit([](const auto& value) { return describe(value); }, file.value);
    out["form"] = file.form;
    if (a.json) {
        console.print("{}\n", out.dump(2));
        return;
    }
    for (const auto& [key, value] : out.items()) console.print("{:<12} {}\n", key + ":", to_text(value));
}

}  // namespace

void add_inspect(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("inspect", "Say what a key or signature file is, and what a strict decoder says");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("file", a->file, "Key or signature file")->required();
    add_scheme_option(*cmd, a->scheme);
    cmd->add_option("--type", a->type, "public-key, private-key or signature, where the length fits several")->type_name("TYPE");
    a->passphrase.add_options(*cmd);
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer("Examples:\n  postern inspect sig\n  postern inspect key.pem --json");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
