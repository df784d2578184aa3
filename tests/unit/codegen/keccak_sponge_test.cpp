// SHAKE and TurboSHAKE contracts against the native code: every residue of the length, dirty memory, bytes behind the message.

#include "contracts/keccak_sponge.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hash/sha3.hpp"
#include "machine.hpp"

namespace postern::contracts::keccak {
namespace {

using codegen::Assembler;
using codegen::Op;

constexpr std::uint64_t kMessage = 0x1000;
constexpr std::uint64_t kOutput = 0xd00;

struct Kind {
    const char* name;
    unsigned rate;
    unsigned rounds;
};
constexpr Kind kShake256{"SHAKE256", 136, 24};
constexpr Kind kShake128{"SHAKE128", 168, 24};
constexpr Kind kTurbo256{"TurboSHAKE256", 136, 12};

/// Calldata: 32 bytes of length, then the message and whatever follows. Output: two blocks.
codegen::Program sponge_contract(const Kind& k, Source source, bool dirty) {
    Assembler a(k.name);
    if (dirty) {
        // Every byte the sponge will use is 0xff beforehand.
        for (std::uint64_t at = 0; at < kMessage; at += 32) {
            a.ops({Op::PUSH0, Op::NOT});
            a.push(at);
            a.op(Op::MSTORE);
        }
    }
    const Memory memory{0x20};
    Permutation p(a, memory, k.rounds);
    Sponge s(a, p, k.rate, 0x1f, 0xb00);
    p.prepare();
    p.reset();
    if (source == Source::memory) {
        a.push(32);
        a.op(Op::CALLDATASIZE);
        a.op(Op::SUB);
        a.push(32);
        a.push(kMessage);
        a.op(Op::CALLDATACOPY);
    }
    a.push(0);
    a.op(Op::CALLDATALOAD);
    a.push(source == Source::memory ? kMessage : 32);
    s.absorb(source);
    s.squeeze_bytes(kOutput);
    s.squeeze_more();
    s.squeeze_bytes(kOutput + k.rate);
    a.push(2 * k.rate);
    a.push(kOutput);
    a.op(Op::RETURN);
    p.define();
    s.define();
    return a.assemble();
}

Bytes native(const Kind& k, ByteView message) {
    Bytes out(2 * k.rate);
    if (k.rounds == 12) {
        hash::TurboShake256 h;
        h.absorb(message);
        h.squeeze(out);
    } else if (k.rate == 136) {
        hash::Shake256 h;
        h.absorb(message);
        h.squeeze(out);
    } else {
        hash::Shake128 h;
        h.absorb(message);
        h.squeeze(out);
    }
    return out;
}

void compare(const Kind& k, Source source, bool dirty, const std::vector<std::size_t>& lengths) {
    const codegen::Program program = sponge_contract(k, source, dirty);
    std::mt19937_64 rng(9);
    for (const std::size_t n : lengths) {
        SCOPED_TRACE(std::string(k.name) + ", " + std::to_string(n) + " bytes");
        Bytes message(n);
        for (auto& byte : message) byte = static_cast<std::uint8_t>(rng());
        const auto length = to_be_bytes(U256{n});
        Bytes calldata(length.begin(), length.end());
        calldata.insert(calldata.end(), message.begin(), message.end());
        // What follows the message must not matter.
        calldata.insert(calldata.end(), n % 3 == 0 ? 0 : 200, 0xff);
        const auto r = test::run(program.code, calldata);
        ASSERT_TRUE(r.success()) << r.reason;
        ASSERT_EQ(r.output, native(k, message));
    }
}

TEST(KeccakSponge, EveryResidueOfTheLengthFromCalldata) {
    std::vector<std::size_t> lengths;
    for (std::size_t n = 0; n <= 2 * 136 + 1; ++n) lengths.push_back(n);
    lengths.push_back(832);
    lengths.push_back(1000);
    compare(kShake256, Source::calldata, false, lengths);
}

TEST(KeccakSponge, FromMemoryAndOverDirtyMemory) {
    const std::vector<std::size_t> lengths = {0, 1, 31, 32, 33, 64, 98, 134, 135, 136, 137, 167, 168, 169, 271, 272, 273, 335, 336, 832};
    compare(kShake256, Source::memory, true, lengths);
    compare(kShake256, Source::calldata, true, lengths);
    compare(kShake128, Source::memory, true, lengths);
    compare(kShake128, Source::calldata, false, lengths);
    compare(kTurbo256, Source::memory, true, lengths);
}

TEST(KeccakSponge, Gas) {
    const codegen::Program program = sponge_contract(kShake256, Source::calldata, false);
    for (const std::size_t n : {98U, 832U}) {
        evm::Profile profile;
        profile.set_regions(test::kContract, "shake256", program.region_map());
        const auto length = to_be_bytes(U256{n});
        Bytes calldata(length.begin(), length.end());
        calldata.resize(32 + n, 0x5a);
        const auto r = test::run(program.code, calldata, &profile);
        ASSERT_TRUE(r.success());
        std::cout << "SHAKE256, " << n << " bytes in, two blocks out: " << r.exec_gas << " gas, " << program.code.size() << " bytes\n";
        for (const auto& row : profile.by_region()) std::cout << "  " << row.name << ' ' << row.gas << '\n';
        EXPECT_LE(r.exec_gas, 30'000U * (n / 136 + 2));
    }
}

}  // namespace
}  // namespace postern::contracts::keccak
