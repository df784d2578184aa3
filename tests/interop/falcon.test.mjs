// Falcon keys and signatures, both ways between postern and @noble/post-quantum.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { falcon1024, falcon1024padded, falcon512, falcon512padded } from '@noble/post-quantum/falcon.js';
import { Workspace } from './postern.mjs';

const bytes = (length, start = 0) => Uint8Array.from({ length }, (_, i) => (i * 7 + start) & 255);
const hex = (data) => Buffer.from(data).toString('hex');
const messages = { empty: new Uint8Array(0), short: bytes(32, 1), 'across sponge blocks': bytes(1000, 2) };

for (const [scheme, plain, padded] of [
  ['falcon-512', falcon512, falcon512padded],
  ['falcon-1024', falcon1024, falcon1024padded],
]) {
  describe(scheme, () => {
    const seed = bytes(48, scheme.length);
    const theirs = plain.keygen(seed);
    let work;
    before(() => {
      work = new Workspace();
      work.write('key', theirs.secretKey);
      work.write('pub', theirs.publicKey);
    });
    after(() => work.close());
    const at = (name) => work.path(name);

    const sign = (message, encoding) => {
      work.write('msg', message);
      const files = ['--key', at('key'), '--in', at('msg'), '--out', at('sig')];
      work.run(['sign', ...files, '--scheme', scheme, '--encoding', encoding]);
      return new Uint8Array(work.read('sig'));
    };
    const verify = (message, signature) => {
      work.write('msg', message);
      work.write('sig', signature);
      const files = ['--key', at('pub'), '--in', at('msg'), '--sig', at('sig')];
      return work.run(['verify', ...files, '--scheme', scheme], [0, 1, 3]).status === 0;
    };

    test('the same seed makes the same keys', () => {
      work.run(['keygen', '--scheme', scheme, '--seed', hex(seed), '--out', at('made.pem'), '--pub', at('made-pub.pem')]);
      work.run(['convert', '--to', 'raw', at('made.pem'), at('made')]);
      work.run(['convert', '--to', 'nist', at('made-pub.pem'), at('made-pub')]);
      assert.deepEqual(new Uint8Array(work.read('made')), theirs.secretKey);
      assert.deepEqual(new Uint8Array(work.read('made-pub')), theirs.publicKey);
    });

    for (const [name, message] of Object.entries(messages)) {
      test(`our signatures there, message ${name}`, () => {
        const short = sign(message, 'nist');
        assert.ok(plain.verify(short, message, theirs.publicKey));
        const full = sign(message, 'padded');
        assert.ok(padded.verify(full, message, theirs.publicKey));
        assert.ok(!padded.verify(full, bytes(33, 3), theirs.publicKey));
      });

      test(`their signatures here, message ${name}`, () => {
        for (const noble of [plain, padded]) {
          const signature = noble.sign(message, theirs.secretKey);
          assert.ok(verify(message, signature));
          assert.ok(!verify(bytes(33, 3), signature));
          signature[(signature.length / 2) | 0] ^= 1;
          assert.ok(!verify(message, signature));
        }
      });

      test(`signed messages of test files, message ${name}`, () => {
        // Theirs is opened here...
        work.write('sm', plain.attached.seal(message, theirs.secretKey));
        work.run(['convert', '--from', 'sm', '--to', 'nist', '--scheme', scheme, '--message', at('found'), at('sm'), at('sig')]);
        assert.deepEqual(new Uint8Array(work.read('found')), message);
        assert.ok(verify(message, work.read('sig')));
        // ... and ours there.
        sign(message, 'nist');
        work.run(['convert', '--from', 'nist', '--to', 'sm', '--scheme', scheme, '--message', at('msg'), at('sig'), at('sm')]);
        assert.deepEqual(plain.attached.open(new Uint8Array(work.read('sm')), theirs.publicKey), message);
      });
    }
  });
}
