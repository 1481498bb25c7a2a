import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpClient } from '@legate/guarded-fetch';
import { createSigningKeys } from '@legate/jwt';
import { createToolServer } from '@legate/tool-server';
import { toNodeListener } from '@legate/tool-server/node';
import {
  type Faults,
  sendJson,
  startExemplaryToolServer,
  type TestServer,
} from '@legate/tool-server-testing';
import { examineUrl } from './examine.ts';
import { createIdJagMint, MintFailed, type MintIdJag } from './id-jag-mint.ts';
import { redemptionChecks } from './redemption-checks.ts';
import { REDEMPTION_CHECKS, type Report } from './reports/report.ts';

const ISSUER = 'https://idp.example';
const CLIENT = { id: 'tool-hub', secret: 'a-secret-of-the-hub' };
const clock = () => new Date();
const http = createHttpClient({ allow: ['loopback'] });
const keys = await createSigningKeys({ alg: 'ES256', clock });

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

let count = 0;
const mint: MintIdJag = ({ resource, audience, clientId, scopes, expiresInSeconds = 300, typ }) => {
  const now = Math.floor(Date.now() / 1000);
  count += 1;
  return keys.sign(
    {
      ...{ iss: ISSUER, sub: 'user_alice', aud: audience, resource, client_id: clientId },
      ...{ scope: scopes.join(' '), jti: String(count) },
      ...{ iat: Math.min(now, now + expiresInSeconds - 300), exp: now + expiresInSeconds },
    },
    { typ: typ ?? 'oauth-id-jag+jwt' },
  );
};

