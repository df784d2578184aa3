#pragma once

// What every registry of keys does, whatever the scheme: takes a whole wire key and a part number, derives where that part belongs,
// answers at once if it is there, and otherwise creates it from what the scheme's expansion has put into memory.
//
//     register(bytes publicKey, uint256 part) -> address     anybody; part 0 last
//     blob(bytes32 keyHash) view -> address                  part 0, or zero if the key is not registered
//     part(bytes32 keyHash, uint256 index) view -> (address at, bool registered)
//
// No storage, no owner, no bytes chosen by the caller: the same key gives the same contracts whoever registers it and in whatever order.

#include <functional>

#include "contracts/catalogue.hpp"
#include "contracts/provenance.hpp"

namespace postern::contracts {

class RegistryShell {
  public:
    /// Memory below kKey belongs to the shell, but for kScheme .. kKey, which the expansion may use; the wire key stands at kKey.
    static constexpr std::uint64_t kPart = 0x20, kKeyHash = 0x120, kScheme = 0x1c0, kKey = 0x300;

    /// `blob`: where the expansion builds the part; everything from there on is zero when it starts.
    RegistryShell(codegen::Kernel& k, BlobShape shape, std::uint64_t blob);

    /// The whole contract but the subroutines and data of the expansion. `expand` is emitted with an empty stack and returns to one; it
    /// writes the bytes of the part in memory at kPart to `blob`, all but the zero byte, the key's hash and the links.
    void emit(const std::function<void()>& expand);
    /// Jumps here refuse the key.
    codegen::Label degenerate() const { return degenerate_; }

    static std::vector<codegen::AbiFunction> functions();

  private:
    static constexpr std::uint64_t kAt = 0x40, kSalt = 0x180, kInit = 0x140, kCreator = 0x160, kInitHash = 0x1a0;

    void emit_dispatch();
    void emit_callback();
    void emit_register(const std::function<void()>& expand);
    void emit_links();
    void emit_create();
    void emit_views();
    void emit_derive();
    void emit_failures();
    void size_of_part(codegen::V part);
    void return_word();

    codegen::Kernel& k_;
    BlobShape shape_;
    std::uint64_t blob_;
    U256 sizes_;
    codegen::Label revert_, wrong_length_, no_such_part_, parts_missing_, degenerate_, creation_failed_;
    codegen::Label callback_, register_, view_blob_, view_part_, derive_;
};

/// Opcodes of a registry that an account may not run while validating (ERC-7562); registering is a transaction of its own.
std::vector<codegen::Op> registry_opcodes();

}  // namespace postern::contracts
