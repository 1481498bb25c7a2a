import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Exchange, exchange, hostile, member } from '@legate/dev';
import { needs } from '@legate/testing';
import {
  APPLICATION,
  CLIENT_AT_TOOL_SERVERS,
  type HubUnderTest,
  ORGANIZATION,
  startHubs,
} from './hub-under-test.ts';

const { describe, it } = needs('night');

/**
 * Tests the built hub with hostile peers. Each attack ends in an outcome with a code at `/api/v1` and `/mcp`, in
 * limited time (every request of these tests is aborted after 15 seconds). Every server records its requests: no secret
 * is found at a wrong server, in a response, or in the log.
 */

const { drip, endlessEvents, flood, gzipBomb, neverAnswer, redirectTo } = hostile.answers;
const TOOL_SERVER_LIES: readonly [
  what: string,
  lie: (elsewhere: string) => hostile.ToolServerLie,
  code: string,
][] = [
  [
    'speaks of another resource',
    (elsewhere) => ({ resource: { resource: elsewhere } }),
    'connector_misconfigured',
  ],
  [
    'names an authorization server elsewhere',
    (elsewhere) => ({ resource: { authorization_servers: [elsewhere] } }),
    'connector_misconfigured',
  ],
  [
    'has metadata of another issuer',
    (elsewhere) => ({ server: { issuer: elsewhere } }),
    'connector_misconfigured',
  ],
  [
    'redirects readers of its resource metadata',
    (elsewhere) => ({ resourceMetadata: redirectTo(elsewhere) }),
    'connector_misconfigured',
  ],
  [
    'redirects readers of its server metadata',
    (elsewhere) => ({ serverMetadata: redirectTo(elsewhere, 302) }),
    'connector_misconfigured',
  ],
  ['has metadata of 100 MB', () => ({ resourceMetadata: flood }), 'connector_misconfigured'],
  ['has metadata that unpack to 500 MB', () => ({ serverMetadata: gzipBomb }), 'connector_misconfigured'],
  ['never gives its metadata', () => ({ resourceMetadata: neverAnswer }), 'tool_server_unavailable'],
  ['gives its metadata byte by byte', () => ({ serverMetadata: drip }), 'tool_server_unavailable'],
  [
    'redirects the assertion, body and all',
    (elsewhere) => ({ token: redirectTo(elsewhere, 307) }),
    'connector_misconfigured',
  ],
  ['grants a broader scope', () => ({ response: { scope: 'tools admin' } }), 'connector_misconfigured'],
  ['gives a token of another type', () => ({ response: { token_type: 'N_A' } }), 'connector_misconfigured'],
  [
    'gives a token for another resource',
    (elsewhere) => ({ response: { resource: elsewhere } }),
    'connector_misconfigured',
  ],
  ['gives a token that unpacks to 500 MB', () => ({ token: gzipBomb }), 'connector_misconfigured'],
  ['never gives a token', () => ({ token: neverAnswer }), 'tool_server_unavailable'],
  ['gives its token byte by byte', () => ({ token: drip }), 'tool_server_unavailable'],
  [
    'redirects the call with its token',
    (elsewhere) => ({ mcp: redirectTo(elsewhere, 301) }),
    'tool_server_error',
  ],
  [
    'redirects the call, body and all',
    (elsewhere) => ({ mcp: redirectTo(elsewhere, 308) }),
    'tool_server_error',
  ],
  ['answers with 100 MB', () => ({ mcp: flood }), 'tool_server_error'],
  ['answers with what unpacks to 500 MB', () => ({ mcp: gzipBomb }), 'tool_server_error'],
  ['never answers', () => ({ mcp: neverAnswer }), 'tool_server_unavailable'],
  ['answers byte by byte', () => ({ mcp: drip }), 'tool_server_unavailable'],
  ['answers with events without end', () => ({ mcp: endlessEvents }), 'tool_server_unavailable'],
];
/** A name of the user for the tool server alone */
const NAME_ELSEWHERE = 'alice-at-the-saml-provider';
const IDP_LIES: readonly [
  what: string,
  lie: (elsewhere: string) => hostile.IdentityProviderLie,
  code: string,
][] = [
  ['is for another audience', (elsewhere) => ({ claims: { aud: elsewhere } }), 'connector_misconfigured'],
  [
    'is for another resource',
    (elsewhere) => ({ claims: { resource: elsewhere } }),
    'connector_misconfigured',
  ],
  ['is for another client', () => ({ claims: { client_id: 'another' } }), 'connector_misconfigured'],
  ['is of another issuer', (elsewhere) => ({ claims: { iss: elsewhere } }), 'connector_misconfigured'],
  ['is of another type', () => ({ typ: 'JWT' }), 'connector_misconfigured'],
  ['is about another user', () => ({ claims: { sub: 'somebody' } }), 'connector_misconfigured'],
  [
    'is for another organization',
    () => ({ claims: { organization_id: 'org_other' } }),
    'connector_misconfigured',
  ],
  ['is for no organization', () => ({ claims: { organization_id: undefined } }), 'connector_misconfigured'],
  ['is of another tenant', () => ({ claims: { tenant: 'org_other' } }), 'connector_misconfigured'],
  ['is about nobody', () => ({ claims: { sub: undefined } }), 'connector_misconfigured'],
  ['has a broader scope', () => ({ claims: { scope: 'tools admin' } }), 'connector_misconfigured'],
  [
    'is said to have a broader scope',
    () => ({ response: { scope: 'tools admin' } }),
    'connector_misconfigured',
  ],
  [
    'is said to be for another resource',
    (elsewhere) => ({ response: { resource: elsewhere } }),
    'connector_misconfigured',
  ],
  ['names another actor', () => ({ claims: { act: { sub: 'another-client' } } }), 'connector_misconfigured'],
  ['is bound to a key', () => ({ claims: { cnf: { jkt: 'abc' } } }), 'connector_misconfigured'],
  [
    'is for another client, and has other names of the user',
    () => ({
      claims: {
        ...{ client_id: 'another', aud_sub: NAME_ELSEWHERE, aud_tenant: NAME_ELSEWHERE },
        sub_id: { format: 'opaque', id: NAME_ELSEWHERE },
      },
    }),
    'connector_misconfigured',
  ],
  [
    'is called an access token',
    () => ({ response: { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' } }),
    'connector_misconfigured',
  ],
  ['comes from elsewhere', (elsewhere) => ({ token: redirectTo(elsewhere, 307) }), 'connector_misconfigured'],
  ['unpacks to 500 MB', () => ({ token: gzipBomb }), 'connector_misconfigured'],
  ['never comes', () => ({ token: neverAnswer }), 'idp_unavailable'],
  ['comes byte by byte', () => ({ token: drip }), 'idp_unavailable'],
];
/** Memory that an unbounded reader of one of these responses would need, and the hub must not. */
const MAX_MEMORY_KB = 400 * 1024;

const ledger = hostile.createLedger();
const toolServers = new Map<string, hostile.HostileToolServer>();
let idp: hostile.HostileIdentityProvider;
let elsewhere: hostile.RecordingServer;
let hub: HubUnderTest;
let users = 0;

const idOf = (number: number) => `liar-${number}`;

beforeAll(async () => {
  elsewhere = await hostile.startRecordingServer((_req, res) => void res.writeHead(200).end('{}'));
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  for (const [number, [, lie]] of TOOL_SERVER_LIES.entries()) {
    const name = idOf(number);
    const server = await hostile.startHostileToolServer({ name, ledger, lie: lie(elsewhere.url) });
    toolServers.set(name, server);
  }
  ledger.note('a name of the user elsewhere', NAME_ELSEWHERE, []);
  toolServers.set('honest', await hostile.startHostileToolServer({ name: 'honest', ledger }));
  [hub] = (await startHubs({
    ...{ count: 1, idp, toolServers, ledger },
    env: { TOOL_CALL_TIMEOUT_SECONDS: '3' },
  })) as [HubUnderTest];
});

afterEach(async () => {
  idp.lie = {};
  expect(elsewhere.received).toEqual([]);
  expect(ledger.straysAt([idp, ...toolServers.values()])).toEqual([]);
});

afterAll(async () => {
  await hub?.stop();
  await idp?.stop();
  await elsewhere?.stop();
  for (const server of toolServers.values()) await server.stop();
});

/** A new user, for whom nothing is cached */
function signIn(): Promise<string> {
  users += 1;
  return idp.signIn({ id: `user_${users}`, organizationId: ORGANIZATION }, APPLICATION);
}

const callAsApplication = (idToken: string, connector: string): Promise<Exchange> =>
  exchange(
    'POST',
    `${hub.url}/api/v1/connectors/${connector}/tools/whoami/call`,
    { json: { arguments: {} } },
    { Authorization: `Bearer ${idToken}` },
  );

const askAsAgent = (idToken: string, path: string, method: string, params: object): Promise<Exchange> =>
  exchange(
    'POST',
    `${hub.url}${path}`,
    { json: { jsonrpc: '2.0', id: 1, method, params } },
    {
      Authorization: `Bearer ${idToken}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    },
  );

/** Calls a tool at `/api/v1` and `/mcp` in parallel, as the same user. */
async function codesAtBothEndpoints(connector: string): Promise<unknown[]> {
  const idToken = await signIn();
  const answers = await Promise.all([
    callAsApplication(idToken, connector),
    askAsAgent(idToken, `/mcp/${connector}`, 'tools/call', { name: 'whoami', arguments: {} }),
  ]);
  expect(ledger.namesIn(JSON.stringify(answers.map(({ answer }) => answer)))).toEqual([]);
  const [application, agent] = answers;
  return [
    member(application.answer, 'code'),
    member(agent.answer, 'result', '_meta', 'legate/problem', 'code'),
  ];
}

describe('a tool server that', () => {
  it.each(TOOL_SERVER_LIES.map(([what, , code], number) => [what, idOf(number), code] as const))(
    '%s',
    async (_what, connector, code) => {
      expect(await codesAtBothEndpoints(connector)).toEqual([code, code]);
      expect(toolServers.get(connector)?.received.length).toBeGreaterThan(0);
    },
  );

  it('returns an unrequested refresh token never gets it back, and it is stored nowhere', async () => {
    const idToken = await signIn();
    const who = { subject: `user_${users}`, server: 'honest' };
    const [first, second] = [
      await callAsApplication(idToken, 'honest'),
      await callAsApplication(idToken, 'honest'),
    ];
    expect([member(first.answer, 'structuredContent'), member(second.answer, 'structuredContent')]).toEqual([
      who,
      who,
    ]);
    expect(second.answerHeaders.get('legate-token-cache')).toBe('hit');
  });

  it('is one of many does not affect an honest one', async () => {
    const idToken = await signIn();
    const tools: unknown[] = [];
    const leftOut = new Map<unknown, unknown>();
    for (let cursor: unknown; ; ) {
      const params = cursor === undefined ? {} : { cursor };
      const { answer } = await askAsAgent(idToken, '/mcp', 'tools/list', params);
      const listed = member(answer, 'result', 'tools') as { name: string }[];
      tools.push(...listed.map(({ name }) => name));
      for (const left of member(answer, 'result', '_meta', 'legate/left_out') as object[])
        leftOut.set(member(left, 'connector_id'), member(left, 'code'));
      cursor = member(answer, 'result', 'nextCursor');
      if (cursor === undefined) break;
    }
    expect(tools).toEqual(['honest_whoami']);
    expect([...leftOut.keys()].toSorted()).toEqual(
      TOOL_SERVER_LIES.map((_, number) => idOf(number)).toSorted(),
    );
  });
});

describe('an ID-JAG that', () => {
  it.each(IDP_LIES)('%s', async (_what, lie, code) => {
    idp.lie = lie(elsewhere.url);
    const [redeemed, exchanges] = [toolServers.get('honest')?.redeemed.length, idp.exchanges];
    expect(await codesAtBothEndpoints('honest')).toEqual([code, code]);
    expect(idp.exchanges).toBeGreaterThan(exchanges);
    expect(toolServers.get('honest')?.redeemed.length).toBe(redeemed);
  });
});

it('logs none of the secrets that were in use', async () => {
  const log = await hub.readLog();
  expect(log).toContain('connector_misconfigured');
  expect(ledger.namesIn(log)).toEqual([]);
});

needs('night', 'procfs').it('has never held what it was flooded with', () => {
  const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${hub.pid}/status`, 'utf8'))?.[1];
  expect(Number(peakKb)).toBeLessThan(MAX_MEMORY_KB);
});
