// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PrecompileFirst} from "../src/PrecompileFirst.sol";
import {IKeyRegistry} from "../src/interfaces/IKeyRegistry.sol";
import {Fixtures} from "./Fixtures.sol";

/// Stands where a precompile will be. Knows the inputs that it has been told are valid, and can misbehave.
contract Candidate {
    enum Manner {
        asSpecified,
        alwaysOne,
        alwaysZero,
        truncated,
        long,
        longYes,
        longNo,
        two,
        fails,
        twoAfterTheProbe,
        longAfterTheProbe,
        failsAfterTheProbe
    }

    Manner public manner;
    bytes32 public probe;
    mapping(bytes32 => bool) public valid;

    function set(Manner manner_, bytes32 probe_) external {
        (manner, probe) = (manner_, probe_);
    }

    function know(bytes32 input) external {
        valid[input] = true;
    }

    fallback(bytes calldata input) external returns (bytes memory) {
        bool yes = valid[keccak256(input)];
        // Everything that differs from the probe in its first byte of signature only is part of probing.
        bytes memory turned = input;
        turned[1312] ^= 0x01;
        bool probing = keccak256(input) == probe || keccak256(turned) == probe;
        if (manner == Manner.alwaysOne) return abi.encode(1);
        if (manner == Manner.alwaysZero) return abi.encode(0);
        if (manner == Manner.truncated) return hex"01";
        if (manner == Manner.long) return abi.encode(yes ? 1 : 0, 0);
        if (manner == Manner.longYes && yes) return abi.encode(1, 0);
        if (manner == Manner.longNo && !yes) return abi.encode(0, 0);
        if (manner == Manner.two) return abi.encode(yes ? 2 : 0);
        if (manner == Manner.fails) revert();
        if (!probing) {
            if (manner == Manner.twoAfterTheProbe) return abi.encode(2);
            if (manner == Manner.longAfterTheProbe) return abi.encode(1, 0);
            if (manner == Manner.failsAfterTheProbe) revert();
        }
        return abi.encode(yes ? 1 : 0);
    }
}

/// Answers as told, to see what the adapter makes of a verifier that is not one of ours.
contract OddVerifier {
    bytes private answer;
    bool private fails;

    function set(bytes calldata answer_, bool fails_) external {
        (answer, fails) = (answer_, fails_);
    }

    fallback(bytes calldata) external returns (bytes memory) {
        require(!fails);
        return answer;
    }
}

