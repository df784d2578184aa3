#pragma once

#include <memory>

#include "evm/journal.hpp"
#include "evm/schedule.hpp"

namespace postern::evm {

/// What a call or create instruction (or a transaction) asks for.
struct CallRequest {
    Op kind = Op::CALL;  // CALL, CALLCODE, DELEGATECALL, STATICCALL, CREATE, CREATE2
    Address self{};      // whose storage and balance; the new contract's address for a creation
    Address code_address{};
    Address caller{};
    U256 value;
    bool transfers = false;  // value moves from caller to self
    bool is_static = false;
    ByteView input;  // of a creation: the init code
    std::shared_ptr<const Code> code;
    bool precompile = false;
    Gas gas = 0;
    Gas state_gas_charged = 0;  // by the caller for a new account, given back if the call fails (EIP-8037)
    std::uint64_t return_offset = 0;
    std::uint64_t return_size = 0;

    bool creates() const { return kind == Op::CREATE || kind == Op::CREATE2; }
};

/// How a call ended.
struct CallOutcome {
    Status status = Status::success;
    Halt halt = Halt::none;
    Gas gas_left = 0;
    Gas burned = 0;              // execution gas: what the callee was given, less what is left, less what paid for state
    Gas state_gas_from_gas = 0;  // state growth paid from the callee's gas (EIP-8037)
    Bytes output;
};

/// Gas a frame, or the transaction before its first frame, has left.
struct GasMeter {
    Gas gas = 0;
    Gas state_gas_from_gas = 0;  // of what was spent, what paid for state growth (EIP-8037)

    bool pay(Gas amount) { return (gas -= amount) >= 0; }
};

/// One activation of code.
struct Frame : GasMeter {
    static constexpr std::uint64_t kMemoryLimit = 0xffffffff;  // more than any block could pay for

    CallRequest call;
    std::shared_ptr<const Code> code;
    Journal::Checkpoint checkpoint{};
    unsigned depth = 0;  // 0 = top

    std::size_t pc = 0;
    std::size_t stack_size = 0;
    /// Slot 0 is unused, so that the pointer to the top of an empty stack is valid.
    std::unique_ptr<U256[]> stack = std::make_unique<U256[]>(kStackLimit + 1);
    Bytes memory;  // a multiple of 32
    Bytes return_data;
    std::uint64_t output_offset = 0;
    std::uint64_t output_size = 0;

    // EIP-8037
    Gas reservoir_at_start = 0;
    Gas state_gas_used_at_start = 0;

    // The step in progress, for the observer.
    std::size_t profile_node = 0;
    bool step_open = false;
    bool step_traced = false;
    std::size_t step_pc = 0;
    std::uint8_t step_op = 0;
    Gas step_gas = 0;  // gas + state_gas_from_gas before it
    Gas callee_burned = 0;

    /// Makes memory reach offset + size, paying for it; false if it cannot be paid. A size of 0 touches nothing.
    bool grow(const U256& offset, const U256& size) {
        if (size.is_zero()) return true;
        if (!offset.fits_u64() || !size.fits_u64() || offset.low64() > kMemoryLimit || size.low64() > kMemoryLimit) return false;
        const std::uint64_t end = offset.low64() + size.low64();
        return end <= memory.size() || grow_to(end);
    }
    bool grow_to(std::uint64_t end);
};

/// A size in bytes as words, for prices per word; sizes that nobody can pay for saturate.
inline Gas words(const U256& bytes) {
    constexpr std::uint64_t cap = 1ULL << 40;
    return static_cast<Gas>(((bytes.fits_u64() && bytes.low64() < cap ? bytes.low64() : cap) + 31) / 32);
}

}  // namespace postern::evm
