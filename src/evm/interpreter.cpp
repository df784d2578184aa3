#include <cstring>

#include "evm/byte_access.hpp"
#include "evm/dispatch.hpp"
#include "evm/machine.hpp"
#include "evm/observer.hpp"
#include "hash/sha3.hpp"

namespace postern::evm {

bool Frame::grow_to(std::uint64_t end) {
    const auto cost = [](std::uint64_t bytes) {
        const auto w = static_cast<Gas>(bytes / 32);
        return 3 * w + w * w / 512;
    };
    const std::uint64_t size = (end + 31) / 32 * 32;
    if (size > kMemoryLimit || !pay(cost(size) - cost(memory.size()))) return false;
    memory.resize(size);
    return true;
}

// Labels as values.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

template <bool kObserved>
Exit interpret(Machine& m, Frame& f, Halt& halt) {
    const OpRule* const rules = m.rules;
    const std::uint8_t* const code = f.code->data();
    const std::uint8_t* pc = code + f.pc;
    U256* const base = f.stack.get();
    U256* sp = base + f.stack_size;
    Gas gas = f.gas;
    std::uint64_t steps = 0;
    Exit exit = Exit::success;

    // clang-format off
    static const void* const labels[256] = {
        &&op_STOP, &&op_ADD, &&op_MUL, &&op_SUB, &&op_DIV, &&op_SDIV, &&op_MOD, &&op_SMOD,
        &&op_ADDMOD, &&op_MULMOD, &&op_EXP, &&op_SIGNEXTEND, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined,
        &&op_LT, &&op_GT, &&op_SLT, &&op_SGT, &&op_EQ, &&op_ISZERO, &&op_AND, &&op_OR,
        &&op_XOR, &&op_NOT, &&op_BYTE, &&op_SHL, &&op_SHR, &&op_SAR, &&op_CLZ, &&op_undefined,
        &&op_KECCAK256, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined,
        UNDEFINED_8,
        &&op_ADDRESS, &&op_BALANCE, &&op_ORIGIN, &&op_CALLER, &&op_CALLVALUE, &&op_CALLDATALOAD, &&op_CALLDATASIZE, &&op_CALLDATACOPY,
        &&op_CODESIZE, &&op_CODECOPY, &&op_GASPRICE, &&op_EXTCODESIZE, &&op_EXTCODECOPY, &&op_RETURNDATASIZE, &&op_RETURNDATACOPY, &&op_EXTCODEHASH,
        &&op_BLOCKHASH, &&op_COINBASE, &&op_TIMESTAMP, &&op_NUMBER, &&op_PREVRANDAO, &&op_GASLIMIT, &&op_CHAINID, &&op_SELFBALANCE,
        &&op_BASEFEE, &&op_BLOBHASH, &&op_BLOBBASEFEE, &&op_SLOTNUM, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined,
        &&op_POP, &&op_MLOAD, &&op_MSTORE, &&op_MSTORE8, &&op_SLOAD, &&op_SSTORE, &&op_JUMP, &&op_JUMPI,
        &&op_PC, &&op_MSIZE, &&op_GAS, &&op_JUMPDEST, &&op_TLOAD, &&op_TSTORE, &&op_MCOPY, &&op_PUSH0,
        &&op_PUSH1, &&op_PUSH2, &&op_PUSH3, &&op_PUSH4, &&op_PUSH5, &&op_PUSH6, &&op_PUSH7, &&op_PUSH8,
        &&op_PUSH9, &&op_PUSH10, &&op_PUSH11, &&op_PUSH12, &&op_PUSH13, &&op_PUSH14, &&op_PUSH15, &&op_PUSH16,
        &&op_PUSH17, &&op_PUSH18, &&op_PUSH19, &&op_PUSH20, &&op_PUSH21, &&op_PUSH22, &&op_PUSH23, &&op_PUSH24,
        &&op_PUSH25, &&op_PUSH26, &&op_PUSH27, &&op_PUSH28, &&op_PUSH29, &&op_PUSH30, &&op_PUSH31, &&op_PUSH32,
        &&op_DUP1, &&op_DUP2, &&op_DUP3, &&op_DUP4, &&op_DUP5, &&op_DUP6, &&op_DUP7, &&op_DUP8,
        &&op_DUP9, &&op_DUP10, &&op_DUP11, &&op_DUP12, &&op_DUP13, &&op_DUP14, &&op_DUP15, &&op_DUP16,
        &&op_SWAP1, &&op_SWAP2, &&op_SWAP3, &&op_SWAP4, &&op_SWAP5, &&op_SWAP6, &&op_SWAP7, &&op_SWAP8,
        &&op_SWAP9, &&op_SWAP10, &&op_SWAP11, &&op_SWAP12, &&op_SWAP13, &&op_SWAP14, &&op_SWAP15, &&op_SWAP16,
        &&op_LOG0, &&op_LOG1, &&op_LOG2, &&op_LOG3, &&op_LOG4, &&op_undefined, &&op_undefined, &&op_undefined,
        UNDEFINED_8,
        UNDEFINED_16,
        UNDEFINED_16,
        UNDEFINED_16,
        &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_DUPN, &&op_SWAPN,
        &&op_EXCHANGE, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined,
        &&op_CREATE, &&op_CALL, &&op_CALLCODE, &&op_RETURN, &&op_DELEGATECALL, &&op_CREATE2, &&op_undefined, &&op_undefined,
        &&op_undefined, &&op_undefined, &&op_STATICCALL, &&op_undefined, &&op_undefined, &&op_REVERT, &&op_INVALID, &&op_SELFDESTRUCT};
    // clang-format on

    const OpRule* rule = nullptr;
    NEXT();
    {
        OP(STOP) : goto finished;
        BINARY(ADD, a + b)
        BINARY(MUL, a * b)
        BINARY(SUB, a - b)
        BINARY(DIV, a / b)
        BINARY(SDIV, sdiv(a, b))
        BINARY(MOD, a % b)
        BINARY(SMOD, smod(a, b))
        TERNARY(ADDMOD, add_mod(a, b, c))
        TERNARY(MULMOD, mul_mod(a, b, c))
        OP(EXP) : {
            PAY(m.schedule.exp_byte * sp[-1].byte_length());
            sp[-1] = pow(sp[0], sp[-1]);
            --sp;
            NEXT();
        }
        BINARY(SIGNEXTEND, sign_extend(a, b))

        BINARY(LT, U256{a < b})
        BINARY(GT, U256{a > b})
        BINARY(SLT, U256{slt(a, b)})
        BINARY(SGT, U256{slt(b, a)})
        BINARY(EQ, U256{a == b})
        OP(ISZERO) : sp[0] = U256{sp[0].is_zero()};
        NEXT();
        BINARY(AND, a & b)
        BINARY(OR, a | b)
        BINARY(XOR, a ^ b)
        OP(NOT) : sp[0] = ~sp[0];
        NEXT();
        BINARY(BYTE, a < U256{32} ? (b >> static_cast<unsigned>(8 * (31 - a.low64()))) & U256{0xff} : U256{})
        BINARY(SHL, a < U256{256} ? b << static_cast<unsigned>(a.low64()) : U256{})
        BINARY(SHR, a < U256{256} ? b >> static_cast<unsigned>(a.low64()) : U256{})
        BINARY(SAR, sar(b, a < U256{256} ? static_cast<unsigned>(a.low64()) : 256U))
        OP(CLZ) : sp[0] = U256{leading_zeros(sp[0])};
        NEXT();

        OP(KECCAK256) : {
            PAY(6 * words(sp[-1]));
            GROW(sp[0], sp[-1]);
            const std::size_t n = sp[-1].low64();
            const ByteView data = n == 0 ? ByteView{} : ByteView{f.memory.data() + sp[0].low64(), n};
            sp[-1] = load_word(hash::keccak256(data).data());
            --sp;
            NEXT();
        }

        PUSH_VALUE(ADDRESS, to_u256(f.call.self));
        OP(BALANCE) : {
            const Address a = to_address(sp[0]);
            CHECKED(m.account_access(f, a));
            sp[0] = m.journal.balance(a);
            NEXT();
        }
        PUSH_VALUE(ORIGIN, m.origin);
        PUSH_VALUE(CALLER, to_u256(f.call.caller));
        PUSH_VALUE(CALLVALUE, f.call.value);
        OP(CALLDATALOAD) : sp[0] = load_padded(f.call.input, sp[0]);
        NEXT();
        PUSH_VALUE(CALLDATASIZE, U256{f.call.input.size()});
        OP(CALLDATACOPY) : {
            PAY(3 * words(sp[-2]));
            GROW(sp[0], sp[-2]);
            if (!sp[-2].is_zero()) copy_padded(f.memory.data() + sp[0].low64(), sp[-2].low64(), f.call.input, sp[-1]);
            sp -= 3;
            NEXT();
        }
        PUSH_VALUE(CODESIZE, U256{f.code->size()});
        OP(CODECOPY) : {
            PAY(3 * words(sp[-2]));
            GROW(sp[0], sp[-2]);
            if (!sp[-2].is_zero()) copy_padded(f.memory.data() + sp[0].low64(), sp[-2].low64(), f.code->bytes(), sp[-1]);
            sp -= 3;
            NEXT();
        }
        PUSH_VALUE(GASPRICE, m.gas_price);
        OP(EXTCODESIZE) : {
            const Address a = to_address(sp[0]);
            CHECKED(m.account_access(f, a));
            sp[0] = U256{m.journal.code(a)->size()};
            NEXT();
        }
        OP(EXTCODECOPY) : CHECKED(m.extcodecopy(f, sp));
        sp -= 4;
        NEXT();
        PUSH_VALUE(RETURNDATASIZE, U256{f.return_data.size()});
        OP(RETURNDATACOPY) : {
            const U256& from = sp[-1];
            const U256& n = sp[-2];
            if (!from.fits_u64() || !n.fits_u64() || from.low64() > f.return_data.size() ||
                n.low64() > f.return_data.size() - from.low64()) {
                HALT(return_data_bounds);
            }
            PAY(3 * words(n));
            GROW(sp[0], n);
            if (!n.is_zero()) std::memcpy(f.memory.data() + sp[0].low64(), f.return_data.data() + from.low64(), n.low64());
            sp -= 3;
            NEXT();
        }
        OP(EXTCODEHASH) : {
            const Address a = to_address(sp[0]);
            CHECKED(m.account_access(f, a));
            sp[0] = m.journal.dead(a) ? U256{} : m.journal.code(a)->hash();
            NEXT();
        }
        OP(BLOCKHASH) : sp[0] = m.block_hash(sp[0]);
        NEXT();
        PUSH_VALUE(COINBASE, m.coinbase);
        PUSH_VALUE(TIMESTAMP, U256{m.options.block.timestamp});
        PUSH_VALUE(NUMBER, U256{m.options.block.number});
        PUSH_VALUE(PREVRANDAO, m.prev_randao);
        PUSH_VALUE(GASLIMIT, U256{m.options.block.gas_limit});
        PUSH_VALUE(CHAINID, U256{m.options.block.chain_id});
        PUSH_VALUE(SELFBALANCE, m.journal.balance(f.call.self));
        PUSH_VALUE(BASEFEE, m.base_fee);
        OP(BLOBHASH) : sp[0] = sp[0] < U256{m.blob_hashes.size()} ? m.blob_hashes[sp[0].low64()] : U256{};
        NEXT();
        PUSH_VALUE(BLOBBASEFEE, m.blob_base_fee);
        PUSH_VALUE(SLOTNUM, U256{m.options.block.slot_number});

        OP(POP) : --sp;
        NEXT();
        OP(MLOAD) : {
            GROW_FOR(sp[0], 32);
            sp[0] = load_word(f.memory.data() + sp[0].low64());
            NEXT();
        }
        OP(MSTORE) : {
            GROW_FOR(sp[0], 32);
            store_word(f.memory.data() + sp[0].low64(), sp[-1]);
            sp -= 2;
            NEXT();
        }
        OP(MSTORE8) : {
            GROW_FOR(sp[0], 1);
            f.memory[sp[0].low64()] = static_cast<std::uint8_t>(sp[-1].low64());
            sp -= 2;
            NEXT();
        }
        OP(SLOAD) : CHECKED(m.sload(f, sp));
        NEXT();
        OP(SSTORE) : CHECKED(m.sstore(f, sp));
        sp -= 2;
        NEXT();
        OP(JUMP) : {
            if (!sp[0].fits_u64() || !f.code->is_jumpdest(sp[0].low64())) HALT(invalid_jump);
            pc = code + sp[0].low64();
            --sp;
            NEXT();
        }
        OP(JUMPI) : {
            if (!sp[-1].is_zero()) {
                if (!sp[0].fits_u64() || !f.code->is_jumpdest(sp[0].low64())) HALT(invalid_jump);
                pc = code + sp[0].low64();
            }
            sp -= 2;
            NEXT();
        }
        PUSH_VALUE(PC, U256{static_cast<std::uint64_t>(pc - 1 - code)});
        PUSH_VALUE(MSIZE, U256{f.memory.size()});
        PUSH_VALUE(GAS, U256{static_cast<std::uint64_t>(gas)});
        OP(JUMPDEST) : NEXT();
        OP(TLOAD) : sp[0] = m.journal.transient(f.call.self, sp[0]);
        NEXT();
        OP(TSTORE) : {
            if (f.call.is_static) HALT(static_violation);
            m.journal.set_transient(f.call.self, sp[0], sp[-1]);
            sp -= 2;
            NEXT();
        }
        OP(MCOPY) : {
            PAY(3 * words(sp[-2]));
            GROW(std::max(sp[0], sp[-1]), sp[-2]);
            if (!sp[-2].is_zero()) {
                std::memmove(f.memory.data() + sp[0].low64(), f.memory.data() + sp[-1].low64(), sp[-2].low64());
            }
            sp -= 3;
            NEXT();
        }
        PUSH_VALUE(PUSH0, U256{});
        // clang-format off
        TIMES_16(PUSH_N)
        PUSH_N(17) PUSH_N(18) PUSH_N(19) PUSH_N(20) PUSH_N(21) PUSH_N(22) PUSH_N(23) PUSH_N(24)
        PUSH_N(25) PUSH_N(26) PUSH_N(27) PUSH_N(28) PUSH_N(29) PUSH_N(30) PUSH_N(31) PUSH_N(32)
        TIMES_16(DUP_N)
        TIMES_16(SWAP_N)
            // clang-format on
            OP(LOG0)
            : OP(LOG1) : OP(LOG2) : OP(LOG3) : OP(LOG4) : {
            const unsigned topics = rule->op - 0xa0U;
            CHECKED(m.log(f, topics, sp));
            sp -= topics + 2;
            NEXT();
        }
        OP(DUPN) : {
            if (!valid_depth_immediate(*pc)) HALT(invalid_immediate);
            const unsigned n = decode_depth(*pc++);
            if (sp - base < static_cast<std::ptrdiff_t>(n)) HALT(stack_underflow);
            sp[1] = *(sp + 1 - n);
            ++sp;
            NEXT();
        }
        OP(SWAPN) : {
            if (!valid_depth_immediate(*pc)) HALT(invalid_immediate);
            const unsigned n = decode_depth(*pc++);
            if (sp - base < static_cast<std::ptrdiff_t>(n) + 1) HALT(stack_underflow);
            std::swap(*sp, *(sp - n));
            NEXT();
        }
        OP(EXCHANGE) : {
            if (!valid_exchange_immediate(*pc)) HALT(invalid_immediate);
            const ExchangePair p = decode_exchange(*pc++);
            if (sp - base < static_cast<std::ptrdiff_t>(p.m) + 1) HALT(stack_underflow);
            std::swap(*(sp - p.n), *(sp - p.m));
            NEXT();
        }
        OP(CREATE) : OP(CREATE2) : {
            bool skipped = false;
            CHECKED(m.prepare_create(f, static_cast<Op>(rule->op), sp, skipped));
            sp -= info(rule->op).stack_in;
            if (skipped) {
                f.return_data.clear();
                *++sp = U256{};
                NEXT();
            }
            exit = Exit::call;
            goto suspended;
        }
        OP(CALL) : OP(CALLCODE) : OP(DELEGATECALL) : OP(STATICCALL) : {
            CHECKED(m.prepare_call(f, static_cast<Op>(rule->op), sp));
            sp -= info(rule->op).stack_in;
            exit = Exit::call;
            goto suspended;
        }
        OP(RETURN) : OP(REVERT) : {
            GROW(sp[0], sp[-1]);
            f.output_offset = sp[-1].is_zero() ? 0 : sp[0].low64();
            f.output_size = sp[-1].low64();
            if (rule->op == static_cast<std::uint8_t>(Op::REVERT)) exit = Exit::revert;
            goto finished;
        }
        OP(INVALID) : HALT(invalid_opcode);
        OP(SELFDESTRUCT) : CHECKED(m.selfdestruct(f, sp));
        goto finished;
    op_undefined:
        HALT(undefined_opcode);
    }

    [[maybe_unused]] observed_step : if constexpr (kObserved) {
        SYNC();
        m.observer->before_step(f, static_cast<std::size_t>(pc - code), static_cast<std::size_t>(sp - base));
        STEP();
    }
bad_stack:
    halt = sp - base < rule->need ? Halt::stack_underflow : Halt::stack_overflow;
exceptional:
    exit = Exit::halt;
finished:
suspended:
    f.gas = gas;
    f.pc = static_cast<std::size_t>(pc - code);
    f.stack_size = static_cast<std::size_t>(sp - base);
    m.steps += steps;
    return exit;
}

#pragma GCC diagnostic pop

template Exit interpret<false>(Machine&, Frame&, Halt&);
template Exit interpret<true>(Machine&, Frame&, Halt&);

}  // namespace postern::evm
