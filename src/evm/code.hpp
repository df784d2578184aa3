#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <postern/evm.hpp>

#include "core/u256.hpp"

namespace postern::evm {

/// Code ready to run: followed by zeros, so that reading an opcode or a PUSH past the end needs no check, and with its jump
/// destinations found. Immutable and shared between states, frames and threads.
class Code {
  public:
    explicit Code(ByteView bytes);

    static const std::shared_ptr<const Code>& empty();

    std::size_t size() const { return size_; }
    ByteView bytes() const { return {padded_.data(), size_}; }
    /// At least 34 zero bytes follow the code.
    const std::uint8_t* data() const { return padded_.data(); }
    bool is_jumpdest(std::uint64_t pc) const { return pc < size_ && ((jumpdests_[pc / 64] >> (pc % 64)) & 1U) != 0; }
    /// keccak256 of the code, computed at the first call.
    const U256& hash() const;
    /// The target if this is an EIP-7702 delegation: 0xef0100 and an address.
    std::optional<Address> delegation() const;

  private:
    Bytes padded_;
    std::size_t size_;
    std::vector<std::uint64_t> jumpdests_;
    mutable std::once_flag hash_once_;
    mutable U256 hash_;
};

/// 0xef0100 || target (EIP-7702).
Bytes delegation_code(const Address& target);

}  // namespace postern::evm
