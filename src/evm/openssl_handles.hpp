#pragma once

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>

#include <memory>
#include <new>
#include <postern/bytes.hpp>
#include <span>

namespace postern::evm::precompile {

// Owning handles of OpenSSL's big numbers and curves; what cannot be allocated throws std::bad_alloc.

struct OpenSslFree {
    void operator()(BIGNUM* p) const { BN_free(p); }
    void operator()(BN_CTX* p) const { BN_CTX_free(p); }
    void operator()(EC_GROUP* p) const { EC_GROUP_free(p); }
    void operator()(EC_POINT* p) const { EC_POINT_free(p); }
};
template <class T>
using Handle = std::unique_ptr<T, OpenSslFree>;

template <class T>
Handle<T> own(T* p) {
    if (p == nullptr) throw std::bad_alloc();
    return Handle<T>(p);
}

inline Handle<BN_CTX> bn_context() { return own(BN_CTX_new()); }
inline Handle<BIGNUM> bn() { return own(BN_new()); }
inline Handle<BIGNUM> bn(ByteView big_endian) { return own(BN_bin2bn(big_endian.data(), static_cast<int>(big_endian.size()), nullptr)); }
inline void bn_store(std::span<std::uint8_t> out, const BIGNUM* v) {
    if (BN_bn2binpad(v, out.data(), static_cast<int>(out.size())) < 0) throw std::bad_alloc();
}
inline Handle<EC_GROUP> ec_group_by_name(int nid) { return own(EC_GROUP_new_by_curve_name(nid)); }
inline Handle<EC_POINT> ec_point(const EC_GROUP* group) { return own(EC_POINT_new(group)); }

}  // namespace postern::evm::precompile
