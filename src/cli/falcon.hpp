#pragma once

// The Falcon schemes behind the same subcommands: each function does its work if the scheme or file is one of Falcon's, and
// says so; the caller goes on with ML-DSA otherwise.

#include <optional>
#include <postern/falcon_scheme.hpp>
#include <string>

#include "cli/console.hpp"
#include "cli/keys.hpp"

namespace postern::cli {

struct FalconFile {
    enum class Type { public_key, private_key, signature };
    const falcon::Scheme* scheme = nullptr;
    Type type = Type::public_key;
    std::string codec;  ///< of a signature or public key
    Bytes bytes;
    std::string form;
    std::vector<std::string> other_codecs{};  ///< that a signature in the scheme's own codec fits by chance
};

/// What a Falcon file is; nothing if it is none. `scheme` is the option's text, which decides where plain bytes fit several
/// schemes (falcon-512 and falcon-1024 are assumed for keys). `type` is "", "public-key", "private-key" or "signature"; `codec`
/// is "" or the only one that plain bytes are tried in.
std::optional<FalconFile> identify_falcon(const std::string& path, ByteView content, const std::string& scheme, const std::string& type,
                                          const PassphraseSource& passphrase, const std::string& codec = {});

/// For contracts: a public key in the standard encoding, a signature in the codec asked for. Failure(malformed).
Bytes falcon_public_key(const std::string& path, const FalconFile& file);
Bytes falcon_public_key(const std::string& path, const std::string& scheme);
Bytes falcon_signature(const std::string& path, const std::string& scheme, const std::string& codec);

struct FalconKeygen {
    std::string scheme, seed, out, pub;
    bool encrypt = false;
};
bool falcon_keygen(const FalconKeygen& a, const PassphraseSource& passphrase, Console& console);
bool falcon_pubkey(const std::string& key, const std::string& out, const std::string& scheme, const PassphraseSource& passphrase,
                   Console& console);

struct FalconSign {
    std::string key, in, out, scheme, encoding;
    bool deterministic = false;
    bool other_options = false;  ///< context, prehash or mu were given, which Falcon does not have
};
bool falcon_sign(const FalconSign& a, const PassphraseSource& passphrase, Console& console);

struct FalconVerify {
    std::string key, in, signature, scheme;
    bool json = false;
    bool other_options = false;
};
bool falcon_verify(const FalconVerify& a, Console& console);

bool falcon_inspect(const std::string& file, const std::string& scheme, const std::string& type, bool json,
                    const PassphraseSource& passphrase, Console& console);
struct FalconConvert {
    std::string from, codec, in, out, scheme, type, message;
    bool encrypt = false;
    std::string form;  ///< refused: Falcon's private keys have one
};
/// Does the work for every file if `from` is set: only Falcon has such codecs.
bool falcon_convert(const FalconConvert& a, const PassphraseSource& passphrase, Console& console);

}  // namespace postern::cli
