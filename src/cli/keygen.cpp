// postern keygen and postern pubkey.

#include <CLI/CLI.hpp>
#include <memory>
#include <postern/falcon_scheme.hpp>

#include "cli/commands.hpp"
#include "cli/falcon.hpp"
#include "cli/files.hpp"
#include "cli/keys.hpp"
#include "core/hex.hpp"

namespace postern::cli {

namespace {

struct KeygenArguments {
    std::string scheme, seed, form = "seed", out, pub;
    bool encrypt = false;
    PassphraseSource passphrase;
};

mldsa::Seed seed_of(const std::string& hex) {
    if (hex.empty()) return mldsa::Seed::random();
    const auto bytes = from_hex(hex);
    if (!bytes) fail(Exit::usage, "--seed: {}", bytes.error().message);
    auto seed = mldsa::Seed::from(*bytes);
    if (!seed) fail(Exit::usage, "--seed: {}", seed.error().message);
    return std::move(*seed);
}

void keygen(const KeygenArguments& a, Console& console) {
    if (falcon::find_scheme(a.scheme) != nullptr && a.form != "seed") fail(Exit::usage, "--form is for ML-DSA; {} has one form", a.scheme);
    // A passphrase without --encrypt would leave a key in plain that its owner believes encrypted.
    if (!a.encrypt && (!a.passphrase.file.empty() || !a.passphrase.environment.empty()))
        fail(Exit::usage, "a passphrase is given but not --encrypt: the key would be written in plain");
    if (falcon_keygen({a.scheme, a.seed, a.out, a.pub, a.encrypt}, a.passphrase, console)) return;
    const mldsa::Scheme& scheme = *scheme_option(a.scheme);
    const auto form = parse_private_form(a.form);
    if (a.out == "-" && a.pub == "-") fail(Exit::usage, "--out and --pub cannot both be standard output");
    const auto seed = seed_of(a.seed);
    std::optional<std::string> phrase;
    if (a.encrypt) phrase = a.passphrase.get(a.out, true);
    const auto pair = mldsa::generate(scheme, seed);
    Outputs outputs(console);
    outputs.add(a.out, keys::encode_private_pem(pair.private_key, form, phrase ? std::optional<std::string_view>(*phrase) : std::nullopt),
                true);
    if (!a.pub.empty()) outputs.add(a.pub, keys::encode_public_pem(pair.public_key));
    outputs.commit();
}

struct PubkeyArguments {
    std::string key, out, scheme;
    PassphraseSource passphrase;
};

void pubkey(const PubkeyArguments& a, Console& console) {
    if (falcon_pubkey(a.key, a.out, a.scheme, a.passphrase, console)) return;
    const auto key = load_private_key(a.key, read_file(a.key), scheme_option(a.scheme), a.passphrase);
    Outputs outputs(console);
    outputs.add(a.out, keys::encode_public_pem(key.value.public_key()));
    outputs.commit();
}

}  // namespace

void add_keygen(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("keygen", "Make a key pair");
    const auto a = std::make_shared<KeygenArguments>();
    cmd->add_option("--scheme", a->scheme, "Signature scheme (see postern schemes)")->required()->type_name("S");
    cmd->add_option("--seed", a->seed, "Seed instead of a random one")->type_name("HEX");
    cmd->add_option("--form", a->form, "What the private key file holds: seed, expanded or both")->type_name("FORM");
    cmd->add_option("--out", a->out, "Private key file to write (mode 0600)")->required()->type_name("KEY");
    cmd->add_option("--pub", a->pub, "Public key file to write")->type_name("PUB");
    cmd->add_flag("--encrypt", a->encrypt, "Encrypt the private key with a passphrase");
    a->passphrase.add_options(*cmd);
    cmd->footer(
        "Examples:\n  postern keygen --scheme ml-dsa-44 --out key.pem --pub pub.pem\n"
        "  postern keygen --scheme ml-dsa-65 --encrypt --passphrase-env PASS --out key.pem");
    cmd->callback([a, &console] { keygen(*a, console); });
}

void add_pubkey(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("pubkey", "Write the public key of a private key");
    const auto a = std::make_shared<PubkeyArguments>();
    cmd->add_option("--key", a->key, "Private key file")->required()->type_name("KEY");
    cmd->add_option("--out", a->out, "Public key file to write")->required()->type_name("PUB");
    add_scheme_option(*cmd, a->scheme);
    a->passphrase.add_options(*cmd);
    cmd->footer("Example:\n  postern pubkey --key key.pem --out pub.pem");
    cmd->callback([a, &console] { pubkey(*a, console); });
}

}  // namespace postern::cli
