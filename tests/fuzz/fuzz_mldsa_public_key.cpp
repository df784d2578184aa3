// Public keys: the first byte chooses the instance. What decodes is written back as it was and can be expanded.

#include <algorithm>
#include <postern/mldsa.hpp>

#include "fuzz.hpp"
#include "mldsa/expansion.hpp"

using namespace postern;
using namespace postern::mldsa;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Scheme& scheme = schemes()[data[0] % schemes().size()];
    const ByteView bytes(data + 1, size - 1);
    const auto key = PublicKey::decode(scheme, bytes);
    require(key.has_value() == (bytes.size() == scheme.public_key_bytes), "exact length");
    if (!key) return 0;
    require(std::equal(bytes.begin(), bytes.end(), key->bytes().begin()), "written back as read");
    const ExpandedPublicKey expanded(*key);
    for (const auto* polys : {&expanded.expansion().a_hat, &expanded.expansion().t1_hat}) {
        for (const auto& f : *polys) {
            for (const auto x : f.c) require(x >= 0 && x < q, "canonical values");
        }
    }
    return 0;
}
