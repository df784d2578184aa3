// Speed of the embedded EVM on code shaped like a verifier: straight-line lane arithmetic over memory, about half of it operand
// placement, looped to a given amount of gas.

#include <benchmark/benchmark.h>

#include <postern/evm.hpp>
#include <random>

#include "evm/opcodes.hpp"

namespace {

using namespace postern;
using evm::Op;

void emit(Bytes& code, Op op) { code.push_back(static_cast<std::uint8_t>(op)); }

void push2(Bytes& code, unsigned v) {
    emit(code, evm::op_push(2));
    code.push_back(static_cast<std::uint8_t>(v >> 8));
    code.push_back(static_cast<std::uint8_t>(v));
}

/// A loop whose body is about 20 kB of the opcode mix measured on published verifiers.
Bytes verifier_like() {
    std::mt19937 generator(1);
    const auto random = [&generator] { return static_cast<unsigned>(generator()); };
    Bytes code;
    for (unsigned i = 0; i < 16; ++i) push2(code, random() & 0xffff);
    const unsigned top = static_cast<unsigned>(code.size());
    emit(code, Op::JUMPDEST);
    while (code.size() < 20000) {
        const unsigned slot = 32 * random() % 64;
        switch (random() % 12) {
            case 0:
            case 1:
                push2(code, slot);
                emit(code, Op::MLOAD);
                emit(code, Op::XOR);
                break;
            case 2:
                emit(code, evm::op_dup(1));
                push2(code, slot);
                emit(code, Op::MSTORE);
                break;
            case 3:
                emit(code, evm::op_dup(2 + random() % 8));
                emit(code, evm::op_swap(1 + random() % 8));
                emit(code, Op::MUL);
                break;
            case 4:
                push2(code, random() % 64);
                emit(code, Op::SHR);
                break;
            case 5:
                push2(code, random() % 64);
                emit(code, Op::SHL);
                break;
            case 6:
                push2(code, 0xffff);
                emit(code, Op::AND);
                break;
            case 7:
                emit(code, evm::op_dup(1 + random() % 14));
                emit(code, Op::ADD);
                break;
            case 8:
                emit(code, evm::op_dup(1 + random() % 14));
                emit(code, Op::OR);
                break;
            case 9:
                emit(code, evm::op_dup(1 + random() % 14));
                emit(code, Op::SUB);
                break;
            default:
                emit(code, evm::op_swap(1 + random() % 15));
                break;
        }
    }
    push2(code, top);
    emit(code, Op::JUMP);
    return code;
}

const evm::Address kContract{0x42};

void run(benchmark::State& state, const Bytes& code, evm::Profile* profile) {
    evm::State world;
    world.set_code(kContract, code);
    evm::Message m;
    m.to = kContract;
    m.gas = 1'000'000;
    std::uint64_t steps = 0;
    for (auto _ : state) {
        const evm::ExecutionResult r = evm::call(world, m, {.profile = profile, .keep_changes = false});
        benchmark::DoNotOptimize(r.gas_used);
        steps += r.steps;
    }
    state.counters["steps/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
    state.counters["gas/s"] = benchmark::Counter(1e6 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void one_million_gas(benchmark::State& state) { run(state, verifier_like(), nullptr); }
BENCHMARK(one_million_gas)->Unit(benchmark::kMillisecond);

void one_million_gas_profiled(benchmark::State& state) {
    evm::Profile profile;
    run(state, verifier_like(), &profile);
}
BENCHMARK(one_million_gas_profiled)->Unit(benchmark::kMillisecond);

void one_million_gas_of_mulmod(benchmark::State& state) {
    Bytes code{0x7f};
    for (unsigned i = 0; i < 32; ++i) code.push_back(static_cast<std::uint8_t>(0xff - 3 * i));
    const auto top = static_cast<std::uint8_t>(code.size());
    emit(code, Op::JUMPDEST);
    for (unsigned i = 0; i < 100; ++i) {
        code.insert(code.end(), {0x7f});
        for (unsigned k = 0; k < 32; ++k) code.push_back(static_cast<std::uint8_t>(0x9d + 7 * k * i));
        emit(code, evm::op_dup(1));
        emit(code, evm::op_dup(3));
        emit(code, Op::MULMOD);
        emit(code, evm::op_swap(1));
        emit(code, Op::POP);
    }
    push2(code, top);
    emit(code, Op::JUMP);
    run(state, code, nullptr);
}
BENCHMARK(one_million_gas_of_mulmod)->Unit(benchmark::kMillisecond);

void one_million_gas_of_keccak256(benchmark::State& state) {
    // Hashes of 64 bytes.
    Bytes code{0x5b};
    for (unsigned i = 0; i < 100; ++i) code.insert(code.end(), {0x60, 0x40, 0x5f, 0x20, 0x5f, 0x52});
    code.insert(code.end(), {0x5f, 0x56});
    run(state, code, nullptr);
}
BENCHMARK(one_million_gas_of_keccak256)->Unit(benchmark::kMillisecond);

}  // namespace
