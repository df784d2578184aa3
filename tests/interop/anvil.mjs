// A local node for one test file.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

const program = 'node_modules/.bin/anvil';
export const anvilMissing = !existsSync(program) && 'anvil is not installed (make deps)';

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

export class Anvil {
  static async start() {
    const node = new Anvil();
    const port = await freePort();
    node.url = `http://127.0.0.1:${port}`;
    node.process = spawn(program, ['--silent', '--hardfork', 'osaka', '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
    for (let tries = 0; ; ++tries) {
      try {
        [node.account] = await node.rpc('eth_accounts');
        return node;
      } catch (error) {
        if (tries === 300 || node.process.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
  stop() {
    this.process.kill();
  }
  async rpc(method, ...params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await (await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
    if (answer.error) throw Object.assign(new Error(`${method}: ${answer.error.message}`), { data: answer.error.data });
    return answer.result;
  }
  // The receipt; throws where the transaction failed.
  async send(to, data, gas = 0xfffff0) {
    const transaction = { from: this.account, data, gas: `0x${gas.toString(16)}`, ...(to && { to }) };
    const hash = await this.rpc('eth_sendTransaction', transaction);
    let receipt = null;
    while (receipt === null) receipt = await this.rpc('eth_getTransactionReceipt', hash);
    if (receipt.status !== '0x1') throw new Error(`transaction to ${to ?? 'a new contract'} failed`);
    return receipt;
  }
}
