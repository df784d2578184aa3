#pragma once

// The macros that interpreter.cpp is written in; nothing else may include this.

// One label an instruction. `sp` points at the top of the stack; NEXT checks static gas and the stack before it jumps, each
// instruction with a jump of its own, which processors predict far better than a shared one. Frame::gas is a copy that is only
// right around calls out of this function (SYNC ... RELOAD).

#define OP(NAME) op_##NAME
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
// For the few bytes of a load or store: nothing to do in the usual case.
#define GROW_FOR(OFFSET, SIZE)                                                                                         \
    if (!(OFFSET).fits_u64() || (OFFSET).low64() > Frame::kMemoryLimit || (OFFSET).low64() + (SIZE) > f.memory.size()) \
    GROW(OFFSET, U256{SIZE})
#define STEP()                                                                             \
    do {                                                                                   \
        rule = &rules[*pc];                                                                \
        ++steps;                                                                           \
        PAY(rule->gas);                                                                    \
        if (static_cast<std::size_t>(sp - base) - rule->need > rule->room) goto bad_stack; \
        ++pc;                                                                              \
        goto* labels[rule->op];                                                            \
    } while (false)
#define NEXT()                   \
    do {                         \
        if constexpr (kObserved) \
            goto observed_step;  \
        else                     \
            STEP();              \
    } while (false)
#define BINARY(NAME, EXPR)      \
    OP(NAME) : {                \
        const U256& a = sp[0];  \
        const U256& b = sp[-1]; \
        sp[-1] = (EXPR);        \
        --sp;                   \
        NEXT();                 \
    }
#define TERNARY(NAME, EXPR)     \
    OP(NAME) : {                \
        const U256& a = sp[0];  \
        const U256& b = sp[-1]; \
        const U256& c = sp[-2]; \
        sp[-2] = (EXPR);        \
        sp -= 2;                \
        NEXT();                 \
    }
#define PUSH_VALUE(NAME, EXPR)  \
    OP(NAME) : * ++sp = (EXPR); \
    NEXT()
#define PUSH_N(N)                    \
    op_PUSH##N : {                   \
        *++sp = push_operand<N>(pc); \
        pc += (N);                   \
        NEXT();                      \
    }
#define DUP_N(N)             \
    op_DUP##N : {            \
        sp[1] = sp[1 - (N)]; \
        ++sp;                \
        NEXT();              \
    }
#define SWAP_N(N)                   \
    op_SWAP##N : {                  \
        std::swap(sp[0], sp[-(N)]); \
        NEXT();                     \
    }
#define TIMES_16(M) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16)
#define UNDEFINED_8 \
    &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined, &&op_undefined
#define UNDEFINED_16 UNDEFINED_8, UNDEFINED_8
