// Runs the postern command on files in a temporary folder.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Workspace {
  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'postern-interop-'));
  }
  path(name) {
    return join(this.dir, name);
  }
  write(name, bytes) {
    writeFileSync(this.path(name), bytes);
    return this.path(name);
  }
  read(name) {
    return readFileSync(this.path(name));
  }
  close() {
    rmSync(this.dir, { recursive: true });
  }
  // Exit code and output; throws where a code other than the expected ones comes back.
  run(args, expected = [0]) {
    const result = spawnSync(process.env.POSTERN, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    if (result.error) throw result.error;
    if (!expected.includes(result.status))
      throw new Error(`postern ${args.join(' ')}\nexit ${result.status}\n${result.stdout}${result.stderr}`);
    return result;
  }
}
