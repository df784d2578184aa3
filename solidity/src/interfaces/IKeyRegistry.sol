// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title A registry of public keys: it expands a wire key itself and creates the key blob that a verifier accepts
/// @notice Each scheme has its own registry, `<scheme>-registry`, deployed through the usual CREATE2 deployer with salt 0, so at the same
/// address on every chain. Anybody may register any key. The registry guarantees that a blob is the expansion of the key whose
/// hash it carries; who made the key, and who else may know its private half, it cannot know.
interface IKeyRegistry {
    /// @notice A part of the blob was created.
    /// @param keyHash keccak256 of the encoded public key.
    event PartRegistered(bytes32 indexed keyHash, uint256 indexed part, address at);

    error WrongKeyLength();
    error NoSuchPart();
    /// @notice Part 0 is created last.
    error PartsMissing();
    /// @notice A row of t1 hides the challenge: anybody could sign for the key.
    error DegenerateKey();
    error CreationFailed();

    /// @notice Creates one part of the blob, in any order but part 0 last; does nothing where it is there already.
    /// @param publicKey The encoded public key, exactly as long as the scheme says.
    /// @return at The part's address: what a verifier takes as the key, for part 0.
    function register(bytes calldata publicKey, uint256 part) external returns (address at);

    /// @notice The registered key with this keccak256, or zero if it is not, or not completely, registered.
    function blob(bytes32 keyHash) external view returns (address at);

    /// @notice Where a part is or will be, and whether it is there.
    function part(bytes32 keyHash, uint256 index) external view returns (address at, bool registered);
}
