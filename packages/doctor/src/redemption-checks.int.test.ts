import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createHttpClient } from '@legate/guarded-fetch';
import { createSigningKeys } from '@legate/jwt';
import { createToolServer } from '@legate/tool-server';
import { toNodeListener } from '@legate/tool-server/node';
import { sendJson, startExemplaryToolServer, type TestServer } from '@legate/tool-server-testing';
import { examineUrl } from './examine.ts';
import { createIdJagMint, MintFailed, type MintIdJag } from './id-jag-mint.ts';
import { redemptionChecks } from './redemption-checks.ts';
import { REDEMPTION_CHECKS, type Report } from './report.ts';

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
async function startToolServer(): Promise<string> {
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
  listener = toNodeListener(toolServer.router({ '/mcp': async () => Response.json({}) }));
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

it.each<[string, number, object, RegExp]>([
  [
    'refuses a valid ID-JAG',
    400,
    { error: 'invalid_grant' },
    /A valid ID-JAG is refused: 400 invalid_grant\./,
  ],
  ['is down', 503, {}, /refused: 503\./],
  ['returns no token', 200, { token_type: 'Bearer' }, /does not follow RFC 6749/],
  [
    'returns a refresh token',
    200,
    { access_token: 'x', token_type: 'Bearer', refresh_token: 'y' },
    /does not follow/,
  ],
])('reports that a refusal proves nothing if the server %s', async (_case, status, answer, detail) => {
  const report = await examine((await startStubborn(status, answer)).url);
  expect(redemptions(report)).toEqual([
    'good: fail',
    ...REDEMPTION_CHECKS.slice(1).map((check) => `${check}: skipped`),
  ]);
  expect(detailOf(report, 'good')).toMatch(detail);
});

it('authenticates by a method that the server supports', async () => {
  const { url, asked } = await startStubborn(401, { error: 'invalid_client' }, ['client_secret_basic']);
  await examine(url);
  expect(asked[0]?.authorization).toBe(`Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`);
  expect(asked[0]?.form.has('client_secret')).toBe(false);
});

it('reports the identity provider if it mints no ID-JAG', async () => {
  const report = await examine(await startToolServer(), async () => {
    throw new MintFailed('it responded with status 401');
  });
  expect(detailOf(report, 'good')).toBe(
    'The identity provider did not mint an ID-JAG: it responded with status 401.',
  );
  expect(report.firstFault).toBeUndefined();
});

it.each<[string, () => Promise<Response>, string]>([
  ['refuses', async () => new Response('{}', { status: 401 }), 'it responded with status 401'],
  ['cannot be reached', () => Promise.reject(new TypeError('fetch failed')), 'it cannot be reached'],
  ['answers something else', async () => new Response('{}', { status: 201 }), 'its response is malformed'],
])('fails to mint if the identity provider %s', async (_case, fetch, message) => {
  const order = {
    resource: 'https://a.example',
    audience: 'https://a.example',
    clientId: 'hub',
    scopes: ['a'],
  };
  const fails = createIdJagMint({ issuer: ISSUER, adminKey: 'key', user: 'alice', fetch })(order);
  await expect(fails).rejects.toMatchObject({
    name: 'MintFailed',
    message: expect.stringContaining(message),
  });
});
