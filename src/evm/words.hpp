#pragma once

#include <bit>
#include <cstring>
#include <postern/evm.hpp>

#include "core/u256.hpp"

namespace postern::evm {

// Conversions between 256-bit integers and their big-endian bytes, inlined because the interpreter lives on them.

inline std::uint64_t byte_swap(std::uint64_t v) { return __builtin_bswap64(v); }

inline U256 load_word(const std::uint8_t* p) {
    static_assert(std::endian::native == std::endian::little);
    std::array<std::uint64_t, 4> be;
    std::memcpy(be.data(), p, 32);
    return {byte_swap(be[0]), byte_swap(be[1]), byte_swap(be[2]), byte_swap(be[3])};
}

inline void store_word(std::uint8_t* p, const U256& v) {
    const std::array<std::uint64_t, 4> be{byte_swap(v.limb[3]), byte_swap(v.limb[2]), byte_swap(v.limb[1]), byte_swap(v.limb[0])};
    std::memcpy(p, be.data(), 32);
}

inline U256 to_u256(const Word& w) { return load_word(w.data()); }

inline Word to_word(const U256& v) {
    Word w;
    store_word(w.data(), v);
    return w;
}

inline U256 to_u256(const Address& a) {
    Word w{};
    std::memcpy(w.data() + 12, a.data(), 20);
    return load_word(w.data());
}

/// The low 160 bits.
inline Address to_address(const U256& v) {
    const Word w = to_word(v);
    Address a;
    std::memcpy(a.data(), w.data() + 12, 20);
    return a;
}

struct AddressHash {
    std::size_t operator()(const Address& a) const {
        std::array<std::uint64_t, 3> v{};
        std::memcpy(v.data(), a.data(), 20);
        std::uint64_t h = (v[0] ^ (v[1] * 0x9e3779b97f4a7c15ULL)) + v[2] * 0xc2b2ae3d27d4eb4fULL;
        h ^= h >> 32;
        h *= 0x9e3779b97f4a7c15ULL;
        return h ^ (h >> 29);
    }
};

struct U256Hash {
    std::size_t operator()(const U256& v) const {
        std::uint64_t h = v.limb[0];
        for (unsigned i = 1; i < 4; ++i) h = std::rotl(h * 0x9e3779b97f4a7c15ULL, 29) ^ v.limb[i];
        h *= 0xc2b2ae3d27d4eb4fULL;
        return h ^ (h >> 31);
    }
};

}  // namespace postern::evm
