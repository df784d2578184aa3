#pragma once

#include <array>
#include <cstdint>

#include "evm/opcodes.hpp"

namespace postern::evm {

using Gas = std::int64_t;

/// The prices of one fork that are not static_gas().
struct Schedule {
    Fork fork;
    bool access_sets;      // EIP-2929
    Gas cold_account = 0;  // on top of the warm price
    Gas cold_slot = 0;     // on top of the warm price
    Gas warm = 0;
    Gas exp_byte;
    Gas call_value = 9000;
    Gas call_stipend = 2300;
    Gas call_new_account = 25000;
    Gas selfdestruct_new_account = 25000;
    Gas sstore_set = 20000;
    Gas sstore_reset;  // warm part
    Gas sstore_clear_refund;
    Gas code_deposit_byte = 200;
    Gas code_deposit_word = 0;
    Gas initcode_word = 0;
    Gas refund_divisor = 5;
    // EIP-8037
    Gas state_byte = 0;
    Gas state_new_account = 0;
    Gas state_new_slot = 0;
    Gas state_authorization = 0;
};

constexpr Schedule make_schedule(Fork fork) {
    if (fork == Fork::frontier) {
        return {
            .fork = fork, .access_sets = false, .exp_byte = 10, .sstore_reset = 5000, .sstore_clear_refund = 15000, .refund_divisor = 2};
    }
    if (fork == Fork::amsterdam) {
        constexpr Gas write = 9000;           // ACCOUNT_WRITE, EIP-8038
        constexpr Gas storage_write = 10000;  // STORAGE_WRITE
        return {.fork = fork,
                .access_sets = true,
                .cold_account = 3000 - 100,
                .cold_slot = 2100 - 100,
                .warm = 100,
                .exp_byte = 50,
                .call_value = write + 2300,
                .call_new_account = 0,
                .selfdestruct_new_account = write,
                .sstore_set = storage_write,
                .sstore_reset = storage_write,
                .sstore_clear_refund = (storage_write + 2100) * 4800 / 5000,
                .code_deposit_byte = 0,
                .code_deposit_word = 6,
                .initcode_word = 2,
                .state_byte = 1530,
                .state_new_account = 120 * 1530,
                .state_new_slot = 64 * 1530,
                .state_authorization = 23 * 1530};
    }
    return {.fork = fork,
            .access_sets = true,
            .cold_account = 2600 - 100,
            .cold_slot = 2100 - 100,
            .warm = 100,
            .exp_byte = 50,
            .sstore_reset = 5000 - 2100,
            .sstore_clear_refund = 4800,
            .initcode_word = 2};
}

/// What the interpreter checks before it runs an opcode.
struct alignas(8) OpRule {
    std::uint16_t gas;
    std::uint16_t room;  // most items on the stack before the instruction, less `need`
    std::uint8_t need;   // fewest
    std::uint8_t op;     // the opcode, or kUndefined
};
inline constexpr std::uint8_t kUndefined = 0x0c;  // an opcode no fork has
inline constexpr int kStackLimit = 1024;

constexpr std::array<OpRule, 256> make_rules(Fork fork) {
    std::array<OpRule, 256> rules{};
    for (unsigned i = 0; i < 256; ++i) {
        const auto op = static_cast<Op>(i);
        const OpInfo& what = info(op);
        OpRule& r = rules[i];
        if (!what.defined(fork)) {
            r = {0, kStackLimit, 0, kUndefined};
            continue;
        }
        const int limit = what.stack_change > 0 ? kStackLimit - what.stack_change : kStackLimit;
        // A creation pays its base after the checks that come first.
        const unsigned gas = op == Op::CREATE || op == Op::CREATE2 ? 0 : base_gas(op, fork);
        r = {static_cast<std::uint16_t>(gas), static_cast<std::uint16_t>(limit - what.stack_in), what.stack_in,
             static_cast<std::uint8_t>(i)};
    }
    return rules;
}

}  // namespace postern::evm
