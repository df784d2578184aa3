#include "cli/message_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/files.hpp"
#include "cli/forms.hpp"
#include "core/hex.hpp"

namespace postern::cli {

void MessageOptions::add_options(CLI::App& cmd) {
    cmd.add_option("--in", in, "Message file, taken byte for byte")->required()->type_name("MSG");
    auto* text = cmd.add_option("--context", context, "Context string, at most 255 bytes")->type_name("STR");
    auto* hex = cmd.add_option("--context-hex", context_hex, "Context in hex")->type_name("HEX")->excludes(text);
    auto* hash = cmd.add_option("--prehash", prehash, "HashML-DSA with this hash: sha2-256, sha3-512, shake-256 ...")->type_name("ALG");
    cmd.add_flag("--mu", mu, "The message file holds mu, the 64-byte message representative")
        ->excludes(text)
        ->excludes(hex)
        ->excludes(hash);
}

mldsa::Context MessageOptions::context_value() const {
    Bytes bytes(context.begin(), context.end());
    if (!context_hex.empty()) {
        auto decoded = from_hex(context_hex);
        if (!decoded) fail(Exit::usage, "--context-hex: {}", decoded.error().message);
        bytes = std::move(*decoded);
    }
    auto value = mldsa::Context::from(bytes);
    if (!value) fail(Exit::usage, "{}", value.error().message);
    return *value;
}

mldsa::Mu MessageOptions::representative(const mldsa::Scheme& scheme, const mldsa::KeyHash& tr) const {
    const auto context_bytes = context_value();
    if (mu) {
        const auto reading = pick(
            in, read_file(in), [](ByteView b) { return b.size() == mldsa::mu_bytes; }, "mu (64 bytes)");
        return mldsa::Mu::from(reading.bytes).value();
    }
    if (!prehash.empty()) {
        const auto algorithm = mldsa::find_prehash(prehash);
        if (!algorithm) {
            std::string known;
            for (const auto a : mldsa::prehashes()) known += fmt::format("{}{}", known.empty() ? "" : ", ", mldsa::name(a));
            fail(Exit::usage, "unknown pre-hash '{}' (known: {})", prehash, known);
        }
        mldsa::PreHasher hasher(*algorithm);
        FileReader(in).pump([&](ByteView part) { hasher.update(part); });
        return mldsa::prehash_mu(scheme, tr, hasher.finish(), context_bytes);
    }
    mldsa::MuHasher hasher(scheme, tr, context_bytes);
    FileReader(in).pump([&](ByteView part) { hasher.update(part); });
    return hasher.finish();
}

}  // namespace postern::cli
