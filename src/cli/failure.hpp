#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace postern::cli {

/// Exit codes of the command (docs/cli.md).
enum class Exit : int { done = 0, refused = 1, usage = 2, malformed = 3, io = 4, internal = 5 };

/// Ends the command with a code and one line on standard error.
class Failure : public std::runtime_error {
  public:
    Failure(Exit code, const std::string& message) : std::runtime_error(message), code_(code) {}
    Exit code() const noexcept { return code_; }

  private:
    Exit code_;
};

template <class... Args>
[[noreturn]] void fail(Exit code, fmt::format_string<Args...> format, Args&&... args) {
    throw Failure(code, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace postern::cli
