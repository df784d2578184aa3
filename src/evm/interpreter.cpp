#include <cstring>

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

namespace {

/// dst[0, size) = src[offset, ...), zeros past its end.
void copy_padded(std::uint8_t* dst, std::uint64_t size, ByteView src, const U256& offset) {
    std::uint64_t have = 0;
    if (offset.fits_u64() && offset.low64() < src.size()) {
        have = std::min<std::uint64_t>(size, src.size() - offset.low64());
        std::memcpy(dst, src.data() + offset.low64(), have);
    }
    std::memset(dst + have, 0, size - have);
}

U256 load_padded(ByteView src, const U256& offset) {
    if (!offset.fits_u64() || offset.low64() >= src.size()) return {};
    const std::uint8_t* p = src.data() + offset.low64();
    const std::size_t have = src.size() - offset.low64();
    if (have >= 32) return load_word(p);
    Word w{};
    std::memcpy(w.data(), p, have);
    return to_u256(w);
}

/// PUSH<n>: code is followed by enough zeros to read a whole word.
template <unsigned n>
inline U256 push_operand(const std::uint8_t* p) {
    if constexpr (n <= 8) {
        std::uint64_t v = 0;
        for (unsigned i = 0; i < n; ++i) v = v << 8 | p[i];
        return U256{v};
    } else if constexpr (n == 32) {
        return load_word(p);
    } else {
        return load_word(p) >> (8 * (32 - n));
    }
}

inline unsigned leading_zeros(const U256& v) { return 256 - v.bit_length(); }

}  // namespace

// One case an instruction. `sp` points at the top of the stack; underflow, overflow and static gas are checked before the switch.
// Frame::gas is a copy that is only right around calls out of the loop (SYNC ... RELOAD).
#define OP(NAME) case static_cast<std::uint8_t>(Op::NAME)
#define HALT(WHY)         \
    do {                  \
        halt = Halt::WHY; \
        goto exceptional; \
    } while (false)
#define SYNC() f.gas = gas
#define RELOAD() gas = f.gas
#define CHECKED(CALL)                             \
    do {                                          \
        SYNC();                                   \
        halt = (CALL);                            \
        RELOAD();                                 \
        if (halt != Halt::none) goto exceptional; \
    } while (false)
#define PAY(AMOUNT)                    \
    do {                               \
        gas -= (AMOUNT);               \
        if (gas < 0) HALT(out_of_gas); \
    } while (false)
#define GROW(OFFSET, SIZE)                           \
    do {                                             \
        SYNC();                                      \
        if (!f.grow(OFFSET, SIZE)) HALT(out_of_gas); \
        RELOAD();                                    \
    } while (false)
#define BINARY(NAME, EXPR)      \
    OP(NAME) : {                \
        const U256& a = sp[0];  \
        const U256& b = sp[-1]; \
        sp[-1] = (EXPR);        \
        --sp;                   \
        continue;               \
    }
#define TERNARY(NAME, EXPR)     \
    OP(NAME) : {                \
        const U256& a = sp[0];  \
        const U256& b = sp[-1]; \
        const U256& c = sp[-2]; \
        sp[-2] = (EXPR);        \
        sp -= 2;                \
        continue;               \
    }
#define PUSH_VALUE(NAME, EXPR)  \
    OP(NAME) : * ++sp = (EXPR); \
    continue
#define PUSH_N(N)                               \
    case static_cast<std::uint8_t>(op_push(N)): \
        *++sp = push_operand<N>(pc);            \
        pc += (N);                              \
        continue;
#define DUP_N(N)                               \
    case static_cast<std::uint8_t>(op_dup(N)): \
        sp[1] = sp[1 - (N)];                   \
        ++sp;                                  \
        continue;
#define SWAP_N(N)                               \
    case static_cast<std::uint8_t>(op_swap(N)): \
        std::swap(sp[0], sp[-(N)]);             \
        continue;
