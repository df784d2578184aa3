#pragma once

#include <fmt/format.h>

#include <postern/bytes.hpp>
#include <string>
#include <string_view>

#include "cli/failure.hpp"

namespace postern::cli {

/// What a command has to say. Standard output is collected and written at the end in one go, so that a failure leaves nothing
/// behind; lines on standard error appear at once.
class Console {
  public:
    template <class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        out_ += fmt::format(format, std::forward<Args>(args)...);
    }
    void write(std::string_view text) { out_ += text; }
    void write(ByteView bytes) { out_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); }
    /// "postern: ..." on one line, whatever the message holds.
    static void complain(std::string_view message);
    /// Writes what was collected; throws Failure(io).
    void flush();

    /// The exit code of a command that ran to its end.
    Exit code = Exit::done;

  private:
    std::string out_;
};

}  // namespace postern::cli
