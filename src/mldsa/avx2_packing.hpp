#pragma once

// Encodings on eight coefficients at a time (FIPS 204 algorithms 16 to 19 and 28). For the translation unit that is compiled
// for AVX2 only.

#include "mldsa/avx2_rounding.hpp"

namespace postern::mldsa {
namespace {

/// Where the coefficients of four (or eight) neighbours begin: byte orders and shifts, made from the width.
template <std::size_t Bits>
struct UnpackTables {
    // Up to 16 bits eight coefficients lie in the 16 bytes that both halves get, else each half has 16 bytes of its own.
    static constexpr bool kOneLoad = Bits <= 16;
    alignas(32) std::int8_t order[32]{};
    alignas(32) std::int32_t shift[8]{};
    constexpr UnpackTables() {
        for (std::size_t i = 0; i < 8; ++i) {
            const std::size_t bit = (kOneLoad ? i : i % 4) * Bits;
            for (std::size_t b = 0; b < 4; ++b) {
                const bool used = b < (bit % 8 + Bits + 7) / 8;
                order[4 * i + b] = used ? static_cast<std::int8_t>(bit / 8 + b) : std::int8_t{-1};
            }
            shift[i] = static_cast<std::int32_t>(bit % 8);
        }
    }
};
template <std::size_t Bits>
constexpr UnpackTables<Bits> kUnpack{};

/// 256 values of `Bits` bits; `finish` makes coefficients of them. Reads up to 16 bytes behind the encoding.
template <std::size_t Bits, class Finish>
POSTERN_INLINE void unpack_all(const std::uint8_t* in, std::int32_t* f, Finish finish) {
    const __m256i order = load(kUnpack<Bits>.order), shift = load(kUnpack<Bits>.shift), mask = all((1 << Bits) - 1);
    for (std::size_t j = 0; j < n; j += 8, in += Bits) {
        const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
        __m256i v;
        if constexpr (UnpackTables<Bits>::kOneLoad) {
            v = _mm256_broadcastsi128_si256(first);
        } else {
            v = _mm256_inserti128_si256(_mm256_castsi128_si256(first), _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + Bits / 2)), 1);
        }
        v = _mm256_and_si256(_mm256_srlv_epi32(_mm256_shuffle_epi8(v, order), shift), mask);
        store(f + j, finish(v));
    }
}
template <std::size_t Bits, std::int32_t Top>
void unpack_offset(const std::uint8_t* in, std::int32_t* f) {
    unpack_all<Bits>(in, f, [](__m256i v) { return _mm256_sub_epi32(all(Top), v); });
}
template <std::size_t Bits>
void unpack_simple(const std::uint8_t* in, std::int32_t* f) {
    unpack_all<Bits>(in, f, [](__m256i v) { return v; });
}

/// Neighbouring 32-bit values of `Bits` bits to one 64-bit value of twice as many.
template <std::size_t Bits>
POSTERN_INLINE __m256i join_pairs(__m256i v) {
    const __m256i low = _mm256_and_si256(v, _mm256_set1_epi64x((1LL << Bits) - 1));
    const __m256i high = _mm256_and_si256(_mm256_srli_epi64(v, 32 - Bits), _mm256_set1_epi64x(~((1LL << Bits) - 1)));
    return _mm256_or_si256(low, high);
}
/// Values up to 16 bits: four to a 64-bit word, two words to the bytes of eight.
template <std::size_t Bits, class Prepare>
POSTERN_INLINE void pack_narrow(const std::int32_t* f, std::uint8_t* out, Prepare prepare) {
    static_assert(4 * Bits <= 64);
    for (std::size_t j = 0; j < n; j += 8, out += Bits) {
        const __m256i pairs = join_pairs<Bits>(prepare(load(f + j)));
        const __m256i fours = _mm256_or_si256(pairs, _mm256_slli_epi64(_mm256_bsrli_epi128(pairs, 8), 2 * Bits));
        const auto first = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(fours)));
        const auto second = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(fours, 1)));
        const std::uint64_t low = first | second << (4 * Bits);
        if constexpr (Bits <= 8) {
            __builtin_memcpy(out, &low, Bits);
        } else {
            const std::uint64_t high = second >> (64 - 4 * Bits);
            __builtin_memcpy(out, &low, 8);
            __builtin_memcpy(out + 8, &high, Bits - 8);
        }
    }
}
template <std::size_t Bits, std::int32_t Top>
void pack_narrow_offset(const std::int32_t* f, std::uint8_t* out) {
    pack_narrow<Bits>(f, out, [](__m256i v) { return _mm256_sub_epi32(all(Top), v); });
}
template <std::size_t Bits>
void pack_narrow_simple(const std::int32_t* f, std::uint8_t* out) {
    pack_narrow<Bits>(f, out, [](__m256i v) { return v; });
}

