// ML-DSA keys and signatures, both ways between postern and @noble/post-quantum.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sha256, sha384, sha512, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_256, sha3_512, shake128_32, shake256_64 } from '@noble/hashes/sha3.js';
import { ml_dsa44, ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js';
import { pkcs8, spki } from './der.mjs';
import { Workspace } from './postern.mjs';

const bytes = (length, start = 0) => Uint8Array.from({ length }, (_, i) => (i * 7 + start) & 255);
const hex = (data) => Buffer.from(data).toString('hex');

const prehashes = [
  ['sha2-256', sha256],
  ['sha2-384', sha384],
  ['sha2-512', sha512],
  ['sha2-512/256', sha512_256],
  ['sha3-256', sha3_256],
  ['sha3-512', sha3_512],
  ['shake-128', shake128_32],
  ['shake-256', shake256_64],
];
const messages = { empty: new Uint8Array(0), short: bytes(32, 1), 'across sponge blocks': bytes(1000, 2) };
const contexts = { none: undefined, short: bytes(3, 9), longest: bytes(255, 5) };

for (const [scheme, noble] of Object.entries({ 'ml-dsa-44': ml_dsa44, 'ml-dsa-65': ml_dsa65, 'ml-dsa-87': ml_dsa87 })) {
  describe(scheme, () => {
    const seed = bytes(32, scheme.length + noble.lengths.signature);
    const theirs = noble.keygen(seed);
    const contextArgs = (context) => (context ? ['--context-hex', hex(context)] : []);
    let work;
    before(() => {
      work = new Workspace();
      work.write('key.pem', pkcs8(scheme, 'seed', seed));
      work.write('pub.pem', spki(scheme, theirs.publicKey));
    });
    after(() => work.close());

    const sign = (message, args, key = 'key.pem') => {
      work.write('msg', message);
      work.run(['sign', '--key', work.path(key), '--in', work.path('msg'), '--out', work.path('sig'), ...args]);
      return new Uint8Array(work.read('sig'));
    };
    const verify = (message, signature, args, pub = 'pub.pem') => {
      work.write('msg', message);
      work.write('sig', signature);
      const files = ['--key', work.path(pub), '--in', work.path('msg'), '--sig', work.path('sig')];
      return work.run(['verify', ...files, ...args], [0, 1]).status === 0;
    };

    test('the same seed makes the same keys, in the files of RFC 9881', () => {
      for (const form of ['seed', 'expanded', 'both']) {
        const out = ['--out', work.path('made.pem'), '--pub', work.path('made-pub.pem')];
        work.run(['keygen', '--scheme', scheme, '--seed', hex(seed), '--form', form, ...out]);
        assert.equal(work.read('made.pem').toString(), pkcs8(scheme, form, seed, theirs.secretKey));
        assert.equal(work.read('made-pub.pem').toString(), spki(scheme, theirs.publicKey));
      }
    });

    test('a key that noble expanded signs here', () => {
      work.write('expanded.pem', pkcs8(scheme, 'expanded', seed, theirs.secretKey));
      const signature = sign(messages.short, ['--deterministic'], 'expanded.pem');
      assert.deepEqual(signature, noble.sign(messages.short, theirs.secretKey, { extraEntropy: false }));
    });

    for (const [messageName, message] of Object.entries(messages))
      for (const [contextName, context] of Object.entries(contexts)) {
        const options = context ? { context } : {};
        test(`message ${messageName}, context ${contextName}`, () => {
          const deterministic = sign(message, ['--deterministic', ...contextArgs(context)]);
          assert.deepEqual(deterministic, noble.sign(message, theirs.secretKey, { ...options, extraEntropy: false }));

          const hedged = sign(message, contextArgs(context));
          assert.notDeepEqual(hedged, deterministic);
          assert.ok(noble.verify(hedged, message, theirs.publicKey, options));

          const back = noble.sign(message, theirs.secretKey, options);
          assert.ok(verify(message, back, contextArgs(context)));
          back[(back.length / 2) | 0] ^= 1;
          assert.ok(!verify(message, back, contextArgs(context)));
          assert.ok(!verify(message, hedged, ['--context', 'another']));
        });
      }

    for (const [name, hash] of prehashes) {
      let signer;
      try {
        signer = noble.prehash(hash);
      } catch {
        continue; // noble refuses a hash weaker than the parameter set
      }
      test(`HashML-DSA with ${name}`, () => {
        const context = contexts.short;
        const args = ['--prehash', name, ...contextArgs(context)];
        const message = messages['across sponge blocks'];
        const deterministic = sign(message, ['--deterministic', ...args]);
        assert.deepEqual(deterministic, signer.sign(message, theirs.secretKey, { context, extraEntropy: false }));
        assert.ok(verify(message, signer.sign(message, theirs.secretKey, { context }), args));
        assert.ok(!verify(message, deterministic, contextArgs(context)), 'a pre-hash signature is not a pure one');
      });
    }
  });
}
