#include "contracts/harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "contracts/model/pack.hpp"
#include "hash/counter_xof.hpp"
#include "hash/sha3.hpp"
#include "mldsa/expansion.hpp"

namespace postern::test {

bool long_tests() {
    const char* value = std::getenv("POSTERN_LONG_TESTS");
    return value != nullptr && *value != '\0' && *value != '0';
}

Harness::Harness(const std::string& contract) {
    static std::map<std::string, contracts::Contract> built;
    auto it = built.find(contract);
    if (it == built.end()) it = built.emplace(contract, contracts::build_contract(contract).value()).first;
    contract_ = &it->second;
    scheme_ = mldsa::find_scheme(contract_->info.scheme);
    params_ = contracts::mldsa_evm::params_of(*scheme_);
    verifier_[0] = 0x5e;
    verifier_[19] = 0x01;
    state_.set_code(verifier_, contract_->runtime);
    contracts::place_companions(state_, *contract_);
}

evm::Address Harness::place_blob(ByteView public_key) {
    return contracts::place_key(state_, contracts::expand_key(scheme_->name, public_key).value());
}

Bytes Harness::place(ByteView public_key) {
    if (wire()) return {public_key.begin(), public_key.end()};
    const evm::Address address = place_blob(public_key);
    return {address.begin(), address.end()};
}

std::vector<Door> Harness::doors() const {
    std::vector<Door> out;
    for (const auto& e : contract_->info.entry_points) out.push_back(e.door);
    return out;
}

evm::ExecutionResult Harness::call(ByteView calldata, std::uint64_t gas, evm::Tracer* tracer) {
    evm::Message message;
    message.from[19] = 0xca;
    message.to = verifier_;
    message.data.assign(calldata.begin(), calldata.end());
    message.gas = gas;
    message.is_static = true;
    evm::Options options;
    options.keep_changes = false;
    options.tracer = tracer;
    return evm::call(state_, message, options);
}

bool Harness::accepts(Door door, ByteView key, ByteView message, ByteView signature, ByteView context) {
    const auto result = call(contracts::encode_call(door, key, message, signature, context));
    EXPECT_TRUE(result.success()) << result.reason;
    EXPECT_EQ(result.output.size(), 32U);
    const bool accepted = contracts::accepts(door, result);
    if (!accepted && result.output.size() == 32) {
        Bytes reject(32);
        if (door == Door::erc7913) std::fill_n(reject.begin(), 4, std::uint8_t{0xff});
        EXPECT_EQ(result.output, reject) << "the rejecting word is not clean";
    }
    return accepted;
}

bool Harness::accepts(ByteView key, ByteView message, ByteView signature, ByteView context) {
    const Door door = !context.empty() ? Door::context : message.size() == 32 ? Door::erc7913 : long_door();
    return accepts(door, key, message, signature, context);
}

std::vector<std::string> contract_names() {
    std::vector<std::string> out;
    for (const auto& info : contracts::list_contracts()) out.push_back(info.name);
    return out;
}

namespace {

std::vector<std::string> names_with(contracts::KeyForm form) {
    std::vector<std::string> out;
    for (const auto& info : contracts::list_contracts()) {
        if (info.entry_points.empty() || info.name.ends_with("-compat")) continue;
        if (info.key_form == form && mldsa::find_scheme(info.scheme) != nullptr) out.push_back(info.name);
    }
    return out;
}

}  // namespace

std::vector<std::string> verifier_names() { return names_with(contracts::KeyForm::expanded); }
std::vector<std::string> wire_names() { return names_with(contracts::KeyForm::wire); }

std::vector<std::string> all_verifier_names() {
    auto out = verifier_names();
    for (auto& name : wire_names()) out.push_back(std::move(name));
    return out;
}

std::string test_name(std::string contract) {
    std::replace(contract.begin(), contract.end(), '-', '_');
    return contract;
}

namespace {

Bytes zero_t1_key(const mldsa::Scheme& scheme, std::uint8_t seed) {
    Bytes key(scheme.public_key_bytes);
    std::fill_n(key.begin(), 32, seed);
    return key;
}

mldsa::Poly to_native(const model::Poly& p) {
    mldsa::Poly out;
    for (std::size_t i = 0; i < 256; ++i) {
        const auto v = model::mod(p[i]);
        out[i] = static_cast<std::int32_t>(v > model::Q / 2 ? v - model::Q : v);
    }
    return out;
}

Bytes hash_h(const mldsa::Scheme& scheme, ByteView a, ByteView b, std::size_t size) {
    Bytes out(size);
    const auto run = [&](auto xof) {
        xof.absorb(a);
        xof.absorb(b);
        xof.squeeze(out);
    };
    switch (scheme.xof) {
        case mldsa::XofFamily::fips202:
            run(hash::Shake256());
            break;
        case mldsa::XofFamily::turbo_shake:
            run(hash::TurboShake256());
            break;
        case mldsa::XofFamily::keccak256_ctr:
            run(hash::Keccak256CtrXof());
            break;
        case mldsa::XofFamily::keccak_prng:
            run(hash::KeccakPrng());
            break;
    }
    return out;
}

}  // namespace

Forger::Forger(const mldsa::Scheme& scheme, std::uint8_t seed) : Forger(scheme, zero_t1_key(scheme, seed)) {}

Forger::Forger(const mldsa::Scheme& scheme, Bytes public_key)
    : scheme_(&scheme),
      params_(contracts::mldsa_evm::params_of(scheme)),
      public_key_(std::move(public_key)),
      expanded_(mldsa::PublicKey::decode(scheme, public_key_).value()) {}

Bytes Forger::encode(const Hints& hints) const {
    Bytes y(params_.omega + params_.k);
    std::size_t index = 0;
    for (unsigned i = 0; i < params_.k; ++i) {
        for (unsigned j = 0; j < 256; ++j) {
            if (hints[i][j]) y.at(index++) = static_cast<std::uint8_t>(j);
        }
        y[params_.omega + i] = static_cast<std::uint8_t>(index);
    }
    return y;
}

Bytes Forger::sign(const std::vector<model::Poly>& z, const Hints& hints, const Bytes& hint_bytes, ByteView message,
                   ByteView context) const {
    std::vector<mldsa::Poly> z_hat;
    for (const auto& p : z) {
        z_hat.push_back(to_native(p));
        mldsa::ntt(z_hat.back());
        mldsa::reduce(z_hat.back());
    }
    const auto& a_hat = expanded_.expansion().a_hat;
    Bytes w1(32ULL * params_.w1_bits * params_.k);
    for (unsigned i = 0; i < params_.k; ++i) {
        mldsa::Poly w = mldsa::multiply_accumulate(std::span(a_hat).subspan(std::size_t{i} * params_.l, params_.l), z_hat);
        mldsa::inverse_ntt_montgomery(w);
        for (unsigned n = 0; n < 256; ++n) {
            const auto r =
                static_cast<std::uint64_t>(model::use_hint(hints[i][n], model::mod(w[n]), static_cast<std::int64_t>(params_.gamma2)));
            for (unsigned b = 0; b < params_.w1_bits; ++b) {
                const std::size_t bit = (std::size_t{i} * 256 + n) * params_.w1_bits + b;
                w1[bit / 8] |= static_cast<std::uint8_t>(((r >> b) & 1U) << (bit % 8));
            }
        }
    }
    mldsa::MuHasher hasher(*scheme_, expanded_.tr(), mldsa::Context::from(context).value());
    hasher.update(message);
    const mldsa::Mu mu = hasher.finish();
    const Bytes c_tilde = hash_h(*scheme_, mu.bytes(), w1, params_.c_tilde);
    Bytes signature = model::pack_z(z, params_);
    std::copy(c_tilde.begin(), c_tilde.end(), signature.begin());
    signature.insert(signature.end(), hint_bytes.begin(), hint_bytes.end());
    return signature;
}

}  // namespace postern::test
