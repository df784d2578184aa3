#pragma once

#include <cstddef>
#include <cstdint>
#include <postern/falcon.hpp>

#include "falcon/soft_double.hpp"

namespace postern::falcon {

/// Deviation of the signatures and the least the sampler is asked for (table 3.3), as the doubles of the reference.
template <class P>
struct Gaussian;
template <>
struct Gaussian<Falcon512> {
    static constexpr double inverse_sigma = 0x1.8b6c2de64c7cap-8;  // 1 / 165.7366171829776
    static constexpr double sigma_min = 0x1.47201bf1f7a75p+0;
};
template <>
struct Gaussian<Falcon1024> {
    static constexpr double inverse_sigma = 0x1.8531ef6311ae3p-8;  // 1 / 168.38857144654395
    static constexpr double sigma_min = 0x1.4c5c19990c764p+0;
};

/// Values in an expanded private key.
template <class P>
inline constexpr std::size_t kExpandedValues = (4 + P::logn + 1) * P::n;

/// Signing on one kind of real numbers and one processor. Every backend gives the same bits.
template <class P, class R>
struct SignBackend {
    void (*expand)(R* key, const std::int8_t* f, const std::int8_t* g, const std::int8_t* F, const std::int8_t* G);
    /// One attempt with the ChaCha generator on a seed of 56 bytes; s1, s2 and c have n entries.
    bool (*attempt)(std::int16_t* s1, std::int16_t* s2, const R* key, const std::uint16_t* c, const std::uint8_t* seed);
#ifdef POSTERN_FNDSA_PREVIEW
    /// The same with SHAKE256 as the generator.
    bool (*attempt_shake)(std::int16_t* s1, std::int16_t* s2, const R* key, const std::uint16_t* c, const std::uint8_t* seed);
#endif
    /// Whether the orthogonalized row (q adj f, q adj g) / (|f|^2 + |g|^2) has squared norm below 1.17^2 q.
    bool (*short_dual)(const std::int8_t* f, const std::int8_t* g);
};

template <class P>
const SignBackend<P, double>& portable_signing();
#ifdef POSTERN_FALCON_AVX2
template <class P>
const SignBackend<P, double>& avx2_signing();
#endif
template <class P>
const SignBackend<P, SoftDouble>& soft_signing();

}  // namespace postern::falcon
