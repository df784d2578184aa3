// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IKeyRegistry} from "../src/interfaces/IKeyRegistry.sol";
import {Cheats} from "./Cheats.sol";

/// Generated contracts, a key made by the postern command, and signatures that it makes while the tests run (see prepare.sh).
abstract contract Fixtures is Cheats {
    /// The deterministic deployer of ERC-7955's kind that most chains have at this address: salt || creation code.
    address internal constant DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes internal constant DEPLOYER_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    /// Creates a verifier of artifacts/, after the registry that it looks for, and compares what was deployed with the runtime code there.
    function deployArtifact(string memory name) internal returns (address made) {
        deployRegistry(name);
        bytes memory init = initCode(name);
        assembly ("memory-safe") {
            made := create(0, add(init, 32), mload(init))
        }
        require(made != address(0), "the verifier does not deploy");
        require(made.codehash == codeHash(name), "the verifier is not what was built");
    }

    /// The code hash that the artifacts promise.
    function codeHash(string memory name) internal view returns (bytes32) {
        return keccak256(vm.parseBytes(trimmed(string.concat("../artifacts/", name, "/runtime.hex"))));
    }

    function initCode(string memory name) internal view returns (bytes memory) {
        return vm.parseBytes(trimmed(string.concat("../artifacts/", name, "/init.hex")));
    }

    /// The registry of a scheme, at its one address.
    function deployRegistry(string memory scheme) internal returns (IKeyRegistry) {
        if (DEPLOYER.code.length == 0) vm.etch(DEPLOYER, DEPLOYER_CODE);
        string memory name = string.concat(scheme, "-registry");
        bytes memory init = initCode(name);
        address made =
            address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", DEPLOYER, bytes32(0), keccak256(init))))));
        if (made.code.length == 0) {
            (bool success,) = DEPLOYER.call(abi.encodePacked(bytes32(0), init));
            require(success, "the registry does not deploy");
        }
        require(made.codehash == codeHash(name), "the registry is not what was built");
        return IKeyRegistry(made);
    }

    /// Registers the scheme's key and compares every part with what the command expands; returns the first part's address.
    function deployKey(string memory scheme) internal returns (address blob) {
        IKeyRegistry registry = deployRegistry(scheme);
        bytes memory key = publicKey(scheme);
        uint256 parts = 0;
        while (vm.exists(blobFile(scheme, parts))) ++parts;
        require(parts != 0, "no key: run prepare.sh");
        for (uint256 n = 1; n <= parts; ++n) {
            uint256 part = n % parts;
            blob = registry.register(key, part);
            require(blob.codehash == keccak256(vm.readFileBinary(blobFile(scheme, part))), "a part is not what the command expands");
        }
        require(registry.blob(keccak256(key)) == blob, "the key is not registered");
    }

    function publicKey(string memory scheme) internal view returns (bytes memory) {
        return vm.readFileBinary(string.concat("fixtures/", scheme, "/pub.raw"));
    }

    /// A fresh signature by the postern command.
    function sign(string memory scheme, bytes memory message) internal returns (bytes memory) {
        return sign(scheme, message, "");
    }

    function sign(string memory scheme, bytes memory message, string memory contextHex) internal returns (bytes memory) {
        string memory folder = string.concat("fixtures/", scheme, "/");
        vm.writeFileBinary(string.concat(folder, "message"), message);
        bool withContext = bytes(contextHex).length != 0;
        string[] memory command = new string[](withContext ? 10 : 8);
        (command[0], command[1]) = ("fixtures/postern", "sign");
        (command[2], command[3]) = ("--key", string.concat(folder, "key.pem"));
        (command[4], command[5]) = ("--in", string.concat(folder, "message"));
        (command[6], command[7]) = ("--out", string.concat(folder, "signature"));
        if (withContext) (command[8], command[9]) = ("--context-hex", contextHex);
        vm.ffi(command);
        return vm.readFileBinary(string.concat(folder, "signature"));
    }

    function blobFile(string memory scheme, uint256 i) private pure returns (string memory) {
        string memory path = string.concat("fixtures/", scheme, "/blob");
        return i == 0 ? path : string.concat(path, ".", vm.toString(i));
    }

    function trimmed(string memory path) private view returns (string memory) {
        bytes memory text = bytes(vm.readFile(path));
        uint256 length = text.length;
        while (length != 0 && text[length - 1] == "\n") --length;
        assembly ("memory-safe") {
            mstore(text, length)
        }
        return string.concat("0x", string(text));
    }
}
