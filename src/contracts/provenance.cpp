#include "contracts/provenance.hpp"

#include <algorithm>
#include <stdexcept>

#include "hash/sha3.hpp"

namespace postern::contracts {

using codegen::Kernel;
using codegen::Op;
using codegen::V;

U256 tag_word(const BlobShape& shape, unsigned part) {
    const std::string tag = shape.tag();
    if (tag.size() > 31 || part > 0xff) throw std::invalid_argument("tag_word: '" + tag + "' does not fit");
    Hash32 word{};
    std::copy(tag.begin(), tag.end(), word.begin());
    word[31] = static_cast<std::uint8_t>(part);
    return load_be(word);
}

Hash32 part_salt(const BlobShape& shape, unsigned part, const Hash32& key_hash) {
    std::array<std::uint8_t, 64> preimage{};
    const auto tag = to_be_bytes(tag_word(shape, part));
    std::copy(key_hash.begin(), key_hash.end(), std::copy(tag.begin(), tag.end(), preimage.begin()));
    return hash::keccak256(preimage);
}

Bytes part_init_code(std::size_t size) {
    if (size > 0xffff) throw std::invalid_argument("part_init_code: part too long");
    // staticcall(gas, caller, 0, 0, 0, 0) and returndatasize == size, else revert; return the return data
    return {0x5f,
            0x5f,
            0x5f,
            0x5f,
            0x33,
            0x5a,
            0xfa,  //
            0x3d,
            0x61,
            static_cast<std::uint8_t>(size >> 8),
            static_cast<std::uint8_t>(size),
            0x14,
            0x16,  //
            0x60,
            0x13,
            0x57,
            0x5f,
            0x5f,
            0xfd,  //
            0x5b,
            0x3d,
            0x5f,
            0x5f,
            0x3e,
            0x3d,
            0x5f,
            0xf3};
}

U256 part_init_template() {
    Bytes code = part_init_code(0);
    code.resize(32);
    return load_be(code);
}

evm::Address create2_address(const evm::Address& creator, const Hash32& salt, const Hash32& init_hash) {
    std::array<std::uint8_t, 85> preimage{0xff};
    auto to = std::copy(creator.begin(), creator.end(), preimage.begin() + 1);
    to = std::copy(salt.begin(), salt.end(), to);
    std::copy(init_hash.begin(), init_hash.end(), to);
    const auto digest = hash::keccak256(preimage);
    evm::Address address{};
    std::copy(digest.begin() + 12, digest.end(), address.begin());
    return address;
}

evm::Address part_address(const evm::Address& registry, const BlobShape& shape, unsigned part, const Hash32& key_hash) {
    return create2_address(registry, part_salt(shape, part, key_hash), hash::keccak256(part_init_code(shape.part_sizes.at(part))));
}

Provenance provenance_of(const BlobShape& shape, const evm::Address& registry) {
    return {registry, tag_word(shape, 0), hash::keccak256(part_init_code(shape.part_sizes.at(0)))};
}

V emit_part0_address(Kernel& k, const Provenance& provenance, std::uint64_t key_hash, std::uint64_t scratch) {
    Bytes creator{0xff};
    creator.insert(creator.end(), provenance.registry.begin(), provenance.registry.end());
    k.push(load_be(creator));
    k.mstore(scratch);
    k.push(provenance.tag);
    k.mstore(key_hash - 32);
    k.push(64);
    k.push(key_hash - 32);
    k.op(Op::KECCAK256);
    k.mstore(scratch + 32);
    k.push(load_be(provenance.init_hash));
    k.mstore(scratch + 64);
    k.push(85);
    k.push(scratch + 11);
    return k.op(Op::KECCAK256);
}

}  // namespace postern::contracts