contract PrecompileFirstTest is Fixtures {
    string private constant SCHEME = "ml-dsa-44";
    address private constant HERE = address(0x12);
    bytes4 private constant YES = 0x024ad318;
    bytes4 private constant NO = 0xffffffff;

    PrecompileFirst private adapter;
    address private verifier;
    address private registry;
    address private blob;
    bytes private probe;
    bytes32 private hash = keccak256("something to sign");
    bytes private signature; // public key || signature

    function setUp() public {
        verifier = deployArtifact(SCHEME);
        registry = address(deployRegistry(SCHEME));
        blob = deployKey(SCHEME);
        bytes memory key = publicKey(SCHEME);
        probe = abi.encodePacked(key, sign(SCHEME, "probe"), "probe");
        adapter = make(HERE, verifier);
        signature = abi.encodePacked(key, sign(SCHEME, abi.encodePacked(hash)));
    }

    function make(address candidate, address fallbackVerifier) private returns (PrecompileFirst) {
        bytes32[2] memory hashes = [fallbackVerifier.codehash, registry.codehash];
        return new PrecompileFirst(candidate, fallbackVerifier, registry, hashes, [uint256(1312), 2420], probe);
    }

    /// Puts a candidate that behaves in this manner where the precompile would be.
    function fork(Candidate.Manner manner) private {
        vm.etch(HERE, type(Candidate).runtimeCode);
        Candidate candidate = Candidate(HERE);
        candidate.set(manner, keccak256(probe));
        candidate.know(keccak256(probe));
        candidate.know(keccak256(abi.encodePacked(signature, hash)));
        candidate.know(keccak256(abi.encodePacked(signature, "any length")));
    }

    function ask() private view returns (bytes4) {
        return adapter.verify(abi.encodePacked(blob), hash, signature);
    }

    function testFallsBackWhereThereIsNothing() public {
        check(!adapter.precompileAvailable(), "nothing there");
        check(ask() == YES, "valid");
        check(adapter.verify(abi.encodePacked(blob), keccak256("else"), signature) == NO, "another hash");
        bytes memory message = "any length";
        bytes memory other = abi.encodePacked(publicKey(SCHEME), sign(SCHEME, message));
        check(adapter.verify(blob, message, other), "message door");
        check(!adapter.verify(blob, "any other", other), "message door, another message");
    }

    function testUsesThePrecompileOnceItIsThere() public {
        fork(Candidate.Manner.asSpecified);
        check(adapter.precompileAvailable(), "there");
        check(ask() == YES, "valid");
        check(adapter.verify(blob, "any length", signature), "message door");
        check(!adapter.verify(blob, "any other", signature), "message door, another message");
        // The verifier is not asked any more: without it the answer is the same.
        vm.etch(verifier, "");
        check(ask() == YES, "the precompile alone");
        check(adapter.verify(abi.encodePacked(blob), keccak256("else"), signature) == NO, "another hash");
    }

    function testWhatBehavesOtherwiseIsNotUsed() public {
        Candidate.Manner[7] memory manners = [
            Candidate.Manner.alwaysOne,
            Candidate.Manner.alwaysZero,
            Candidate.Manner.truncated,
            Candidate.Manner.long,
            Candidate.Manner.longYes,
            Candidate.Manner.longNo,
            Candidate.Manner.two
        ];
        for (uint256 i = 0; i < manners.length; ++i) {
            fork(manners[i]);
            check(!adapter.precompileAvailable(), "foreign");
            check(ask() == YES, "falls back");
            check(adapter.verify(abi.encodePacked(blob), keccak256("else"), signature) == NO, "falls back to no");
        }
    }

    function testInnerFailureReverts() public {
        fork(Candidate.Manner.fails);
        vm.expectPartialRevert(PrecompileFirst.InnerCallFailed.selector);
        this.outside();
        fork(Candidate.Manner.failsAfterTheProbe);
        vm.expectPartialRevert(PrecompileFirst.InnerCallFailed.selector);
        this.outside();
        fork(Candidate.Manner.twoAfterTheProbe);
        vm.expectPartialRevert(PrecompileFirst.UnexpectedAnswer.selector);
        this.outside();
        fork(Candidate.Manner.longAfterTheProbe);
        vm.expectPartialRevert(PrecompileFirst.UnexpectedAnswer.selector);
        this.outside();
    }

    function outside() external view returns (bytes4) {
        return ask();
    }

    function testVerifierWithOtherCodeIsNotAsked() public {
        vm.etch(verifier, hex"600160005260206000f3");
        vm.expectPartialRevert(PrecompileFirst.UnexpectedCode.selector);
        this.outside();
    }

    function testOnlyTheExactWordsCount() public {
        OddVerifier odd = new OddVerifier();
        adapter = make(HERE, address(odd));
        bytes32 yes = bytes32(YES);
        odd.set(abi.encode(yes), false);
        check(ask() == YES, "the exact word");
        odd.set(abi.encode(bytes32(NO)), false);
        check(ask() == NO, "the exact no");
        bytes[5] memory answers =
            [abi.encode(yes | bytes32(uint256(1))), abi.encode(1), abi.encode(0), abi.encode(yes, yes), bytes(hex"024ad318")];
        for (uint256 i = 0; i < answers.length; ++i) {
            odd.set(answers[i], false);
            vm.expectPartialRevert(PrecompileFirst.UnexpectedAnswer.selector);
            this.outside();
        }
        odd.set(abi.encode(yes), true);
        vm.expectPartialRevert(PrecompileFirst.InnerCallFailed.selector);
        this.outside();
        // The message door: 1 and 0 only.
        odd.set(abi.encode(1), false);
        check(adapter.verify(blob, "", signature), "true");
        odd.set(abi.encode(2), false);
        vm.expectPartialRevert(PrecompileFirst.UnexpectedAnswer.selector);
        adapter.verify(blob, "", signature);
    }

    function testKeyMustBelongToTheBlob() public {
        for (uint256 way = 0; way < 2; ++way) {
            if (way == 1) fork(Candidate.Manner.asSpecified);
            bytes memory other = signature;
            other[700] ^= 0x01; // inside the public key
            if (way == 1) Candidate(HERE).know(keccak256(abi.encodePacked(other, hash)));
            check(adapter.verify(abi.encodePacked(blob), hash, other) == NO, "another key");
            check(!adapter.verify(blob, abi.encodePacked(hash), other), "another key, message door");
            address elsewhere = address(0xb10b);
            vm.etch(elsewhere, blob.code);
            check(adapter.verify(abi.encodePacked(elsewhere), hash, signature) == NO, "the same bytes made by somebody else");
            check(!adapter.verify(elsewhere, "any length", signature), "the same bytes, message door");
            (address later,) = IKeyRegistry(registry).part(keccak256(publicKey(SCHEME)), 1);
            check(adapter.verify(abi.encodePacked(later), hash, signature) == NO, "a later part");
            check(adapter.verify(new bytes(20), hash, other) == NO, "no blob for a key that is not registered");
            check(adapter.verify(abi.encodePacked(blob, uint8(0)), hash, signature) == NO, "21-byte key");
            check(adapter.verify("", hash, signature) == NO, "no key");
            check(adapter.verify(abi.encodePacked(blob), hash, abi.encodePacked(signature, uint8(0))) == NO, "longer");
            check(adapter.verify(abi.encodePacked(blob), hash, "") == NO, "empty");
            check(!adapter.verify(blob, abi.encodePacked(hash), abi.encodePacked(signature, uint8(0))), "longer, message door");
            check(!adapter.verify(blob, abi.encodePacked(hash), ""), "empty, message door");
            // What the precompile would be handed is the same as for "any length".
            check(!adapter.verify(blob, "ny length", abi.encodePacked(signature, "a")), "a byte moved to the signature");
        }
    }

    /// Anybody can sign for a key with t1 = 0. The registry refuses it; the precompile does not, nor a header that somebody else made.
    function testNoDegenerateKeysByWayOfThePrecompile() public {
        fork(Candidate.Manner.asSpecified);
        bytes memory weak = new bytes(1312 + 2420);
        Candidate(HERE).know(keccak256(abi.encodePacked(weak, hash)));
        bytes memory code = blob.code;
        bytes32 keyHash = keccak256(new bytes(1312));
        assembly ("memory-safe") {
            mstore(add(code, 33), keyHash)
        }
        address made = address(0xb10b);
        vm.etch(made, code);
        check(adapter.verify(abi.encodePacked(made), hash, weak) == NO, "a degenerate key");
        (address at,) = IKeyRegistry(registry).part(keyHash, 0);
        check(adapter.verify(abi.encodePacked(at), hash, weak) == NO, "where its blob would be");
    }

    /// Whatever gas the caller grants: an answer is the right one.
    function testStarvingNeverMakesAnAnswer() public {
        for (uint256 way = 0; way < 2; ++way) {
            if (way == 1) fork(Candidate.Manner.asSpecified);
            uint256 answers;
            for (uint256 gas_ = 5000; gas_ < 700_000; gas_ += gas_ / 40) {
                (bool success, bytes memory data) = address(adapter).staticcall{gas: gas_}(
                    abi.encodeWithSelector(YES, abi.encodePacked(blob), hash, signature)
                );
                if (!success) continue;
                check(data.length == 32 && bytes32(data) == bytes32(YES), "an answer out of starvation");
                ++answers;
            }
            check(answers != 0, "no gas was enough");
        }
    }

    function testConstructorRefusesOtherCode() public {
        bytes32[2] memory hashes = [verifier.codehash, registry.codehash];
        uint256[2] memory lengths = [uint256(1312), 2420];
        vm.expectRevert(PrecompileFirst.BadParameters.selector);
        new PrecompileFirst(HERE, verifier, registry, hashes, lengths, hex"00");
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 right = hashes[i];
            hashes[i] = keccak256("other");
            vm.expectPartialRevert(PrecompileFirst.UnexpectedCode.selector);
            new PrecompileFirst(HERE, verifier, registry, hashes, lengths, probe);
            hashes[i] = right;
        }
    }
}
