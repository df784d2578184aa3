// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC7913SignatureVerifier} from "./interfaces/IERC7913SignatureVerifier.sol";
import {IKeyRegistry} from "./interfaces/IKeyRegistry.sol";

/// @title ML-DSA through a precompile where there is one, through a Postern verifier where there is none
/// @notice The candidate is a precompile of the shape of EIP-8355: input `public key || signature || message`, output always 32 bytes,
/// 1 or 0. Its address is claimed by several proposals, so nothing is concluded from the address: the candidate is used only while it
/// behaves as expected on a vector that was fixed at deployment. There it must answer exactly 1, and on the same vector with one bit
/// of the signature turned exactly 0. That is asked anew in every call: no storage, no switch, and a fork that brings the
/// precompile takes effect at once.
///
/// The key is that of the verifier, the 20-byte address of the key's blob. The signature is `public key || signature`, because the
/// precompile wants the encoded key; it must be the one that the registry made this blob from. So the same keys are good on either way:
/// a blob that somebody else made, or one of a key that the registry refuses, does not become one when the precompile comes. Lengths are
/// exact, so there is one encoding.
///
/// An inner call that fails makes the whole call revert. It never counts as "no" and never leads on to the other way: whoever chooses
/// the gas could otherwise starve the inner call and leave enough to finish.
contract PrecompileFirst is IERC7913SignatureVerifier {
    /// @notice The candidate and the verifier behind it.
    address public immutable precompile;
    address public immutable verifier;
    /// @notice Code hash of the verifier; another code there makes every call that asks it revert.
    bytes32 public immutable verifierCodeHash;
    /// @notice The registry whose blobs that verifier accepts. Its code cannot change: it was compared at deployment.
    IKeyRegistry public immutable registry;
    /// @notice The contract whose code, behind its first byte, is the probe `public key || signature || message`.
    address public immutable probe;
    uint256 public immutable probeLength;
    uint256 public immutable publicKeyLength;
    uint256 public immutable signatureLength;

    bytes4 private constant YES = IERC7913SignatureVerifier.verify.selector;
    bytes4 private constant NO = 0xffffffff;
    bytes4 private constant MESSAGE_DOOR = 0x5ade6633; // verify(address,bytes,bytes)

    error InnerCallFailed(address target);
    error UnexpectedAnswer(address target);
    error UnexpectedCode(address target);
    error BadParameters();

    /// @param candidate Where the precompile may be.
    /// @param fallbackVerifier A Postern verifier with registered keys, of the same parameter set.
    /// @param keyRegistry The registry of the same scheme.
    /// @param codeHashes Of the verifier and of the registry, known from the artifacts and not from the chain.
    /// @param lengths Public key and signature of the parameter set: (1312, 2420), (1952, 3309) or (2592, 4627).
    /// @param probeInput `public key || signature || message`, valid with the empty context.
    constructor(
        address candidate,
        address fallbackVerifier,
        address keyRegistry,
        bytes32[2] memory codeHashes,
        uint256[2] memory lengths,
        bytes memory probeInput
    ) {
        if (fallbackVerifier.codehash != codeHashes[0]) revert UnexpectedCode(fallbackVerifier);
        if (keyRegistry.codehash != codeHashes[1]) revert UnexpectedCode(keyRegistry);
        if (candidate == fallbackVerifier || probeInput.length < lengths[0] + lengths[1]) revert BadParameters();
        precompile = candidate;
        verifier = fallbackVerifier;
        verifierCodeHash = codeHashes[0];
        registry = IKeyRegistry(keyRegistry);
        (publicKeyLength, signatureLength) = (lengths[0], lengths[1]);
        probeLength = probeInput.length;
        // Creation code that returns what follows it: PUSH2 size, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN.
        bytes memory code =
            abi.encodePacked(hex"61", uint16(probeInput.length + 1), hex"80600a5f395ff3", hex"00", probeInput);
        address made;
        assembly ("memory-safe") {
            made := create(0, add(code, 32), mload(code))
        }
        if (made == address(0) || made.code.length != probeInput.length + 1) revert BadParameters();
        probe = made;
    }

    /// @inheritdoc IERC7913SignatureVerifier
    /// @dev `signature` is `public key || signature`.
    function verify(bytes calldata key, bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (key.length != 20 || signature.length != publicKeyLength + signatureLength) return NO;
        if (!_belongs(signature[:publicKeyLength], address(bytes20(key)))) return NO;
        if (precompileAvailable()) return _precompileSaysYes(abi.encodePacked(signature, hash)) ? YES : NO;
        bytes32 answer = _askVerifier(abi.encodeWithSelector(YES, key, hash, signature[publicKeyLength:]));
        if (answer == bytes32(YES)) return YES;
        if (answer == bytes32(NO)) return NO;
        revert UnexpectedAnswer(verifier);
    }

    /// @notice The same for a message of any length, with the empty context.
    /// @param signature `public key || signature`.
    function verify(address keyBlob, bytes calldata message, bytes calldata signature) external view returns (bool) {
        if (signature.length != publicKeyLength + signatureLength) return false;
        if (!_belongs(signature[:publicKeyLength], keyBlob)) return false;
        if (precompileAvailable()) return _precompileSaysYes(abi.encodePacked(signature, message));
        bytes32 answer =
            _askVerifier(abi.encodeWithSelector(MESSAGE_DOOR, keyBlob, message, signature[publicKeyLength:]));
        if (answer == bytes32(uint256(1))) return true;
        if (answer == bytes32(0)) return false;
        revert UnexpectedAnswer(verifier);
    }

    /// @notice Does the candidate behave as the precompile should, right now?
    function precompileAvailable() public view returns (bool) {
        address source = probe;
        bytes memory input = new bytes(probeLength);
        uint256 length = probeLength;
        assembly ("memory-safe") {
            extcodecopy(source, add(input, 32), 1, length)
        }
        (uint256 size, uint256 word) = _askPrecompile(input);
        if (size != 32 || word != 1) return false;
        input[publicKeyLength] ^= 0x01; // a bit of c_tilde
        (size, word) = _askPrecompile(input);
        return size == 32 && word == 0;
    }

    /// Reverts if the registry fails, which it does for want of gas only.
    function _belongs(bytes calldata publicKey, address blob) private view returns (bool) {
        return blob != address(0) && registry.blob(keccak256(publicKey)) == blob;
    }

    function _precompileSaysYes(bytes memory input) private view returns (bool) {
        (uint256 size, uint256 word) = _askPrecompile(input);
        if (size != 32 || word > 1) revert UnexpectedAnswer(precompile);
        return word == 1;
    }

    function _askPrecompile(bytes memory input) private view returns (uint256 size, uint256 word) {
        address target = precompile;
        bool success;
        assembly ("memory-safe") {
            success := staticcall(gas(), target, add(input, 32), mload(input), 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        if (!success) revert InnerCallFailed(target);
    }

    function _askVerifier(bytes memory input) private view returns (bytes32 word) {
        address target = verifier;
        if (target.codehash != verifierCodeHash) revert UnexpectedCode(target);
        bool success;
        uint256 size;
        assembly ("memory-safe") {
            success := staticcall(gas(), target, add(input, 32), mload(input), 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        if (!success) revert InnerCallFailed(target);
        if (size != 32) revert UnexpectedAnswer(target);
    }
}
