#pragma once

#include <array>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>
#include <string_view>

#include "hash/sponge.hpp"

namespace postern::hash {

/// SHAKE128 and SHAKE256 (FIPS 202 section 6.2).
class Shake128 : public Sponge {
  public:
    static constexpr std::size_t kRate = 168;
    Shake128() : Sponge(kRate, 0x1f, 24) {}
};
class Shake256 : public Sponge {
  public:
    static constexpr std::size_t kRate = 136;
    Shake256() : Sponge(kRate, 0x1f, 24) {}
};

/// TurboSHAKE128 and TurboSHAKE256 (RFC 9861 section 2); `domain` is the byte D, 0x01..0x7f.
class TurboShake128 : public Sponge {
  public:
    static constexpr std::size_t kRate = 168;
    explicit TurboShake128(std::uint8_t domain = 0x1f) : Sponge(kRate, domain, 12) {}
};
class TurboShake256 : public Sponge {
  public:
    static constexpr std::size_t kRate = 136;
    explicit TurboShake256(std::uint8_t domain = 0x1f) : Sponge(kRate, domain, 12) {}
};

/// cSHAKE (SP 800-185 section 3); with both strings empty it is SHAKE.
class CShake : public Sponge {
  public:
    /// `security` is 128 or 256.
    CShake(unsigned security, ByteView function_name, ByteView customization);
};

/// The four-way forms of the XOFs above.
class Shake128X4 : public SpongeX4 {
  public:
    Shake128X4() : SpongeX4(168, 0x1f, 24) {}
};
class Shake256X4 : public SpongeX4 {
  public:
    Shake256X4() : SpongeX4(136, 0x1f, 24) {}
};
class TurboShake128X4 : public SpongeX4 {
  public:
    TurboShake128X4() : SpongeX4(168, 0x1f, 12) {}
};
class TurboShake256X4 : public SpongeX4 {
  public:
    TurboShake256X4() : SpongeX4(136, 0x1f, 12) {}
};

/// Eight at a time, for the public matrix of ML-DSA.
class Shake128X8 : public SpongeX8 {
  public:
    Shake128X8() : SpongeX8(168, 0x1f, 24) {}
};
class TurboShake128X8 : public SpongeX8 {
  public:
    TurboShake128X8() : SpongeX8(168, 0x1f, 12) {}
};

/// A fixed-output hash of the Keccak family with N bytes of output (capacity 2N): SHA3-N with suffix 0x06,
/// Keccak with the original padding with suffix 0x01.
template <std::size_t N, std::uint8_t Suffix>
class KeccakHash {
  public:
    using Digest = std::array<std::uint8_t, N>;
    KeccakHash() : sponge_(200 - 2 * N, Suffix, 24) {}
    void update(ByteView data) { sponge_.absorb(data); }
    /// The digest; the object is then as new.
    Digest finish() {
        Digest out;
        sponge_.squeeze(out);
        sponge_.reset();
        return out;
    }
    static Digest hash(ByteView data) {
        KeccakHash h;
        h.update(data);
        return h.finish();
    }

  private:
    Sponge sponge_;
};

using Sha3_224 = KeccakHash<28, 0x06>;
using Sha3_256 = KeccakHash<32, 0x06>;
using Sha3_384 = KeccakHash<48, 0x06>;
using Sha3_512 = KeccakHash<64, 0x06>;
/// keccak256 of the Yellow Paper (Keccak[c=512] with the original padding).
using Keccak256 = KeccakHash<32, 0x01>;
using Keccak512 = KeccakHash<64, 0x01>;

inline Keccak256::Digest keccak256(ByteView data) { return Keccak256::hash(data); }
inline Keccak256::Digest keccak256(std::string_view text) {
    return Keccak256::hash({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace postern::hash
