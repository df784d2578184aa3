#include "cli/instruction_counter.hpp"

#include <unistd.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif

namespace postern::cli {

InstructionCounter::InstructionCounter() {
#ifdef __linux__
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    fd_ = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
#endif
}

InstructionCounter::~InstructionCounter() {
    if (fd_ >= 0) ::close(fd_);
}

std::uint64_t InstructionCounter::read() const {
    std::uint64_t value = 0;
    if (fd_ < 0 || ::read(fd_, &value, sizeof value) != static_cast<ssize_t>(sizeof value)) return 0;
    return value;
}

}  // namespace postern::cli
