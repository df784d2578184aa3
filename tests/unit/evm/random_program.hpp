#pragma once

#include <postern/evm.hpp>
#include <random>

namespace postern::test {

/// Writes bytecode that exercises the whole instruction set on awkward operands; the same programs for the same seed.
class ProgramGenerator {
  public:
    explicit ProgramGenerator(std::uint64_t seed) : random_(seed) {}

    /// `accounts`: addresses worth calling. A program mixes snippets: operands of every kind of edge, then an instruction; memory and
    /// copies at and past the ends; jumps; calls, creations, storage, logs.
    Bytes program(const std::vector<evm::Address>& accounts);
    /// One arithmetic, comparison or bit instruction on edge operands, its result returned.
    Bytes single_operation();
    /// Nothing but noise.
    Bytes noise();
    Bytes call_data();
    std::uint64_t below(std::uint64_t n) { return random_() % n; }

  private:
    void push(Bytes& code, ByteView value);
    void push_small(Bytes& code, std::uint64_t v);
    void push_edge(Bytes& code);
    void push_offset(Bytes& code);
    void push_address(Bytes& code, const std::vector<evm::Address>& accounts);
    void snippet(Bytes& code, const std::vector<evm::Address>& accounts);
    void call(Bytes& code, const std::vector<evm::Address>& accounts);
    void create(Bytes& code);
    std::mt19937_64 random_;
};

}  // namespace postern::test
