#pragma once

// The steps of ML-DSA that are worth writing for an instruction set: one table for each parameter set and set of kernels.
// A polynomial is 256 values at `int32_t*`, aligned to 32 bytes. Every table gives the same residues and the same bytes; where
// a value is canonical in [0, q) it is the same number too. Nothing here branches or indexes on the values, except
// for reject_uniform, whose stream is public, and for the offsets of a challenge.
//
// Answers called "exceeds" are zero if and only if every coefficient is within the bound. They are computed without leaving
// early, and are still secret: the caller declassifies them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/mldsa_params.hpp>

#include "mldsa/field.hpp"

namespace postern::mldsa {

/// Bytes that must be readable behind the stated end of what an unpack or a reject kernel reads.
inline constexpr std::size_t kernel_slack = 32;

/// A secret polynomial with small coefficients, ready for products with a challenge: -s, s, -s as bytes. Reading 256 bytes
/// from offset 256 - p gives x^p s modulo x^256 + 1, from offset 512 - p gives -x^p s.
struct ShiftedSecret {
    alignas(32) std::array<std::int8_t, 3 * n> s;
};

/// The terms of a challenge as such offsets.
template <class P>
using ChallengeOffsets = std::array<std::uint16_t, static_cast<std::size_t>(P::tau)>;

/// Sums of shifted copies are kept in bytes: so many terms fit one byte, so many bytes are needed.
template <class P>
inline constexpr std::size_t terms_in_byte = 127 / P::eta;
template <class P>
inline constexpr std::size_t bytes_of_sum = (P::tau + terms_in_byte<P> - 1) / terms_in_byte<P>;

/// Room for such sums; secret.
struct ShiftScratch {
    alignas(32) std::array<std::array<std::int8_t, n>, 2> sums;
};

template <class P>
struct Kernels {
    /// Algorithm 41 in place. |coefficients| <= B in, |values| < B + 8 q out, B + 8 q < 2^31.
    void (*ntt)(std::int32_t* f);
    /// Algorithm 42 in place, from (-q, q) to (-q, q); takes out a factor 2^-32 of a Montgomery product.
    void (*inverse_ntt)(std::int32_t* f);
    /// r = 2^-32 (sum of a[i] b[i]) over `terms` consecutive polynomials, minus 2^-32 c t where c is not null. In (-q, q).
    /// |a| < q, |b| and |c| < 9 q, up to seven terms.
    void (*accumulate)(std::int32_t* r, const std::int32_t* a, const std::int32_t* b, std::size_t terms, const std::int32_t* c,
                       const std::int32_t* t);
    /// Any |x| < 2^31 - 2^22 to [0, q).
    void (*reduce)(std::int32_t* f);

    /// Algorithms 14 and 30 on a piece of the stream, a multiple of 24 bytes; public. Returns how many coefficients there are.
    std::size_t (*reject_uniform)(const std::uint8_t* stream, std::size_t bytes, std::int32_t* f, std::size_t have);
    /// Algorithms 15 and 31, a multiple of 8 bytes. Which nibbles are kept is public, their values are secret.
    std::size_t (*reject_bounded)(const std::uint8_t* stream, std::size_t bytes, std::int32_t* f, std::size_t have);

    /// (-q, q) to [0, q) in place, and HighBits of every coefficient as a byte.
    void (*high_bits)(std::int32_t* w, std::uint8_t* high);
    /// Algorithm 28 on one polynomial of such bytes.
    void (*pack_w1)(const std::uint8_t* high, std::uint8_t* out);
    /// w := w - c s in [0, q); exceeds if a coefficient of LowBits(w) is gamma2 - beta or more in size.
    std::uint32_t (*subtract_and_check)(std::int32_t* w, const std::int8_t* shifted, const std::uint16_t* offsets, ShiftScratch& scratch);
    /// z = y + c s; exceeds at gamma1 - beta.
    std::uint32_t (*mask_and_check)(std::int32_t* z, const std::int32_t* y, const std::int8_t* shifted, const std::uint16_t* offsets,
                                    ShiftScratch& scratch);
    /// `product` = c t0 in (-q, q), w in [0, q). Exceeds if a centred coefficient of the product is gamma2 or more. Sets bit j of
    /// `bits` where HighBits(w) and HighBits(w + c t0) differ, and adds their number to `ones`.
    std::uint32_t (*make_hints)(const std::int32_t* w, const std::int32_t* product, std::uint8_t* bits, std::uint32_t& ones);
    /// Algorithm 35 on every coefficient of t in [0, q): t keeps t1, `low` gets t0.
    void (*power2round)(std::int32_t* t, std::int32_t* low);

    // Encodings of one polynomial. Unpackers read up to kernel_slack bytes more than the encoding has.
    void (*pack_t1)(const std::int32_t* f, std::uint8_t* out);
    void (*pack_t0)(const std::int32_t* f, std::uint8_t* out);
    void (*pack_eta)(const std::int32_t* f, std::uint8_t* out);
    void (*pack_z)(const std::int32_t* f, std::uint8_t* out);
    void (*unpack_t1)(const std::uint8_t* in, std::int32_t* f);
    void (*unpack_t0)(const std::uint8_t* in, std::int32_t* f);
    void (*unpack_eta)(const std::uint8_t* in, std::int32_t* f);
    void (*unpack_z)(const std::uint8_t* in, std::int32_t* f);
    /// Exceeds at `bound`; the coefficients are centred.
    std::uint32_t (*norm)(const std::int32_t* f, std::int32_t bound);
};

/// The table in use (core/cpu.hpp).
template <class P>
const Kernels<P>& kernels() noexcept;

template <class P>
const Kernels<P>& portable_kernels() noexcept;
#ifdef POSTERN_MLDSA_X86
template <class P>
const Kernels<P>& avx2_kernels() noexcept;
template <class P>
const Kernels<P>& avx512_kernels() noexcept;
template <>
const Kernels<MlDsa44>& avx2_kernels<MlDsa44>() noexcept;
template <>
const Kernels<MlDsa65>& avx2_kernels<MlDsa65>() noexcept;
template <>
const Kernels<MlDsa87>& avx2_kernels<MlDsa87>() noexcept;
template <>
const Kernels<MlDsa44>& avx512_kernels<MlDsa44>() noexcept;
template <>
const Kernels<MlDsa65>& avx512_kernels<MlDsa65>() noexcept;
template <>
const Kernels<MlDsa87>& avx512_kernels<MlDsa87>() noexcept;
#endif

}  // namespace postern::mldsa
