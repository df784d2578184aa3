// The Falcon schemes behind keygen, pubkey, sign, verify, inspect and convert, and the recover subcommand.

#include "cli/falcon.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <postern/falcon_codec.hpp>
#include <postern/keys.hpp>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/forms.hpp"
#include "cli/verdict.hpp"
#include "core/hex.hpp"

namespace postern::cli {

using falcon::Scheme;
using Type = FalconFile::Type;

namespace {

std::string_view name(Type type) {
    return type == Type::public_key ? "public key" : type == Type::private_key ? "private key" : "signature";
}
std::string label(const Scheme& scheme, std::string_view kind) { return keys::postern_label(scheme.name, kind); }

template <class T>
T decoded(const std::string& path, Result<T> result) {
    if (!result) fail(Exit::malformed, "{}: {}", path, result.error().message);
    return std::move(*result);
}

std::string joined(const std::vector<std::string_view>& names) {
    std::string out;
    for (const auto n : names) out += fmt::format("{}{}", out.empty() ? "" : ", ", n);
    return out;
}

std::vector<std::string_view> public_codecs(const Scheme& scheme, ByteView bytes) {
    std::vector<std::string_view> out;
    for (const auto codec : falcon::public_key_codecs())
        if (falcon::convert_public_key(scheme, falcon::name(codec), "nist", bytes)) out.push_back(falcon::name(codec));
    return out;
}

/// The schemes a plain file is tried with: the one named, else the two standard ones.
std::vector<const Scheme*> candidates(const std::string& scheme) {
    if (!scheme.empty()) return {falcon::find_scheme(scheme)};
    return {falcon::find_scheme("falcon-512"), falcon::find_scheme("falcon-1024")};
}

/// Every way to read these bytes as a Falcon file.
std::vector<FalconFile> possibilities(const Scheme& scheme, ByteView bytes, const std::string& type) {
    std::vector<FalconFile> out;
    const Bytes copy(bytes.begin(), bytes.end());
    if ((type.empty() || type == "private-key") && bytes.size() == scheme.private_key_bytes && bytes[0] == 0x50 + scheme.logn)
        out.push_back({&scheme, Type::private_key, {}, copy, {}});
    if (type.empty() || type == "public-key")
        for (const auto codec : public_codecs(scheme, bytes)) out.push_back({&scheme, Type::public_key, std::string(codec), copy, {}});
    if (type.empty() || type == "signature")
        for (const auto codec : falcon::fitting_codecs(scheme, bytes))
            out.push_back({&scheme, Type::signature, std::string(codec), copy, {}});
    return out;
}

std::optional<FalconFile> from_pem(const std::string& path, ByteView content, const std::string& wanted,
                                   const PassphraseSource& passphrase) {
    const auto block = keys::decode_pem(as_text(content));
    if (!block) return std::nullopt;  // the other decoder says what is wrong
    for (const Scheme& scheme : falcon::schemes()) {
        std::optional<FalconFile> file;
        if (block->label == label(scheme, "PRIVATE KEY")) file = FalconFile{&scheme, Type::private_key, {}, block->bytes, "PEM"};
        if (block->label == label(scheme, "PUBLIC KEY")) file = FalconFile{&scheme, Type::public_key, "nist", block->bytes, "PEM"};
        if (block->label == label(scheme, "ENCRYPTED PRIVATE KEY"))
            file = FalconFile{
                &scheme, Type::private_key, {}, decoded(path, keys::decrypt(block->bytes, passphrase.get(path, false))), "PEM, encrypted"};
        if (block->label == label(scheme, "SIGNATURE")) {
            const auto fitting = falcon::fitting_codecs(scheme, block->bytes);
            if (fitting.size() != 1) fail(Exit::malformed, "{}: not a signature of {} in one known codec", path, scheme.name);
            file = FalconFile{&scheme, Type::signature, std::string(fitting.front()), block->bytes, "PEM"};
        }
        if (!file) continue;
        if (!wanted.empty() && wanted != scheme.name) fail(Exit::malformed, "{} belongs to {}, expected {}", path, scheme.name, wanted);
        return file;
    }
    return std::nullopt;
}

FalconFile expect(const std::string& path, std::optional<FalconFile> file, Type type) {
    if (!file) fail(Exit::malformed, "{}: not a {} of Falcon", path, name(type));
    if (file->type != type) fail(Exit::malformed, "{} holds a {}, expected a {}", path, name(file->type), name(type));
    return std::move(*file);
}

void once_stdin(std::initializer_list<std::string> paths) {
    if (std::count(paths.begin(), paths.end(), "-") > 1) fail(Exit::usage, "only one input can be standard input");
}

Bytes as_pem(const Scheme& scheme, std::string_view kind, ByteView bytes) {
    const std::string text = keys::encode_pem(label(scheme, kind), bytes);
    return {text.begin(), text.end()};
}
Bytes private_pem(const Scheme& scheme, ByteView bytes, const std::optional<std::string>& phrase) {
    if (!phrase) return as_pem(scheme, "PRIVATE KEY", bytes);
    return as_pem(scheme, "ENCRYPTED PRIVATE KEY", keys::encrypt(bytes, *phrase));
}

struct Encoding {
    std::string_view codec;
    std::string form;
};
/// "padded", "hex", "padded+hex": a codec of the scheme, a form of bytes, or both.
Encoding parse_encoding(const Scheme& scheme, const std::string& text) {
    Encoding out{scheme.codec, "raw"};
    const auto known = falcon::codecs(scheme);
    const auto plus = text.find('+');
    for (const auto& part : {text.substr(0, plus), plus == std::string::npos ? std::string() : text.substr(plus + 1)}) {
        if (part.empty()) continue;
        const std::string codec = part == "tip899" ? "eip8052" : part;
        if (const auto at = std::find(known.begin(), known.end(), codec); at != known.end())
            out.codec = *at;
        else if (part == "raw" || part == "hex" || part == "base64" || part == "pem")
            out.form = part;
        else
            fail(Exit::usage, "unknown encoding '{}' (known: raw, hex, base64, pem, {}; CODEC+FORM for both)", part, joined(known));
    }
    return out;
}
Bytes in_form(const Scheme& scheme, const std::string& form, std::string_view kind, ByteView bytes) {
    if (form == "pem") return as_pem(scheme, kind, bytes);
    return write_form(form == "hex" ? Form::hex : form == "base64" ? Form::base64 : Form::raw, bytes);
}

}  // namespace

std::optional<FalconFile> identify_falcon(const std::string& path, ByteView content, const std::string& scheme, const std::string& type,
                                          const PassphraseSource& passphrase) {
    if (!scheme.empty() && falcon::find_scheme(scheme) == nullptr) return std::nullopt;
    if (is_pem(content)) return from_pem(path, content, scheme, passphrase);
    std::vector<FalconFile> found;
    for (const auto& reading : readings(content))
        for (const Scheme* s : candidates(scheme))
            for (auto& file : possibilities(*s, reading.bytes, type)) {
                file.form = cli::name(reading.form);
                found.push_back(std::move(file));
            }
    if (found.empty()) return std::nullopt;
    if (found.size() > 1) {
        std::string names;
        for (const auto& file : found)
            names += fmt::format("{}{} {} {}", names.empty() ? "" : "; ", file.scheme->name, name(file.type), file.codec);
        fail(Exit::malformed, "{} is ambiguous: {}; say which with --type or --scheme", path, names);
    }
    return std::move(found.front());
}

bool falcon_keygen(const FalconKeygen& a, const PassphraseSource& passphrase, Console& console) {
    const Scheme* scheme = falcon::find_scheme(a.scheme);
    if (scheme == nullptr) return false;
    if (a.out == "-" && a.pub == "-") fail(Exit::usage, "--out and --pub cannot both be standard output");
    Bytes seed;
    if (!a.seed.empty()) {
        const auto bytes = from_hex(a.seed);
        if (!bytes) fail(Exit::usage, "--seed: {}", bytes.error().message);
        if (bytes->size() != 48) fail(Exit::usage, "--seed: {} bytes, expected 48 for Falcon", bytes->size());
        seed = *bytes;
    }
    std::optional<std::string> phrase;
    if (a.encrypt) phrase = passphrase.get(a.out, true);
    const auto pair = falcon::generate(*scheme, seed);
    Outputs outputs(console);
    outputs.add(a.out, private_pem(*scheme, pair.private_key, phrase), true);
    if (!a.pub.empty()) outputs.add(a.pub, as_pem(*scheme, "PUBLIC KEY", pair.public_key));
    outputs.commit();
    return true;
}

bool falcon_pubkey(const std::string& key, const std::string& out, const std::string& scheme, const PassphraseSource& passphrase,
                   Console& console) {
    const auto file = identify_falcon(key, read_file(key), scheme, "private-key", passphrase);
    if (!file) return false;
    const auto loaded = expect(key, file, Type::private_key);
    Outputs outputs(console);
    outputs.add(out, as_pem(*loaded.scheme, "PUBLIC KEY", decoded(key, falcon::public_key_of(*loaded.scheme, loaded.bytes))));
    outputs.commit();
    return true;
}

bool falcon_sign(const FalconSign& a, const PassphraseSource& passphrase, Console& console) {
    const auto file = identify_falcon(a.key, read_file(a.key), a.scheme, "private-key", passphrase);
    if (!file) return false;
    const auto key = expect(a.key, file, Type::private_key);
    if (a.other_options) fail(Exit::usage, "{} has no context, pre-hashing or mu", key.scheme->name);
    const auto encoding = parse_encoding(*key.scheme, a.encoding);
    const Bytes message = read_file(a.in);
    const Bytes signature = decoded(a.key, falcon::sign(*key.scheme, key.bytes, message, encoding.codec, a.deterministic));
    Outputs outputs(console);
    outputs.add(a.out, in_form(*key.scheme, encoding.form, "SIGNATURE", signature));
    outputs.commit();
    return true;
}

bool falcon_verify(const FalconVerify& a, Console& console) {
    const auto file = identify_falcon(a.key, read_file(a.key), a.scheme, "public-key", {});
    if (!file) return false;
    const auto key = expect(a.key, file, Type::public_key);
    if (a.other_options) fail(Exit::usage, "{} has no context, pre-hashing or mu", key.scheme->name);
    const Bytes message = read_file(a.in);
    const auto signature = expect(
        a.signature, identify_falcon(a.signature, read_file(a.signature), std::string(key.scheme->name), "signature", {}), Type::signature);
    const Bytes wire = decoded(a.key, falcon::convert_public_key(*key.scheme, key.codec, "nist", key.bytes));
    const auto verdict = decoded(a.signature, falcon::verify(*key.scheme, wire, message, signature.bytes, signature.codec));
    print_verdict(a.json, verdict.valid, verdict.reason, console);
    return true;
}

bool falcon_inspect(const std::string& file, const std::string& scheme, const std::string& type, bool json,
                    const PassphraseSource& passphrase, Console& console) {
    const auto found = identify_falcon(file, read_file(file), scheme, type, passphrase);
    if (!found) return false;
    const Scheme& s = *found->scheme;
    nlohmann::ordered_json out{{"type", name(found->type)}, {"scheme", s.name}, {"bytes", found->bytes.size()}};
    if (!found->codec.empty()) out["codec"] = found->codec;
    if (found->type == Type::private_key) {
        const auto wire = falcon::public_key_of(s, found->bytes);
        out["strict"] = wire ? "accepted" : "refused: " + wire.error().message;
    } else if (found->type == Type::public_key) {
        const auto wire = falcon::convert_public_key(s, found->codec, "nist", found->bytes);
        if (wire && s.kind != Scheme::Kind::plain) out["address"] = to_hex_0x(decoded(file, falcon::address_of(s, *wire)));
        out["strict"] = wire ? "accepted" : "refused: " + wire.error().message;
    } else {
        const auto facts = falcon::inspect_signature(s, found->codec, found->bytes);
        if (facts) {
            out["salt"] = to_hex(facts->salt);
            out["s2_squared_norm"] = facts->s2_norm;
            out["s2_largest"] = facts->largest;
            out["squared_norm_bound"] = facts->bound;
        }
        out["strict"] = facts ? "accepted" : "refused: " + facts.error().message;
    }
    out["form"] = found->form;
    if (json) {
        console.print("{}\n", out.dump(2));
    } else {
        for (const auto& [key, value] : out.items())
            console.print("{:<20} {}\n", key + ":", value.is_string() ? value.get<std::string>() : value.dump());
    }
    return true;
}

bool falcon_convert(const FalconConvert& a, const PassphraseSource& passphrase, Console& console) {
    const auto found = identify_falcon(a.in, read_file(a.in), a.scheme, a.type, passphrase);
    if (!found) return false;
    const Scheme& s = *found->scheme;
    Outputs outputs(console);
    if (found->type == Type::private_key) {
        decoded(a.in, falcon::public_key_of(s, found->bytes));
        if (a.codec == "pem") {
            std::optional<std::string> phrase;
            if (a.encrypt) phrase = passphrase.get(a.out, true);
            outputs.add(a.out, private_pem(s, found->bytes, phrase), true);
        } else if (a.codec == "raw" || a.codec == "hex" || a.codec == "base64") {
            if (a.encrypt) fail(Exit::usage, "--encrypt needs --to pem");
            outputs.add(a.out, in_form(s, a.codec, {}, found->bytes), true);
        } else {
            fail(Exit::usage, "unknown codec '{}' for a private key (known: raw, hex, base64, pem)", a.codec);
        }
    } else if (found->type == Type::public_key) {
        if (a.encrypt) fail(Exit::usage, "--encrypt is for private keys; {} is none", a.in);
        const auto plus = a.codec.find('+');
        const std::string head = a.codec.substr(0, plus);
        const bool codec = falcon::public_key_codec(head).has_value();
        const std::string target = codec ? head : a.codec == "pem" ? "nist" : found->codec;
        const std::string form = codec ? (plus == std::string::npos ? "raw" : a.codec.substr(plus + 1)) : a.codec;
        if (form != "raw" && form != "hex" && form != "base64" && !(form == "pem" && target == "nist"))
            fail(Exit::usage,
                 "unknown codec '{}' for a public key (known: raw, hex, base64, pem, nist, eip8052, words, ethfalcon, compact; CODEC+FORM)",
                 a.codec);
        outputs.add(a.out,
                    in_form(s, form, "PUBLIC KEY", decoded(a.in, falcon::convert_public_key(s, found->codec, target, found->bytes))));
    } else {
        if (a.encrypt) fail(Exit::usage, "--encrypt is for private keys; {} is none", a.in);
        auto encoding = parse_encoding(s, a.codec);
        const bool form_only = a.codec == "raw" || a.codec == "hex" || a.codec == "base64" || a.codec == "pem";
        if (form_only) encoding.codec = found->codec;
        const auto bytes = decoded(a.in, falcon::convert_signature(s, found->codec, encoding.codec, found->bytes));
        outputs.add(a.out, in_form(s, encoding.form, "SIGNATURE", bytes));
    }
    outputs.commit();
    return true;
}

void add_recover(CLI::App& app, Console& console) {
    struct Arguments {
        std::string in, signature, scheme;
        bool json = false;
    };
    CLI::App* cmd = app.add_subcommand("recover", "Print the address that signed, for schemes with key recovery");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("--in", a->in, "Message file")->required()->type_name("MSG");
    cmd->add_option("--sig", a->signature, "Signature file")->required()->type_name("SIG");
    cmd->add_option("--scheme", a->scheme, "epervier-512, ethepervier-512 or falcon-recover-512; a PEM file names it itself")
        ->type_name("S");
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "Exit code 0 with the address, 1 if the signature has none.\n\nExample:\n  postern recover --scheme falcon-recover-512 --in "
        "message --sig sig");
    cmd->callback([a, &console] {
        once_stdin({a->in, a->signature});
        if (!a->scheme.empty() && falcon::find_scheme(a->scheme) == nullptr) fail(Exit::usage, "unknown scheme '{}'", a->scheme);
        const auto file =
            expect(a->signature, identify_falcon(a->signature, read_file(a->signature), a->scheme, "signature", {}), Type::signature);
        if (file.scheme->kind == Scheme::Kind::plain)
            fail(Exit::usage, "{} has no key recovery (say which scheme with --scheme)", file.scheme->name);
        const auto address = falcon::recover(*file.scheme, read_file(a->in), file.bytes, file.codec);
        if (address) {
            console.print(fmt::runtime(a->json ? "{{\"address\":\"{}\"}}\n" : "{}\n"), to_hex_0x(*address));
            return;
        }
        if (a->json)
            console.print("{}\n", nlohmann::ordered_json{{"address", nullptr}, {"reason", address.error().message}}.dump());
        else
            console.print("none: {}\n", address.error().message);
        console.code = Exit::refused;
    });
}

}  // namespace postern::cli
