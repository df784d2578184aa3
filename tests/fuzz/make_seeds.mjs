// Writes the seed inputs of the fuzzers that need real keys and signatures, using an implementation that is not ours:
//   node tests/fuzz/make_seeds.mjs        (in the root folder, after `make deps`)

import { mkdirSync, writeFileSync } from 'node:fs';
import { falcon512, falcon512padded } from '@noble/post-quantum/falcon.js';
import { ml_dsa44, ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js';
import { derPkcs8, derSpki, pkcs8, spki } from '../interop/der.mjs';

const seed = new Uint8Array(32);
const put = (fuzzer, name, ...parts) => {
  const folder = new URL(`seeds/${fuzzer}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(name, folder), Buffer.concat(parts.map((part) => Buffer.from(part))));
};

for (const [index, [scheme, noble]] of Object.entries({ 'ml-dsa-44': ml_dsa44, 'ml-dsa-65': ml_dsa65, 'ml-dsa-87': ml_dsa87 }).entries()) {
  const keys = noble.keygen(seed);
  put('fuzz_mldsa_signature', scheme, [index], noble.sign(new Uint8Array(0), keys.secretKey, { extraEntropy: false }));
  put('fuzz_mldsa_private_key', scheme, [index], keys.secretKey);
  put('fuzz_spki', scheme, derSpki(scheme, keys.publicKey));
  put('fuzz_pem', `${scheme}-public`, spki(scheme, keys.publicKey));
  put('fuzz_pem', `${scheme}-seed`, pkcs8(scheme, 'seed', seed));
  for (const form of ['seed', 'expanded', 'both']) put('fuzz_pkcs8', `${scheme}-${form}`, derPkcs8(scheme, form, seed, keys.secretKey));
}

// The other Falcon seeds, named after a scheme and a codec, were written by postern: keygen --seed of zeros, sign --deterministic, convert.
const falconKeys = falcon512.keygen(new Uint8Array(48));
put('fuzz_falcon_public_key', 'falcon-512', [0], falconKeys.publicKey);
put('fuzz_falcon_signature', 'falcon-512', [0], falcon512.sign(seed, falconKeys.secretKey, { extraEntropy: new Uint8Array(48) }));
put('fuzz_falcon_signature', 'falcon-512-padded', [2], falcon512padded.sign(seed, falconKeys.secretKey, { extraEntropy: new Uint8Array(48) }));

// EVM: fork byte, then code. 5 = Amsterdam, 4 = Osaka, 0 = Frontier.
const code = (name, fork, hex) => put('fuzz_evm', name, [fork], Buffer.from(hex, 'hex'));
code('store-and-return', 4, '60013560020260005260206000f3');
code('call-itself', 4, '60006000600060003660006077618000f1505a60005500');
code('loop', 0, '5b6001600a5157600056');
code('create', 4, '600a600c600039600a6000f0606060005260206000f3');
code('exchange', 5, '600160026003e700e800e600');
code('keccak', 4, '366000600037366000206000526020600060006000600060025afa60206000fd');
code('truncated-push', 4, '7f01');
