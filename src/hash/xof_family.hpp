#pragma once

#include "hash/counter_xof.hpp"
#include "hash/sha3.hpp"

namespace postern::hash {

/// The XOF families a scheme can be instantiated with: each names what stands in for SHAKE128 and for
/// SHAKE256, the four-way form of each, and the form in which SHAKE128's stand-in draws the matrix: as many
/// streams in step as pay.
struct Fips202 {
    using Xof128 = Shake128;
    using Xof256 = Shake256;
    using Xof128X4 = Shake128X4;
    using Xof256X4 = Shake256X4;
    using MatrixXof = Shake128X8;
};
struct TurboShake {
    using Xof128 = TurboShake128;
    using Xof256 = TurboShake256;
    using Xof128X4 = TurboShake128X4;
    using Xof256X4 = TurboShake256X4;
    using MatrixXof = TurboShake128X8;
};
struct Keccak256Ctr {
    using Xof128 = Keccak256CtrXof;
    using Xof256 = Keccak256CtrXof;
    using Xof128X4 = XofX4<Keccak256CtrXof>;
    using Xof256X4 = XofX4<Keccak256CtrXof>;
    using MatrixXof = XofLanes<Keccak256CtrXof, 1>;
};
/// The 8-byte counter of the published EVM variants.
struct KeccakPrng64 {
    using Xof128 = KeccakPrng;
    using Xof256 = KeccakPrng;
    using Xof128X4 = XofX4<KeccakPrng>;
    using Xof256X4 = XofX4<KeccakPrng>;
    using MatrixXof = XofLanes<KeccakPrng, 1>;
};

}  // namespace postern::hash
