// postern convert: between encodings of keys and signatures.

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/any_file.hpp"
#include "cli/commands.hpp"
#include "cli/falcon.hpp"
#include "cli/files.hpp"

namespace postern::cli {

namespace {

struct Arguments {
    std::string from, codec, in, out, scheme, type, form, message;
    bool encrypt = false;
    PassphraseSource passphrase;
};

Bytes to_bytes(const std::string& text) { return {text.begin(), text.end()}; }

std::optional<Form> plain_form(const std::string& codec) {
    for (const Form form : {Form::raw, Form::hex, Form::base64})
        if (codec == name(form)) return form;
    return std::nullopt;
}

void refuse_private_options(const Arguments& a) {
    if (a.encrypt || !a.form.empty()) fail(Exit::usage, "--form and --encrypt are for private keys; {} is none", a.in);
}

Bytes encode(const Arguments& a, const mldsa::PublicKey& key) {
    refuse_private_options(a);
    if (const auto form = plain_form(a.codec)) return write_form(*form, key.bytes());
    if (a.codec == "pem") return to_bytes(keys::encode_public_pem(key));
    if (!key.scheme().standard()) fail(Exit::usage, "{} has no object identifier, hence no DER form", key.scheme().name);
    return keys::encode_spki(key);
}

Bytes encode(const Arguments& a, const mldsa::PrivateKey& key) {
    const auto form = parse_private_form(!a.form.empty() ? a.form : key.seed() ? "seed" : "expanded");
    if (form != keys::PrivateForm::expanded && !key.seed())
        fail(Exit::malformed, "{} does not hold the seed: only --form expanded can be written", a.in);
    if (a.encrypt && a.codec != "pem" && a.codec != "der") fail(Exit::usage, "--encrypt needs --to pem or --to der");
    if (const auto plain = plain_form(a.codec)) return write_form(*plain, keys::encode_plain(key, form));
    std::optional<std::string> phrase;
    if (a.encrypt) phrase = a.passphrase.get(a.out, true);
    if (a.codec == "pem")
        return to_bytes(keys::encode_private_pem(key, form, phrase ? std::optional<std::string_view>(*phrase) : std::nullopt));
    if (!key.scheme().standard()) fail(Exit::usage, "{} has no object identifier, hence no DER form", key.scheme().name);
    const Bytes der = keys::encode_pkcs8(key, form);
    return phrase ? keys::encrypt(der, *phrase) : der;
}

Bytes encode(const Arguments& a, const AnySignature& signature) {
    refuse_private_options(a);
    const mldsa::Scheme& s = *signature.schemes.front();
    const auto parts = mldsa::inspect_signature(s, mldsa::SignatureView(signature.bytes));
    if (!parts) fail(Exit::malformed, "{}: {}", a.in, parts.error().message);
    if (const auto form = plain_form(a.codec)) return write_form(*form, signature.bytes);
    if (a.codec != "pem") fail(Exit::usage, "a signature has no DER form");
    if (signature.schemes.size() > 1) fail(Exit::malformed, "{} fits several schemes; say which with --scheme", a.in);
    return to_bytes(keys::encode_pem(signature_label(s), signature.bytes));
}

void run(const Arguments& a, Console& console) {
    if (falcon_convert({a.from, a.codec, a.in, a.out, a.scheme, a.type, a.message, a.encrypt, a.form}, a.passphrase, console)) return;
    if (!a.message.empty()) fail(Exit::usage, "--message is for signed messages of Falcon");
    if (!plain_form(a.codec) && a.codec != "pem" && a.codec != "der")
        fail(Exit::usage, "unknown codec '{}' (known: raw, hex, base64, pem, der)", a.codec);
    const auto file = identify(a.in, read_file(a.in), scheme_option(a.scheme), a.type, a.passphrase);
    const Bytes bytes = std::visit([&](const auto& value) { return encode(a, value); }, file.value);
    Outputs outputs(console);
    outputs.may_replace(a.in);
    outputs.add(a.out, bytes, std::holds_alternative<mldsa::PrivateKey>(file.value));
    outputs.commit();
}

}  // namespace

void add_convert(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("convert", "Convert keys and signatures between encodings; each is read strictly");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("--to", a->codec, "Encoding to write: raw, hex, base64, pem or der; for Falcon also a codec")
        ->required()
        ->type_name("CODEC");
    cmd->add_option("--from", a->from, "Falcon: the codec of the file, where its bytes fit several")->type_name("CODEC");
    cmd->add_option("--message", a->message, "Falcon: the message to put into a signed message, or the file for the one taken out")
        ->type_name("FILE");
    cmd->add_option("in", a->in, "File to read")->required();
    cmd->add_option("out", a->out, "File to write (0600 for private keys)")->required();
    cmd->add_option("--form", a->form, "Private keys: seed, expanded or both (default: seed if it is known)")->type_name("FORM");
    add_scheme_option(*cmd, a->scheme);
    cmd->add_option("--type", a->type, "public-key, private-key or signature, where the length fits several")->type_name("TYPE");
    cmd->add_flag("--encrypt", a->encrypt, "Private keys: encrypt with a passphrase");
    a->passphrase.add_options(*cmd);
    cmd->footer(
        "Codecs of Falcon signatures: nist, padded, ct, eip8052 (tip899), ethfalcon, native; epervier, arguments; recoverable;\n"
        "sm, sm-padded, sm-eip8052 with the message. Of Falcon public keys: nist, raw, eip8052, words, ethfalcon, compact.\n"
        "CODEC+FORM with raw, hex, base64, pem or lines (a word a line) names both.\n\n"
        "Examples:\n  postern convert --to hex pub.pem -\n  postern convert --to pem --form both key.der key.pem\n"
        "  postern convert --to pem --scheme ml-dsa-44 sig.raw sig.pem\n"
        "  postern convert --to ethfalcon+lines pub.pem pub.words\n"
        "  postern convert --from compact --to nist --scheme falcon-512 pub.compact pub\n"
        "  postern convert --from sm --to padded --scheme falcon-512 --message msg sm sig");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
