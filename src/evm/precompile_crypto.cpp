// ecrecover, SHA-256, modular exponentiation and P-256, by libsecp256k1 and OpenSSL.

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <secp256k1.h>
#include <secp256k1_recovery.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "evm/openssl_handles.hpp"
#include "evm/precompiles.hpp"
#include "evm/words.hpp"
#include "hash/sha3.hpp"

namespace postern::evm::precompile {

namespace {

/// input[offset, offset + size), zeros past its end.
Bytes slice(ByteView input, std::uint64_t offset, std::size_t size) {
    Bytes out(size);
    if (offset < input.size()) {
        const std::size_t have = std::min<std::size_t>(size, input.size() - offset);
        std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(offset), have, out.begin());
    }
    return out;
}

U256 word_at(ByteView input, std::uint64_t offset) { return load_word(slice(input, offset, 32).data()); }

struct ModexpLengths {
    U256 base;
    U256 exponent;
    U256 modulus;
};
ModexpLengths modexp_lengths(ByteView input) { return {word_at(input, 0), word_at(input, 32), word_at(input, 64)}; }

struct SecpFree {
    void operator()(secp256k1_context* p) const { secp256k1_context_destroy(p); }
};
const secp256k1_context* secp_context() {
    static const std::unique_ptr<secp256k1_context, SecpFree> context(secp256k1_context_create(SECP256K1_CONTEXT_VERIFY));
    return context.get();
}

}  // namespace

Bytes ecrecover(ByteView input) {
    const Bytes in = slice(input, 0, 128);
    const U256 v = load_word(in.data() + 32);
    if (v != U256{27} && v != U256{28}) return {};
    secp256k1_ecdsa_recoverable_signature signature;
    secp256k1_pubkey key;
    const secp256k1_context* context = secp_context();
    if (secp256k1_ecdsa_recoverable_signature_parse_compact(context, &signature, in.data() + 64, static_cast<int>(v.low64()) - 27) == 0 ||
        secp256k1_ecdsa_recover(context, &key, &signature, in.data()) == 0) {
        return {};
    }
    std::array<std::uint8_t, 65> point{};
    std::size_t size = point.size();
    secp256k1_ec_pubkey_serialize(context, point.data(), &size, &key, SECP256K1_EC_UNCOMPRESSED);
    const auto digest = hash::keccak256(ByteView(point).subspan(1));
    Bytes out(32);
    std::copy(digest.begin() + 12, digest.end(), out.begin() + 12);
    return out;
}

Bytes sha256(ByteView input) {
    Bytes out(32);
    SHA256(input.data(), input.size(), out.data());
    return out;
}

bool modexp_lengths_allowed(ByteView input) {
    const auto [base, exponent, modulus] = modexp_lengths(input);
    return std::max({base, exponent, modulus}) <= U256{1024};
}

// EIP-2565; EIP-7883 from Osaka on.
Gas modexp_gas(Fork fork, ByteView input) {
    constexpr Gas too_much = std::numeric_limits<Gas>::max();
    const auto [base_size, exponent_size, modulus_size] = modexp_lengths(input);
    const bool osaka = fork >= Fork::osaka;
    const Gas least = osaka ? 500 : 200;
    const U256 longest = std::max(base_size, modulus_size);
    if (!osaka && longest.is_zero()) return least;
    if (longest > U256{1ULL << 24} || exponent_size > U256{1ULL << 40}) return too_much;

    const std::uint64_t e = exponent_size.low64();
    const Bytes head = slice(input, 96 + base_size.low64(), static_cast<std::size_t>(std::min<std::uint64_t>(e, 32)));
    const unsigned bits = load_be(head).bit_length();
    const std::uint64_t iterations = std::max<std::uint64_t>(1, (e > 32 ? (osaka ? 16 : 8) * (e - 32) : 0) + (bits == 0 ? 0 : bits - 1));
    const std::uint64_t w = (longest.low64() + 7) / 8;
    const std::uint64_t complexity = osaka ? (longest <= U256{32} ? 16 : 2 * w * w) : w * w;
    const U256 gas = U256{complexity} * U256{iterations} / U256{osaka ? 1U : 3U};
    if (gas > U256{static_cast<std::uint64_t>(too_much)}) return too_much;
    return std::max(least, static_cast<Gas>(gas.low64()));
}

