#include <algorithm>
#include <array>
#include <postern/mldsa.hpp>
#include <stdexcept>

#include "mldsa/engine.hpp"
#include "mldsa/packing.hpp"

namespace postern::mldsa {

const detail::Engine& detail::engine(ParameterSet set, XofFamily xof) {
    switch (xof) {
        case XofFamily::fips202:
            return fips202_engine(set);
        case XofFamily::turbo_shake:
            return turbo_shake_engine(set);
        case XofFamily::keccak256_ctr:
            return keccak256_ctr_engine(set);
        case XofFamily::keccak_prng:
            return keccak_prng_engine(set);
    }
    throw std::invalid_argument("no such XOF family");
}

namespace {

template <class P>
Scheme make(std::string_view name, ParameterSet set, XofFamily xof) {
    return {name,
            set,
            xof,
            P::category,
            Sizes<P>::public_key,
            Sizes<P>::private_key,
            Sizes<P>::signature,
            Sizes<P>::c_tilde,
            &detail::engine(set, xof)};
}

const std::array<Scheme, 10>& table() {
    using enum ParameterSet;
    using enum XofFamily;
    static const std::array<Scheme, 10> all{
        make<MlDsa44>("ml-dsa-44", ml_dsa_44, fips202),
        make<MlDsa65>("ml-dsa-65", ml_dsa_65, fips202),
        make<MlDsa87>("ml-dsa-87", ml_dsa_87, fips202),
        make<MlDsa44>("turbo-ml-dsa-44", ml_dsa_44, turbo_shake),
        make<MlDsa65>("turbo-ml-dsa-65", ml_dsa_65, turbo_shake),
        make<MlDsa87>("turbo-ml-dsa-87", ml_dsa_87, turbo_shake),
        make<MlDsa44>("keccak-ml-dsa-44", ml_dsa_44, keccak256_ctr),
        make<MlDsa65>("keccak-ml-dsa-65", ml_dsa_65, keccak256_ctr),
        make<MlDsa87>("keccak-ml-dsa-87", ml_dsa_87, keccak256_ctr),
        make<MlDsa44>("eth-ml-dsa-44", ml_dsa_44, keccak_prng),
    };
    return all;
}

}  // namespace

std::span<const Scheme> schemes() noexcept { return table(); }

const Scheme* find_scheme(std::string_view name) noexcept {
    const auto all = schemes();
    const auto it = std::find_if(all.begin(), all.end(), [&](const Scheme& s) { return s.name == name; });
    return it == all.end() ? nullptr : &*it;
}

const Scheme& scheme(ParameterSet set, XofFamily xof) {
    for (const Scheme& s : schemes()) {
        if (s.parameter_set == set && s.xof == xof) return s;
    }
    throw std::invalid_argument("no ML-DSA instance of this parameter set and XOF family");
}

const char* describe(HintFault fault) noexcept {
    switch (fault) {
        case HintFault::none:
            break;
        case HintFault::count_decreasing:
            return "hint counts decreasing";
        case HintFault::too_many:
            return "hint count above omega";
        case HintFault::not_increasing:
            return "hint indices not increasing";
        case HintFault::padding_not_zero:
            return "hint padding not zero";
    }
    return "";
}

}  // namespace postern::mldsa