#define TIMES_16(M) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16)

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

    for (;;) {
        const OpRule rule = rules[*pc];
        const auto size = sp - base;
        if constexpr (kObserved) {
            SYNC();
            m.observer->before_step(f, static_cast<std::size_t>(pc - code), static_cast<std::size_t>(size));
        }
        ++steps;
        PAY(rule.gas);
        if (size < rule.need) HALT(stack_underflow);
        if (size > rule.limit) HALT(stack_overflow);
        ++pc;
        switch (rule.op) {
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
                continue;
            }
            BINARY(SIGNEXTEND, sign_extend(a, b))

            BINARY(LT, U256{a < b})
            BINARY(GT, U256{a > b})
            BINARY(SLT, U256{slt(a, b)})
            BINARY(SGT, U256{slt(b, a)})
            BINARY(EQ, U256{a == b})
            OP(ISZERO) : sp[0] = U256{sp[0].is_zero()};
            continue;
            BINARY(AND, a & b)
            BINARY(OR, a | b)
            BINARY(XOR, a ^ b)
            OP(NOT) : sp[0] = ~sp[0];
            continue;
            BINARY(BYTE, a < U256{32} ? (b >> static_cast<unsigned>(8 * (31 - a.low64()))) & U256{0xff} : U256{})
            BINARY(SHL, a < U256{256} ? b << static_cast<unsigned>(a.low64()) : U256{})
            BINARY(SHR, a < U256{256} ? b >> static_cast<unsigned>(a.low64()) : U256{})
            BINARY(SAR, sar(b, a < U256{256} ? static_cast<unsigned>(a.low64()) : 256U))
            OP(CLZ) : sp[0] = U256{leading_zeros(sp[0])};
            continue;

            OP(KECCAK256) : {
                PAY(6 * words(sp[-1]));
                GROW(sp[0], sp[-1]);
                const std::size_t n = sp[-1].low64();
                const ByteView data = n == 0 ? ByteView{} : ByteView{f.memory.data() + sp[0].low64(), n};
                sp[-1] = load_word(hash::keccak256(data).data());
                --sp;
                continue;
            }

            PUSH_VALUE(ADDRESS, to_u256(f.call.self));
            OP(BALANCE) : {
                const Address a = to_address(sp[0]);
                CHECKED(m.account_access(f, a));
                sp[0] = m.journal.balance(a);
                continue;
            }
            PUSH_VALUE(ORIGIN, m.origin);
            PUSH_VALUE(CALLER, to_u256(f.call.caller));
            PUSH_VALUE(CALLVALUE, f.call.value);
            OP(CALLDATALOAD) : sp[0] = load_padded(f.call.input, sp[0]);
            continue;
            PUSH_VALUE(CALLDATASIZE, U256{f.call.input.size()});
            OP(CALLDATACOPY) : {
                PAY(3 * words(sp[-2]));
                GROW(sp[0], sp[-2]);
                if (!sp[-2].is_zero()) copy_padded(f.memory.data() + sp[0].low64(), sp[-2].low64(), f.call.input, sp[-1]);
                sp -= 3;
                continue;
            }
            PUSH_VALUE(CODESIZE, U256{f.code->size()});
            OP(CODECOPY) : {
                PAY(3 * words(sp[-2]));
                GROW(sp[0], sp[-2]);
                if (!sp[-2].is_zero()) copy_padded(f.memory.data() + sp[0].low64(), sp[-2].low64(), f.code->bytes(), sp[-1]);
                sp -= 3;
                continue;
            }
            PUSH_VALUE(GASPRICE, m.gas_price);
            OP(EXTCODESIZE) : {
                const Address a = to_address(sp[0]);
                CHECKED(m.account_access(f, a));
                sp[0] = U256{m.journal.code(a)->size()};
                continue;
            }
            OP(EXTCODECOPY) : CHECKED(m.extcodecopy(f, sp));
            sp -= 4;
            continue;
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
                continue;
            }
            OP(EXTCODEHASH) : {
                const Address a = to_address(sp[0]);
                CHECKED(m.account_access(f, a));
                sp[0] = m.journal.dead(a) ? U256{} : m.journal.code(a)->hash();
                continue;
            }
            OP(BLOCKHASH) : sp[0] = m.block_hash(sp[0]);
            continue;
            PUSH_VALUE(COINBASE, m.coinbase);
            PUSH_VALUE(TIMESTAMP, U256{m.options.block.timestamp});
            PUSH_VALUE(NUMBER, U256{m.options.block.number});
            PUSH_VALUE(PREVRANDAO, m.prev_randao);
            PUSH_VALUE(GASLIMIT, U256{m.options.block.gas_limit});
            PUSH_VALUE(CHAINID, U256{m.options.block.chain_id});
            PUSH_VALUE(SELFBALANCE, m.journal.balance(f.call.self));
            PUSH_VALUE(BASEFEE, m.base_fee);
            OP(BLOBHASH) : sp[0] = sp[0] < U256{m.blob_hashes.size()} ? m.blob_hashes[sp[0].low64()] : U256{};
            continue;
            PUSH_VALUE(BLOBBASEFEE, m.blob_base_fee);
            PUSH_VALUE(SLOTNUM, U256{m.options.block.slot_number});

            OP(POP) : --sp;
            continue;
            OP(MLOAD) : {
                GROW(sp[0], U256{32});
                sp[0] = load_word(f.memory.data() + sp[0].low64());
                continue;
            }
            OP(MSTORE) : {
                GROW(sp[0], U256{32});
                store_word(f.memory.data() + sp[0].low64(), sp[-1]);
                sp -= 2;
                continue;
            }
            OP(MSTORE8) : {
                GROW(sp[0], U256{1});
                f.memory[sp[0].low64()] = static_cast<std::uint8_t>(sp[-1].low64());
                sp -= 2;
                continue;
            }
            OP(SLOAD) : CHECKED(m.sload(f, sp));
            continue;
            OP(SSTORE) : CHECKED(m.sstore(f, sp));
            sp -= 2;
            continue;
            OP(JUMP) : {
                if (!sp[0].fits_u64() || !f.code->is_jumpdest(sp[0].low64())) HALT(invalid_jump);
                pc = code + sp[0].low64();
                --sp;
                continue;
            }
            OP(JUMPI) : {
                if (!sp[-1].is_zero()) {
                    if (!sp[0].fits_u64() || !f.code->is_jumpdest(sp[0].low64())) HALT(invalid_jump);
                    pc = code + sp[0].low64();
                }
                sp -= 2;
                continue;
            }
            PUSH_VALUE(PC, U256{static_cast<std::uint64_t>(pc - 1 - code)});
            PUSH_VALUE(MSIZE, U256{f.memory.size()});
            PUSH_VALUE(GAS, U256{static_cast<std::uint64_t>(gas)});
            OP(JUMPDEST) : continue;
            OP(TLOAD) : sp[0] = m.journal.transient(f.call.self, sp[0]);
            continue;
            OP(TSTORE) : {
                if (f.call.is_static) HALT(static_violation);
                m.journal.set_transient(f.call.self, sp[0], sp[-1]);
                sp -= 2;
                continue;
            }
            OP(MCOPY) : {
                PAY(3 * words(sp[-2]));
                GROW(std::max(sp[0], sp[-1]), sp[-2]);
                if (!sp[-2].is_zero()) {
                    std::memmove(f.memory.data() + sp[0].low64(), f.memory.data() + sp[-1].low64(), sp[-2].low64());
                }
                sp -= 3;
                continue;
            }
            PUSH_VALUE(PUSH0, U256{});
            TIMES_16(PUSH_N)
            PUSH_N(17)
            PUSH_N(18)
            PUSH_N(19)
            PUSH_N(20)
            PUSH_N(21)
            PUSH_N(22) PUSH_N(23) PUSH_N(24) PUSH_N(25) PUSH_N(26) PUSH_N(27) PUSH_N(28) PUSH_N(29) PUSH_N(30) PUSH_N(31) PUSH_N(32)
                TIMES_16(DUP_N) TIMES_16(SWAP_N) OP(LOG0)
                : case 0xa1 : case 0xa2 : case 0xa3 : case 0xa4 : {
                const unsigned topics = rule.op - 0xa0U;
                CHECKED(m.log(f, topics, sp));
                sp -= topics + 2;
                continue;
            }
            OP(DUPN) : {
                if (!valid_depth_immediate(*pc)) HALT(invalid_immediate);
                const unsigned n = decode_depth(*pc++);
                if (size < static_cast<std::ptrdiff_t>(n)) HALT(stack_underflow);
                sp[1] = *(sp + 1 - n);
                ++sp;
                continue;
            }
            OP(SWAPN) : {
                if (!valid_depth_immediate(*pc)) HALT(invalid_immediate);
                const unsigned n = decode_depth(*pc++);
                if (size < static_cast<std::ptrdiff_t>(n) + 1) HALT(stack_underflow);
                std::swap(*sp, *(sp - n));
                continue;
            }
            OP(EXCHANGE) : {
                if (!valid_exchange_immediate(*pc)) HALT(invalid_immediate);
                const ExchangePair p = decode_exchange(*pc++);
                if (size < static_cast<std::ptrdiff_t>(p.m) + 1) HALT(stack_underflow);
                std::swap(*(sp - p.n), *(sp - p.m));
                continue;
            }
            OP(CREATE) : OP(CREATE2) : {
                bool skipped = false;
                CHECKED(m.prepare_create(f, static_cast<Op>(rule.op), sp, skipped));
                sp -= info(rule.op).stack_in;
                if (skipped) {
                    f.return_data.clear();
                    *++sp = U256{};
                    continue;
                }
                exit = Exit::call;
                goto suspended;
            }
            OP(CALL) : OP(CALLCODE) : OP(DELEGATECALL) : OP(STATICCALL) : {
                CHECKED(m.prepare_call(f, static_cast<Op>(rule.op), sp));
                sp -= info(rule.op).stack_in;
                exit = Exit::call;
                goto suspended;
            }
            OP(RETURN) : OP(REVERT) : {
                GROW(sp[0], sp[-1]);
                f.output_offset = sp[-1].is_zero() ? 0 : sp[0].low64();
                f.output_size = sp[-1].low64();
                if (rule.op == static_cast<std::uint8_t>(Op::REVERT)) exit = Exit::revert;
                goto finished;
            }
            OP(INVALID) : HALT(invalid_opcode);
            OP(SELFDESTRUCT) : CHECKED(m.selfdestruct(f, sp));
            goto finished;
            default:
                HALT(undefined_opcode);
        }
    }

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

template Exit interpret<false>(Machine&, Frame&, Halt&);
template Exit interpret<true>(Machine&, Frame&, Halt&);

}  // namespace postern::evm
