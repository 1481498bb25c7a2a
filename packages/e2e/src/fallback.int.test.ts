import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { exchange, hostile, member } from '@legate/dev';
import { needs } from '@legate/testing';
import {
  APPLICATION,
  CLIENT_AT_TOOL_SERVERS,
  type HubUnderTest,
  ORGANIZATION,
  startHubs,
} from './hub-under-test.ts';

const { it } = needs('time');

// The built hub with connectors that have a fallback, at tool servers with scripted metadata, which record what they are
// sent.

/** Hub processes on one Redis if TEST_REDIS_URL names one; otherwise one process. */
const redisUrl = process.env.TEST_REDIS_URL || undefined;
const KEY = 'sk-live-of-the-service';
const FALLBACKS: Readonly<Record<string, object>> = {
  service: { fallback: ['service'], api_key: KEY },
  passthrough: {
    ...{ fallback: ['passthrough'], acknowledge_legacy: true },
    passthrough_audiences: [APPLICATION],
  },
};
const STATUSES = [204, 304, 400, 401, 403, 408, 425, 451];
/** Changed while the hub runs */
type ChangingLie = { -readonly [Name in keyof hostile.ToolServerLie]: hostile.ToolServerLie[Name] };
const CASES = Object.keys(FALLBACKS).flatMap((method) => STATUSES.map((status) => [method, status] as const));

const ledger = hostile.createLedger();
const toolServers = new Map<string, hostile.HostileToolServer>();
const lieOfReached: ChangingLie = {};
/** Connectors with connected accounts, by their fallback */
const liesOfConsent = new Map(Object.keys(FALLBACKS).map((method): [string, ChangingLie] => [method, {}]));
let idp: hostile.HostileIdentityProvider;
let hubs: HubUnderTest[];
let users = 0;

const answerWith =
  (status: number): NonNullable<hostile.ToolServerLie['resourceMetadata']> =>
  (_req, res) =>
    void res.writeHead(status).end();

beforeAll(async () => {
  ledger.note('the API key of the fallback', KEY, []);
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  for (const [method, status] of CASES) {
    const name = `${method}-${status}`;
    const lie = { resourceMetadata: answerWith(status) };
    toolServers.set(name, await hostile.startHostileToolServer({ name, ledger, lie }));
  }
  const reached = await hostile.startHostileToolServer({ name: 'reached', ledger, lie: lieOfReached });
  toolServers.set('reached', reached);
  // The same tool server, whose metadata is read anew for a pinned issuer
  toolServers.set('reached-again', reached);
  for (const [method, lie] of liesOfConsent) {
    const server = await hostile.startHostileToolServer({ name: `consent-${method}`, ledger, lie });
    lie.server = {
      authorization_endpoint: `${server.url}/authorize`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
    };
    toolServers.set(`consent-${method}`, server);
    toolServers.set(`consent-${method}-again`, server);
  }
  hubs = await startHubs({
    ...{ count: redisUrl ? 2 : 1, idp, toolServers, ledger, redisUrl },
    membersOf: (id) => ({
      ...FALLBACKS[id.includes('passthrough') ? 'passthrough' : 'service'],
      ...(id.startsWith('consent') && { auth_method: 'oauth-pkce' }),
      ...(id.endsWith('-again') && { issuer: toolServers.get(id)?.url }),
    }),
  });
});

afterEach(() => {
  idp.lie = {};
  expect(ledger.straysAt([idp, ...toolServers.values()])).toEqual([]);
});

afterAll(async () => {
  for (const hub of hubs ?? []) await hub.stop();
  await idp?.stop();
  for (const server of new Set(toolServers.values())) await server.stop();
});

async function signIn(): Promise<string> {
  users += 1;
  return idp.signIn({ id: `user_${users}`, organizationId: ORGANIZATION }, APPLICATION);
}

const refuseWith = (error: object) => {
  idp.lie = {
    token: (_req, res) =>
      void res.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(error)),
  };
};

async function call(connector: string, hub: HubUnderTest | undefined, idToken?: string) {
  const { status, answer } = await exchange(
    'POST',
    `${hub?.url}/api/v1/connectors/${connector}/tools/whoami/call`,
    { json: {} },
    { Authorization: `Bearer ${idToken ?? (await signIn())}` },
  );
  return [status, member(answer, 'code')];
}
/** MCP requests; each of them contains a credential. */
const callsAt = (name: string) =>
  toolServers.get(name)?.received.filter((text) => text.startsWith('POST /mcp')) ?? [];

it.each(CASES)('sends nothing by %s to a tool server whose metadata answer %i', async (method, status) => {
  const name = `${method}-${status}`;
  expect(await call(name, hubs[0])).toEqual([503, 'tool_server_unavailable']);
  expect(callsAt(name)).toEqual([]);
});

it.each(Object.keys(FALLBACKS))(
  'denies a denied user with %s, though metadata answer 403',
  async (method) => {
    idp.lie = {
      token: (_req, res) =>
        void res.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"access_denied"}'),
    };
    expect(await call(`${method}-403`, hubs[0])).toEqual([403, 'delegation_denied']);
    expect(callsAt(`${method}-403`)).toEqual([]);
  },
);

it('does not use a token of a strong sign-in for a weak sign-in of the same user', async () => {
  const user = { id: 'user_bound', organizationId: ORGANIZATION };
  const strong = await idp.signIn(user, APPLICATION, { acr: 'high' });
  const weak = await idp.signIn(user, APPLICATION);
  expect(await call('reached', hubs[0], strong)).toEqual([200, undefined]);
  const before = callsAt('reached').length;
  refuseWith({ error: 'insufficient_user_authentication', acr_values: 'high' });
  expect(await call('reached', hubs[0], weak)).toEqual([401, 'sign_in_required']);
  expect(callsAt('reached')).toHaveLength(before);
  expect(await call('reached', hubs[0], strong)).toEqual([200, undefined]);
});

it('sends nothing to a tool server that has offered ID-JAGs before and no longer does', async () => {
  expect(await call('reached', hubs[0])).toEqual([200, undefined]);
  const before = callsAt('reached').length;
  lieOfReached.resourceMetadata = answerWith(404);
  expect(await call('reached-again', hubs.at(-1))).toEqual([403, 'fallback_not_approved']);
  expect(callsAt('reached')).toHaveLength(before);
});

it.each(Object.keys(FALLBACKS))(
  'sends nothing by %s to a tool server where users could connect accounts, and cannot any more',
  async (method) => {
    const name = `consent-${method}`;
    expect(await call(name, hubs[0])).toEqual([403, 'connection_required']);
    Object.assign(liesOfConsent.get(method) ?? {}, { resourceMetadata: answerWith(404) });
    expect(await call(`${name}-again`, hubs.at(-1))).toEqual([403, 'fallback_not_approved']);
    expect(callsAt(name)).toEqual([]);
  },
);
