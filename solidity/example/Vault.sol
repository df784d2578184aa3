// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title A vault whose owner is an ML-DSA key
/// @notice An example of an ERC-7913 signer: anybody may carry a signed order to the vault, only the key can give one.
contract Vault {
    /// @notice The verifier's address followed by that of the key blob: 40 bytes.
    bytes public owner;
    uint256 public nonce;

    error NotSignedByTheOwner();
    error PaymentFailed();

    constructor(address verifier, address keyBlob) {
        owner = abi.encodePacked(verifier, keyBlob);
    }

    receive() external payable {}

    /// @notice What the owner signs for the next payment. Chain, vault and nonce are part of it: an order works once, and here only.
    function order(address to, uint256 amount) public view returns (bytes32) {
        return keccak256(abi.encode("Vault.pay", block.chainid, address(this), nonce, to, amount));
    }

    function pay(address payable to, uint256 amount, bytes calldata signature) external {
        if (!SignatureChecker.isValidSignatureNow(owner, order(to, amount), signature)) revert NotSignedByTheOwner();
        ++nonce;
        (bool sent,) = to.call{value: amount}("");
        if (!sent) revert PaymentFailed();
    }
}
