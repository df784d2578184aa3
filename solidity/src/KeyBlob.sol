// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Reading the header of a key blob
/// @notice A registered key is the runtime code of one or more contracts that do nothing when called. The first one begins with
///
///     0    1    0x00 (STOP)
///     1    32   keccak256 of the encoded public key
///     33   64   tr, the key's hash in the scheme
///     97   20n  addresses of the n other contracts
///
/// followed by the expanded key (docs/ml-dsa-evm.md). The header says what the blob claims to be; the claim is true of blobs that the
/// registry of the scheme created, which are the only ones that a verifier accepts ({IKeyRegistry}).
library KeyBlob {
    error NotAKeyBlob(address blob);

    uint256 internal constant HEADER = 97;

    /// @notice keccak256 of the encoded public key that the blob was made from.
    function publicKeyHash(address blob) internal view returns (bytes32) {
        (, bytes32 hash,,) = _header(blob);
        return hash;
    }

    /// @notice The 64 bytes of tr.
    function tr(address blob) internal view returns (bytes memory) {
        (,, bytes32 first, bytes32 second) = _header(blob);
        return abi.encodePacked(first, second);
    }

    /// @notice Size of the first contract, which tells the parameter sets apart: 20,597, 18,589 and 22,725 bytes for ML-DSA-44, -65
    /// and -87.
    function size(address blob) internal view returns (uint256 bytes_) {
        (bytes_,,,) = _header(blob);
    }

    /// @notice Address of part `index`, counted from 1, which the caller knows to exist.
    function part(address blob, uint256 index) internal view returns (address) {
        (uint256 length,,,) = _header(blob);
        if (index == 0 || length < HEADER + 20 * index) revert NotAKeyBlob(blob);
        bytes32 word;
        assembly ("memory-safe") {
            extcodecopy(blob, 0, add(HEADER, mul(20, sub(index, 1))), 32)
            word := mload(0)
        }
        return address(bytes20(word));
    }

    function _header(address blob) private view returns (uint256 length, bytes32 hash, bytes32 first, bytes32 second) {
        length = blob.code.length;
        if (length < HEADER) revert NotAKeyBlob(blob);
        bytes memory header = new bytes(HEADER);
        uint256 opcode;
        assembly ("memory-safe") {
            extcodecopy(blob, add(header, 32), 0, HEADER)
            opcode := byte(0, mload(add(header, 32)))
            hash := mload(add(header, 33))
            first := mload(add(header, 65))
            second := mload(add(header, 97))
        }
        if (opcode != 0) revert NotAKeyBlob(blob);
    }
}
