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

/// Whether a signature that fits this codec is taken to be in it, whatever else its bytes fit by chance: the scheme's own
/// codec, and those with a header byte.
bool is_clear(const Scheme& scheme, std::string_view codec) {
    return codec == scheme.codec || codec == "nist" || codec == "padded" || codec == "ct";
}

/// The schemes a plain file is tried with: the one named, else the two standard ones.
std::vector<const Scheme*> candidates(const std::string& scheme) {
    if (!scheme.empty()) return {falcon::find_scheme(scheme)};
    return {falcon::find_scheme("falcon-512"), falcon::find_scheme("falcon-1024")};
}

/// Every way to read these bytes as a Falcon file, in one codec if `codec` says which.
std::vector<FalconFile> possibilities(const Scheme& scheme, ByteView bytes, const std::string& type, const std::string& codec) {
    std::vector<FalconFile> out;
    const Bytes copy(bytes.begin(), bytes.end());
    if (!codec.empty()) {
        if ((type.empty() || type == "public-key") && falcon::public_key_codec(codec) &&
            falcon::convert_public_key(scheme, codec, "nist", bytes))
            out.push_back({&scheme, Type::public_key, codec, copy, {}});
        const auto known = falcon::codecs(scheme);
        if ((type.empty() || type == "signature") && std::find(known.begin(), known.end(), codec) != known.end() &&
            falcon::convert_signature(scheme, codec, codec, bytes))
            out.push_back({&scheme, Type::signature, codec, copy, {}});
        return out;
    }
    if ((type.empty() || type == "private-key") && bytes.size() == scheme.private_key_bytes && bytes[0] == 0x50 + scheme.logn)
        out.push_back({&scheme, Type::private_key, {}, copy, {}});
    if (type.empty() || type == "public-key")
        for (const auto fitting : public_codecs(scheme, bytes)) out.push_back({&scheme, Type::public_key, std::string(fitting), copy, {}});
    if (type.empty() || type == "signature") {
        const auto fitting = falcon::fitting_codecs(scheme, bytes);
        if (!fitting.empty() && is_clear(scheme, fitting.front()))
            out.push_back({&scheme, Type::signature, std::string(fitting.front()), copy, {}, {fitting.begin() + 1, fitting.end()}});
        else
            for (const auto one : fitting) out.push_back({&scheme, Type::signature, std::string(one), copy, {}});
    }
    return out;
}

/// The words of an array argument, one a line in hex, as `word_lines` writes them.
std::optional<Bytes> from_word_lines(ByteView content) {
    Bytes out;
    std::string_view rest = as_text(content);
    bool several = false;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        if (!line.starts_with("0x")) return std::nullopt;
        const auto bytes = from_hex(line);
        if (!bytes || (bytes->size() != 32 && !(out.empty() && bytes->size() == falcon::kSaltBytes))) return std::nullopt;
        several = several || !out.empty();
        out.insert(out.end(), bytes->begin(), bytes->end());
    }
    return several ? std::optional(out) : std::nullopt;
}
/// A salt, if there is one, and the 32-byte words behind it.
Bytes word_lines(ByteView bytes) {
    std::string text;
    if (bytes.size() % 32 == falcon::kSaltBytes % 32) {
        text += to_hex_0x(bytes.first(falcon::kSaltBytes)) + "\n";
        bytes = bytes.subspan(falcon::kSaltBytes);
    }
    for (; !bytes.empty(); bytes = bytes.subspan(32)) text += to_hex_0x(bytes.first(32)) + "\n";
    return {text.begin(), text.end()};
}

