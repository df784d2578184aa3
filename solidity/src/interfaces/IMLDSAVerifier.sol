// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC7913SignatureVerifier} from "./IERC7913SignatureVerifier.sol";

/// @title The doors of every ML-DSA verifier of Postern with a registered key
/// @notice For `ml-dsa-44`, `-65`, `-87`, their `turbo-` and `keccak-` siblings and `eth-ml-dsa-44`.
///
/// The key is the 20-byte address of the first contract of a registered key (see {IKeyRegistry}, {KeyBlob}). A verifier has no owner, no
/// storage and no
/// inner calls, and keeps to ERC-7562.
///
/// Three kinds of answer:
/// - yes: the signature is valid.
/// - no: the call is well formed, but the signature has another length, is not encoded as FIPS 204 says or does not fit; or the key
///   is not 20 bytes, or not a blob that the scheme's registry created; or the context is longer than 255 bytes. Never a revert.
/// - revert: the calldata is not the ABI encoding of the function (cut off, offsets or lengths outside of it, an address with dirty
///   upper bytes), value was sent, or there was not enough gas. A lack of gas never becomes an answer.
interface IMLDSAVerifier is IERC7913SignatureVerifier {
    /// @notice Verifies a message of any length with the empty context.
    /// @param keyBlob The first contract of the key's blob.
    /// @return valid Whether the signature is valid.
    function verify(address keyBlob, bytes calldata message, bytes calldata signature) external view returns (bool valid);

    /// @notice Verifies a message of any length with a context string.
    /// @param key The 20-byte address of the blob.
    /// @param ctx At most 255 bytes; anything longer is answered with false.
    /// @return valid Whether the signature is valid.
    function verify(bytes calldata key, bytes calldata message, bytes calldata signature, bytes calldata ctx)
        external
        view
        returns (bool valid);
}
