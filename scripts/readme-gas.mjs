// Rewrites the gas table of README.md from gas-baseline.json: node scripts/readme-gas.mjs

import { readFileSync, writeFileSync } from 'node:fs';

const { rows } = JSON.parse(readFileSync('gas-baseline.json', 'utf8'));
const number = (n) => n.toLocaleString('en-US');
const line = (cells) => `| ${cells.join(' | ')} |`;
const table = [
  line(['contract', 'minimum', 'median', 'maximum', 'code bytes', 'registering a key']),
  '|---|---:|---:|---:|---:|---:|',
  ...rows.map(({ contract, input, exec, code_bytes, registration_gas }) =>
    line([`\`${contract}\`${input === '32-byte message' ? '' : `, ${input}`}`, ...[exec.min, exec.median, exec.max, code_bytes, registration_gas].map(number)]),
  ),
].join('\n');

const readme = readFileSync('README.md', 'utf8');
const old = /\| contract \| minimum [^]*?\n(?=\n)/;
if (!old.test(readme)) throw new Error('README.md has no gas table');
writeFileSync('README.md', readme.replace(old, `${table}\n`));
