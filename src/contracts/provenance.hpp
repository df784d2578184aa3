#pragma once

// Who made a key blob: the addresses at which a registry creates the parts of a registered key, derived here and inside contracts.
// Nothing in this file knows a scheme.
//
// A registry creates part p of the key with keccak256(wire key) = h by CREATE2 with
//
//     salt      = keccak256(tag || p || h)         tag: 31 bytes, "<scheme>/<form>/<layout>" filled up with zeros; p: one byte
//     init code = part_init_code(size of the part)
//
// so the address says which registry made the part, for which key, of which scheme and form, and how long it is; and the registry makes
// it from nothing but the wire key.

#include <array>
#include <cstdint>
#include <postern/contracts.hpp>
#include <string>
#include <vector>

#include "codegen/kernel.hpp"

namespace postern::contracts {

using Hash32 = std::array<std::uint8_t, 32>;

/// The deployment factory that most tools use (EIP-7997 makes it part of the protocol); registries are deployed through it with salt 0.
inline constexpr evm::Address kFactory{0x4e, 0x59, 0xb4, 0x48, 0x47, 0xb3, 0x79, 0x57, 0x85, 0x88,
                                       0x92, 0x0c, 0xa7, 0x8f, 0xbf, 0x26, 0xc0, 0xb4, 0x95, 0x6c};

/// What the parts of a registered key look like, whoever the key belongs to.
struct BlobShape {
    std::string scheme, form;
    unsigned layout = 1;
    std::size_t key_bytes = 0;              ///< of the wire key
    std::vector<std::size_t> part_sizes{};  ///< of the runtime codes; part 0 has the header
    std::size_t links_offset = 0;           ///< where in part 0 the addresses of the others stand

    std::string tag() const { return scheme + "/" + form + "/" + std::to_string(layout); }
};

/// The 32 bytes in front of the key's hash in the salt's preimage. Throws std::invalid_argument for tags over 31 bytes.
U256 tag_word(const BlobShape& shape, unsigned part);
Hash32 part_salt(const BlobShape& shape, unsigned part, const Hash32& key_hash);

/// Init code that asks its creator (a static call without calldata) for the runtime code, and reverts unless the call succeeds with
/// exactly this many bytes: a call starved of gas must not leave an empty account behind, at whose address nothing could be created again.
Bytes part_init_code(std::size_t size);
inline constexpr std::size_t kPartInitBytes = 27;
/// The same as a word, left-aligned, with the size left out, and where the size belongs.
U256 part_init_template();
inline constexpr unsigned kPartInitSizeShift = 8 * (32 - 11);

/// EIP-1014.
evm::Address create2_address(const evm::Address& creator, const Hash32& salt, const Hash32& init_hash);
evm::Address part_address(const evm::Address& registry, const BlobShape& shape, unsigned part, const Hash32& key_hash);

/// What a verifier has to know of the registry whose blobs it accepts.
struct Provenance {
    evm::Address registry{};
    U256 tag;            ///< tag_word of part 0
    Hash32 init_hash{};  ///< of part 0's init code
};
Provenance provenance_of(const BlobShape& shape, const evm::Address& registry);

/// Pushes the address of part 0 with 96 unspecified bits on top of it. The key's hash stands at `key_hash`; the 32 bytes in front of it are
/// written (their last becomes zero). `scratch`: 96 bytes of memory, left dirty.
codegen::V emit_part0_address(codegen::Kernel& k, const Provenance& provenance, std::uint64_t key_hash, std::uint64_t scratch);

}  // namespace postern::contracts
