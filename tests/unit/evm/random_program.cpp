#include "random_program.hpp"

#include <algorithm>

#include "evm/opcodes.hpp"
#include "evm/words.hpp"

namespace postern::test {

using evm::Op;

namespace {

void emit(Bytes& code, Op op) { code.push_back(static_cast<std::uint8_t>(op)); }

constexpr std::array kPure{Op::ADD, Op::MUL,        Op::SUB, Op::DIV,  Op::SDIV, Op::MOD, Op::SMOD, Op::ADDMOD, Op::MULMOD,
                           Op::EXP, Op::SIGNEXTEND, Op::LT,  Op::GT,   Op::SLT,  Op::SGT, Op::EQ,   Op::ISZERO, Op::AND,
                           Op::OR,  Op::XOR,        Op::NOT, Op::BYTE, Op::SHL,  Op::SHR, Op::SAR,  Op::CLZ};
// No TIMESTAMP, NUMBER and BLOCKHASH: a node's answers move on.
constexpr std::array kEnvironment{Op::ADDRESS,  Op::ORIGIN,   Op::CALLER,  Op::CALLVALUE,   Op::CALLDATASIZE,   Op::CODESIZE,
                                  Op::GASPRICE, Op::COINBASE, Op::CHAINID, Op::SELFBALANCE, Op::RETURNDATASIZE, Op::PC,
                                  Op::MSIZE,    Op::GAS,      Op::PUSH0,   Op::BASEFEE};

}  // namespace

void ProgramGenerator::push(Bytes& code, ByteView value) {
    emit(code, evm::op_push(static_cast<unsigned>(value.size())));
    code.insert(code.end(), value.begin(), value.end());
}

void ProgramGenerator::push_small(Bytes& code, std::uint64_t v) {
    const evm::Word w = evm::word(v);
    const unsigned n = std::max(1U, U256{v}.byte_length());
    push(code, ByteView(w).last(n));
}

void ProgramGenerator::push_edge(Bytes& code) {
    U256 v;
    switch (below(10)) {
        case 0:
            v = U256{below(3)};
            break;
        case 1:
            v = U256{below(300)};
            break;
        case 2:
            v = U256::pow2(static_cast<unsigned>(below(256)));
            break;
        case 3:
            v = U256::pow2(static_cast<unsigned>(below(256))) - U256{1};
            break;
        case 4:
            v = U256::max() - U256{below(3)};
            break;
        case 5:
            v = U256::pow2(255) - U256{below(2)};
            break;
        case 6:
            v = -U256::pow2(static_cast<unsigned>(below(255)));
            break;
        case 7:
            v = U256{random_()};
            break;
        case 8:
            v = U256{random_(), random_(), random_(), random_()};
            break;
        default:
            v = U256{0, 0, random_(), random_()};
            break;
    }
    const evm::Word w = evm::to_word(v);
    push(code, ByteView(w).last(std::max(1U, v.byte_length())));
}

void ProgramGenerator::push_offset(Bytes& code) {
    switch (below(60)) {
        case 0:
            push_edge(code);
            break;
        case 1:
            push_small(code, below(1 << 20));
            break;
        default:
            push_small(code, below(200));
            break;
    }
}

void ProgramGenerator::push_address(Bytes& code, const std::vector<evm::Address>& accounts) {
    switch (below(8)) {
        case 0:
            push_small(code, 1 + below(10));
            break;  // precompiles
        case 1:
            push_small(code, 0x100);
            break;
        case 2:
            push_edge(code);
            break;
        case 3:
            emit(code, Op::ADDRESS);
            break;
        default:
            push(code, accounts[below(accounts.size())]);
            break;
    }
}

void ProgramGenerator::call(Bytes& code, const std::vector<evm::Address>& accounts) {
    constexpr std::array kinds{Op::CALL, Op::CALLCODE, Op::DELEGATECALL, Op::STATICCALL};
    const Op kind = kinds[below(4)];
    for (int i = 0; i < 4; ++i) push_offset(code);
    if (kind == Op::CALL || kind == Op::CALLCODE) {
        if (below(2) == 0) {
            push_small(code, below(3));
        } else {
            emit(code, Op::PUSH0);
        }
    }
    push_address(code, accounts);
    switch (below(3)) {
        case 0:
            emit(code, Op::GAS);
            break;
        case 1:
            push_small(code, below(60000));
            break;
        default:
            push_edge(code);
            break;
    }
    emit(code, kind);
}

void ProgramGenerator::create(Bytes& code) {
    // Init code that fits a word: store something, return something, revert, or nonsense.
    Bytes init;
    switch (below(5)) {
        case 0:
            init = {0x60, static_cast<std::uint8_t>(below(256)), 0x60, 0x00, 0x55, 0x00};
            break;
        case 1:
            init = {0x60, static_cast<std::uint8_t>(below(256)), 0x60, 0x00, 0x53, 0x60, static_cast<std::uint8_t>(below(64)), 0x5f, 0xf3};
            break;
        case 2:
            init = {0x60, static_cast<std::uint8_t>(below(64)), 0x5f, 0xfd};
            break;
        case 3:
            init = {0x60, 0xef, 0x5f, 0x53, 0x60, 0x01, 0x5f, 0xf3};
            break;
        default:
            for (std::uint64_t i = below(12); i > 0; --i) init.push_back(static_cast<std::uint8_t>(below(256)));
    }
    evm::Word w{};
    std::copy(init.begin(), init.end(), w.begin());
    push(code, w);
    emit(code, Op::PUSH0);
    emit(code, Op::MSTORE);
    const bool salted = below(2) == 0;
    if (salted) push_edge(code);
    if (below(6) == 0) {
        push_offset(code);
    } else {
        push_small(code, init.size());
    }
    emit(code, Op::PUSH0);
    push_small(code, below(4) == 0 ? 1 : 0);
    emit(code, salted ? Op::CREATE2 : Op::CREATE);
}

void ProgramGenerator::snippet(Bytes& code, const std::vector<evm::Address>& accounts) {
    const auto operands = [&](unsigned n) {
        for (unsigned i = 0; i < n; ++i) push_edge(code);
    };
    switch (below(22)) {
        case 0:
        case 1:
        case 2:
        case 3: {
            const Op op = kPure[below(kPure.size())];
            operands(evm::info(op).stack_in);
            emit(code, op);
            break;
        }
        case 4:
            emit(code, kEnvironment[below(kEnvironment.size())]);
            break;
        case 5:
            push_edge(code);
            push_offset(code);
            emit(code, below(3) == 0 ? Op::MSTORE8 : Op::MSTORE);
            break;
        case 6:
            push_offset(code);
            emit(code, Op::MLOAD);
            break;
        case 7:
            push_offset(code);
            push_offset(code);
            emit(code, Op::KECCAK256);
            break;
        case 8: {
            constexpr std::array copies{Op::CALLDATACOPY, Op::CODECOPY, Op::MCOPY, Op::RETURNDATACOPY};
            const Op copy = copies[below(copies.size())];
            const bool in_bounds = copy == Op::RETURNDATACOPY && below(8) != 0;
            for (int i = 0; i < 3; ++i) {
                if (in_bounds && i < 2) {
                    emit(code, i == 0 ? Op::RETURNDATASIZE : Op::PUSH0);
                } else {
                    push_offset(code);
                }
            }
            emit(code, copy);
            break;
        }
        case 9:
            push_offset(code);
            emit(code, Op::CALLDATALOAD);
            break;
        case 10:
            push_small(code, below(4));
            push_small(code, below(3));
            emit(code, Op::SSTORE);
            break;
        case 11:
            push_small(code, below(3));
            emit(code, Op::SLOAD);
            break;
        case 12:
            push_edge(code);
            push_small(code, below(3));
            emit(code, Op::TSTORE);
            push_small(code, below(3));
            emit(code, Op::TLOAD);
            break;
        case 13: {
            const unsigned topics = static_cast<unsigned>(below(5));
            operands(topics);
            push_offset(code);
            push_offset(code);
            emit(code, evm::op_log(topics));
            break;
        }
        case 14: {
            constexpr std::array queries{Op::BALANCE, Op::EXTCODESIZE, Op::EXTCODEHASH};
            push_address(code, accounts);
            emit(code, queries[below(queries.size())]);
            break;
        }
        case 15:
            for (int i = 0; i < 3; ++i) push_offset(code);
            push_address(code, accounts);
            emit(code, Op::EXTCODECOPY);
            break;
        case 16:
        case 17:
            call(code, accounts);
            break;
        case 18:
            if (below(3) == 0) create(code);
            break;
        case 19: {  // a jump over a byte that is no instruction, to a JUMPDEST or just beside one
            push_edge(code);
            const std::size_t target = code.size() + 5 + (below(8) == 0 ? 1 : 0);
            code.insert(code.end(), {0x61, static_cast<std::uint8_t>(target >> 8), static_cast<std::uint8_t>(target),
                                     static_cast<std::uint8_t>(below(2) == 0 ? 0x56 : 0x57), 0x0c, 0x5b});
            break;
        }
        case 20:
            emit(code,
                 below(2) == 0 ? evm::op_dup(static_cast<unsigned>(1 + below(16))) : evm::op_swap(static_cast<unsigned>(1 + below(16))));
            break;
        default:
            emit(code, Op::POP);
            break;
    }
}

Bytes ProgramGenerator::program(const std::vector<evm::Address>& accounts) {
    Bytes code;
    for (std::uint64_t i = below(4) == 0 ? below(6) : 17; i > 0; --i) push_edge(code);
    for (std::uint64_t i = 1 + below(30); i > 0; --i) snippet(code, accounts);
    switch (below(6)) {
        case 0:
            break;
        case 1:
            push_address(code, accounts);
            emit(code, Op::SELFDESTRUCT);
            break;
        case 2:
            push_offset(code);
            push_offset(code);
            emit(code, Op::REVERT);
            break;
        default:
            emit(code, Op::PUSH0);
            emit(code, Op::MSTORE);
            code.insert(code.end(), {0x60, 0x60, 0x5f, 0xf3});
    }
    return code;
}

Bytes ProgramGenerator::single_operation() {
    Bytes code;
    const Op op = kPure[below(kPure.size())];
    for (unsigned i = 0; i < evm::info(op).stack_in; ++i) push_edge(code);
    emit(code, op);
    code.insert(code.end(), {0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3});
    return code;
}

Bytes ProgramGenerator::noise() {
    Bytes code(1 + below(60));
    for (std::uint8_t& b : code) b = static_cast<std::uint8_t>(below(256));
    // Block numbers and times move on in a node: leave them out.
    for (std::uint8_t& b : code) {
        if (b >= 0x40 && b <= 0x45) b = 0x50;
        if (b == 0x4a) b = 0x5f;
    }
    return code;
}

Bytes ProgramGenerator::call_data() {
    Bytes data(below(3) == 0 ? 0 : below(120));
    for (std::uint8_t& b : data) b = static_cast<std::uint8_t>(below(4) == 0 ? 0 : below(256));
    return data;
}

}  // namespace postern::test
