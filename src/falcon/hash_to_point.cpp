#include "falcon/hash_to_point.hpp"

#include <algorithm>
#include <stdexcept>

#include "hash/blake2s.hpp"
#include "hash/counter_xof.hpp"
#include "hash/sha3.hpp"

namespace postern::falcon {

std::string_view name(HashToPoint policy) {
    switch (policy) {
        case HashToPoint::shake256:
            return "shake256";
        case HashToPoint::keccak_prng:
            return "keccak-prng";
        case HashToPoint::keccak_ctr:
            return "keccak-ctr";
        case HashToPoint::eip8052:
            return "eip8052";
        case HashToPoint::blake2s_prng:
            return "blake2s-prng";
    }
    throw std::invalid_argument("unknown hash-to-point policy");
}

std::size_t read_point_words(std::span<std::uint16_t> out, ByteView stream) {
    std::size_t filled = 0;
    for (std::size_t i = 0; i + 1 < stream.size() && filled < out.size(); i += 2) {
        const std::uint32_t w = static_cast<std::uint32_t>(stream[i]) << 8 | stream[i + 1];
        // Everything here is public: writing before deciding only saves a mispredicted branch.
        out[filled] = static_cast<std::uint16_t>(w % q);
        filled += w < kPointLimit ? 1 : 0;
    }
    return filled;
}

namespace {

/// BLAKE2s(BLAKE2s(salt) || message) is the state, block i is BLAKE2s(state || uint64_be(i)).
class Blake2sPrng {
  public:
    Blake2sPrng(const Salt& salt, ByteView message) {
        hash::Blake2s h;
        h.update(hash::Blake2s::hash(salt));
        h.update(message);
        const auto state = h.finish();
        std::copy(state.begin(), state.end(), input_.begin());
    }
    void squeeze(std::span<std::uint8_t> out) {
        for (auto& byte : out) {
            if (position_ == block_.size()) {
                for (std::size_t i = 0; i < 8; ++i) input_[32 + i] = static_cast<std::uint8_t>(counter_ >> (56 - 8 * i));
                ++counter_;
                block_ = hash::Blake2s::hash(input_);
                position_ = 0;
            }
            byte = block_[position_++];
        }
    }

  private:
    std::array<std::uint8_t, 40> input_{};
    hash::Blake2s::Digest block_{};
    std::size_t position_ = 32;
    std::uint64_t counter_ = 0;
};

template <class P, class Xof>
Poly<P> absorb_two(ByteView first, ByteView second) {
    Xof xof;
    xof.absorb(first);
    xof.absorb(second);
    return point_from_stream<P>(xof);
}

}  // namespace

template <class P>
Poly<P> hash_to_point(HashToPoint policy, const Salt& salt, ByteView message) {
    switch (policy) {
        case HashToPoint::shake256:
            return absorb_two<P, hash::Shake256>(salt, message);
        case HashToPoint::keccak_prng:
            return absorb_two<P, hash::KeccakPrng>(salt, message);
        case HashToPoint::keccak_ctr:
            return absorb_two<P, hash::Keccak256CtrXof>(salt, message);
        case HashToPoint::eip8052:
            return absorb_two<P, hash::KeccakPrng>(message, salt);
        case HashToPoint::blake2s_prng: {
            Blake2sPrng stream(salt, message);
            return point_from_stream<P>(stream);
        }
    }
    throw std::invalid_argument("unknown hash-to-point policy");
}

template Poly<Falcon512> hash_to_point<Falcon512>(HashToPoint, const Salt&, ByteView);
template Poly<Falcon1024> hash_to_point<Falcon1024>(HashToPoint, const Salt&, ByteView);

}  // namespace postern::falcon
