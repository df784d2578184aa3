#include "falcon/small_primes.hpp"

#include <algorithm>

#include "falcon/ntru_sizes.hpp"
#include "falcon/zq.hpp"

namespace postern::falcon {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 power(u32 base, u64 exponent, u32 p) {
    u64 r = 1;
    for (u64 b = base % p; exponent != 0; exponent >>= 1) {
        if (exponent & 1) r = r * b % p;
        b = b * b % p;
    }
    return static_cast<u32>(r);
}

/// Miller-Rabin with the bases 2, 7, 61 decides every number below 4.7 billion.
bool is_prime(u32 p) {
    const unsigned twos = 11;  // at least: p - 1 is a multiple of 2048
    u32 odd = (p - 1) >> twos;
    unsigned s = twos;
    while (odd % 2 == 0) {
        odd /= 2;
        ++s;
    }
    for (const u32 base : {2U, 7U, 61U}) {
        u64 x = power(base, odd, p);
        if (x == 1 || x == p - 1) continue;
        bool composite = true;
        for (unsigned i = 1; i < s && composite; ++i) {
            x = x * x % p;
            composite = x != p - 1;
        }
        if (composite) return false;
    }
    return true;
}

u32 to_montgomery(u64 x, u32 p) { return static_cast<u32>((x << 32) % p); }

struct Tables {
    std::vector<SmallPrime> primes;
    std::vector<u32> roots;

    Tables() {
        std::size_t total = 0;
        for (std::size_t i = 0; i < kSmallPrimes; ++i) total += std::size_t{2} << longest_transform(i);
        roots.resize(total);
        u32* next = roots.data();
        u32 p = (u32{1} << 31) + 1;
        for (std::size_t i = 0; i < kSmallPrimes; ++i) {
            do {
                p -= 2048;
            } while (!is_prime(p));
            u32 inverse = 1;
            for (int k = 0; k < 5; ++k) inverse *= 2U - p * inverse;
            const u64 r = (u64{1} << 32) % p;
            u64 product = 1;
            for (const auto& before : primes) product = product * before.p % p;
            const u32 crt = to_montgomery(power(static_cast<u32>(product), p - 2, p), p);
            const unsigned logn = longest_transform(i);
            u32* root = next;
            u32* inverse_root = next + (std::size_t{1} << logn);
            next += std::size_t{2} << logn;
            fill_roots(p, logn, root, inverse_root);
            primes.push_back({p, 0U - inverse, static_cast<u32>(r * r % p), crt, root, inverse_root});
        }
    }

    static void fill_roots(u32 p, unsigned logn, u32* root, u32* inverse_root) {
        const std::size_t n = std::size_t{1} << logn;
        u32 base = 2;
        while (power(base, (p - 1) / 2, p) != p - 1) ++base;  // a non-square
        const u32 w = power(base, (p - 1) / (2 * n), p);
        const u32 half = (p + 1) / 2;
        u64 x = 1;
        std::vector<u32> powers(n);
        for (std::size_t k = 0; k < n; ++k) {
            powers[k] = static_cast<u32>(x);
            x = x * w % p;
        }
        for (std::size_t k = 0; k < n; ++k) {
            const unsigned e = bit_reverse(static_cast<unsigned>(k), logn);
            root[k] = to_montgomery(powers[e], p);
            const u32 inverted = e == 0 ? 1 : p - powers[n - e];
            inverse_root[k] = to_montgomery(u64{inverted} * half % p, p);
        }
    }
};

}  // namespace

unsigned longest_transform(std::size_t index) {
    for (unsigned depth = 0; depth < 10; ++depth)
        if (index < std::max(kLargeWords[depth], kSmallWords[depth] + 1)) return 10 - depth;
    return 0;
}

const SmallPrime* small_primes() {
    static const Tables tables;
    return tables.primes.data();
}

}  // namespace postern::falcon
