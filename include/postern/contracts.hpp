#pragma once

// Contracts that verify post-quantum signatures on the EVM: what can be generated, generating it, preparing keys for
// it, and calling it in the embedded EVM.
//
// Everything is deterministic: the same name and fork give the same bytes on every machine. Untrusted bytes (keys) are
// decoded into a Result with a reason; unknown names are errors of the same kind, because they come from command lines.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <postern/evm.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postern::contracts {

// ---------------------------------------------------------------------------------------------- what there is

/// How a verifier gets its public key.
enum class KeyForm : std::uint8_t {
    expanded,   ///< registered key: a blob of pre-expanded polynomials in one or more contracts
    packed,     ///< registered key in a smaller blob
    wire,       ///< the standard public key in calldata
    committed,  ///< 32-byte commitment, the key sent along
    none,       ///< key recovery
};
std::string_view name(KeyForm form);

/// The doors of a verifier (selectors are those of the Solidity ABI).
enum class Door : std::uint8_t {
    erc7913,  ///< verify(bytes key, bytes32 hash, bytes signature) -> bytes4: the hash is the message, context empty
    message,  ///< verify(address keyBlob, bytes message, bytes signature) -> bool: context empty
    context,  ///< verify(bytes key, bytes message, bytes signature, bytes ctx) -> bool
};

struct EntryPoint {
    Door door = Door::erc7913;
    std::string signature;       ///< "verify(bytes,bytes32,bytes)"
    std::uint32_t selector = 0;  ///< first four bytes of its keccak256
    std::string returns;         ///< "bytes4" or "bool"
};

struct ContractInfo {
    std::string name;    ///< "ml-dsa-44"
    std::string scheme;  ///< name of the signature scheme, see mldsa::find_scheme and falcon::find_scheme
    KeyForm key_form = KeyForm::expanded;
    std::vector<EntryPoint> entry_points;
    std::string signature_codec;  ///< the codec of falcon_codec.hpp that signatures come in; empty for schemes with one encoding
};

/// Everything that build_contract can make, in a fixed order.
std::vector<ContractInfo> list_contracts();
std::optional<ContractInfo> find_contract(std::string_view contract);

// ---------------------------------------------------------------------------------------------- building

/// Another contract that one calls: it must stand at this address, which follows from its bytes and the deterministic deployment
/// proxy at 0x4e59b44847b379578588920ca78fbf26c0b4956c (salt zero).
struct Companion {
    std::string name;
    evm::Address address{};
    Bytes runtime;
    Bytes init;
    std::vector<evm::Region> regions;
};

struct Contract {
    ContractInfo info;
    evm::Fork fork = evm::Fork::osaka;
    std::vector<Companion> companions;  ///< what it calls
    Bytes runtime;                     ///< at most evm::limits(fork).code_size bytes, never starting with 0xef
    Bytes init;                        ///< creation code that returns `runtime`; takes no arguments
    std::string abi_json;              ///< Solidity ABI
    std::vector<evm::Region> regions;  ///< names of the byte ranges of `runtime`
    std::string listing;               ///< annotated: offset, instruction, comment
};

/// Generates a contract. The error names what is unknown, or the bound or limit that does not hold.
Result<Contract> build_contract(std::string_view contract, evm::Fork fork = evm::Fork::osaka);

// ---------------------------------------------------------------------------------------------- keys

/// A public key as the registered-key verifiers read it: the runtime codes of `parts.size()` contracts.
/// Layout to the byte: docs/ml-dsa-evm.md and docs/falcon-evm.md. Part 0 has 20-byte holes for the addresses of the others; link() fills
/// them.
struct KeyBlob {
    std::string scheme;
    KeyForm form = KeyForm::expanded;
    std::vector<Bytes> parts;
    std::size_t links_offset = 0;  ///< where in part 0 the address of part 1 stands, those of parts 2, 3 ... following
    evm::Word key_hash{};          ///< keccak256 of the public key
};

