// The example of docs/solidity-guide.md, compiled with OpenZeppelin's contracts and run on a real node against a deployed
// registry, a deployed verifier and a registered key.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { keccak_256 } from '@noble/hashes/sha3.js';
import solc from 'solc';
import { Anvil, anvilMissing } from './anvil.mjs';
import { Workspace } from './postern.mjs';

// The deterministic deployer that anvil, like most chains, has in place: calldata is salt || creation code.
const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const selector = (signature) => hex(keccak_256(Buffer.from(signature)).slice(0, 4));
const word = (value) => BigInt(value).toString(16).padStart(64, '0');
const dynamic = (bytes) => word(bytes.length) + hex(bytes).padEnd(Math.ceil(bytes.length / 32) * 64, '0');

function compile(source) {
  const input = {
    language: 'Solidity',
    sources: { 'Gate.sol': { content: source } },
    settings: { evmVersion: 'osaka', optimizer: { enabled: true }, outputSelection: { '*': { Gate: ['evm.bytecode.object'] } } },
  };
  const read = (path) => ({ contents: readFileSync(`node_modules/${path}`, 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error');
  assert.deepEqual(errors, []);
  return output.contracts['Gate.sol'].Gate.evm.bytecode.object;
}

test('the Solidity example opens for a valid signature only', { skip: anvilMissing }, async (t) => {
  const page = readFileSync('docs/solidity-guide.md', 'utf8');
  const example = [...page.matchAll(/```solidity\n([^`]*)```/g)].map((match) => match[1]).find((code) => code.includes('contract Gate'));
  assert.ok(example, 'the guide has the example');
  const bytecode = compile(`// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\n${example}`);

  const work = new Workspace();
  const node = await Anvil.start();
  t.after(() => {
    node.stop();
    work.close();
  });

  work.run(['keygen', '--scheme', 'ml-dsa-44', '--out', work.path('key'), '--pub', work.path('pub')]);
  work.run(['evm', 'build', 'ml-dsa-44', '--out', work.path('contract')]);
  work.run(['evm', 'build', 'ml-dsa-44-registry', '--out', work.path('registry')]);
  const { parts } = JSON.parse(work.run(['evm', 'expand-key', work.path('pub'), '--out', work.path('blob'), '--json']).stdout);
  const registration = JSON.parse(work.run(['evm', 'register', work.path('pub'), '--json']).stdout);

  const code = (folder, name) => `0x${readFileSync(work.path(`${folder}/${name}.hex`), 'utf8').trim().replace(/^0x/, '')}`;
  await assert.rejects(node.send(null, code('contract', 'init')), 'a verifier does not deploy without its registry');
  await node.send(deployer, `0x${word(0)}${code('registry', 'init').slice(2)}`);
  const registry = registration.registry.address;
  assert.ok((await node.rpc('eth_getCode', registry, 'latest')) === code('registry', 'runtime'), 'the registry is where it belongs');
  const verifier = (await node.send(null, code('contract', 'init'))).contractAddress;
  assert.ok((await node.rpc('eth_getCode', verifier, 'latest')) === code('contract', 'runtime'), 'the verifier was deployed as built');
  // Nothing is answered outside a creation, part 0 waits for the others, a key that anybody can sign for is refused.
  const refused = async (data, error) => {
    const call = node.rpc('eth_call', { to: registry, data, gas: '0xfffff0' }, 'latest');
    await assert.rejects(call, ({ data: answer }) => answer === `0x${error ? selector(error) : ''}`);
  };
  const register = (key, part) => `0x${selector('register(bytes,uint256)')}${word(64)}${word(part)}${dynamic(key)}`;
  await refused('0x');
  await refused(registration.calls.at(-1).data, 'PartsMissing()');
  await refused(register(Buffer.alloc(1312), 1), 'DegenerateKey()');
  await refused(register(Buffer.alloc(1313, 7), 1), 'WrongKeyLength()');
  await refused(register(Buffer.alloc(1312, 7), 2), 'NoSuchPart()');
  // Starved registrations leave nothing where the part belongs.
  const { address: place, data: first, gas: needed } = registration.calls[0];
  for (const less of [1, 2000, 50000, 90000, 200000, 4000000, 4150000, 4250000]) {
    await assert.rejects(node.send(registry, first, needed - less), `${less} gas less than needed`);
    assert.equal(await node.rpc('eth_getCode', place, 'latest'), '0x');
    assert.equal(BigInt(await node.rpc('eth_getTransactionCount', place, 'latest')), 0n);
  }
  for (const { part, address, data, gas } of registration.calls) {
    const receipt = await node.send(registry, data);
    assert.equal(Number(receipt.gasUsed), gas, `part ${part} costs what the embedded EVM says`);
    const name = part === 0 ? 'blob' : `blob.${part}`;
    assert.equal(address, parts[part].address);
    assert.ok((await node.rpc('eth_getCode', address, 'latest')) === `0x${hex(work.read(name))}`, `${name} was created as expanded here`);
    assert.equal(receipt.logs.length, 1);
    assert.equal(receipt.logs[0].topics[1], registration.key_hash);
    const again = await node.send(registry, data);
    assert.ok(Number(again.gasUsed) < 100000 && again.logs.length === 0, 'a second registration changes nothing');
  }
  const blob = await node.rpc('eth_call', { to: registry, data: `0x${selector('blob(bytes32)')}${registration.key_hash.slice(2)}` }, 'latest');
  assert.equal(BigInt(blob), BigInt(registration.key));

  const gate = (await node.send(null, `0x${bytecode}${word(verifier)}${word(registration.key)}`)).contractAddress;
  const order = createHash('sha256').update('open the gate').digest();
  work.write('order', order);
  work.run(['sign', '--key', work.path('key'), '--in', work.path('order'), '--out', work.path('sig')]);
  const open = async (hash, signature) => {
    const data = `0x${selector('open(bytes32,bytes)')}${hex(hash)}${word(64)}${dynamic(signature)}`;
    return BigInt(await node.rpc('eth_call', { from: node.account, to: gate, data, gas: '0xfffff0' }, 'latest')) === 1n;
  };

  const signature = work.read('sig');
  // A copy of the blob at another address is no key.
  const copy = `0x${'c0'.repeat(20)}`;
  await node.rpc('anvil_setCode', copy, await node.rpc('eth_getCode', registration.key, 'latest'));
  const asks = (key) =>
    node.rpc('eth_call', { to: verifier, data: `0x${selector('verify(address,bytes,bytes)')}${word(key)}${word(96)}${word(160)}${dynamic(order)}${dynamic(signature)}`, gas: '0xfffff0' }, 'latest');
  assert.equal(BigInt(await asks(registration.key)), 1n);
  assert.equal(BigInt(await asks(copy)), 0n);
  assert.equal(await open(order, signature), true);
  assert.equal(await open(randomBytes(32), signature), false);
  const tampered = Buffer.from(signature);
  tampered[100] ^= 1;
  assert.equal(await open(order, tampered), false);
  assert.equal(await open(order, Buffer.alloc(0)), false);
});
