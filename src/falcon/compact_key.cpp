#include "falcon/compact_key.hpp"

#include <fmt/format.h>

#include "falcon/zq.hpp"

namespace postern::falcon {

namespace {

template <class P>
constexpr std::size_t kLeaves = P::n / 16;
template <class P>
constexpr std::uint32_t kScale = (std::uint32_t{1} << 17) % q* zq_inverse(static_cast<std::uint32_t>(P::n / 16)) % q;

/// Twiddle of node `node` (counted from 1 at the top, children 2 node and 2 node + 1).
template <class P>
std::uint32_t twiddle(std::size_t node) {
    return zq_pow(psi<P>, bit_reverse(static_cast<unsigned>(node), P::logn));
}

/// Half polynomials as [half][word][lane].
template <class P>
using Halves = std::array<std::array<std::array<std::uint32_t, 8>, P::n / 16>, 2>;

std::size_t lane_offset(std::size_t leaf, std::size_t half, std::size_t i) {
    const std::size_t lane = (8 - i) % 8;
    return 32 * leaf + 28 - 4 * lane + (half == 0 ? 0 : 2);
}

}  // namespace

template <class P>
std::uint32_t compact_key_root(std::size_t leaf) {
    const std::uint32_t z = twiddle<P>(kLeaves<P> / 2 + leaf / 2);
    return leaf % 2 == 0 ? z : q - z;
}

template <class P>
Bytes encode_compact_key(const PublicKey<P>& key) {
    Halves<P> a;
    for (std::size_t i = 0; i < P::n; ++i) a[i % 2][i / 16][i / 2 % 8] = key.h()[i] * kScale<P> % q;
    for (auto& half : a) {
        std::size_t node = 1;
        for (std::size_t len = kLeaves<P> / 2; len >= 1; len /= 2)
            for (std::size_t start = 0; start < kLeaves<P>; start += 2 * len, ++node) {
                const std::uint32_t w = twiddle<P>(node);
                for (std::size_t j = start; j < start + len; ++j)
                    for (std::size_t lane = 0; lane < 8; ++lane) {
                        const std::uint32_t v = half[j + len][lane] * w % q;
                        half[j + len][lane] = (half[j][lane] + q - v) % q;
                        half[j][lane] = (half[j][lane] + v) % q;
                    }
            }
    }
    Bytes out(2 * P::n);
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t leaf = 0; leaf < kLeaves<P>; ++leaf)
            for (std::size_t i = 0; i < 8; ++i) {
                const std::size_t at = lane_offset(leaf, half, i);
                out[at] = static_cast<std::uint8_t>(a[half][leaf][i] >> 8);
                out[at + 1] = static_cast<std::uint8_t>(a[half][leaf][i]);
            }
    return out;
}

template <class P>
Result<PublicKey<P>> decode_compact_key(ByteView bytes) {
    Halves<P> a;
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t leaf = 0; leaf < kLeaves<P>; ++leaf)
            for (std::size_t i = 0; i < 8; ++i) {
                const std::size_t at = lane_offset(leaf, half, i);
                const std::uint32_t x = static_cast<std::uint32_t>(bytes[at]) << 8 | bytes[at + 1];
                if (x >= q) return Error{fmt::format("compact key: lane at byte {} is {}, expected less than {}", at, x, q)};
                a[half][leaf][i] = x;
            }
    for (auto& half : a)
        for (std::size_t len = 1; len < kLeaves<P>; len *= 2) {
            std::size_t node = kLeaves<P> / (2 * len);
            for (std::size_t start = 0; start < kLeaves<P>; start += 2 * len, ++node) {
                const std::uint32_t w = zq_inverse(twiddle<P>(node));
                for (std::size_t j = start; j < start + len; ++j)
                    for (std::size_t lane = 0; lane < 8; ++lane) {
                        const std::uint32_t u = half[j][lane];
                        const std::uint32_t v = half[j + len][lane];
                        half[j][lane] = (u + v) % q;
                        half[j + len][lane] = (u + q - v) * w % q;
                    }
            }
        }
    constexpr std::uint32_t unscale = zq_inverse(kScale<P> * static_cast<std::uint32_t>(kLeaves<P>) % q);
    Poly<P> h;
    for (std::size_t i = 0; i < P::n; ++i) h[i] = static_cast<std::uint16_t>(a[i % 2][i / 16][i / 2 % 8] * unscale % q);
    return PublicKey<P>::from_coefficients(h);
}

template std::uint32_t compact_key_root<Falcon512>(std::size_t);
template std::uint32_t compact_key_root<Falcon1024>(std::size_t);
template Bytes encode_compact_key<Falcon512>(const PublicKey<Falcon512>&);
template Bytes encode_compact_key<Falcon1024>(const PublicKey<Falcon1024>&);
template Result<PublicKey<Falcon512>> decode_compact_key<Falcon512>(ByteView);
template Result<PublicKey<Falcon1024>> decode_compact_key<Falcon1024>(ByteView);

}  // namespace postern::falcon
