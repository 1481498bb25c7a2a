import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { API, DEVELOPMENT, HUB, ID_TOKEN, ISSUER, runTyped } from '../testing/run-typed.ts';

let config: string;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'legate-cli-'));
  mkdirSync(join(config, 'legate'));
});
afterEach(() => rmSync(config, { recursive: true }));

/** Runs a command where only the development identity provider answers. */
function run(
  args: string[],
  given: { profile?: object; env?: NodeJS.ProcessEnv; clone?: string; isDown?: boolean },
) {
  const stored = { issuer: ISSUER, clientId: 'frontend-app', idToken: ID_TOKEN, ...given.profile };
  if (given.profile)
    writeFileSync(join(config, 'legate/default.json'), JSON.stringify(stored), { mode: 0o600 });
  return runTyped(args, {
    env: { XDG_CONFIG_HOME: config, ...given.env },
    routes: given.isDown ? {} : DEVELOPMENT,
    io: { clone: () => given.clone },
  });
}

const CLONE = '/home/alice/legate';
const STORED = { hub: HUB, api: API, accessToken: 'a1' };
const PORTS = { MANAGEMENT_API_PORT: '7400', TOOL_HUB_PORT: '7401', MOCK_IDP_PORT: '7402' };
const START = 'Start the development stack in a clone of the repository.';

it.each<[string, Parameters<typeof run>[1], string, string]>([
  [
    'in a clone, at the default address',
    { clone: CLONE },
    `${HUB} (the default) cannot be reached.`,
    'legate start',
  ],
  [
    'in a clone, at the address of its port',
    { clone: CLONE, env: { TOOL_HUB_PORT: '7401' } },
    'http://localhost:7401 (from TOOL_HUB_PORT) cannot be reached.',
    'legate start',
  ],
  [
    'in a clone, at the address of the profile',
    { clone: CLONE, profile: STORED },
    `${HUB} (from the profile) cannot be reached.`,
    'legate start',
  ],
  [
    'in a clone whose ports are not those of the profile',
    { clone: CLONE, profile: STORED, env: PORTS },
    `${HUB} (from the profile) cannot be reached. Start it, or sign in at another development stack.`,
    'legate login http://localhost:7402',
  ],
  [
    'in a clone, at the address of a variable',
    { clone: CLONE, env: { LEGATE_HUB: 'http://localhost:9' } },
    'http://localhost:9 (from LEGATE_HUB) cannot be reached. Start it, or correct LEGATE_HUB.',
    'legate tools',
  ],
  [
    'outside a clone, at the default address',
    {},
    `${HUB} (the default) cannot be reached. Set its address, or start the development stack in a clone of the repository.`,
    'export LEGATE_HUB=<url>',
  ],
  [
    'outside a clone, at the address of the profile',
    { profile: STORED },
    `${HUB} (from the profile) cannot be reached. ${START}`,
    'cd <clone> && npm start',
  ],
  [
    'at an address of the profile with an identity provider elsewhere',
    { profile: { ...STORED, issuer: 'https://idp.example', hub: 'http://localhost:9' } },
    'http://localhost:9 (from the profile) cannot be reached. Start it.',
    'legate tools',
  ],
  [
    'at an address elsewhere',
    { clone: CLONE, profile: { ...STORED, hub: 'https://hub.example' } },
    'https://hub.example (from the profile) cannot be reached.',
    'legate tools',
  ],
])('reports which hub cannot be reached, and what helps: %s', async (_case, given, at, next) => {
  const { code, stderr } = await run(['tools'], given);
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(ending(`Error: The hub at ${at}\nNext: ${next}\n`)),
  ]);
});

const ending = (text: string) => new RegExp(`${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

it('reports which management API cannot be reached', async () => {
  const { code, stderr } = await run(['connectors'], { profile: STORED, env: {} });
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(`The management API at ${API} (from the profile) cannot`),
  ]);
});

it.each([
  [CLONE, {}, 'legate start'],
  [undefined, {}, 'legate login <issuer>'],
  [CLONE, { LEGATE_ISSUER: 'http://localhost:9' }, 'legate login http://localhost:9'],
])('suggests without a sign-in, in the clone %s and with %j: %s', async (clone, env, next) => {
  const { code, stderr } = await run(['whoami'], { isDown: true, env, ...(clone && { clone }) });
  expect([code, stderr]).toEqual([3, expect.stringContaining(`\nNext: ${next}\n`)]);
});

it.each([
  [CLONE, 'legate start'],
  [undefined, 'cd <clone> && npm start'],
])('suggests for --user without a development stack, in the clone %s: %s', async (clone, next) => {
  const { code, stderr } = await run(['whoami', '--user', 'bob@acme.example'], {
    isDown: true,
    ...(clone && { clone }),
  });
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(`The identity provider at ${ISSUER} (the default) cannot be reached.`),
  ]);
  expect(stderr).toContain(`\nNext: ${next}\n`);
});

it('shows with whoami that LEGATE_HUB has priority over the profile, and the profile over the ports', async () => {
  const given = { profile: STORED, env: { ...PORTS, LEGATE_HUB: 'http://localhost:7401' } };
  const { stdout } = await run(['whoami'], given);
  expect(stdout).toContain(
    'hub           http://localhost:7401 (from LEGATE_HUB)\nAPI           http://localhost:4000 (from the profile)\n',
  );
  expect(JSON.parse((await run(['whoami', '--json'], given)).stdout).addresses).toEqual({
    hub: { url: 'http://localhost:7401', source: 'LEGATE_HUB' },
    api: { url: API, source: 'profile' },
  });
});

it('shows with whoami that a profile has no addresses', async () => {
  const { stdout } = await run(['whoami'], { profile: { issuer: 'https://idp.example' } });
  expect(stdout).toContain('hub           not set: neither in the profile nor in LEGATE_HUB\n');
});