/// z: pairs of 18 or 20 bits, then the bytes of four from each half. With 18 bits a pair ends in the middle of a byte: the second
/// one is moved up by four bits and shares that byte.
template <std::size_t Bits, std::int32_t Top>
void pack_wide_offset(const std::int32_t* f, std::uint8_t* out) {
    static_assert(Bits == 18 || Bits == 20);
    constexpr std::size_t half = Bits / 2;  // bytes of four coefficients
    const __m256i first_order = Bits == 20
                                    ? _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 8, 9, 10, 11, 12, -1, -1, -1, -1, -1, -1))
                                    : _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 9, 10, 11, 12, -1, -1, -1, -1, -1, -1, -1));
    const __m256i shared = _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, -1, -1, -1, 8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    for (std::size_t j = 0; j < n; j += 8, out += Bits) {
        __m256i v = join_pairs<Bits>(_mm256_sub_epi32(all(Top), load(f + j)));
        if constexpr (Bits == 18) {
            v = _mm256_sllv_epi64(v, _mm256_setr_epi64x(0, 4, 0, 4));
            v = _mm256_or_si256(_mm256_shuffle_epi8(v, first_order), _mm256_shuffle_epi8(v, shared));
        } else {
            v = _mm256_shuffle_epi8(v, first_order);
        }
        const __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);
        if (j + 8 < n) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(out), low);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(out + half), high);
        } else {
            // The last ones must not write behind the encoding.
            alignas(16) std::uint8_t end[2 * half + 16];
            _mm_storeu_si128(reinterpret_cast<__m128i*>(end), low);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(end + half), high);
            __builtin_memcpy(out, end, Bits);
        }
    }
}

/// Bytes of four or six bits: pairs by a multiply-add of bytes, for six bits pairs of pairs by one of words.
template <std::size_t Bits>
void pack_bytes(const std::uint8_t* high, std::uint8_t* out) {
    static_assert(Bits == 4 || Bits == 6);
    const __m256i pair = _mm256_set1_epi16(Bits == 4 ? 0x1001 : 0x4001);
    for (std::size_t j = 0; j < n; j += 64) {
        const __m256i a = _mm256_maddubs_epi16(load(high + j), pair), b = _mm256_maddubs_epi16(load(high + j + 32), pair);
        if constexpr (Bits == 4) {
            const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), packed);
            out += 32;
        } else {
            const __m256i four = all(0x10000001),
                          order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
            const __m256i x = _mm256_shuffle_epi8(_mm256_madd_epi16(a, four), order);
            const __m256i y = _mm256_shuffle_epi8(_mm256_madd_epi16(b, four), order);
            const __m128i parts[4] = {_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1), _mm256_castsi256_si128(y),
                                      _mm256_extracti128_si256(y, 1)};
#pragma GCC unroll 3
            for (std::size_t i = 0; i < 3; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 12 * i), parts[i]);
            _mm_storel_epi64(reinterpret_cast<__m128i*>(out + 36), parts[3]);
            const std::int32_t rest = _mm_extract_epi32(parts[3], 2);
            __builtin_memcpy(out + 44, &rest, 4);
            out += 48;
        }
    }
}

}  // namespace
}  // namespace postern::mldsa
