import { expect, it } from '@jest/globals';
import {
  API,
  API_TOKEN,
  DEVELOPMENT,
  HUB,
  ID_TOKEN,
  ISSUER,
  problem,
  runTyped,
} from '../testing/run-typed.ts';

it('prints the bare ID token of a development user and nothing else', async () => {
  const { code, stdout, stderr, sent } = await runTyped(['token', '--user', 'bob@acme.example']);
  expect([code, stdout]).toEqual([0, `${ID_TOKEN}\n`]);
  expect(stderr).toBe(`Acting as bob@acme.example of the development identity provider at ${ISSUER}.\n`);
  expect(sent.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    [`${ISSUER}/admin/id-tokens`, { user: 'bob@acme.example', client_id: 'frontend-app' }],
  ]);
});

it('prints an access token for the management API with --api', async () => {
  const { code, stdout, sent } = await runTyped(['token', '--api', '--user', 'alice@acme.example']);
  expect([code, stdout]).toEqual([0, `${API_TOKEN}\n`]);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ resource: API });
});

it('prints the handle of a session at the hub with --hub, bound to the agent', async () => {
  const routes = { ...DEVELOPMENT, [`POST ${HUB}/api/v1/sessions`]: { session: 'lhs_handle' } };
  const { code, stdout, sent } = await runTyped(['token', '--hub', '--agent', 'agt_1'], { routes });
  expect([code, stdout]).toEqual([0, 'lhs_handle\n']);
  expect(sent.at(-1)?.headers.get('authorization')).toBe(`Bearer ${ID_TOKEN}`);
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toEqual({ agent_id: 'agt_1' });
});

it('prints type and expiry with --json', async () => {
  const { stdout } = await runTyped(['token', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    token: ID_TOKEN,
    type: 'id_token',
    expires_at: '2026-11-25T13:00:00.000Z',
  });
});

it('acts as Alice of the development stack by default', async () => {
  const { sent } = await runTyped(['token']);
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toMatchObject({ user: 'alice@acme.example' });
});

it('prints LEGATE_TOKEN unchanged, and sends no request', async () => {
  const { stdout, stderr, sent } = await runTyped(['token'], { env: { LEGATE_TOKEN: 'lgt_key' } });
  expect([stdout, stderr, sent]).toEqual(['lgt_key\n', '', []]);
});

it('uses the configured ports of a development stack', async () => {
  const routes = { 'POST http://localhost:5002/admin/id-tokens': { id_token: 't' } };
  const env = { MOCK_IDP_PORT: '5002' };
  expect(await runTyped(['token', '--user', 'a@b.example'], { routes, env })).toMatchObject({
    stdout: 't\n',
  });
});

it.each([
  ['--api and --hub together', ['--api', '--hub'], {}, 2, 'Use either --api or --hub'],
  ['a user who is unknown', ['--user', 'x@y.example'], { status: 404 }, 2, 'has no user x@y.example'],
  ['an identity provider of another kind', ['--user', 'a'], { status: 401 }, 5, 'issued no token (HTTP 401)'],
])('refuses %s', async (_case, args, { status }: { status?: number }, exitCode, message) => {
  const routes = { [`POST ${ISSUER}/admin/id-tokens`]: () => problem(status ?? 500, {}) };
  const { code, stdout, stderr } = await runTyped(['token', ...args], { routes });
  expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringContaining(message)]);
});

it('does not send the key of the development stack to another computer', async () => {
  const env = { LEGATE_ISSUER: 'https://idp.example' };
  const { code, sent, stderr } = await runTyped(['token', '--user', 'a@b.example'], { env });
  expect([code, sent, stderr]).toEqual([2, [], expect.stringContaining('is not on this computer')]);
});

it('explains how to sign in if there is no credential', async () => {
  const { code, stderr } = await runTyped(['token'], { routes: {} });
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^Error: You are not signed in.*\nNext: legate login <issuer>\n$/),
  ]);
});

it.each([
  ['http://hub.example'],
  ['ftp://hub.example'],
  ['hub'],
  ['https://u:p@hub.example'],
  ['https://hub.example?a'],
])('refuses %s as the address of a hub', async (LEGATE_HUB) => {
  expect(await runTyped(['tools'], { env: { LEGATE_HUB } })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/LEGATE_HUB must be an https URL.*\nNext: export LEGATE_HUB=<url>\n/),
    sent: [],
  });
});