/** A tool server that uses the package of this repository */
async function startToolServer(mcp = async () => Response.json({})): Promise<string> {
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const server = createServer((req, res) => listener?.(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  const resource = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const toolServer = await createToolServer({
    resource,
    trustedIssuers: [ISSUER],
    clients: [{ clientId: CLIENT.id, secret: CLIENT.secret }],
    scopes: ['notes:read'],
    fetch: async (url) =>
      Response.json(
        String(url).endsWith('/jwks') ? keys.publicJwks() : { issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` },
      ),
    log: { info() {}, warn() {}, error() {} },
  });
  listener = toNodeListener(toolServer.router({ '/mcp': mcp }));
  return `${resource}/mcp`;
}

/** A tool server whose token endpoint gives every request the same response */
async function startStubborn(status: number, answer: object, methods = ['client_secret_post']) {
  const asked: { authorization: string | undefined; form: URLSearchParams }[] = [];
  const server: TestServer = await startExemplaryToolServer({
    serverMetadata: () => ({ token_endpoint_auth_methods_supported: methods }),
    at: {
      '/oauth/token': (req, res, body) => {
        asked.push({ authorization: req.headers.authorization, form: new URLSearchParams(body) });
        sendJson(res, status, answer);
      },
    },
  });
  stops.push(() => server.stop());
  return { url: `${server.url}/mcp`, asked };
}

const examine = (url: string, how: MintIdJag = mint) =>
  examineUrl(url, { fetch: http.fetch, clock }, redemptionChecks({ mint: how, client: CLIENT }));

const redemptions = ({ checks }: Report) =>
  checks.flatMap(({ check, status }) =>
    REDEMPTION_CHECKS.some((one) => one === check) ? [`${check}: ${status}`] : [],
  );
const detailOf = ({ checks }: Report, name: string) => checks.find(({ check }) => check === name)?.detail;

it('finds no fault in a server that refuses each invalid ID-JAG and redeems the valid one once', async () => {
  const report = await examine(await startToolServer());
  expect(detailOf(report, 'good')).toBe('A valid ID-JAG is redeemed.');
  expect(redemptions(report)).toEqual(REDEMPTION_CHECKS.map((check) => `${check}: ok`));
  expect(report.firstFault).toBeUndefined();
});

it('reports each invalid ID-JAG that is redeemed', async () => {
  const { url } = await startStubborn(200, { access_token: 'x', token_type: 'Bearer', expires_in: 3600 });
  const report = await examine(url);
  const refusals = REDEMPTION_CHECKS.slice(1, 8).map((check) => `${check}: fail`);
  // The MCP endpoint of this server responds to everything with 401.
  expect(redemptions(report)).toEqual(['good: ok', ...refusals, 'access_token: fail', 'id_jag_as_token: ok']);
  expect(report.firstFault).toMatchObject({
    check: 'replayed',
    detail: 'The same ID-JAG a second time is redeemed.',
    remedy: expect.stringContaining('"jti"'),
  });
});

it.each<[string, number, object, RegExp, RegExp]>([
  [
    'refuses a valid ID-JAG',
    400,
    { error: 'invalid_grant' },
    /A valid ID-JAG is not redeemed: 400 invalid_grant\./,
    /trust the issuer https:\/\/idp\.example, byte for byte.*check the clock.*log .*reason/,
  ],
  [
    'does not know the client',
    401,
    { error: 'invalid_client' },
    /not redeemed: 401 invalid_client\./,
    /^Compare the client tool-hub \(--client-id\) and its secret \(CLIENT_SECRET\)/,
  ],
  [
    'cannot read the keys',
    503,
    { error: 'temporarily_unavailable' },
    /not redeemed: 503 temporarily_unavailable\./,
    /Check that it can read the metadata and keys of https:\/\/idp\.example/,
  ],
  ['refuses for another reason', 400, {}, /not redeemed: 400\./, /^The log of the authorization server/],
  ['returns no token', 200, { token_type: 'Bearer' }, /does not follow RFC 6749/, /^Respond with/],
  [
    'returns a refresh token',
    200,
    { access_token: 'x', token_type: 'Bearer', refresh_token: 'y' },
    /does not follow/,
    /without a refresh_token/,
  ],
])(
  'reports that a refusal proves nothing if the server %s',
  async (_case, status, answer, detail, remedy) => {
    const report = await examine((await startStubborn(status, answer)).url);
    expect(redemptions(report)).toEqual([
      'good: fail',
      ...REDEMPTION_CHECKS.slice(1).map((check) => `${check}: skipped`),
    ]);
    expect(report.firstFault).toMatchObject({
      check: 'good',
      detail: expect.stringMatching(detail),
      remedy: expect.stringMatching(remedy),
    });
  },
);

it.each([
  [503, 'Check the log of the server, and of any proxy in front of it.'],
  [429, 'It limits requests. Examine it again in a minute.'],
])('does not take a %i for an accepted access token', async (status, remedy) => {
  const url = await startToolServer(async () => new Response(null, { status }));
  expect((await examine(url)).firstFault).toMatchObject({
    check: 'access_token',
    detail: `${url} responds with status ${status}, so this cannot be checked.`,
    remedy,
  });
});

it('does not advise to change a check if the server fails at an invalid ID-JAG', async () => {
  const url = await startToolServer();
  const failing: typeof fetch = async (input, init) =>
    new URLSearchParams(String(init?.body)).get('grant_type') === 'client_credentials'
      ? new Response(null, { status: 500 })
      : http.fetch(input, init);
  const report = await examineUrl(url, { fetch: failing, clock }, redemptionChecks({ mint, client: CLIENT }));
  expect(report.firstFault).toMatchObject({
    check: 'wrong_grant',
    detail: 'Another grant type gets 500, not 400 unsupported_grant_type.',
    remedy: 'Check the log of the server, and of any proxy in front of it.',
  });
});

it('authenticates by a method that the server supports', async () => {
  const { url, asked } = await startStubborn(401, { error: 'invalid_client' }, ['client_secret_basic']);
  await examine(url);
  expect(asked[0]?.authorization).toBe(`Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`);
  expect(asked[0]?.form.has('client_secret')).toBe(false);
});

describe('nothing is tried, which is a fault', () => {
  const skippedRest = REDEMPTION_CHECKS.slice(1).map((check) => `${check}: skipped`);

  it('if the identity provider mints no ID-JAG', async () => {
    const report = await examine(await startToolServer(), async () => {
      throw new MintFailed('https://idp.example responds with 401', 'Set the key.');
    });
    expect(redemptions(report)).toEqual(['good: fail', ...skippedRest]);
    expect(report.firstFault).toEqual({
      check: 'good',
      status: 'fail',
      detail: 'The identity provider minted no ID-JAG: https://idp.example responds with 401.',
      remedy: 'Set the key.',
    });
  });

  it('if it mints the valid ID-JAG, but not a wrong one', async () => {
    const report = await examine(await startToolServer(), async (order) => {
      if (order.typ !== undefined) throw new MintFailed('https://idp.example responds with 400', 'Look.');
      return await mint(order);
    });
    expect(report.firstFault?.check).toBe('wrong_type');
  });

  it.each<[string, Faults]>([
    ['scopes', { resourceMetadata: () => ({ scopes_supported: undefined }) }],
    [
      'authorization server metadata',
      {
        resourceMetadata: (url) => ({ authorization_servers: [`${url}/mcp`] }),
        at: { '/.well-known/oauth-authorization-server/mcp': (_req, res) => sendJson(res, 404, {}) },
      },
    ],
  ])('if the server publishes no %s, of which the earlier check only warns', async (_case, faults) => {
    const server = await startExemplaryToolServer(faults);
    stops.push(() => server.stop());
    const report = await examine(`${server.url}/mcp`);
    expect(redemptions(report)).toEqual(['good: fail', ...skippedRest]);
    expect(report.firstFault?.check).toBe('good');
  });
});

it.each<[string, () => Promise<Response>, string, string]>([
  [
    'has another key',
    async () => Response.json({ code: 'token_invalid' }, { status: 401 }),
    'https://idp.example responds with 401 token_invalid',
    'IDP_ADMIN_KEY',
  ],
  [
    'does not know the user',
    async () => Response.json({ code: 'not_found' }, { status: 404 }),
    'https://idp.example responds with 404 not_found',
    '--user',
  ],
  [
    'cannot be connected to',
    () =>
      Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }),
      ),
    'https://idp.example cannot be connected to (ECONNREFUSED)',
    '--issuer',
  ],
  [
    'is something else',
    async () => new Response('<html>', { status: 201 }),
    'https://idp.example responds with 201',
    '--issuer',
  ],
])('fails to mint if the identity provider %s', async (_case, fetch, message, remedy) => {
  const order = {
    resource: 'https://a.example',
    audience: 'https://a.example',
    clientId: 'hub',
    scopes: ['a'],
  };
  const fails = createIdJagMint({ issuer: ISSUER, adminKey: 'key', user: 'alice', fetch })(order);
  await expect(fails).rejects.toMatchObject({
    name: 'MintFailed',
    message,
    remedy: expect.stringContaining(remedy),
  });
});
