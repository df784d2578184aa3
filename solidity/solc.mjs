#!/usr/bin/env node
// The pinned compiler of package.json for Foundry, which wants a program: --version, and --standard-json from standard input.

import { readFileSync } from 'node:fs';
import solc from 'solc';

if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
} else {
  console.log(`solc, the solidity compiler\nVersion: ${solc.version()}`);
}
