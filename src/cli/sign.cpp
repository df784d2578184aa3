// postern sign and postern verify.

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/falcon.hpp"
#include "cli/files.hpp"
#include "cli/keys.hpp"
#include "cli/message_options.hpp"
#include "cli/verdict.hpp"

namespace postern::cli {

namespace {

struct SignArguments {
    std::string key, out, scheme, encoding = "raw";
    bool deterministic = false;
    MessageOptions message;
    PassphraseSource passphrase;
};

Bytes encode_signature(const std::string& encoding, const mldsa::Scheme& scheme, ByteView signature) {
    for (const Form form : {Form::raw, Form::hex, Form::base64})
        if (encoding == name(form)) return write_form(form, signature);
    if (encoding == "pem") {
        const std::string text = keys::encode_pem(signature_label(scheme), signature);
        return {text.begin(), text.end()};
    }
    fail(Exit::usage, "unknown encoding '{}' (known: raw, hex, base64, pem)", encoding);
}

void only_once_stdin(std::initializer_list<std::string> paths) {
    if (std::count(paths.begin(), paths.end(), "-") > 1) fail(Exit::usage, "only one input can be standard input");
}

void sign(const SignArguments& a, Console& console) {
    only_once_stdin({a.key, a.message.in});
    const bool other = a.message.mu || !a.message.context.empty() || !a.message.context_hex.empty() || !a.message.prehash.empty();
    if (falcon_sign({a.key, a.message.in, a.out, a.scheme, a.encoding, a.deterministic, other}, a.passphrase, console)) return;
    const auto loaded = load_private_key(a.key, read_file(a.key), scheme_option(a.scheme), a.passphrase);
    const mldsa::PrivateKey& key = loaded.value;
    encode_signature(a.encoding, key.scheme(), {});  // before the work
    const auto mu = a.message.representative(key.scheme(), key.tr());
    const auto rnd = a.deterministic ? mldsa::Randomness::deterministic() : mldsa::Randomness::fresh();
    Outputs outputs(console);
    outputs.add(a.out, encode_signature(a.encoding, key.scheme(), mldsa::sign_mu(key, mu, rnd)));
    outputs.commit();
}

struct VerifyArguments {
    std::string key, signature, scheme;
    bool json = false;
    MessageOptions message;
};

void verify(const VerifyArguments& a, Console& console) {
    only_once_stdin({a.key, a.message.in, a.signature});
    const bool other = a.message.mu || !a.message.context.empty() || !a.message.context_hex.empty() || !a.message.prehash.empty();
    if (falcon_verify({a.key, a.message.in, a.signature, a.scheme, a.json, other}, console)) return;
    const auto key = load_public_key(a.key, read_file(a.key), scheme_option(a.scheme));
    const auto signature = load_signature(a.signature, read_file(a.signature), key.value.scheme());
    const auto mu = a.message.representative(key.value.scheme(), key.value.tr());
    const auto verdict = mldsa::verify_mu(key.value, mu, mldsa::SignatureView(signature.value));
    print_verdict(a.json, verdict.valid, verdict.reason, console);
}

}  // namespace

void add_sign(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("sign", "Sign a message file");
    const auto a = std::make_shared<SignArguments>();
    cmd->add_option("--key", a->key, "Private key file")->required()->type_name("KEY");
    a->message.add_options(*cmd);
    cmd->add_option("--out", a->out, "Signature file to write")->required()->type_name("SIG");
    cmd->add_flag("--deterministic", a->deterministic, "Without randomness (the default is hedged)");
    cmd->add_option("--encoding", a->encoding, "Encoding of the signature: raw, hex, base64 or pem")->type_name("E");
    add_scheme_option(*cmd, a->scheme);
    a->passphrase.add_options(*cmd);
    cmd->footer(
        "Examples:\n  postern sign --key key.pem --in message --out sig\n"
        "  cat message | postern sign --key key.pem --in - --out - --encoding hex --context app");
    cmd->callback([a, &console] { sign(*a, console); });
}

void add_verify(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("verify", "Verify a signature: prints valid, or invalid and why");
    const auto a = std::make_shared<VerifyArguments>();
    cmd->add_option("--key", a->key, "Public key file")->required()->type_name("PUB");
    a->message.add_options(*cmd);
    cmd->add_option("--sig", a->signature, "Signature file")->required()->type_name("SIG");
    add_scheme_option(*cmd, a->scheme);
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "Exit code 0 if valid, 1 if invalid, 3 if key or signature cannot be read as such.\n\n"
        "Examples:\n  postern verify --key pub.pem --in message --sig sig\n"
        "  postern verify --key pub.pem --in message --sig sig --prehash sha2-512 --json");
    cmd->callback([a, &console] { verify(*a, console); });
}

}  // namespace postern::cli
