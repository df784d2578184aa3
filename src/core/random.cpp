#include "core/random.hpp"

#include <sys/random.h>

#include <cerrno>
#include <stdexcept>

namespace postern {

void os_random(std::span<std::uint8_t> out) {
    while (!out.empty()) {
        const ssize_t got = ::getrandom(out.data(), out.size(), 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            throw std::runtime_error("the operating system gives no randomness (getrandom failed)");
        }
        out = out.subspan(static_cast<std::size_t>(got));
    }
}

}  // namespace postern
