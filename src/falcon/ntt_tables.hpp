#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "falcon/zq.hpp"

namespace postern::falcon {

/// q^-1 mod 2^16.
inline constexpr std::uint16_t kQInverse = [] {
    std::uint16_t x = 1;
    for (int i = 0; i < 4; ++i) x = static_cast<std::uint16_t>(x * (2U - q * x));
    return x;
}();
static_assert(static_cast<std::uint16_t>(kQInverse * q) == 1);

/// psi^brv(k) and its inverse in Montgomery form (R = 2^16, signed), each beside its product with q^-1 mod R.
template <class P>
struct Twiddles {
    std::array<std::int16_t, P::n> forward{}, forward_qinv{}, inverse{}, inverse_qinv{};
    std::int16_t scale = 0, scale_qinv = 0;  // 1/n

    static constexpr std::int16_t montgomery_form(std::uint32_t x) { return to_centred((x << 16) % q); }
    static constexpr std::int16_t times_qinv(std::int16_t x) {
        return static_cast<std::int16_t>(static_cast<std::uint16_t>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(x)) * kQInverse));
    }
    constexpr Twiddles() {
        std::array<std::uint32_t, P::n> power{};
        power[0] = 1;
        for (std::size_t i = 1; i < P::n; ++i) power[i] = power[i - 1] * psi<P> % q;
        for (std::size_t k = 0; k < P::n; ++k) {
            const unsigned e = bit_reverse(static_cast<unsigned>(k), P::logn);
            forward[k] = montgomery_form(power[e]);
            inverse[k] = montgomery_form(e == 0 ? 1 : q - power[P::n - e]);
            forward_qinv[k] = times_qinv(forward[k]);
            inverse_qinv[k] = times_qinv(inverse[k]);
        }
        scale = montgomery_form(zq_inverse(P::n));
        scale_qinv = times_qinv(scale);
    }
};
template <class P>
inline constexpr Twiddles<P> kTwiddles{};

}  // namespace postern::falcon
