#pragma once

#include <span>

namespace postern::kat {

struct Kind;

// One function a family of vector files, each in its own source file. Earlier families are asked first.
std::span<const Kind> mldsa_acvp_kinds();
std::span<const Kind> mldsa_wycheproof_kinds();
std::span<const Kind> mldsa_answer_kinds();
std::span<const Kind> mldsa_cctv_kinds();
std::span<const Kind> mldsa_encoding_kinds();
std::span<const Kind> mldsa_certificate_kinds();
std::span<const Kind> mldsa_eth_kinds();
std::span<const Kind> falcon_kinds();
std::span<const Kind> falcon_recover_kinds();
std::span<const Kind> fndsa_kinds();
std::span<const Kind> hash_acvp_kinds();
std::span<const Kind> hash_answer_kinds();
std::span<const Kind> hash_vector_kinds();
std::span<const Kind> hash_intermediate_kinds();
std::span<const Kind> other_scheme_kinds();

}  // namespace postern::kat
