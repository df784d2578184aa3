#include "contracts/falcon_harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <postern/falcon_scheme.hpp>

#include "falcon/zq.hpp"

namespace postern::test {

namespace {

const contracts::Contract& built(const std::string& name) {
    static std::map<std::string, std::unique_ptr<contracts::Contract>> cache;
    auto& entry = cache[name];
    if (!entry) entry = std::make_unique<contracts::Contract>(contracts::build_contract(name).value());
    return *entry;
}

evm::Address address(std::uint8_t last) {
    evm::Address a{};
    a[0] = 0xfa;
    a[19] = last;
    return a;
}

}  // namespace

FalconHarness::FalconHarness(const std::string& contract)
    : contract_(&built(contract)), policy_(falcon::find_scheme(contract_->info.scheme)->policy), verifier_(address(1)), key_(address(2)) {
    state_.set_code(verifier_, contract_->runtime);
}

void FalconHarness::place(const falcon::PublicKey<F512>& key) {
    const auto blob = contracts::expand_key(contract_->info.scheme, falcon::encode_public_key<F512>(falcon::PublicKeyCodec::nist, key));
    place_code(blob.value().parts.at(0));
}

evm::ExecutionResult FalconHarness::call(ByteView calldata, std::uint64_t gas) {
    return contracts::call_verifier(state_, verifier_, *contract_, Door::erc7913, calldata, false, gas).result;
}

bool FalconHarness::accepts(Door door, ByteView message, ByteView signature) {
    const auto result = call(contracts::encode_call(door, key_, message, signature));
    const bool accepted = contracts::accepts(door, result);
    EXPECT_TRUE(result.success()) << result.reason;
    if (!accepted) {
        Bytes reject(32);
        if (door == Door::erc7913) std::fill_n(reject.begin(), 4, std::uint8_t{0xff});
        EXPECT_EQ(result.output, reject);
    }
    return accepted;
}

Bytes native_signature(const falcon::Salt& salt, const std::array<int, 512>& s2) {
    Bytes out(salt.begin(), salt.end());
    for (const int x : s2) {
        const auto u = static_cast<std::uint16_t>(x);
        out.push_back(static_cast<std::uint8_t>(u >> 8));
        out.push_back(static_cast<std::uint8_t>(u));
    }
    return out;
}

Bytes native_signature(const falcon::Salt& salt, const Small& s2) {
    std::array<int, 512> wide{};
    std::copy(s2.begin(), s2.end(), wide.begin());
    return native_signature(salt, wide);
}

std::optional<falcon::PublicKey<F512>> key_for(const falcon::Poly<F512>& c, const Small& s1, const Small& s2) {
    falcon::Poly<F512> a, b;
    for (std::size_t i = 0; i < 512; ++i) {
        a[i] = static_cast<std::uint16_t>((c[i] + falcon::q - falcon::to_residue(s1[i])) % falcon::q);
        b[i] = falcon::to_residue(s2[i]);
    }
    falcon::ntt<F512>(a);
    falcon::ntt<F512>(b);
    if (!falcon::pointwise_inverse<F512>(b)) return std::nullopt;
    falcon::pointwise_multiply<F512>(a, b);
    return falcon::PublicKey<F512>::from_ntt(a).value();
}

std::pair<Small, Small> vectors_of_norm(std::uint64_t norm, std::mt19937_64& rng, int spread) {
    std::uniform_int_distribution<int> any(-spread, spread);
    std::pair<Small, Small> v{};
    std::uint64_t sum = 0;
    const auto at = [&](std::size_t i) -> std::int16_t& { return i < 512 ? v.first[i] : v.second[i - 512]; };
    std::array<std::size_t, 8> free{};
    for (auto& f : free) f = rng() % 1024;
    for (std::size_t i = 0; i < 1024; ++i) {
        if (std::find(free.begin(), free.end(), i) != free.end()) continue;
        const int x = any(rng);
        if (sum + static_cast<std::uint64_t>(x * x) > norm) continue;
        at(i) = static_cast<std::int16_t>(x);
        sum += static_cast<std::uint64_t>(x * x);
    }
    // What is left, greedily by squares in the free places; s2 takes at most 2047.
    for (std::size_t k = 0; sum != norm; ++k) {
        const std::size_t i = k < free.size() ? free[k] : rng() % 1024;
        if (at(i) != 0) {  // make room
            sum -= static_cast<std::uint64_t>(at(i) * at(i));
            at(i) = 0;
        }
        auto x = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(norm - sum)));
        x = std::min<std::uint64_t>(x, i < 512 ? 6000 : 2047);
        at(i) = static_cast<std::int16_t>(rng() % 2 == 0 ? static_cast<int>(x) : -static_cast<int>(x));
        sum += x * x;
        if (k > 100000) throw std::runtime_error("no room for the norm");
    }
    return v;
}

}  // namespace postern::test
