#include "hash/sha3.hpp"

#include <stdexcept>

namespace postern::hash {

namespace {

// left_encode of SP 800-185 section 2.3.1: the big-endian bytes of the number behind their count.
Bytes left_encode(std::uint64_t v) {
    Bytes out{static_cast<std::uint8_t>(v)};
    while ((v >>= 8) != 0) out.insert(out.begin(), static_cast<std::uint8_t>(v));
    out.insert(out.begin(), static_cast<std::uint8_t>(out.size()));
    return out;
}

}  // namespace

CShake::CShake(unsigned security, ByteView function_name, ByteView customization)
    : Sponge(security == 128 ? Shake128::kRate : Shake256::kRate, function_name.empty() && customization.empty() ? 0x1f : 0x04, 24) {
    if (security != 128 && security != 256) throw std::invalid_argument("cSHAKE has security 128 or 256");
    if (function_name.empty() && customization.empty()) return;
    // bytepad(encode_string(N) || encode_string(S), rate)
    Bytes prefix = left_encode(rate());
    for (const ByteView part : {function_name, customization}) {
        const Bytes length = left_encode(8ULL * part.size());
        prefix.insert(prefix.end(), length.begin(), length.end());
        prefix.insert(prefix.end(), part.begin(), part.end());
    }
    prefix.resize((prefix.size() + rate() - 1) / rate() * rate());
    absorb(prefix);
}

}  // namespace postern::hash
