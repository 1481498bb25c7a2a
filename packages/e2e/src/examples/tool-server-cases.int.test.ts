import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { type ExampleProcess, startExample, untilAnswers } from './example-process.ts';
import { FAULTS, type Fault, startLaxToolServer } from './lax-tool-server.ts';

const FOLDER = `${ROOT}examples/tool-server-any-language/`;
const SECRET = 'a-secret-of-32-characters-or-more';
const CASES: { id: string; duty: number }[] = JSON.parse(readFileSync(`${FOLDER}cases.json`, 'utf8')).cases;

interface Result {
  readonly id: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly details: readonly string[];
}

/** Runs the program as its README says. */
function runCases(url: string, idpPort: number): Promise<{ exitCode: number; results: Result[] }> {
  const args = [
    'run.mjs',
    url,
    '--scope',
    'notes:read',
    '--tool',
    'create_note',
    '--tool-scope',
    'notes:write',
  ];
  const env = { ...process.env, CLIENT_SECRET: SECRET };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args, '--idp-port', String(idpPort), '--json'],
      { cwd: FOLDER, env },
      (err, stdout) => resolve({ exitCode: Number(err?.code ?? 0), results: JSON.parse(stdout || '[]') }),
    );
  });
}
const notOk = (results: readonly Result[]) => results.filter(({ status }) => status !== 'ok');

it('the cases are about each of the twelve duties', () => {
  expect([...new Set(CASES.map(({ duty }) => duty))]).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
});

describe('the examples', () => {
  let running: ExampleProcess | undefined;
  afterEach(() => running?.stop());

  it.each(['tool-server-express', 'tool-server-fastify', 'tool-server-hono'])(
    '%s passes every case',
    async (name) => {
      const [port, idpPort] = [await findFreePort(), await findFreePort()];
      const env = { HUB_SECRET: SECRET, PORT: String(port), ISSUER: `http://127.0.0.1:${idpPort}` };
      running = startExample(name, env);
      await untilAnswers(running, `http://localhost:${port}/.well-known/oauth-protected-resource`);
      const { exitCode, results } = await runCases(`http://localhost:${port}/mcp`, idpPort);
      expect([notOk(results), exitCode, results.length]).toEqual([[], 0, CASES.length]);
    },
  );
});

describe('a tool server that knows nothing of ours', () => {
  async function run(fault?: Fault) {
    const idpPort = await findFreePort();
    const server = await startLaxToolServer({ issuer: `http://127.0.0.1:${idpPort}`, secret: SECRET, fault });
    try {
      return await runCases(server.url, idpPort);
    } finally {
      await server.close();
    }
  }

  it('passes every case if it does all its duties', async () => {
    const { exitCode, results } = await run();
    expect([notOk(results), exitCode, results.length]).toEqual([[], 0, CASES.length]);
  });

  it.each(FAULTS)('fails the case %s, and no other, if it forgets just that', async (fault) => {
    const { exitCode, results } = await run(fault);
    expect([notOk(results).map(({ id }) => id), exitCode]).toEqual([[fault], 1]);
  });

  it('has a fault for each case but those that every other needs', () => {
    const without = CASES.map(({ id }) => id).filter((id) => !FAULTS.some((fault) => fault === id));
    expect(without).toEqual(['good', 'access_token']);
  });
});
