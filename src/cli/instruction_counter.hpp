#pragma once

#include <cstdint>

namespace postern::cli {

/// Counts this thread's user-space instructions where the kernel allows it; elsewhere always 0.
class InstructionCounter {
  public:
    InstructionCounter();
    ~InstructionCounter();
    InstructionCounter(const InstructionCounter&) = delete;
    InstructionCounter& operator=(const InstructionCounter&) = delete;
    std::uint64_t read() const;

  private:
    int fd_ = -1;
};

}  // namespace postern::cli
