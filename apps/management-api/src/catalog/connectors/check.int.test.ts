import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createHttpClient, UnusableAnswer } from '@legate/service';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { Connector } from './connector.ts';

const RESOURCE = 'https://mcp.acme.com/billing';
const BELOW_PATH = 'https://mcp.acme.com/.well-known/oauth-protected-resource/billing';
const AT_ROOT = 'https://mcp.acme.com/.well-known/oauth-protected-resource';
const METADATA = {
  resource: RESOURCE,
  authorization_servers: ['https://as.acme.com'],
  scopes_supported: ['a'],
};
const notThere = (url: string) => new UnusableAnswer(url, 'status 404', 404);

let api: TestApi;
let answers: Map<string, unknown>;
let meanwhile: () => Promise<unknown>;
const guarded = createHttpClient();
beforeAll(async () => {
  api = await createTestApi({
    outboundAllow: ['loopback'],
    async getJson(url) {
      if (new URL(url).hostname === 'localhost') return guarded.getJson(url);
      await meanwhile();
      const answer = answers.has(url) ? answers.get(url) : notThere(url);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
});
afterAll(async () => {
  await api.close();
  await guarded.close();
});

let acme: Client;
let connector: Connector;
let count = 0;
const create = async (resourceUrl: string, change: object = {}) => {
  const body = {
    name: 'C',
    resource_url: resourceUrl,
    auth_method: 'oauth-pkce',
    client_id: 'hub',
    ...change,
  };
  return Connector.parse((await acme('post', '/connectors', body)).body);
};
beforeEach(async () => {
  answers = new Map();
  meanwhile = async () => undefined;
  acme = await clientOf(api, `org_${++count}`, { roles: ['admin'] });
  connector = await create(RESOURCE);
});
const check = () => acme('post', `/connectors/${connector.id}/check`);

it.each([
  ['below its path', BELOW_PATH],
  ['at the root of its host', AT_ROOT],
])('stores the metadata of a tool server %s', async (_case, url) => {
  answers.set(url, { ...METADATA, more: 1 });
  const checked = await check();
  expect([checked.status, checked.headers.etag]).toEqual([200, '"2"']);
  expect(Connector.parse(checked.body)).toMatchObject({
    status: 'ready',
    last_error: null,
    metadata: {
      authorization_servers: ['https://as.acme.com'],
      scopes_supported: ['a'],
      checked_at: api.now().toISOString(),
    },
  });
  expect((await auditTrailOf(api, connector.id)).map((event) => event.action)).toEqual([
    'connector.created',
    'connector.checked',
  ]);
});

it.each([
  ['nothing', undefined, 'metadata_not_found'],
  ['no object', [], 'metadata_invalid'],
  ['a redirect', new UnusableAnswer(BELOW_PATH, 'redirects are not followed', 302), 'metadata_invalid'],
  ['another resource', { ...METADATA, resource: 'https://mcp.acme.com' }, 'metadata_of_another_resource'],
  ['what cannot be stored', { ...METADATA, authorization_servers: ['https://a\u0000'] }, 'metadata_invalid'],
  [
    'too much',
    { ...METADATA, authorization_servers: Array(21).fill('https://as.acme.com') },
    'metadata_invalid',
  ],
  ['a script for a URL', { ...METADATA, authorization_servers: ['javascript:x'] }, 'metadata_invalid'],
])('reports that a tool server returns %s', async (_case, answer, error) => {
  if (answer !== undefined) answers.set(BELOW_PATH, answer);
  const checked = await check();
  expect([checked.status, checked.body.status, checked.body.metadata]).toEqual([200, 'error', null]);
  expect(checked.body.last_error).toEqual({ code: error, at: api.now().toISOString() });
});

it.each<[unknown, string[] | null]>([
  [null, null],
  ['', null],
  ['read', ['read']],
  [['a\u0000', 'read', 7, null, 'b c'], ['read']],
  [Array(501).fill('a'), Array(500).fill('a')],
])('stores only the valid ones of the scopes %j', async (scopes, kept) => {
  answers.set(BELOW_PATH, { ...METADATA, scopes_supported: scopes });
  const { body } = await check();
  expect([body.status, body.metadata.scopes_supported]).toEqual(['ready', kept]);
});

it.each([
  ['a page, as web applications give to every address', 'not JSON', 200],
  ['a redirect, such as to a sign-in', 'redirects are not followed', 302],
])('finds the metadata document behind %s', async (_case, reason, status) => {
  answers.set(BELOW_PATH, new UnusableAnswer(BELOW_PATH, reason, status));
  answers.set(AT_ROOT, METADATA);
  expect((await check()).body.status).toBe('ready');
});

it.each([
  ['cannot be reached', new TypeError('fetch failed')],
  ['fails', new UnusableAnswer(BELOW_PATH, 'status 500', 500)],
])(
  'returns 502 for a tool server that %s, and stores that with the earlier metadata',
  async (_case, failure) => {
    answers.set(BELOW_PATH, METADATA);
    const known = (await check()).body.metadata;
    answers.set(BELOW_PATH, failure);
    const failed = await check();
    expect([failed.status, failed.body.code]).toEqual([502, 'resource_unreachable']);
    const kept = (await acme('get', `/connectors/${connector.id}`)).body;
    expect(kept).toMatchObject({ status: 'error', last_error: { code: 'unreachable' }, metadata: known });
    answers.set(BELOW_PATH, METADATA);
    expect((await check()).body).toMatchObject({ status: 'ready', last_error: null });
  },
);

it('finds the metadata of a resource with a query, and of one that refuses requests', async () => {
  connector = await create(`${RESOURCE}?tenant=1`);
  answers.set(`${BELOW_PATH}?tenant=1`, new UnusableAnswer(BELOW_PATH, 'status 403', 403));
  expect((await check()).body.last_error).toMatchObject({ code: 'metadata_not_found' });
  answers.set(AT_ROOT, { ...METADATA, resource: `${RESOURCE}?tenant=1` });
  expect((await check()).body).toMatchObject({ status: 'ready', last_error: null });
  answers.set(`${BELOW_PATH}?tenant=1`, { ...METADATA, resource: `${RESOURCE}?tenant=2` });
  expect((await check()).body.last_error).toMatchObject({ code: 'metadata_of_another_resource' });
});

const ELSEWHERE = 'https://as.acme.com';
const OWN = 'https://mcp.acme.com';
const ID_JAG = { auth_method: 'id-jag', secret: 'the-hubs-secret' };

it.each<[string, object, string[], string | null]>([
  ['is to be pinned', ID_JAG, [ELSEWHERE], 'issuer_not_pinned'],
  ['is pinned', { ...ID_JAG, issuer: ELSEWHERE }, [ELSEWHERE], null],
  ['is the tool server’s own', ID_JAG, [ELSEWHERE, OWN], null],
  ['is not the pinned one', { ...ID_JAG, issuer: `${ELSEWHERE}/` }, [ELSEWHERE, OWN], 'issuer_not_listed'],
  ['is missing', ID_JAG, [], 'no_authorization_server'],
  ['is the only one for a client without a secret', {}, [ELSEWHERE], null],
  [
    'is the only one, but the client has a secret',
    { secret: 'the-hubs-secret' },
    [ELSEWHERE],
    'issuer_not_pinned',
  ],
  ['is one of several', {}, [ELSEWHERE, 'https://b.acme.com'], 'issuer_not_pinned'],
  [
    'is asked by nobody',
    { auth_method: 'service', service_kind: 'api_key', secret: 'a-key-of-a-service', client_id: null },
    [],
    null,
  ],
])('reports whether the hub can use it if its authorization server %s', async (...row) => {
  const [, change, listed, code] = row;
  const resource = 'https://mcp.acme.com/tools';
  connector = await create(resource, change);
  const metadata = { ...METADATA, resource, authorization_servers: listed };
  answers.set('https://mcp.acme.com/.well-known/oauth-protected-resource/tools', metadata);
  const { status, body } = await check();
  expect([status, body.status, body.last_error?.code ?? null]).toEqual([200, code ? 'error' : 'ready', code]);
  expect(body.metadata.authorization_servers).toEqual(listed);
});

it.each([
  ['with a slash', `${ELSEWHERE}/`, ELSEWHERE, ELSEWHERE, 'ready'],
  ['without its slash', ELSEWHERE, `${ELSEWHERE}/`, `${ELSEWHERE}/`, 'ready'],
  ['in another spelling than its own, which is pinned', ELSEWHERE, `${ELSEWHERE}/`, ELSEWHERE, 'error'],
])('reads the issuer from the metadata of an authorization server that is listed %s', async (...row) => {
  const [, listed, pinned, itself, expected] = row;
  await acme('patch', `/connectors/${connector.id}`, { ...ID_JAG, issuer: pinned });
  answers.set(BELOW_PATH, { ...METADATA, authorization_servers: [listed] });
  const server = { issuer: itself, token_endpoint: `${ELSEWHERE}/token` };
  answers.set(`${ELSEWHERE}/.well-known/openid-configuration`, server);
  const { body } = await check();
  expect([body.status, body.last_error?.code]).toEqual([
    expected,
    expected === 'ready' ? undefined : 'issuer_not_listed',
  ]);
});

it('resets the result when issuer or method changes', async () => {
  answers.set(BELOW_PATH, { ...METADATA, authorization_servers: [ELSEWHERE, 'https://b.acme.com'] });
  expect((await check()).body.last_error.code).toBe('issuer_not_pinned');
  const patch = (change: object) => acme('patch', `/connectors/${connector.id}`, change);
  expect((await patch({ name: 'Renamed' })).body.status).toBe('error');
  const pinned = (await patch({ issuer: ELSEWHERE })).body;
  expect(pinned).toMatchObject({
    status: 'pending',
    last_error: null,
    metadata: { scopes_supported: ['a'] },
  });
  expect((await check()).body.status).toBe('ready');
  expect((await patch(ID_JAG)).body.status).toBe('pending');
});

it('does not connect to a forbidden address, whatever host name leads to it', async () => {
  connector = await create('https://localhost:8443/mcp');
  const failed = await check();
  expect([failed.status, failed.body.code]).toEqual([502, 'resource_unreachable']);
  const kept = (await acme('get', `/connectors/${connector.id}`)).body;
  expect(kept.last_error.code).toBe('address_forbidden');
});

it('discards the metadata of another resource, and of a resource that was changed in the meantime', async () => {
  answers.set(BELOW_PATH, METADATA);
  await check();
  const rename = () => acme('patch', `/connectors/${connector.id}`, { resource_url: 'https://b.acme.com' });
  meanwhile = rename;
  const checked = await check();
  expect([checked.status, checked.body.code]).toEqual([409, 'resource_changed']);
  const kept = (await acme('get', `/connectors/${connector.id}`)).body;
  expect(kept).toMatchObject({ status: 'pending', metadata: null, last_error: null });
});

it('accepts only scopes that the tool server lists, if it lists any', async () => {
  const scopes = (list: string[]) => acme('patch', `/connectors/${connector.id}`, { scopes: list });
  expect((await scopes(['b'])).status).toBe(200);
  answers.set(BELOW_PATH, METADATA);
  await check();
  expect((await acme('patch', `/connectors/${connector.id}`, { name: 'Renamed' })).status).toBe(200);
  const refused = await scopes(['a', 'c']);
  expect(refused.body.errors).toMatchObject([{ pointer: '/scopes/1', code: 'scope_not_supported' }]);
  expect((await scopes(['a'])).status).toBe(200);
});
