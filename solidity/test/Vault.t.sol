// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vault} from "../example/Vault.sol";
import {Fixtures} from "./Fixtures.sol";

contract VaultTest is Fixtures {
    string private constant SCHEME = "ml-dsa-44";
    Vault private vault;
    address payable private constant FRIEND = payable(address(0xf41e4d));

    function setUp() public {
        vault = new Vault(deployArtifact(SCHEME), deployKey(SCHEME));
        vm.deal(address(vault), 10 ether);
    }

    function testPaysOnceForASignedOrder() public {
        bytes memory signature = sign(SCHEME, abi.encodePacked(vault.order(FRIEND, 1 ether)));
        vault.pay(FRIEND, 1 ether, signature);
        check(FRIEND.balance == 1 ether && vault.nonce() == 1, "paid");
        vm.expectRevert(Vault.NotSignedByTheOwner.selector);
        vault.pay(FRIEND, 1 ether, signature);
    }

    function testRefusesEverythingElse() public {
        bytes memory signature = sign(SCHEME, abi.encodePacked(vault.order(FRIEND, 1 ether)));
        vm.expectRevert(Vault.NotSignedByTheOwner.selector);
        vault.pay(FRIEND, 2 ether, signature);
        vm.expectRevert(Vault.NotSignedByTheOwner.selector);
        vault.pay(payable(address(this)), 1 ether, signature);
        signature[0] ^= 0x80;
        vm.expectRevert(Vault.NotSignedByTheOwner.selector);
        vault.pay(FRIEND, 1 ether, signature);
    }
}
