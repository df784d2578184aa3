#pragma once

// How a message becomes what is signed: the options that signing and verifying share.

#include <optional>
#include <postern/mldsa.hpp>
#include <string>

namespace CLI {
class App;
}

namespace postern::cli {

struct MessageOptions {
    std::string in, context, context_hex, prehash;
    bool mu = false;

    void add_options(CLI::App& cmd);
    mldsa::Context context_value() const;
    /// Streams the message and gives its representative for this key. Throws Failure.
    mldsa::Mu representative(const mldsa::Scheme& scheme, const mldsa::KeyHash& tr) const;
};

}  // namespace postern::cli
