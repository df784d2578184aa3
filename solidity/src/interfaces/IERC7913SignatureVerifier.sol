// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Signature verifier of ERC-7913
/// @notice A signer without an account is named by `verifier (20 bytes) || key`. Every verifier of Postern is one of these.
interface IERC7913SignatureVerifier {
    /// @notice Is this a signature of `hash` under `key`?
    /// @param key The key, in the one encoding that the verifier defines for it.
    /// @param hash The 32 bytes that were signed. They are the message itself, not a pre-hash.
    /// @param signature The signature.
    /// @return magic 0x024ad318, the selector of this function, followed by zeros, for yes; 0xffffffff, followed by zeros, for no.
    function verify(bytes calldata key, bytes32 hash, bytes calldata signature) external view returns (bytes4 magic);
}
