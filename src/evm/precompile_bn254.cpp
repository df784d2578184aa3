// Addition and multiplication on alt_bn128 (EIP-196), by OpenSSL's generic prime curves.

#include <algorithm>

#include "evm/openssl_handles.hpp"
#include "evm/precompiles.hpp"

namespace postern::evm::precompile {

namespace {

Handle<BIGNUM> decimal(const char* digits) {
    BIGNUM* v = nullptr;
    BN_dec2bn(&v, digits);
    return own(v);
}

/// y^2 = x^3 + 3 over the field of EIP-196, generator (1, 2).
const EC_GROUP* curve() {
    static const Handle<EC_GROUP> group = [] {
        const auto context = bn_context();
        const auto p = decimal("21888242871839275222246405745257275088696311157297823662689037894645226208583");
        const auto order = decimal("21888242871839275222246405745257275088548364400416034343698204186575808495617");
        const auto zero = decimal("0");
        const auto one = decimal("1");
        const auto two = decimal("2");
        const auto three = decimal("3");
        auto g = own(EC_GROUP_new_curve_GFp(p.get(), zero.get(), three.get(), context.get()));
        const auto generator = ec_point(g.get());
        if (EC_POINT_set_affine_coordinates(g.get(), generator.get(), one.get(), two.get(), context.get()) != 1 ||
            EC_GROUP_set_generator(g.get(), generator.get(), order.get(), one.get()) != 1) {
            throw std::bad_alloc();
        }
        return g;
    }();
    return group.get();
}

/// (0, 0) is the point at infinity; nothing for coordinates outside the field or a point off the curve.
Handle<EC_POINT> read_point(ByteView bytes, BN_CTX* context) {
    const auto x = bn(bytes.first(32));
    const auto y = bn(bytes.subspan(32, 32));
    auto point = ec_point(curve());
    if (BN_is_zero(x.get()) && BN_is_zero(y.get())) {
        EC_POINT_set_to_infinity(curve(), point.get());
        return point;
    }
    const BIGNUM* p = EC_GROUP_get0_field(curve());
    if (BN_cmp(x.get(), p) >= 0 || BN_cmp(y.get(), p) >= 0) return nullptr;
    if (EC_POINT_set_affine_coordinates(curve(), point.get(), x.get(), y.get(), context) != 1) return nullptr;
    return point;
}

Bytes write_point(const EC_POINT* point, BN_CTX* context) {
    Bytes out(64);
    if (EC_POINT_is_at_infinity(curve(), point) == 1) return out;
    const auto x = bn();
    const auto y = bn();
    if (EC_POINT_get_affine_coordinates(curve(), point, x.get(), y.get(), context) != 1) throw std::bad_alloc();
    bn_store(std::span(out).first(32), x.get());
    bn_store(std::span(out).subspan(32), y.get());
    return out;
}

Bytes fit(ByteView input, std::size_t size) {
    Bytes out(size);
    std::copy_n(input.begin(), std::min(size, input.size()), out.begin());
    return out;
}

}  // namespace

std::optional<Bytes> bn254_add(ByteView input) {
    const Bytes in = fit(input, 128);
    const auto context = bn_context();
    const auto a = read_point(ByteView(in).first(64), context.get());
    const auto b = read_point(ByteView(in).subspan(64), context.get());
    if (!a || !b) return std::nullopt;
    const auto sum = ec_point(curve());
    if (EC_POINT_add(curve(), sum.get(), a.get(), b.get(), context.get()) != 1) throw std::bad_alloc();
    return write_point(sum.get(), context.get());
}

std::optional<Bytes> bn254_mul(ByteView input) {
    const Bytes in = fit(input, 96);
    const auto context = bn_context();
    const auto a = read_point(ByteView(in).first(64), context.get());
    if (!a) return std::nullopt;
    const auto k = bn(ByteView(in).subspan(64));
    const auto product = ec_point(curve());
    if (BN_nnmod(k.get(), k.get(), EC_GROUP_get0_order(curve()), context.get()) != 1 ||
        EC_POINT_mul(curve(), product.get(), nullptr, a.get(), k.get(), context.get()) != 1) {
        throw std::bad_alloc();
    }
    return write_point(product.get(), context.get());
}

}  // namespace postern::evm::precompile
