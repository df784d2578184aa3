#include "hash/keccak_p.hpp"

#include <cassert>

#include "core/cpu.hpp"
#include "hash/keccak_backend.hpp"

namespace postern::hash {

namespace {

const KeccakBackend& backend() noexcept {
#ifdef POSTERN_HASH_X86
    switch (cpu_level()) {
        case CpuLevel::avx512:
            return kAvx512Keccak;
        case CpuLevel::avx2:
            return kAvx2Keccak;
        case CpuLevel::scalar:
            break;
    }
#endif
    return kPortableKeccak;
}

}  // namespace

void keccak_p1600(std::span<std::uint64_t, 25> state, unsigned rounds) noexcept {
    assert(rounds <= 24);
    backend().permute(state.data(), rounds);
}

void keccak_p1600_x4(std::span<std::uint64_t, 100> states, unsigned rounds) noexcept {
    assert(rounds <= 24);
    backend().permute_x4(states.data(), rounds);
}

void keccak_p1600_x8(std::span<std::uint64_t, 200> states, unsigned rounds) noexcept {
    assert(rounds <= 24);
    backend().permute_x8(states.data(), rounds);
}

void keccak_extract_x4(const std::uint64_t* states, std::size_t stride, std::size_t words,
                       const std::array<std::uint8_t*, 4>& out) noexcept {
    assert(words <= 25);
    backend().extract_x4(states, stride, words, out.data());
}

void keccak_absorb_x4(std::uint64_t* states, std::size_t stride, std::size_t words, const std::array<const std::uint8_t*, 4>& in) noexcept {
    assert(words <= 25);
    backend().absorb_x4(states, stride, words, in.data());
}

}  // namespace postern::hash
