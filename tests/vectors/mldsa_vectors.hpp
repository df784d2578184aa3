#pragma once

#include <map>
#include <string>

namespace postern::test {

/// The published vectors of the ML-DSA instances that no standard covers, made afresh: file name to text.
std::map<std::string, std::string> make_mldsa_vectors();

}  // namespace postern::test
