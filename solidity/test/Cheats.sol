// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The cheat codes of Foundry that the tests use.
interface Vm {
    function etch(address target, bytes calldata code) external;
    function deal(address target, uint256 balance) external;
    function expectRevert(bytes4 selector) external;
    function expectPartialRevert(bytes4 selector) external;
    function ffi(string[] calldata command) external returns (bytes memory output);
    function readFile(string calldata path) external view returns (string memory);
    function readFileBinary(string calldata path) external view returns (bytes memory);
    function writeFileBinary(string calldata path, bytes calldata data) external;
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function readDir(string calldata path) external view returns (DirEntry[] memory);
    function exists(string calldata path) external view returns (bool);
    function toString(uint256 value) external pure returns (string memory);

    struct DirEntry {
        string errorMessage;
        string path;
        uint64 depth;
        bool isDir;
        bool isSymlink;
    }
}

abstract contract Cheats {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function check(bool condition, string memory what) internal pure {
        require(condition, what);
    }
}
