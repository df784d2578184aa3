#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <postern/bytes.hpp>
#include <span>

#include "hash/sha3.hpp"

namespace postern::hash {

/// The XOFs that are cheap on the EVM: absorb concatenates, state = keccak256(everything absorbed),
/// block i = keccak256(state || i) with i = 0, 1, ... a big-endian counter, output = the blocks in order.
/// `CounterBytes` is 32 for the keccak-* instances and 8 for the keccakprng of ETHFALCON and ML-DSA-ETH.
template <std::size_t CounterBytes>
class KeccakCounterXof {
  public:
    /// Output block, the unit in which output is made.
    static constexpr std::size_t kRate = 32;

    KeccakCounterXof() = default;
    ~KeccakCounterXof();
    KeccakCounterXof(const KeccakCounterXof&) = default;
    KeccakCounterXof& operator=(const KeccakCounterXof&) = default;

    /// Throws std::logic_error after the first squeeze.
    void absorb(ByteView data);
    void squeeze(std::span<std::uint8_t> out);
    void reset() noexcept;

  private:
    Keccak256 hash_;
    std::array<std::uint8_t, 32> state_{};
    std::array<std::uint8_t, 32> block_{};
    std::size_t position_ = 32;
    std::uint64_t counter_ = 0;
    bool squeezing_ = false;
};

extern template class KeccakCounterXof<32>;
extern template class KeccakCounterXof<8>;

using Keccak256CtrXof = KeccakCounterXof<32>;
using KeccakPrng = KeccakCounterXof<8>;

/// Several instances of any XOF in step, with the interface of the sponges in step.
template <class Xof, std::size_t Lanes>
class XofLanes {
  public:
    static constexpr std::size_t kLanes = Lanes;
    void absorb(const std::array<ByteView, Lanes>& data) {
        for (std::size_t i = 0; i < Lanes; ++i) xof_[i].absorb(data[i]);
    }
    void squeeze(const std::array<std::span<std::uint8_t>, Lanes>& out) {
        for (std::size_t i = 0; i < Lanes; ++i) xof_[i].squeeze(out[i]);
    }

  private:
    std::array<Xof, Lanes> xof_;
};
template <class Xof>
using XofX4 = XofLanes<Xof, 4>;

}  // namespace postern::hash
