#pragma once

// Columns of big integers in 31-bit words: row i of a matrix holds word i (or the residue modulo prime i) of every column.
// Loops run along the rows, so that compilers turn them into vector code. Values are secret, sizes are not.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/secure.hpp"
#include "falcon/mp31.hpp"

namespace postern::falcon::POSTERN_FALCON_KERNELS {

inline constexpr u32 kMask31 = 0x7fffffff;
using Words = std::vector<u32, WipingAllocator<u32>>;

/// out[c] = column c modulo the prime, the columns of `words` rows read as unsigned.
inline void columns_mod(u32* __restrict out, const u32* rows, std::size_t words, std::size_t width, const SmallPrime& s) {
    const u32 p = s.p;
    const u32 p0i = s.minus_inverse;
    const u32 word = mp_half(s.r2, p);  // 2^31 R
    for (std::size_t c = 0; c < width; ++c) out[c] = 0;
    for (std::size_t i = words; i-- > 0;) {
        const u32* __restrict row = rows + i * width;
        for (std::size_t c = 0; c < width; ++c) {
            u32 w = row[c] - p;  // a word is below 2^31 < 2p
            w += p & (0U - (w >> 31));
            out[c] = mp_add(mp_mul(out[c], word, p, p0i), w, p);
        }
    }
}

/// The same for two's complement columns.
inline void columns_mod_signed(u32* __restrict out, const u32* rows, std::size_t words, std::size_t width, const SmallPrime& s) {
    columns_mod(out, rows, words, width, s);
    const u32 wrap = mp_mul(mp_power_of_word(words, s), 1, s.p, s.minus_inverse);  // 2^(31 words)
    const u32* __restrict top = rows + (words - 1) * width;
    for (std::size_t c = 0; c < width; ++c) out[c] = mp_sub(out[c], wrap & (0U - (top[c] >> 30)), s.p);
}

/// From residues modulo the first `words` primes to 31-bit words; `centred`: into (-M/2, M/2), M the product of the primes.
inline void rebuild_crt(u32* rows, std::size_t words, std::size_t width, bool centred) {
    const SmallPrime* primes = small_primes();
    std::vector<u32> product(words);  // public
    product[0] = primes[0].p;
    Words scratch(2 * width);
    u32* __restrict factor = scratch.data();
    u32* __restrict carry = factor + width;
    for (std::size_t i = 1; i < words; ++i) {
        const SmallPrime& s = primes[i];
        u32* __restrict residue = rows + i * width;
        columns_mod(factor, rows, i, width, s);
        for (std::size_t c = 0; c < width; ++c) {
            factor[c] = mp_mul(s.crt, mp_sub(residue[c], factor[c], s.p), s.p, s.minus_inverse);
            carry[c] = 0;
        }
        for (std::size_t k = 0; k < i; ++k) {
            const u32 m = product[k];
            u32* __restrict row = rows + k * width;
            for (std::size_t c = 0; c < width; ++c) {
                const u64 z = u64{m} * factor[c] + row[c] + carry[c];
                row[c] = static_cast<u32>(z) & kMask31;
                carry[c] = static_cast<u32>(z >> 31);
            }
        }
        for (std::size_t c = 0; c < width; ++c) residue[c] = carry[c];
        u32 cc = 0;
        for (std::size_t k = 0; k < i; ++k) {
            const u64 z = u64{product[k]} * s.p + cc;
            product[k] = static_cast<u32>(z) & kMask31;
            cc = static_cast<u32>(z >> 31);
        }
        product[i] = cc;
    }
    if (!centred) return;
    // Subtract M where the column is above M/2: first the borrow of M/2 - column, then the subtraction.
    u32* __restrict borrow = factor;
    u32* __restrict above = carry;
    for (std::size_t c = 0; c < width; ++c) borrow[c] = 0;
    for (std::size_t k = 0; k < words; ++k) {
        const u32 m = (product[k] >> 1) | (k + 1 < words ? (product[k + 1] & 1) << 30 : 0);
        const u32* __restrict row = rows + k * width;
        for (std::size_t c = 0; c < width; ++c) borrow[c] = (m - row[c] - borrow[c]) >> 31;
    }
    for (std::size_t c = 0; c < width; ++c) {
        above[c] = 0U - borrow[c];
        borrow[c] = 0;
    }
    for (std::size_t k = 0; k < words; ++k) {
        const u32 m = product[k];
        u32* __restrict row = rows + k * width;
        for (std::size_t c = 0; c < width; ++c) {
            const u32 w = row[c] - (m & above[c]) - borrow[c];
            row[c] = w & kMask31;
            borrow[c] = w >> 31;
        }
    }
}

/// x -= 2^(31 shift_words + shift_bits) y, both two's complement, x of `x_words` and y of `y_words` rows; modulo 2^(31 x_words).
inline void subtract_scaled(u32* x, std::size_t x_words, const u32* y, std::size_t y_words, std::size_t width, std::size_t shift_words,
                            unsigned shift_bits) {
    Words scratch(2 * width);
    u32* __restrict low = scratch.data();  // bits of y shifted out of the word before
    u32* __restrict borrow = low + width;
    const u32* __restrict top = y + (y_words - 1) * width;
    for (std::size_t i = shift_words; i < x_words; ++i) {
        const std::size_t k = i - shift_words;
        u32* __restrict row = x + i * width;
        const u32* __restrict source = y + k * width;
        for (std::size_t c = 0; c < width; ++c) {
            const u32 w = k < y_words ? source[c] : (0U - (top[c] >> 30)) >> 1;
            const u32 shifted = ((w << shift_bits) & kMask31) | low[c];
            low[c] = w >> (31 - shift_bits);
            const u32 d = row[c] - shifted - borrow[c];
            row[c] = d & kMask31;
            borrow[c] = d >> 31;
        }
    }
}

/// Bit length of the largest magnitude of all columns (of -1-x for negative x).
inline u32 max_bit_length(const u32* rows, std::size_t words, std::size_t width) {
    // Bits that occur in any column are not enough: the length is that of the OR of all sign-adjusted columns.
    u32 length = 0;
    const u32* top = rows + (words - 1) * width;
    for (std::size_t i = 0; i < words; ++i) {
        u32 any = 0;
        const u32* row = rows + i * width;
        for (std::size_t c = 0; c < width; ++c) any |= row[c] ^ ((0U - (top[c] >> 30)) >> 1);
        // 31 i + bit length of `any`, kept if `any` is not zero.
        u32 bits = 0;
        for (u32 b = 0; b < 31; ++b) {
            const u32 set = 0U - ((any >> b) & 1);
            bits = (bits & ~set) | ((b + 1) & set);
        }
        const u32 present = 0U - ((any | (0U - any)) >> 31);
        length = (length & ~present) | ((31 * static_cast<u32>(i) + bits) & present);
    }
    return length;
}

}  // namespace postern::falcon::POSTERN_FALCON_KERNELS
