#include "contracts/mldsa/key_blob.hpp"

#include <algorithm>

#include "hash/sha3.hpp"
#include "mldsa/expansion.hpp"

namespace postern::contracts::mldsa_evm {

Leaves leaves_of(const Plan& plan, const std::array<std::uint64_t, 256>& a) {
    Leaves out{};
    for (unsigned p = 0; p < 64; ++p) {
        for (unsigned j = 0; j < 4; ++j) {
            std::uint64_t sum = 0;  // Horner in zeta_p over the coefficients 4n + j
            for (unsigned n = 64; n-- > 0;) sum = (sum * plan.zeta[p] + a[4 * n + j]) % q;
            out[p][j] = sum;
        }
    }
    return out;
}

U256 key_word(const Plan& plan, const Leaves& leaves, unsigned leaf, std::uint64_t scale) {
    const auto& k = leaves[leaf];
    const std::uint64_t zeta = mul_q(plan.zeta[leaf], scale);
    return {mul_q(k[1], zeta), mul_q(k[2], zeta), mul_q(k[3], zeta), mul_q(k[0], scale)};
}

KeyBlob make_blob(const Plan& plan, const std::vector<std::array<std::uint64_t, 256>>& a,
                  const std::vector<std::array<std::uint64_t, 256>>& t, ByteView key_hash, ByteView tr) {
    const unsigned rows = plan.p.k, columns = plan.p.l;
    std::vector<Leaves> la, lt;
    for (const auto& p : a) la.push_back(leaves_of(plan, p));
    for (const auto& p : t) lt.push_back(leaves_of(plan, p));
    // What the operands carry: Montgomery's 2^32, 1/64 of the inverse transform, the denominators of the rational twiddles.
    const std::uint64_t common = mul_q((std::uint64_t{1} << 32) % q, inv_q(64));
    const std::uint64_t a_scale = mul_q(common, inv_q(static_cast<std::uint64_t>(plan.w1.v)));

    KeyBlob blob;
    blob.scheme = plan.p.scheme->name;
    std::copy(key_hash.begin(), key_hash.end(), blob.key_hash.begin());
    blob.links_offset = 1 + key_hash.size() + tr.size();
    blob.parts.resize(plan.parts);
    for (auto& part : blob.parts) part.push_back(0);
    Bytes& first = blob.parts.front();
    first.insert(first.end(), key_hash.begin(), key_hash.end());
    first.insert(first.end(), tr.begin(), tr.end());
    first.resize(plan.header_bytes());
    for (unsigned leaf = 0; leaf < 64; ++leaf) {
        Bytes& part = blob.parts[leaf / plan.leaves_per_part];
        const std::uint64_t t_scale = sub_q(0, mul_q(common, inv_q(plan.challenge_scale(leaf))));
        for (unsigned i = 0; i < rows; ++i) {
            for (unsigned j = 0; j <= columns; ++j) {
                const U256 word = j < columns ? key_word(plan, la[i * columns + j], leaf, a_scale) : key_word(plan, lt[i], leaf, t_scale);
                const auto bytes = to_be_bytes(word);
                part.insert(part.end(), bytes.begin(), bytes.end());
            }
        }
    }
    return blob;
}

KeyBlob make_blob(const Plan& plan, const mldsa::PublicKey& key) {
    const mldsa::ExpandedPublicKey expanded(key);
    const std::uint64_t unscale = inv_q((std::uint64_t{1} << 32) % q);
    const auto coefficients = [&](mldsa::Poly values) {
        for (auto& v : values.c) v = static_cast<std::int32_t>(mul_q(static_cast<std::uint64_t>(mldsa::to_canonical(v)), unscale));
        mldsa::inverse_ntt_montgomery(values);
        std::array<std::uint64_t, 256> out{};
        for (unsigned i = 0; i < 256; ++i) out[i] = static_cast<std::uint64_t>(mldsa::to_canonical(values[i]));
        return out;
    };
    std::vector<std::array<std::uint64_t, 256>> a, t;
    for (const auto& p : expanded.expansion().a_hat) a.push_back(coefficients(p));
    for (const auto& p : expanded.expansion().t1_hat) t.push_back(coefficients(p));
    return make_blob(plan, a, t, hash::keccak256(key.bytes()), expanded.tr().bytes());
}

}  // namespace postern::contracts::mldsa_evm
