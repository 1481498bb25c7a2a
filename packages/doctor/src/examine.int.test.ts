import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpClient, type HttpClient } from '@legate/guarded-fetch';
import {
  type Faults,
  sendJson,
  startExemplaryToolServer,
  type TestServer,
} from '@legate/tool-server-testing';
import type { Target } from './examination.ts';
import { examine } from './examine.ts';
import type { CheckName, Report } from './reports/report.ts';
import { targetOf } from './target.ts';

const NOW = new Date('2026-08-01T12:00:00Z');
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const SERVER_METADATA = '/.well-known/oauth-authorization-server';

let http: HttpClient;
/** A client with a short timeout, for servers that never respond */
let impatient: HttpClient;
let servers: TestServer[] = [];

beforeAll(() => {
  http = createHttpClient({ allow: ['loopback'], timeoutMs: 10_000 });
  impatient = createHttpClient({ allow: ['loopback'], timeoutMs: 200 });
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

async function examineServer(
  faults: Faults = {},
  target: (url: string) => Partial<Target> = () => ({}),
  { fetch } = http,
) {
  const server = await startExemplaryToolServer(faults, () => NOW);
  servers.push(server);
  return {
    url: server.url,
    report: await examine(
      { ...targetOf(`${server.url}/mcp`), ...target(server.url) },
      { fetch, clock: () => NOW },
      [],
    ),
  };
}

const statusOf = ({ checks }: Report, name: CheckName) => checks.find(({ check }) => check === name)?.status;

it('finds no fault in a correct server', async () => {
  const { report } = await examineServer();
  expect(report.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect([report.status, report.firstFault]).toEqual(['ok', undefined]);
});

it('uses the scopes of a connector, and mentions the connector if they fit', async () => {
  const { report } = await examineServer({}, (url) => ({
    resources: [`${url}/mcp`],
    issuer: url,
    scopes: ['mcp:tools:read'],
    clientAuthMethods: ['client_secret_basic'],
  }));
  expect(report.status).toBe('ok');
});

const html: Faults = { at: { [METADATA]: (_req, res) => void res.writeHead(200).end('<html>') } };
const redirect = (_req: unknown, res: Parameters<typeof sendJson>[0]) =>
  void res.writeHead(302, { Location: 'https://other.example/' }).end();

it.each<[string, Faults, CheckName, RegExp, RegExp]>([
  [
    'redirects its endpoint',
    { at: { '/mcp': redirect } },
    'reachable',
    /redirects/,
    /URL that it redirects to/,
  ],
  [
    'has no metadata',
    { at: { [METADATA]: (_req, res) => sendJson(res, 404, {}) } },
    'resource_metadata',
    /no protected resource metadata/,
    /Publish it at http:\/\/[^/]+\/\.well-known\/oauth-protected-resource\. @legate\/tool-server .*tool-server-contract\.md/,
  ],
  [
    'has its metadata only where the 401 points',
    {
      at: { [METADATA]: (_req, res) => sendJson(res, 404, {}) },
      challenge: (url) => `Bearer resource_metadata="${url}/elsewhere"`,
    },
    'resource_metadata',
    /points to .*\/elsewhere, which Legate does not follow/,
    /Publish it at/,
  ],
  [
    'answers for metadata with a page',
    html,
    'resource_metadata',
    /not valid protected resource metadata: not JSON/,
    /JSON object/,
  ],
  [
    'has metadata that fails',
    { at: { [METADATA]: (_req, res) => sendJson(res, 500, {}) } },
    'resource_metadata',
    /status 500/,
    /^Check the log of the server/,
  ],
  [
    'fails at every MCP request',
    { at: { '/mcp': (_req, res) => sendJson(res, 502, {}) } },
    'challenge',
    /status 502, so this cannot be checked/,
    /^Check the log of the server, and of any proxy/,
  ],
  [
    'redirects its metadata',
    { at: { [METADATA]: redirect } },
    'resource_metadata',
    /redirects are not followed/,
    /Respond at this URL itself/,
  ],
  [
    'answers with more than metadata can be',
    { at: { [METADATA]: (_req, res) => void res.end(Buffer.alloc(100_000, ' ')) } },
    'resource_metadata',
    /response that is too large/,
    /64 KiB/,
  ],
  [
    'has a slash more in its resource',
    { resourceMetadata: (url) => ({ resource: `${url}/mcp/` }) },
    'resource_identifier',
    /only by a trailing slash/,
    /"resource": "http.*\/mcp"/,
  ],
  [
    'has capitals in its resource',
    { resourceMetadata: (url) => ({ resource: `${url}/MCP` }) },
    'resource_identifier',
    /only in upper and lower case/,
    /byte for byte/,
  ],
  [
    'speaks for another resource',
    { resourceMetadata: () => ({ resource: 'https://other.example/mcp' }) },
    'resource_identifier',
    /another/,
    /^Set "resource": "http:\/\/[^/]+" in the metadata \(option "resource" of .* byte for byte/,
  ],
  [
    'lists no authorization server',
    { resourceMetadata: () => ({ authorization_servers: [] }) },
    'authorization_servers',
    /missing or empty/,
    /List the issuer/,
  ],
  [
    'names an authorization server that is no web address',
    { resourceMetadata: () => ({ authorization_servers: ['ldap://directory.example'] }) },
    'authorization_servers',
    /is not an issuer/,
    /Correct "authorization_servers"/,
  ],
  [
    'has an authorization server without metadata',
    {
      at: { [SERVER_METADATA]: (_req, res) => sendJson(res, 404, {}) },
      resourceMetadata: (url) => ({ authorization_servers: [`${url}/as`] }),
    },
    'server_metadata',
    /publishes no metadata/,
    /Publish it at .*oauth-authorization-server\/as/,
  ],
  [
    'has authorization server metadata without a token endpoint',
    { serverMetadata: () => ({ token_endpoint: undefined }) },
    'server_metadata',
    /not valid authorization server metadata: token_endpoint/,
    /RFC 8414 §2/,
  ],
  [
    'has a slash more in its issuer',
    { serverMetadata: (url) => ({ issuer: `${url}/` }) },
    'issuer',
    /only by a trailing slash/,
    /one spelling in both/,
  ],
  [
    'has the metadata of another issuer',
    { serverMetadata: () => ({ issuer: 'https://other.example' }) },
    'issuer',
    /differ|another|https/,
    /RFC 8414 §3\.3/,
  ],
  [
    'does not offer the grant',
    { serverMetadata: () => ({ grant_types_supported: ['authorization_code'] }) },
    'grant',
    /does not offer the JWT bearer grant/,
    /grant-type:jwt-bearer/,
  ],
  [
    'has a token endpoint that is no web address',
    { serverMetadata: () => ({ token_endpoint: 'ftp://tokens.example/token' }) },
    'token_endpoint',
    /not an http or https URL/,
    /Correct "token_endpoint"/,
  ],
  [
    'takes no client that a hub can be',
    { serverMetadata: () => ({ token_endpoint_auth_methods_supported: ['none'] }) },
    'client_authentication',
    /does not offer client_secret_post/,
    /Offer client_secret_post/,
  ],
  [
    'has no keys where it says',
    { serverMetadata: (url) => ({ jwks_uri: `${url}/nothing` }) },
    'jwks',
    /no key set/,
    /RFC 7517/,
  ],
  [
    'publishes a private key',
    { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'secret-of-theirs' }] },
    'jwks',
    /private key/,
    /Remove it at once/,
  ],
  ['has a clock that is ahead', { secondsAhead: 90 }, 'clock', /9\d s ahead/, /NTP/],
  ['has a clock that is behind', { secondsAhead: -3600 }, 'clock', /3600 s behind|3599 s behind/, /NTP/],
  [
    'serves strangers',
    { at: { '/mcp': (_req, res) => sendJson(res, 200, {}) } },
    'challenge',
    /requests without credentials/,
    /Respond with 401/,
  ],
  [
    'has no endpoint there',
    { at: { '/mcp': (_req, res) => sendJson(res, 404, {}) } },
    'challenge',
    /no MCP endpoint/,
    /Correct the URL/,
  ],
  [
    'looks at the request before the token',
    { at: { '/mcp': (_req, res) => sendJson(res, 400, {}) } },
    'challenge',
    /without a token is 400, not 401/,
    /before anything else/,
  ],
  [
    'has no challenge',
    { challenge: () => undefined },
    'challenge',
    /no Bearer challenge/,
    /WWW-Authenticate: Bearer/,
  ],
  [
    'points to metadata that is not there',
    { challenge: (url) => `Bearer resource_metadata="${url}/nothing"` },
    'challenge',
    /where there is nothing/,
    /oauth-protected-resource\/mcp/,
  ],
  [
    'serves web pages of any origin',
    {
      at: {
        '/mcp': (req, res) =>
          req.headers.origin
            ? sendJson(res, 200, {})
            : sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer' }),
      },
    },
    'origin',
    /web page of an unknown origin/,
    /Respond with 403/,
  ],
])(
  'reports as first fault of a server that %s the check, and what to do',
  async (_case, faults, check, detail, remedy) => {
    const { report } = await examineServer(faults);
    expect(report.firstFault).toMatchObject({
      check,
      detail: expect.stringMatching(detail),
      remedy: expect.stringMatching(remedy),
    });
    expect(report.status).toBe('fail');
  },
);

it('tells a server that refuses web pages to limit its CORS headers', async () => {
  const { report } = await examineServer({
    at: {
      '/mcp': (req, res) =>
        sendJson(
          res,
          req.headers.origin ? 403 : 401,
          {},
          {
            'Access-Control-Allow-Origin': '*',
            'WWW-Authenticate': 'Bearer',
          },
        ),
    },
  });
  expect(report.checks.find(({ check }) => check === 'origin')).toMatchObject({
    status: 'warn',
    detail: expect.stringMatching(/responds with 403 .* but with Access-Control-Allow-Origin: \*\.$/),
    remedy: expect.stringMatching(/^Limit the CORS middleware to the origins that you allow/),
  });
});

it('names the scopes of a server that has no connector', async () => {
  const { report } = await examineServer();
  expect(report.checks.find(({ check }) => check === 'scopes')).toMatchObject({
    status: 'ok',
    detail: 'The tool server lists its scopes: mcp:tools:read, mcp:tools:call.',
  });
});

it('proposes for a connector the resource that it has', async () => {
  const { url, report } = await examineServer(
    { resourceMetadata: () => ({ resource: 'https://other.example' }) },
    (address) => ({ resources: [`${address}/mcp`], scopes: [] }),
  );
  expect(report.firstFault?.remedy).toMatch(`Set "resource": "${url}/mcp" in the metadata`);
});

it('reports a server that never responds after a limited time', async () => {
  const { report } = await examineServer({ at: { '/mcp': () => {} } }, () => ({}), impatient);
  expect(report.status).toBe('fail');
  expect(report.firstFault).toMatchObject({
    check: 'reachable',
    detail: expect.stringMatching(/does not respond in time/),
    remedy: expect.stringMatching(/is waiting for/),
  });
});

it.each<[string, Faults, CheckName, RegExp]>([
  [
    'no list of grants',
    { serverMetadata: () => ({ grant_types_supported: undefined }) },
    'grant',
    /does not list its grant types/,
  ],
  [
    'no grant profile',
    { serverMetadata: () => ({ authorization_grant_profiles_supported: undefined }) },
    'grant',
    /strict clients/,
  ],
  [
    'a token endpoint at another origin',
    { serverMetadata: () => ({ token_endpoint: 'https://tokens.example/token' }) },
    'token_endpoint',
    /another origin/,
  ],
  [
    'client authentication that is left out, which means Basic',
    { serverMetadata: () => ({ token_endpoint_auth_methods_supported: undefined }) },
    'client_authentication',
    /does not offer client_secret_post/,
  ],
  ['a clock that is 45 s ahead', { secondsAhead: 45 }, 'clock', /4\d s ahead/],
  [
    'no scopes',
    { resourceMetadata: () => ({ scopes_supported: undefined }) },
    'scopes',
    /does not publish its scopes/,
  ],
  ['no pointer in its 401', { challenge: () => 'Bearer realm="tools"' }, 'challenge', /does not say where/],
  [
    'an Origin that it does not look at',
    { at: { '/mcp': (_req, res) => sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer' }) } },
    'origin',
    /unknown origin with 401/,
  ],
])('warns about %s, which is not a fault', async (_case, faults, check, detail) => {
  const { report } = await examineServer(faults, () => ({ clientAuthMethods: ['client_secret_post'] }));
  expect(report.firstFault).toBeUndefined();
  expect(report.checks).toContainEqual(
    expect.objectContaining({ check, status: 'warn', detail: expect.stringMatching(detail) }),
  );
});

it.each<[string, (url: string) => Partial<Target>, CheckName, RegExp]>([
  [
    'a slash in its issuer',
    (url) => ({ issuer: `${url}/` }),
    'issuer',
    /not the one that the connector pins: it differs only by a trailing slash/,
  ],
  [
    'another issuer',
    (url) => ({ issuer: `${url}/tenant` }),
    'authorization_servers',
    /not among them: it has another path/,
  ],
  [
    'scopes that the server does not have',
    () => ({ scopes: ['MCP:tools:read'] }),
    'scopes',
    /none of the scopes/,
  ],
  [
    'a client authentication that the server does not offer',
    () => ({ clientAuthMethods: ['private_key_jwt'] }),
    'client_authentication',
    /does not offer private_key_jwt/,
  ],
])('finds the fault in a connector with %s', async (_case, target, check, detail) => {
  const { report } = await examineServer({}, target);
  expect(report.firstFault).toMatchObject({ check, detail: expect.stringMatching(detail) });
});

describe('an authorization server that the tool server lists with a slash', () => {
  const listed = { resourceMetadata: (url: string) => ({ authorization_servers: [`${url}/`] }) };

  it('must be pinned by its own spelling, which the report contains', async () => {
    const { url, report } = await examineServer(listed);
    expect(report.firstFault).toMatchObject({
      check: 'issuer',
      detail: expect.stringMatching(/not the one that the tool server names: .* trailing slash/),
      remedy: expect.stringMatching(
        `one spelling in both.* Or set the connector's "issuer": "${url}", if you trust it, and`,
      ),
    });
  });

  it('is accepted if it is pinned by its own spelling, with a warning', async () => {
    const { report } = await examineServer(listed, (url) => ({ issuer: url }));
    expect(report.firstFault).toBeUndefined();
    expect([statusOf(report, 'authorization_servers'), statusOf(report, 'issuer')]).toEqual(['warn', 'ok']);
  });

  it('is not accepted if it is pinned with the slash', async () => {
    const { url, report } = await examineServer(listed, (address) => ({ issuer: `${address}/` }));
    expect(report.firstFault).toMatchObject({
      check: 'issuer',
      remedy: `Set the connector's "issuer": "${url}", if you trust it, and enter its secret again.`,
    });
  });
});

describe('an MCP endpoint at another address', () => {
  const challenge = (_req: unknown, res: Parameters<typeof sendJson>[0]) =>
    sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer' });
  const absent = (_req: unknown, res: Parameters<typeof sendJson>[0]) => sendJson(res, 404, {});
  const page = (_req: unknown, res: Parameters<typeof sendJson>[0]) => void res.writeHead(200).end('<html>');

  it.each<[string, NonNullable<Faults['at']>, string, string]>([
    ['below the one that was given', { '/api': absent, '/api/mcp': challenge }, '/api', '/api/mcp'],
    ['behind a page', { '/': page }, '/', '/mcp'],
    ['at the root', { '/mcp': absent, '/': challenge }, '/mcp', '/'],
    ['behind a redirect', { '/api': redirect }, '/api', '/mcp'],
    ['with a query', { '/mcp?project=42': challenge }, '/api?project=42', '/mcp?project=42'],
  ])('%s is found, and the report contains the URL to configure', async (_case, at, given, found) => {
    const { url, report } = await examineServer({ at }, (address) => ({
      ...targetOf(`${address}${given}`),
      resources: [`${address}/mcp`],
      scopes: [],
    }));
    expect(report.firstFault).toMatchObject({
      check: 'reachable',
      remedy: `Set the connector's "mcp_url": "${url}${found}".`,
      evidence: { mcp_url: `${url}${found}` },
    });
  });

  it('is only searched for if the first address responds, and only reported if it is an MCP endpoint', async () => {
    const { report } = await examineServer({ at: { '/mcp': absent, '/': page } });
    expect([statusOf(report, 'reachable'), report.firstFault?.check]).toEqual(['ok', 'challenge']);
  });

  it('is reported with the resource identifier if that differs from the given URL', async () => {
    const root: NonNullable<Faults['at']>[string] = ({ headers: { host } }, res) =>
      sendJson(res, 200, { resource: `http://${host}`, authorization_servers: [`http://${host}`] });
    const at = { '/http': challenge, '/.well-known/oauth-protected-resource': root, [METADATA]: root };
    const detailFor = async (given: string) => {
      const { url, report } = await examineServer({ at }, (address) => targetOf(`${address}${given}`));
      const { detail } = report.checks.find(({ check }) => check === 'resource_identifier') ?? {};
      return detail?.replaceAll(url, '');
    };
    expect(await detailFor('/mcp')).toBe(
      '"resource" is , byte for byte. A connector needs "resource_url": "".',
    );
    expect(await detailFor('/http')).toBe(
      '"resource" is , byte for byte. A connector needs "resource_url": "" and "mcp_url": "/http".',
    );
    expect(await detailFor('')).toBe('"resource" is , byte for byte.');
  });
});

it('reports that an authorization server at another origin must be pinned, and examines it anyway', async () => {
  const elsewhere = await startExemplaryToolServer({}, () => NOW);
  servers.push(elsewhere);
  const faults = { resourceMetadata: () => ({ authorization_servers: [elsewhere.url] }) };
  const { report } = await examineServer(faults, () => ({ scopes: [] }));
  expect(report.firstFault).toMatchObject({
    check: 'authorization_servers',
    remedy: expect.stringContaining(`Pin the issuer on the connector: ${elsewhere.url}`),
  });
  expect([statusOf(report, 'issuer'), statusOf(report, 'grant')]).toEqual(['ok', 'ok']);
  const pinned = await examineServer(faults, () => ({ issuer: elsewhere.url }));
  expect(statusOf(pinned.report, 'authorization_servers')).toBe('ok');
});

it('reports every check, even after the first fault', async () => {
  const { report } = await examineServer({
    resourceMetadata: (url) => ({ resource: `${url}/mcp/` }),
    serverMetadata: () => ({ grant_types_supported: [] }),
    secondsAhead: 90,
  });
  expect(report.checks.filter(({ status }) => status === 'fail').map(({ check }) => check)).toEqual([
    'resource_identifier',
    'grant',
    'clock',
  ]);
});

it('sends no request to a forbidden address', async () => {
  const guarded = createHttpClient();
  const server = await startExemplaryToolServer({
    at: { '/mcp': () => expect('a request').toBe('never made') },
  });
  servers.push(server);
  const report = await examine(targetOf(`${server.url}/mcp`), { fetch: guarded.fetch, clock: () => NOW }, []);
  expect(report.firstFault).toMatchObject({
    check: 'reachable',
    evidence: { code: 'ERR_FORBIDDEN_ADDRESS' },
  });
  expect(report.firstFault?.remedy).toContain('OUTBOUND_ALLOW');
});

it("removes control characters from a peer's text", async () => {
  const { report } = await examineServer({
    resourceMetadata: () => ({ scopes_supported: ['\u001b[2Jgone'.padEnd(5000, 'x')] }),
  });
  const text = JSON.stringify(report);
  expect(text).not.toContain('\\u001b');
  expect(text.length).toBeLessThan(10_000);
});
