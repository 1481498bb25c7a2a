import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ServicePorts } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { startDevCommand } from './dev-command.ts';
import { freeServicePorts } from './stack-under-test.ts';

const { it } = needs('time');

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'legate-commands-'));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Time limit for starting the stack and running the whole demo. */
const PATIENCE_MS = 240_000;

/** Runs `npm start` or `npm run demo` as built. */
function run(command: 'start' | 'demo', ports: ServicePorts) {
  const child = startDevCommand(command, ports, { LEGATE_DATA_DIR: dataDir });
  let output = '';
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  // On `close`, all of the output has been read.
  const exited = once(child, 'close').then(([code]) => {
    hasEnded = true;
    return code as number | null;
  });
  return {
    child,
    output: () => output,
    exited,
    /** Resolves when the command has printed the text; rejects when it ends before. */
    async says(text: string) {
      const look = () => {
        if (hasEnded && !output.includes(text)) throw new Error(`ended before it said "${text}":\n${output}`);
        return output;
      };
      const until = (said: string) => said.includes(text);
      await eventually(`"${text}" in what the command prints`, look, { timeoutMs: PATIENCE_MS, until });
    },
  };
}

it('npm run demo starts a stack if none runs, runs the whole demo without colours, and stops it again', async () => {
  const ports = await freeServicePorts();
  const running = run('demo', ports);
  expect([await running.exited, running.output()]).toEqual([0, expect.stringContaining('1. Alice signs in')]);
  expect(running.output()).toMatch(/(\d+) of \1 refused\./);
  expect(running.output()).not.toContain('\u001b[');
  await expect(fetch(`http://127.0.0.1:${ports['tool-hub']}/healthz`)).rejects.toThrow();
});

it('npm start keeps running after the demo and stops everything on Ctrl-C', async () => {
  const ports = await freeServicePorts();
  const running = run('start', ports);
  await running.says('Stop: Ctrl-C');
  const [beforeTheStory = ''] = running.output().split('1. Alice signs in');
  expect(beforeTheStory).toContain(
    `Console: http://localhost:${ports.console}, sign in as alice@acme.example`,
  );
  for (const port of Object.values(ports)) {
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  }
  running.child.kill('SIGINT');
  expect(await running.exited).toBe(0);
  for (const port of Object.values(ports))
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
});

it('a port in use is reported in one clear line, and nothing is left running', async () => {
  const ports = await freeServicePorts();
  const other = createServer().listen(ports['tool-hub'], '127.0.0.1');
  await once(other, 'listening');
  const running = run('start', ports);
  const code = await running.exited;
  other.close();
  expect([code, running.output().trim().split('\n').at(-1)]).toEqual([
    1,
    `port ${ports['tool-hub']} is in use, so tool-hub cannot start there; free it, or choose another with TOOL_HUB_PORT`,
  ]);
  await expect(fetch(`http://127.0.0.1:${ports['mock-idp']}/healthz`)).rejects.toThrow();
});