struct FormReading {
    std::string form;
    Bytes bytes;
};
std::vector<FormReading> all_readings(ByteView content) {
    std::vector<FormReading> out;
    if (auto words = from_word_lines(content)) out.push_back({"lines", *std::move(words)});
    for (auto& reading : readings(content)) out.push_back({std::string(cli::name(reading.form)), std::move(reading.bytes)});
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
            if (fitting.empty() || (fitting.size() > 1 && !is_clear(scheme, fitting.front())))
                fail(Exit::malformed, "{}: not a signature of {} in one known codec", path, scheme.name);
            file = FalconFile{&scheme,      Type::signature, std::string(fitting.front()),
                              block->bytes, "PEM",           {fitting.begin() + 1, fitting.end()}};
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

FalconFile load_signature(const std::string& path, const Scheme& scheme) {
    const Bytes content = read_file(path);
    auto file = identify_falcon(path, content, std::string(scheme.name), "signature", {});
    if (!file) {
        // What is wrong with it in the codec that the scheme would write.
        const auto reason = falcon::convert_signature(scheme, scheme.codec, scheme.codec, content);
        fail(Exit::malformed, "{}: not a signature of {} ({})", path, scheme.name, reason ? "not strict" : reason.error().message);
    }
    return expect(path, std::move(file), Type::signature);
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
        else if (part == "raw" || part == "hex" || part == "base64" || part == "pem" || part == "lines")
            out.form = part;
        else
            fail(Exit::usage, "unknown encoding '{}' (known: raw, hex, base64, pem, lines, {}; CODEC+FORM for both)", part, joined(known));
    }
    if (out.form == "lines" && out.codec != "ethfalcon" && out.codec != "arguments")
        fail(Exit::usage, "lines of words are a form of the codecs ethfalcon and arguments only");
    return out;
}
Bytes in_form(const Scheme& scheme, const std::string& form, std::string_view kind, ByteView bytes) {
    if (form == "pem") return as_pem(scheme, kind, bytes);
    if (form == "lines") return word_lines(bytes);
    return write_form(form == "hex" ? Form::hex : form == "base64" ? Form::base64 : Form::raw, bytes);
}

}  // namespace

std::optional<FalconFile> identify_falcon(const std::string& path, ByteView content, const std::string& scheme, const std::string& type,
                                          const PassphraseSource& passphrase, const std::string& codec) {
    if (!scheme.empty() && falcon::find_scheme(scheme) == nullptr) return std::nullopt;
    if (is_pem(content)) return from_pem(path, content, scheme, passphrase);
    std::vector<FalconFile> found;
    for (const auto& reading : all_readings(content))
        for (const Scheme* s : candidates(scheme))
            for (auto& file : possibilities(*s, reading.bytes, type, codec)) {
                file.form = reading.form;
                found.push_back(std::move(file));
            }
    if (found.empty()) return std::nullopt;
    if (found.size() > 1) {
        std::string names;
        for (const auto& file : found)
            names += fmt::format("{}{} {} {}", names.empty() ? "" : "; ", file.scheme->name, name(file.type), file.codec);
        fail(Exit::malformed, "{} is ambiguous: {}; say which with --type, --scheme or (convert) --from", path, names);
    }
    return std::move(found.front());
}

Bytes falcon_public_key(const std::string& path, const FalconFile& file) {
    const auto key = expect(path, file, Type::public_key);
    return decoded(path, falcon::convert_public_key(*key.scheme, key.codec, "nist", key.bytes));
}

Bytes falcon_public_key(const std::string& path, const std::string& scheme) {
    return falcon_public_key(path, expect(path, identify_falcon(path, read_file(path), scheme, "public-key", {}), Type::public_key));
}

