#pragma once

// Keys and signatures from files, in any form.

#include <optional>
#include <postern/keys.hpp>
#include <postern/mldsa.hpp>
#include <string>

#include "cli/console.hpp"
#include "cli/forms.hpp"

namespace CLI {
class App;
}

namespace postern::cli {

/// --passphrase-file, --passphrase-env; the terminal is asked where neither is given.
struct PassphraseSource {
    std::string file, environment;

    void add_options(CLI::App& cmd);
    /// Throws Failure. `confirm`: ask twice.
    std::string get(const std::string& what, bool confirm) const;
};

/// Empty name: null. Unknown: Failure(usage) listing what is known.
const mldsa::Scheme* scheme_option(const std::string& name);
void add_scheme_option(CLI::App& cmd, std::string& name);

/// What a file was found to be.
template <class T>
struct Loaded {
    T value;
    std::string form;  ///< "PEM", "DER", "raw", "hex", "base64"
};

/// `scheme` is needed for plain bytes, where the length fits several; what the file says must agree with it. Failure(malformed).
Loaded<mldsa::PublicKey> load_public_key(const std::string& path, ByteView content, const mldsa::Scheme* scheme);
Loaded<mldsa::PrivateKey> load_private_key(const std::string& path, ByteView content, const mldsa::Scheme* scheme,
                                           const PassphraseSource& passphrase);
/// Exactly the length of the scheme's signatures, in any form or as PEM.
Loaded<Bytes> load_signature(const std::string& path, ByteView content, const mldsa::Scheme& scheme);

/// "public key" or "private key" if this is the DER of one, judged by its outermost structure; else empty.
std::string_view der_type(ByteView bytes);

std::string signature_label(const mldsa::Scheme& scheme);
keys::PrivateForm parse_private_form(const std::string& text);

}  // namespace postern::cli
