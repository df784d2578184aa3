#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <postern/evm.hpp>
#include <string_view>

namespace postern::evm {

/// The instructions, by their Yellow Paper names. PUSH, DUP, SWAP and LOG have their first and last members here; the ones
/// between are op_push(n) and so on.
enum class Op : std::uint8_t {
    STOP = 0x00,
    ADD,
    MUL,
    SUB,
    DIV,
    SDIV,
    MOD,
    SMOD,
    ADDMOD,
    MULMOD,
    EXP,
    SIGNEXTEND,
    LT = 0x10,
    GT,
    SLT,
    SGT,
    EQ,
    ISZERO,
    AND,
    OR,
    XOR,
    NOT,
    BYTE,
    SHL,
    SHR,
    SAR,
    CLZ,
    KECCAK256 = 0x20,
    ADDRESS = 0x30,
    BALANCE,
    ORIGIN,
    CALLER,
    CALLVALUE,
    CALLDATALOAD,
    CALLDATASIZE,
    CALLDATACOPY,
    CODESIZE,
    CODECOPY,
    GASPRICE,
    EXTCODESIZE,
    EXTCODECOPY,
    RETURNDATASIZE,
    RETURNDATACOPY,
    EXTCODEHASH,
    BLOCKHASH = 0x40,
    COINBASE,
    TIMESTAMP,
    NUMBER,
    PREVRANDAO,
    GASLIMIT,
    CHAINID,
    SELFBALANCE,
    BASEFEE,
    BLOBHASH,
    BLOBBASEFEE,
    SLOTNUM,
    POP = 0x50,
    MLOAD,
    MSTORE,
    MSTORE8,
    SLOAD,
    SSTORE,
    JUMP,
    JUMPI,
    PC,
    MSIZE,
    GAS,
    JUMPDEST,
    TLOAD,
    TSTORE,
    MCOPY,
    PUSH0 = 0x5f,
    PUSH1 = 0x60,
    PUSH32 = 0x7f,
    DUP1 = 0x80,
    DUP16 = 0x8f,
    SWAP1 = 0x90,
    SWAP16 = 0x9f,
    LOG0 = 0xa0,
    LOG4 = 0xa4,
    DUPN = 0xe6,
    SWAPN = 0xe7,
    EXCHANGE = 0xe8,  // EIP-8024
    CREATE = 0xf0,
    CALL,
    CALLCODE,
    RETURN,
    DELEGATECALL,
    CREATE2,
    STATICCALL = 0xfa,
    REVERT = 0xfd,
    INVALID = 0xfe,
    SELFDESTRUCT = 0xff,
};

/// PUSH<n>, 0 <= n <= 32; DUP<n> and SWAP<n>, 1 <= n <= 16; LOG<n>, 0 <= n <= 4.
constexpr Op op_push(unsigned n) { return static_cast<Op>(0x5fU + n); }
constexpr Op op_dup(unsigned n) { return static_cast<Op>(0x7fU + n); }
constexpr Op op_swap(unsigned n) { return static_cast<Op>(0x8fU + n); }
constexpr Op op_log(unsigned n) { return static_cast<Op>(0xa0U + n); }

/// What an instruction is, apart from what it costs.
struct OpInfo {
    std::string_view name;        // empty: no instruction in any fork
    std::uint8_t immediates = 0;  // bytes after the opcode
    /// Items that must be on the stack, and how many more there are afterwards. DUP<n> needs n, SWAP<n> needs n + 1;
    /// what DUPN, SWAPN and EXCHANGE need depends on the immediate.
    std::uint8_t stack_in = 0;
    std::int8_t stack_change = 0;
    Fork since = Fork::frontier;
    constexpr bool defined(Fork fork) const { return !name.empty() && fork >= since; }
};

namespace detail {

inline constexpr std::array<std::string_view, 33> kPushNames{
    "PUSH0",  "PUSH1",  "PUSH2",  "PUSH3",  "PUSH4",  "PUSH5",  "PUSH6",  "PUSH7",  "PUSH8",  "PUSH9",  "PUSH10",
    "PUSH11", "PUSH12", "PUSH13", "PUSH14", "PUSH15", "PUSH16", "PUSH17", "PUSH18", "PUSH19", "PUSH20", "PUSH21",
    "PUSH22", "PUSH23", "PUSH24", "PUSH25", "PUSH26", "PUSH27", "PUSH28", "PUSH29", "PUSH30", "PUSH31", "PUSH32"};
inline constexpr std::array<std::string_view, 16> kDupNames{"DUP1", "DUP2",  "DUP3",  "DUP4",  "DUP5",  "DUP6",  "DUP7",  "DUP8",
                                                            "DUP9", "DUP10", "DUP11", "DUP12", "DUP13", "DUP14", "DUP15", "DUP16"};
inline constexpr std::array<std::string_view, 16> kSwapNames{"SWAP1", "SWAP2",  "SWAP3",  "SWAP4",  "SWAP5",  "SWAP6",  "SWAP7",  "SWAP8",
                                                             "SWAP9", "SWAP10", "SWAP11", "SWAP12", "SWAP13", "SWAP14", "SWAP15", "SWAP16"};
inline constexpr std::array<std::string_view, 5> kLogNames{"LOG0", "LOG1", "LOG2", "LOG3", "LOG4"};

constexpr std::array<OpInfo, 256> make_op_table() {
    std::array<OpInfo, 256> t{};
    const auto set = [&t](Op op, std::string_view name, unsigned in, unsigned out, Fork since = Fork::frontier, unsigned imm = 0) {
        t[static_cast<std::uint8_t>(op)] = {name, static_cast<std::uint8_t>(imm), static_cast<std::uint8_t>(in),
                                            static_cast<std::int8_t>(static_cast<int>(out) - static_cast<int>(in)), since};
    };
    // Everything between Frontier and Shanghai counts as Shanghai: no fork between them is offered.
    constexpr Fork later = Fork::shanghai;
    set(Op::STOP, "STOP", 0, 0);
    set(Op::ADD, "ADD", 2, 1);
    set(Op::MUL, "MUL", 2, 1);
    set(Op::SUB, "SUB", 2, 1);
    set(Op::DIV, "DIV", 2, 1);
    set(Op::SDIV, "SDIV", 2, 1);
    set(Op::MOD, "MOD", 2, 1);
    set(Op::SMOD, "SMOD", 2, 1);
    set(Op::ADDMOD, "ADDMOD", 3, 1);
    set(Op::MULMOD, "MULMOD", 3, 1);
    set(Op::EXP, "EXP", 2, 1);
    set(Op::SIGNEXTEND, "SIGNEXTEND", 2, 1);
    set(Op::LT, "LT", 2, 1);
    set(Op::GT, "GT", 2, 1);
    set(Op::SLT, "SLT", 2, 1);
    set(Op::SGT, "SGT", 2, 1);
    set(Op::EQ, "EQ", 2, 1);
    set(Op::ISZERO, "ISZERO", 1, 1);
    set(Op::AND, "AND", 2, 1);
    set(Op::OR, "OR", 2, 1);
    set(Op::XOR, "XOR", 2, 1);
    set(Op::NOT, "NOT", 1, 1);
    set(Op::BYTE, "BYTE", 2, 1);
    set(Op::SHL, "SHL", 2, 1, later);
    set(Op::SHR, "SHR", 2, 1, later);
    set(Op::SAR, "SAR", 2, 1, later);
    set(Op::CLZ, "CLZ", 1, 1, Fork::osaka);  // EIP-7939
    set(Op::KECCAK256, "KECCAK256", 2, 1);
    set(Op::ADDRESS, "ADDRESS", 0, 1);
    set(Op::BALANCE, "BALANCE", 1, 1);
    set(Op::ORIGIN, "ORIGIN", 0, 1);
    set(Op::CALLER, "CALLER", 0, 1);
    set(Op::CALLVALUE, "CALLVALUE", 0, 1);
    set(Op::CALLDATALOAD, "CALLDATALOAD", 1, 1);
    set(Op::CALLDATASIZE, "CALLDATASIZE", 0, 1);
    set(Op::CALLDATACOPY, "CALLDATACOPY", 3, 0);
    set(Op::CODESIZE, "CODESIZE", 0, 1);
    set(Op::CODECOPY, "CODECOPY", 3, 0);
    set(Op::GASPRICE, "GASPRICE", 0, 1);
    set(Op::EXTCODESIZE, "EXTCODESIZE", 1, 1);
    set(Op::EXTCODECOPY, "EXTCODECOPY", 4, 0);
    set(Op::RETURNDATASIZE, "RETURNDATASIZE", 0, 1, later);
    set(Op::RETURNDATACOPY, "RETURNDATACOPY", 3, 0, later);
    set(Op::EXTCODEHASH, "EXTCODEHASH", 1, 1, later);
    set(Op::BLOCKHASH, "BLOCKHASH", 1, 1);
    set(Op::COINBASE, "COINBASE", 0, 1);
    set(Op::TIMESTAMP, "TIMESTAMP", 0, 1);
    set(Op::NUMBER, "NUMBER", 0, 1);
    set(Op::PREVRANDAO, "PREVRANDAO", 0, 1);
    set(Op::GASLIMIT, "GASLIMIT", 0, 1);
    set(Op::CHAINID, "CHAINID", 0, 1, later);
    set(Op::SELFBALANCE, "SELFBALANCE", 0, 1, later);
    set(Op::BASEFEE, "BASEFEE", 0, 1, later);
    set(Op::BLOBHASH, "BLOBHASH", 1, 1, Fork::cancun);        // EIP-4844
    set(Op::BLOBBASEFEE, "BLOBBASEFEE", 0, 1, Fork::cancun);  // EIP-7516
    set(Op::SLOTNUM, "SLOTNUM", 0, 1, Fork::amsterdam);       // EIP-7843
    set(Op::POP, "POP", 1, 0);
    set(Op::MLOAD, "MLOAD", 1, 1);
    set(Op::MSTORE, "MSTORE", 2, 0);
    set(Op::MSTORE8, "MSTORE8", 2, 0);
    set(Op::SLOAD, "SLOAD", 1, 1);
    set(Op::SSTORE, "SSTORE", 2, 0);
    set(Op::JUMP, "JUMP", 1, 0);
    set(Op::JUMPI, "JUMPI", 2, 0);
    set(Op::PC, "PC", 0, 1);
    set(Op::MSIZE, "MSIZE", 0, 1);
    set(Op::GAS, "GAS", 0, 1);
    set(Op::JUMPDEST, "JUMPDEST", 0, 0);
    set(Op::TLOAD, "TLOAD", 1, 1, Fork::cancun);  // EIP-1153
    set(Op::TSTORE, "TSTORE", 2, 0, Fork::cancun);
    set(Op::MCOPY, "MCOPY", 3, 0, Fork::cancun);  // EIP-5656
    set(Op::PUSH0, kPushNames[0], 0, 1, later);   // EIP-3855
    for (unsigned n = 1; n <= 32; ++n) set(op_push(n), kPushNames[n], 0, 1, Fork::frontier, n);
    for (unsigned n = 1; n <= 16; ++n) {
        set(op_dup(n), kDupNames[n - 1], n, n + 1);
        set(op_swap(n), kSwapNames[n - 1], n + 1, n + 1);
    }
    for (unsigned n = 0; n <= 4; ++n) set(op_log(n), kLogNames[n], n + 2, 0);
    set(Op::DUPN, "DUPN", 0, 1, Fork::amsterdam, 1);  // EIP-8024
    set(Op::SWAPN, "SWAPN", 0, 0, Fork::amsterdam, 1);
    set(Op::EXCHANGE, "EXCHANGE", 0, 0, Fork::amsterdam, 1);
    set(Op::CREATE, "CREATE", 3, 1);
    set(Op::CALL, "CALL", 7, 1);
    set(Op::CALLCODE, "CALLCODE", 7, 1);
    set(Op::RETURN, "RETURN", 2, 0);
    set(Op::DELEGATECALL, "DELEGATECALL", 6, 1, later);
    set(Op::CREATE2, "CREATE2", 4, 1, later);
    set(Op::STATICCALL, "STATICCALL", 6, 1, later);
    set(Op::REVERT, "REVERT", 2, 0, later);
    set(Op::INVALID, "INVALID", 0, 0);
    set(Op::SELFDESTRUCT, "SELFDESTRUCT", 1, 0);
    return t;
}

inline constexpr std::array<OpInfo, 256> kOpTable = make_op_table();

/// The part of the price that depends on nothing but the fork: the whole price of most instructions, the warm price of state
/// accesses (EIP-2929), the constant part of copies, logs and hashes. Memory growth, words, cold accesses, value transfers,
/// storage writes and creations come on top while running.
constexpr std::uint16_t static_gas(Op op, Fork fork) {
    const bool frontier = fork == Fork::frontier;
    const auto byte = static_cast<std::uint8_t>(op);
    if (byte >= 0x60 && byte <= 0x9f) return 3;                                                    // PUSH1..SWAP16
    if (byte >= 0xa0 && byte <= 0xa4) return static_cast<std::uint16_t>(375 * (byte - 0xa0 + 1));  // LOG
    switch (op) {
        case Op::STOP:
        case Op::RETURN:
        case Op::REVERT:
        case Op::INVALID:
        case Op::SSTORE:
            return 0;
        case Op::MUL:
        case Op::DIV:
        case Op::SDIV:
        case Op::MOD:
        case Op::SMOD:
        case Op::SIGNEXTEND:
        case Op::CLZ:
            return 5;
        case Op::ADDMOD:
        case Op::MULMOD:
        case Op::JUMP:
            return 8;
        case Op::EXP:
        case Op::JUMPI:
            return 10;
        case Op::KECCAK256:
            return 30;
        case Op::BALANCE:
        case Op::EXTCODEHASH:
            return frontier ? 20 : 100;
        case Op::EXTCODESIZE:
        case Op::EXTCODECOPY:
            if (fork == Fork::amsterdam) return 200;  // EIP-8038: a second database read
            return frontier ? 20 : 100;
        case Op::BLOCKHASH:
            return 20;
        case Op::SLOAD:
            return frontier ? 50 : 100;
        case Op::TLOAD:
        case Op::TSTORE:
            return 100;
        case Op::JUMPDEST:
            return 1;
        case Op::SELFBALANCE:
            return 5;
        case Op::CALL:
        case Op::CALLCODE:
        case Op::DELEGATECALL:
        case Op::STATICCALL:
            return frontier ? 40 : 100;
        case Op::CREATE:
        case Op::CREATE2:
            return fork == Fork::amsterdam ? 12000 : 32000;  // EIP-8038
        case Op::SELFDESTRUCT:
            return frontier ? 0 : 5000;
        case Op::ADDRESS:
        case Op::ORIGIN:
        case Op::CALLER:
        case Op::CALLVALUE:
        case Op::CALLDATASIZE:
        case Op::CODESIZE:
        case Op::GASPRICE:
        case Op::RETURNDATASIZE:
        case Op::COINBASE:
        case Op::TIMESTAMP:
        case Op::NUMBER:
        case Op::PREVRANDAO:
        case Op::GASLIMIT:
        case Op::CHAINID:
        case Op::BASEFEE:
        case Op::BLOBBASEFEE:
        case Op::SLOTNUM:
        case Op::POP:
        case Op::PC:
        case Op::MSIZE:
        case Op::GAS:
        case Op::PUSH0:
            return 2;
        default:
            return 3;
    }
}

}  // namespace detail

constexpr const OpInfo& info(Op op) { return detail::kOpTable[static_cast<std::uint8_t>(op)]; }
constexpr const OpInfo& info(std::uint8_t byte) { return detail::kOpTable[byte]; }
constexpr std::string_view name(Op op) { return info(op).name; }
constexpr unsigned immediates(Op op) { return info(op).immediates; }

/// See detail::static_gas; only meaningful for instructions the fork defines.
constexpr unsigned base_gas(Op op, Fork fork = Fork::osaka) { return detail::static_gas(op, fork); }

/// The instruction of that name, upper case; none if there is none.
constexpr std::optional<Op> find_op(std::string_view op_name) {
    for (unsigned i = 0; i < 256; ++i) {
        if (!op_name.empty() && detail::kOpTable[i].name == op_name) return static_cast<Op>(i);
    }
    return std::nullopt;
}

// EIP-8024: the immediate of DUPN and SWAPN stands for 17..235, that of EXCHANGE for a pair 1 <= n < m with n + m <= 30.

constexpr bool valid_depth_immediate(std::uint8_t x) { return x <= 90 || x >= 128; }
constexpr unsigned decode_depth(std::uint8_t x) { return (x + 145U) % 256U; }
constexpr std::uint8_t encode_depth(unsigned n) { return static_cast<std::uint8_t>((n + 111U) % 256U); }

struct ExchangePair {
    unsigned n;
    unsigned m;
    friend constexpr bool operator==(const ExchangePair&, const ExchangePair&) = default;
};
constexpr bool valid_exchange_immediate(std::uint8_t x) { return x <= 81 || x >= 128; }
constexpr ExchangePair decode_exchange(std::uint8_t x) {
    const unsigned k = x ^ 143U;
    const unsigned q = k / 16;
    const unsigned r = k % 16;
    return q < r ? ExchangePair{q + 1, r + 1} : ExchangePair{r + 1, 29 - q};
}
constexpr std::uint8_t encode_exchange(ExchangePair p) {
    const unsigned q = p.m <= 16 ? p.n - 1 : 29 - p.m;
    const unsigned r = p.m <= 16 ? p.m - 1 : p.n - 1;
    return static_cast<std::uint8_t>((16 * q + r) ^ 143U);
}

}  // namespace postern::evm