Bytes modexp(ByteView input) {
    const auto [base_size, exponent_size, modulus_size] = modexp_lengths(input);
    const std::uint64_t b = base_size.low64();
    const std::uint64_t m = modulus_size.low64();
    Bytes out(m);
    if (m == 0) return out;  // the exponent may be longer than anything that can be stored
    const std::uint64_t e = exponent_size.low64();
    const Bytes modulus_bytes = slice(input, 96 + b + e, m);
    // Past the end of the input there are only zeros: read what is there, then shift.
    const std::uint64_t e_offset = 96 + b;
    const std::uint64_t e_have = e_offset < input.size() ? std::min<std::uint64_t>(e, input.size() - e_offset) : 0;
    const Bytes base_bytes = slice(input, 96, b);
    const Bytes exponent_bytes = slice(input, e_offset, e_have);
    const auto context = bn_context();
    const auto base = bn(base_bytes);
    const auto exponent = bn(exponent_bytes);
    const auto modulus = bn(modulus_bytes);
    if (BN_is_zero(modulus.get()) || BN_is_one(modulus.get())) return out;
    if (!BN_is_zero(exponent.get()) && e != e_have) BN_lshift(exponent.get(), exponent.get(), static_cast<int>(8 * (e - e_have)));
    const auto result = bn();
    if (BN_mod_exp(result.get(), base.get(), exponent.get(), modulus.get(), context.get()) != 1) throw std::bad_alloc();
    bn_store(out, result.get());
    return out;
}

Bytes p256_verify(ByteView input) {
    if (input.size() != 160) return {};
    static const auto group = ec_group_by_name(NID_X9_62_prime256v1);
    const auto context = bn_context();
    const auto hash = bn(input.first(32));
    const auto r = bn(input.subspan(32, 32));
    const auto s = bn(input.subspan(64, 32));
    const auto x = bn(input.subspan(96, 32));
    const auto y = bn(input.subspan(128, 32));
    const BIGNUM* order = EC_GROUP_get0_order(group.get());
    for (const BIGNUM* scalar : {r.get(), s.get()}) {
        if (BN_is_zero(scalar) || BN_cmp(scalar, order) >= 0) return {};
    }
    const BIGNUM* prime = EC_GROUP_get0_field(group.get());
    if (BN_cmp(x.get(), prime) >= 0 || BN_cmp(y.get(), prime) >= 0) return {};
    const auto key = ec_point(group.get());
    if (EC_POINT_set_affine_coordinates(group.get(), key.get(), x.get(), y.get(), context.get()) != 1) return {};  // not on the curve

    const auto w = bn();
    const auto u1 = bn();
    const auto u2 = bn();
    const auto point = ec_point(group.get());
    if (BN_mod_inverse(w.get(), s.get(), order, context.get()) == nullptr ||
        BN_mod_mul(u1.get(), hash.get(), w.get(), order, context.get()) != 1 ||
        BN_mod_mul(u2.get(), r.get(), w.get(), order, context.get()) != 1 ||
        EC_POINT_mul(group.get(), point.get(), u1.get(), key.get(), u2.get(), context.get()) != 1 ||
        EC_POINT_is_at_infinity(group.get(), point.get()) == 1) {
        return {};
    }
    const auto px = bn();
    if (EC_POINT_get_affine_coordinates(group.get(), point.get(), px.get(), nullptr, context.get()) != 1 ||
        BN_nnmod(px.get(), px.get(), order, context.get()) != 1 || BN_cmp(px.get(), r.get()) != 0) {
        return {};
    }
    Bytes out(32);
    out[31] = 1;
    return out;
}

}  // namespace postern::evm::precompile
