#pragma once

// Helpers of the ML-DSA kinds.

#include <nlohmann/json_fwd.hpp>
#include <postern/mldsa.hpp>

#include "kat/run.hpp"

namespace postern::kat {

/// "ML-DSA-44" in any case; throws Malformed for anything else.
const mldsa::Scheme& mldsa_scheme(std::string_view name);
/// Empty means 32 zero bytes; throws Malformed for another length than 32.
mldsa::Randomness mldsa_randomness(const Bytes& rnd);
mldsa::Seed mldsa_seed(const Bytes& seed);
mldsa::Context mldsa_context(const Bytes& context);
mldsa::Mu mldsa_mu(const Bytes& mu);
/// A pure verification; a key or context that does not decode is a refusal.
VerifyCase mldsa_verify_case(const mldsa::Scheme& scheme, Bytes public_key, Bytes message, Bytes context, Bytes signature, bool valid);

}  // namespace postern::kat
