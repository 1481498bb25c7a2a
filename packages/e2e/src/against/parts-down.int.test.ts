import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ServiceName } from '@legate/dev';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';

const { it } = needs('time');

const COMMAND = fileURLToPath(new URL('../../bin/e2e.js', import.meta.url));

let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest();
});
afterAll(() => stack?.stop());

/** Runs `npm run e2e -- --against <urls>` to its end. */
async function check(): Promise<{ code: unknown; passed: string[]; failed: string[] }> {
  const urls = Object.entries(stack.urls).map((entry) => entry.join('='));
  const command = spawn(process.execPath, [COMMAND, '--against', urls.join()], {
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  let output = '';
  for (const stream of [command.stdout, command.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  const [code] = await once(command, 'close');
  const titles = (mark: string) =>
    output
      .split('\n')
      .map((line) => line.trim())
      .flatMap((line) => (line.startsWith(mark) ? [line.slice(2).replace(/ \(\d+ ms\)$/, '')] : []));
  return { code, passed: titles('✓'), failed: titles('✕') };
}

const OF_HUB_AND_API = [
  'is alive and ready',
  'of the management API is an OpenAPI document',
  'of tool-hub publishes the same keys whichever process answers, and no private part',
  'with a bad token is asked for a good one by management-api at /api/v1/sites',
  'with a bad token is asked for a good one by tool-hub at /mcp',
];
const OF_DELEGATION = 'makes an ID-JAG, an access token and a tool call of the same user';

it.each<{ down: ServiceName; works: string[]; fails: string[] }>([
  {
    down: 'reference-mcp-server',
    works: [
      'of alice gives an ID token for organization org_acme',
      'are created once if the creation is retried',
    ],
    fails: ['with a bad token is asked for a good one by reference-mcp-server at /mcp'],
  },
  {
    down: 'mock-idp',
    works: [
      'of reference-mcp-server publishes the same keys whichever process answers, and no private part',
      'with a bad token is asked for a good one by reference-mcp-server at /mcp',
    ],
    fails: [
      'of alice gives an ID token for organization org_acme',
      'are created once if the creation is retried',
    ],
  },
])('reports which checks pass without $down, and ends', async ({ down, works, fails }) => {
  await stack.kill(down);
  const { code, passed, failed } = await check();
  await stack.restart(down);
  expect(code).toBe(1);
  expect(passed).toEqual(expect.arrayContaining([...OF_HUB_AND_API, ...works]));
  expect(failed).toEqual(expect.arrayContaining(['is alive and ready', OF_DELEGATION, ...fails]));
});

it('passes when all services run again', async () => {
  expect(await check()).toMatchObject({ code: 0, failed: [] });
});
