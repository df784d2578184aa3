#pragma once

#include <optional>
#include <string>
#include <variant>

#include "cli/keys.hpp"

namespace postern::cli {

/// A signature with the schemes it can belong to.
struct AnySignature {
    Bytes bytes;
    std::vector<const mldsa::Scheme*> schemes;
};
struct AnyFile {
    std::variant<mldsa::PublicKey, mldsa::PrivateKey, AnySignature> value;
    std::string form;
};

/// Finds out what a file is. `type` is "", "public-key", "private-key" or "signature"; several possibilities are
/// Failure(malformed) naming them.
AnyFile identify(const std::string& path, ByteView content, const mldsa::Scheme* scheme, const std::string& type,
                 const PassphraseSource& passphrase);

}  // namespace postern::cli
