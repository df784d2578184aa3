#include "evm/precompiles.hpp"

#include <limits>

#include "evm/words.hpp"

namespace postern::evm {

namespace {

constexpr std::array<std::uint16_t, 18> kIds{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0x100};

Gas words_of(ByteView input) { return static_cast<Gas>((input.size() + 31) / 32); }

/// What a call costs; -1 where not even that is known here.
Gas price(Fork fork, std::uint16_t id, ByteView input) {
    switch (id) {
        case 1:
            return 3000;
        case 2:
            return 60 + 12 * words_of(input);
        case 3:
            return 600 + 120 * words_of(input);
        case 4:
            return 15 + 3 * words_of(input);
        case 5:
            return precompile::modexp_gas(fork, input);
        case 6:
            return 150;  // EIP-1108
        case 7:
            return 6000;  // EIP-1108
        case 8:
            return 45000 + 34000 * static_cast<Gas>(input.size() / 192);  // EIP-1108
        case 9: {
            Gas rounds = 0;
            for (std::size_t i = 0; i < 4 && input.size() == 213; ++i) rounds = rounds << 8 | input[i];
            return rounds;
        }
        case 10:
            return 50000;  // EIP-4844
        case 0x100:
            return 6900;
        default:
            return -1;
    }
}

std::optional<Bytes> output(std::uint16_t id, ByteView input) {
    switch (id) {
        case 1:
            return precompile::ecrecover(input);
        case 2:
            return precompile::sha256(input);
        case 3:
            return precompile::ripemd160(input);
        case 4:
            return Bytes(input.begin(), input.end());
        case 5:
            return precompile::modexp(input);
        case 6:
            return precompile::bn254_add(input);
        case 7:
            return precompile::bn254_mul(input);
        case 9:
            return precompile::blake2f(input);
        default:
            return precompile::p256_verify(input);
    }
}

}  // namespace

namespace {

/// Pairing and KZG proofs are not computed; what needs neither still gets its answer.
std::optional<PrecompileResult> without_pairing(std::uint16_t id, ByteView input, Gas cost) {
    if (id != 8 && id != 10) return std::nullopt;
    if (id == 8 && input.empty()) {
        Bytes one(32);
        one[31] = 1;
        return PrecompileResult{Halt::none, cost, std::move(one)};
    }
    const bool malformed = id == 8 ? input.size() % 192 != 0 : input.size() != 192;
    return PrecompileResult{malformed ? Halt::precompile_failure : Halt::not_implemented, 0, {}};
}

}  // namespace

std::span<const std::uint16_t> precompile_ids(Fork fork) {
    constexpr std::span<const std::uint16_t> all(kIds);
    switch (fork) {
        case Fork::frontier:
            return all.first(4);
        case Fork::shanghai:
            return all.first(9);
        case Fork::cancun:
            return all.first(10);
        case Fork::prague:
            return all.first(17);
        default:
            return all;
    }
}

std::uint16_t precompile_id(Fork fork, const Address& address) {
    for (std::size_t i = 0; i < 18; ++i) {
        if (address[i] != 0) return 0;
    }
    const auto id = static_cast<std::uint16_t>(address[18] << 8 | address[19]);
    for (const std::uint16_t known : precompile_ids(fork)) {
        if (id == known) return id;
    }
    return 0;
}

PrecompileResult run_precompile(Fork fork, const Address& address, ByteView input, Gas gas) {
    const std::uint16_t id = precompile_id(fork, address);
    const Gas cost = price(fork, id, input);
    if (cost < 0) return {Halt::not_implemented, 0, {}};
    if (cost > gas) return {Halt::out_of_gas, 0, {}};
    if (auto done = without_pairing(id, input, cost)) return *std::move(done);
    if (id == 5 && fork >= Fork::osaka && !precompile::modexp_lengths_allowed(input)) return {Halt::precompile_failure, 0, {}};
    std::optional<Bytes> out = output(id, input);
    if (!out) return {Halt::precompile_failure, 0, {}};
    return {Halt::none, cost, std::move(*out)};
}

}  // namespace postern::evm
