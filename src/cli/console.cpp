#include "cli/console.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace postern::cli {

void Console::complain(std::string_view message) {
    std::string line = "postern: ";
    for (const char c : message) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void Console::flush() {
    errno = 0;
    const bool written = std::fwrite(out_.data(), 1, out_.size(), stdout) == out_.size() && std::fflush(stdout) == 0;
    out_.clear();
    if (!written) fail(Exit::io, "cannot write to standard output: {}", std::strerror(errno));
}

}  // namespace postern::cli
