#pragma once

#include <algorithm>
#include <cstring>

#include "evm/words.hpp"

namespace postern::evm {

/// dst[0, size) = src[offset, ...), zeros past its end.
inline void copy_padded(std::uint8_t* dst, std::uint64_t size, ByteView src, const U256& offset) {
    std::uint64_t have = 0;
    if (offset.fits_u64() && offset.low64() < src.size()) {
        have = std::min<std::uint64_t>(size, src.size() - offset.low64());
        std::memcpy(dst, src.data() + offset.low64(), have);
    }
    std::memset(dst + have, 0, size - have);
}

inline U256 load_padded(ByteView src, const U256& offset) {
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

}  // namespace postern::evm