/// Expands an encoded public key; the links are the addresses at which the registry puts the parts. One key has one blob. Refuses keys of
/// the wrong length, but not degenerate ones (check_key).
Result<KeyBlob> expand_key(std::string_view scheme, ByteView public_key, KeyForm form = KeyForm::expanded);
/// Writes the addresses of parts 1, 2, ... into part 0. Throws std::invalid_argument for the wrong number of them.
void link(KeyBlob& blob, std::span<const evm::Address> others);
/// Creation code that deploys these bytes as they are.
Bytes creation_code(ByteView runtime);
/// Where the deterministic deployment proxy creates a contract from this creation code with salt zero.
evm::Address deterministic_address(ByteView creation_code);
/// Puts everything that a contract calls into a state.
void place_companions(evm::State& state, const Contract& contract);
/// Puts a blob into a state without running anything, where its registry would have put it; returns the address of part 0. Tests need it
/// for keys that a registry refuses.
evm::Address place_key(evm::State& state, KeyBlob blob);
/// The same in the wrong place: part i at address base + i (as integers). Verifiers refuse such a key.
evm::Address place_key(evm::State& state, KeyBlob blob, const evm::Address& base);

// ---------------------------------------------------------------------------------------------- registering

/// A contract that makes registered keys of one scheme and form: it expands the wire key itself and creates the blob's parts by CREATE2.
struct Registry {
    std::string contract;  ///< "ml-dsa-44-registry"
    std::string scheme;
    KeyForm form = KeyForm::expanded;
    evm::Address address{};  ///< on every chain, through the usual deployment factory with salt 0
    evm::Word init_hash{};   ///< keccak256 of its creation code
    evm::Word code_hash{};   ///< keccak256 of its runtime code
    std::size_t key_bytes = 0;
    std::vector<std::size_t> part_sizes;
};
std::optional<Registry> find_registry(std::string_view scheme, KeyForm form = KeyForm::expanded);
/// Where the registry puts the parts of the key with this keccak256.
std::vector<evm::Address> key_addresses(const Registry& registry, const evm::Word& key_hash);
/// Puts the registry into a state, without a transaction. Throws Error's text as std::runtime_error if it cannot be generated.
void place_registry(evm::State& state, const Registry& registry);
/// Calldata of register(publicKey, part).
Bytes encode_register(ByteView public_key, std::size_t part);
/// Parts in the order in which they have to be registered: 1, 2, ..., 0.
std::vector<std::size_t> registration_order(const Registry& registry);

/// Is the key one that a registry takes? The reason if not: wrong length, or degenerate (t1 such that c t1 hardly depends on c).
Status check_key(std::string_view scheme, ByteView public_key);

// ---------------------------------------------------------------------------------------------- calling

/// Calldata for one of the doors. `key` is the 20-byte address of the blob's first part (any bytes for the two doors that
/// take `bytes`; exactly 20 for Door::message). Throws std::invalid_argument if the door cannot express the input: a
/// message that is not 32 bytes at Door::erc7913, a context anywhere but at Door::context.
Bytes encode_call(Door door, ByteView key, ByteView message, ByteView signature, ByteView context = {});

struct Verdict {
    bool accepted = false;
    evm::ExecutionResult result;             ///< status, return data, exec gas
    std::vector<evm::Profile::Row> regions;  ///< sums exactly to result.exec_gas; empty unless asked for
};

/// Did the contract say yes? Only the one clean accepting word of the door counts.
bool accepts(Door door, const evm::ExecutionResult& result);

/// Runs one call as a transaction would, everything but the contract itself cold. `verifier` must have been placed.
Verdict call_verifier(evm::State& state, const evm::Address& verifier, const Contract& contract, Door door, ByteView calldata,
                      bool profile = false, std::uint64_t gas = 30'000'000);

/// The whole path on one input: places contract and expanded key into a fresh state and calls the cheapest door that can
/// express it (ERC-7913 for 32-byte messages without context, then `message`, then `context`), or the one given. The key is in the
/// scheme's standard encoding, the signature in the contract's.
Result<Verdict> run_verifier(const Contract& contract, ByteView public_key, ByteView message, ByteView signature, ByteView context = {},
                             std::optional<Door> door = {}, bool profile = true);

}  // namespace postern::contracts