Bytes falcon_signature(const std::string& path, const std::string& scheme, const std::string& codec) {
    const auto file = expect(path, identify_falcon(path, read_file(path), scheme, "signature", {}), Type::signature);
    return decoded(path, falcon::convert_signature(*file.scheme, file.codec, codec, file.bytes));
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
    const auto signature = load_signature(a.signature, *key.scheme);
    const Bytes wire = decoded(a.key, falcon::convert_public_key(*key.scheme, key.codec, "nist", key.bytes));
    auto verdict = decoded(a.signature, falcon::verify(*key.scheme, wire, message, signature.bytes, signature.codec));
    for (const auto& codec : signature.other_codecs) {
        if (verdict.valid) break;
        if (auto other = falcon::verify(*key.scheme, wire, message, signature.bytes, codec); other && other->valid)
            verdict = *std::move(other);
    }
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

namespace {

bool is_signed_message_form(const std::string& name) {
    const auto forms = falcon::signed_message_forms();
    return std::find(forms.begin(), forms.end(), name) != forms.end();
}

/// The scheme and the parts of a signed message of a test file.
struct Opened {
    const Scheme* scheme;
    falcon::OpenedMessage parts;
};
Opened open_message_file(const FalconConvert& a, ByteView content) {
    std::vector<Opened> found;
    std::string reason;
    for (const auto& reading : all_readings(content))
        for (const Scheme* s : candidates(a.scheme)) {
            if (s->kind != Scheme::Kind::plain) fail(Exit::usage, "{} has no signed messages", s->name);
            auto parts = falcon::open_signed_message(*s, a.from, reading.bytes);
            if (parts)
                found.push_back({s, *std::move(parts)});
            else if (reason.empty())
                reason = parts.error().message;
        }
    if (found.empty()) fail(Exit::malformed, "{}: {}", a.in, reason);
    if (found.size() > 1) fail(Exit::malformed, "{} is ambiguous; say which with --scheme, or write it as raw bytes", a.in);
    return std::move(found.front());
}

void convert_private_key(const FalconConvert& a, const FalconFile& file, const PassphraseSource& passphrase, Outputs& outputs) {
    const Scheme& s = *file.scheme;
    decoded(a.in, falcon::public_key_of(s, file.bytes));
    if (a.codec == "pem") {
        std::optional<std::string> phrase;
        if (a.encrypt) phrase = passphrase.get(a.out, true);
        outputs.add(a.out, private_pem(s, file.bytes, phrase), true);
    } else if (a.codec == "raw" || a.codec == "hex" || a.codec == "base64") {
        if (a.encrypt) fail(Exit::usage, "--encrypt needs --to pem");
        outputs.add(a.out, in_form(s, a.codec, {}, file.bytes), true);
    } else {
        fail(Exit::usage, "unknown codec '{}' for a private key (known: raw, hex, base64, pem)", a.codec);
    }
}

void convert_public_key(const FalconConvert& a, const FalconFile& file, Outputs& outputs) {
    const Scheme& s = *file.scheme;
    const auto plus = a.codec.find('+');
    const std::string head = a.codec.substr(0, plus);
    const bool codec = falcon::public_key_codec(head).has_value();
    const std::string target = codec ? head : a.codec == "pem" ? "nist" : file.codec;
    const std::string form = codec ? (plus == std::string::npos ? "raw" : a.codec.substr(plus + 1)) : a.codec;
    const bool words = target == "words" || target == "ethfalcon" || target == "compact";
    if (form != "raw" && form != "hex" && form != "base64" && !(form == "pem" && target == "nist") && !(form == "lines" && words))
        fail(Exit::usage,
             "unknown codec '{}' for a public key (known: raw, hex, base64, pem, nist, eip8052, words, ethfalcon, compact; CODEC+FORM; "
             "lines for the last three)",
             a.codec);
    outputs.add(a.out, in_form(s, form, "PUBLIC KEY", decoded(a.in, falcon::convert_public_key(s, file.codec, target, file.bytes))));
}

/// `message` is what the source carried, if it did.
void convert_signature(const FalconConvert& a, const FalconFile& file, const std::optional<Bytes>& message, Outputs& outputs) {
    const Scheme& s = *file.scheme;
    if (is_signed_message_form(a.codec)) {
        if (s.kind != Scheme::Kind::plain) fail(Exit::usage, "{} has no signed messages", s.name);
        if (!message && a.message.empty()) fail(Exit::usage, "--to {} needs the message: --message FILE", a.codec);
        if (message && !a.message.empty()) outputs.add(a.message, *message);
        const Bytes text = message ? *message : read_file(a.message);
        outputs.add(a.out, decoded(a.in, falcon::make_signed_message(s, a.codec, file.codec, file.bytes, text)));
        return;
    }
    if (!a.message.empty()) {
        if (!message) fail(Exit::usage, "--message is for signed messages (sm, sm-padded, sm-eip8052)");
        outputs.add(a.message, *message);
    }
    auto encoding = parse_encoding(s, a.codec);
    if (a.codec == "raw" || a.codec == "hex" || a.codec == "base64" || a.codec == "pem") encoding.codec = file.codec;
    const auto bytes = decoded(a.in, falcon::convert_signature(s, file.codec, encoding.codec, file.bytes));
    outputs.add(a.out, in_form(s, encoding.form, "SIGNATURE", bytes));
}

/// What keeps plain bytes from being in a codec of the scheme named.
std::string why_not(const std::string& scheme, const std::string& type, const std::string& codec, ByteView content) {
    const Scheme* s = falcon::find_scheme(scheme);
    if (s == nullptr) return ": say which scheme with --scheme";
    const auto known = falcon::codecs(*s);
    const bool signature = type != "public-key" && std::find(known.begin(), known.end(), codec) != known.end();
    if (!signature && !falcon::public_key_codec(codec)) return fmt::format(": {} does not have it", s->name);
    const auto result =
        signature ? falcon::convert_signature(*s, codec, codec, content) : falcon::convert_public_key(*s, codec, codec, content);
    return result ? "" : ": " + result.error().message;
}

bool known_codec(const std::string& name) {
    if (is_signed_message_form(name) || falcon::public_key_codec(name)) return true;
    for (const Scheme& s : falcon::schemes()) {
        const auto known = falcon::codecs(s);
        if (std::find(known.begin(), known.end(), name) != known.end()) return true;
    }
    return false;
}

}  // namespace

bool falcon_convert(const FalconConvert& a, const PassphraseSource& passphrase, Console& console) {
    const std::string from = a.from == "tip899" ? "eip8052" : a.from;
    if (!from.empty() && !known_codec(from))
        fail(Exit::usage,
             "unknown codec '{}' (known: nist, padded, ct, eip8052, ethfalcon, native, epervier, arguments, recoverable; raw, words, "
             "compact "
             "for public keys; sm, sm-padded, sm-eip8052)",
             a.from);
    const Bytes content = read_file(a.in);
    std::optional<FalconFile> found;
    std::optional<Bytes> message;
    if (is_signed_message_form(from)) {
        auto opened = open_message_file(a, content);
        found = FalconFile{opened.scheme, Type::signature, "nist", std::move(opened.parts.signature), from};
        message = std::move(opened.parts.message);
    } else {
        found = identify_falcon(a.in, content, a.scheme, a.type, passphrase, from);
        if (!found && !from.empty())
            fail(Exit::malformed, "{}: not a Falcon file in the codec {}{}", a.in, from, why_not(a.scheme, a.type, from, content));
        if (found && !from.empty() && found->codec != from)
            fail(Exit::malformed, "{} is in the codec {}, expected {}", a.in, found->codec.empty() ? "of private keys" : found->codec,
                 from);
    }
    if (!found) return false;
    std::string wanted = a.type;
    std::replace(wanted.begin(), wanted.end(), '-', ' ');
    if (!wanted.empty() && wanted != name(found->type)) fail(Exit::malformed, "{} is a {}, expected a {}", a.in, name(found->type), wanted);
    if (!a.form.empty()) fail(Exit::usage, "--form is for ML-DSA private keys; {} is of {}", a.in, found->scheme->name);
    if (a.encrypt && found->type != Type::private_key) fail(Exit::usage, "--encrypt is for private keys; {} is none", a.in);
    if (!a.message.empty() && found->type != Type::signature) fail(Exit::usage, "--message is for signed messages; {} is none", a.in);
    Outputs outputs(console);
    outputs.may_replace(a.in);
    switch (found->type) {
        case Type::private_key:
            convert_private_key(a, *found, passphrase, outputs);
            break;
        case Type::public_key:
            convert_public_key(a, *found, outputs);
            break;
        case Type::signature:
            convert_signature(a, *found, message, outputs);
            break;
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
