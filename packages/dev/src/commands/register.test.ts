import { afterEach, expect, it } from '@jest/globals';
import { type Handler, sendJson, startServer, type TestServer } from '@legate/service/testing';
import { USERS } from '../scene/scene.ts';
import { portsFrom, type ServiceUrls, urlsOf } from '../stack/services.ts';
import { examineConnector } from './examine-connector.ts';
import { putConnector } from './put-connector.ts';
import { registerToolServer } from './register.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function start(handler: Handler): Promise<TestServer> {
  const server = await startServer(handler);
  servers.push(server);
  return server;
}

const RESOURCE = 'http://localhost:8080';
const ORDER = {
  ...{ resource_url: RESOURCE, mcp_url: null, name: 'Notes', client_id: 'tool-hub' },
  ...{ secret: 'the-second-secret', scopes: ['notes:read', 'notes:write'] },
};
const KNOWN = { id: 'con_1', slug: 'notes', resource_url: RESOURCE, auth_method: 'id-jag' };

/** A management API with these connectors, which records the changes */
async function startApi(connectors: readonly object[]) {
  const changes: unknown[] = [];
  const api = await start((req, res, body) => {
    if (req.method === 'GET') return sendJson(res, 200, { data: connectors });
    changes.push([req.method, req.url, JSON.parse(body)]);
    return sendJson(res, req.method === 'PATCH' ? 200 : 201, { id: 'con_1', slug: 'notes' });
  });
  return { url: `${api.url}/connectors`, changes };
}

it('creates a connector for a new tool server', async () => {
  const api = await startApi([{ ...KNOWN, resource_url: 'http://localhost:8081' }]);
  expect(await putConnector(api.url, 'token', ORDER)).toEqual({ id: 'con_1', slug: 'notes', isNew: true });
  expect(api.changes).toEqual([['POST', '/connectors', ORDER]]);
});

it('sets the secret and the scopes of a connector that exists', async () => {
  const api = await startApi([KNOWN]);
  expect(await putConnector(api.url, 'token', ORDER)).toEqual({ id: 'con_1', slug: 'notes', isNew: false });
  const { client_id, secret, scopes } = ORDER;
  expect(api.changes).toEqual([['PATCH', '/connectors/con_1', { client_id, secret, scopes }]]);
});

it('does not put the secret into a connector that uses another one', async () => {
  const api = await startApi([{ ...KNOWN, auth_method: 'service' }]);
  await expect(putConnector(api.url, 'token', ORDER)).rejects.toThrow(
    'con_1 is a connector for http://localhost:8080, but does not use ID-JAGs.',
  );
  expect(api.changes).toEqual([]);
});

/** Services of a stack that records the changes made at them */
async function startFakeStack(answers: { code?: string; examination?: object } = {}) {
  const changes: unknown[] = [];
  const refused = { status: 403, code: answers.code, detail: 'The role developer does not allow this.' };
  const { url } = await start((req, res, body) => {
    const path = `${req.method} ${req.url}`;
    const json = body && JSON.parse(body);
    if (path === 'GET /admin/users') return sendJson(res, 200, { data: Object.values(USERS) });
    if (req.url?.startsWith('/admin/')) {
      const isKnown = Object.values(USERS).some(({ email }) => email === json.user);
      if (path === 'POST /admin/id-tokens') return sendJson(res, isKnown ? 201 : 404, { id_token: 'ID' });
      if (path === 'POST /admin/access-tokens') return sendJson(res, 201, { access_token: 'ACCESS' });
    }
    if (req.url?.endsWith('/doctor')) return sendJson(res, 200, answers.examination);
    if (path === 'GET /api/v1/connectors?limit=100' && !answers.code) return sendJson(res, 200, { data: [] });
    if (req.method === 'GET') return sendJson(res, answers.code ? 403 : 200, refused);
    changes.push([path, json]);
    return sendJson(res, req.method === 'POST' ? 201 : 200, { id: 'con_1', slug: 'notes' });
  });
  const urls: ServiceUrls = {
    ...{ 'mock-idp': url, 'management-api': url, 'tool-hub': url },
    ...{ console: url, 'reference-mcp-server': url },
  };
  return { urls, changes };
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** A tool server that has its metadata only at one path, and a page everywhere else */
const startToolServer = (metadataOf: (url: string) => object, path = WELL_KNOWN) =>
  start((req, res) => {
    if (req.url === path) return sendJson(res, 200, metadataOf(`http://${req.headers.host}`));
    res.setHeader('Content-Type', 'text/html');
    res.end('<!doctype html>');
  });
const metadataOf = (resource: string) => ({ resource, scopes_supported: ['notes:read'] });

it('registers what the metadata says, and the claims, at the management API and at the identity provider', async () => {
  const { urls, changes } = await startFakeStack();
  const { url } = await startToolServer(metadataOf);
  const claims = ['email', 'groups'];
  const registered = await registerToolServer(urls, `${url}/mcp`, { secret: 'a-secret', claims });
  expect(registered).toEqual({ id: 'con_1', slug: 'notes', isNew: true, idToken: 'ID' });
  expect(changes).toEqual([
    [
      'POST /api/v1/connectors',
      expect.objectContaining({ resource_url: url, mcp_url: `${url}/mcp`, scopes: ['notes:read'] }),
    ],
    [
      'PUT /admin/resource-servers',
      expect.objectContaining({ resource: url, scopes: ['notes:read'], claims }),
    ],
  ]);
});

it('finds the metadata of a resource with a path, which are below the well-known path', async () => {
  const { urls, changes } = await startFakeStack();
  const { url } = await startToolServer((origin) => metadataOf(`${origin}/notes`), `${WELL_KNOWN}/notes`);
  await registerToolServer(urls, `${url}/notes`, { secret: 'a-secret' });
  expect(changes[0]).toEqual([
    'POST /api/v1/connectors',
    expect.objectContaining({ resource_url: `${url}/notes`, mcp_url: null }),
  ]);
});

it('registers nothing if the metadata is that of another resource, and shows both', async () => {
  const { urls, changes } = await startFakeStack();
  const { url } = await startToolServer(() => metadataOf('http://localhost:8081'));
  const message = await registerToolServer(urls, `${url}/mcp`, { secret: 'a-secret' }).catch(String);
  expect(message).toContain(`${url}${WELL_KNOWN} has: "resource": "http://localhost:8081"`);
  expect(message).toContain(`Typed: ${url}/mcp`);
  expect(message).toContain(`set \`resource\` in the tool server to ${url} and restart it`);
  expect(message).toContain('npm run register -- http://localhost:8081');
  expect(changes).toEqual([]);
});

it('does not print the page of an address that is no tool server', async () => {
  const { urls, changes } = await startFakeStack();
  const { url } = await startToolServer(metadataOf, '/nowhere');
  await expect(registerToolServer(urls, url, { secret: 'a-secret' })).rejects.toThrow(
    `Nothing is registered: ${url} does not publish the metadata of a tool server (RFC 9728). Correct the address, or see what is missing: npm run doctor -- ${url}`,
  );
  expect(changes).toEqual([]);
});

it('names the users if there is none with this e-mail address', async () => {
  const { urls, changes } = await startFakeStack();
  const { url } = await startToolServer(metadataOf);
  const user = 'alise@acme.example';
  await expect(registerToolServer(urls, url, { secret: 'a-secret', user })).rejects.toThrow(
    'The identity provider has no user alise@acme.example. Its users: alice@acme.example, bob@acme.example,',
  );
  expect(changes).toEqual([]);
});

it.each([
  ['organization_id_required', 'The user belongs to no organization.'],
  ['insufficient_permission', 'The role developer does not allow this.'],
])('says who can register a tool server if the user gets %s', async (code, reason) => {
  const { urls, changes } = await startFakeStack({ code });
  const { url } = await startToolServer(metadataOf);
  await expect(registerToolServer(urls, url, { secret: 'a-secret' })).rejects.toThrow(
    `Nothing is registered. ${reason} Only an owner or admin of an organization can register a tool server: use --user alice@acme.example or --user carol@globex.example.`,
  );
  expect(changes).toEqual([]);
});

it('names the address of a tool server that is not running', async () => {
  const gone = await startServer((_req, res) => sendJson(res, 200, {}));
  await gone.stop();
  const urls = urlsOf(portsFrom({}));
  await expect(registerToolServer(urls, gone.url, { secret: 'a-secret' })).rejects.toThrow(
    `${gone.url}/.well-known/oauth-protected-resource cannot be reached (ECONNREFUSED). Is the tool server running?`,
  );
});

it('names the variables of other ports if the stack cannot be reached', async () => {
  const { url } = await startToolServer(metadataOf);
  const gone = await startServer((_req, res) => sendJson(res, 200, {}));
  await gone.stop();
  const urls = { ...urlsOf(portsFrom({})), 'mock-idp': gone.url };
  await expect(registerToolServer(urls, url, { secret: 'a-secret' })).rejects.toThrow(
    'Is the stack running (npm start)? If it uses other ports, set MOCK_IDP_PORT, MANAGEMENT_API_PORT and TOOL_HUB_PORT here, too.',
  );
});

const EXAMINED = { id: 'con_1', user: 'alice@acme.example', idToken: 'ID' };
const CHECKS = [
  { check: 'grant', status: 'ok', detail: 'It redeems ID-JAGs.', remedy: null },
  {
    check: 'redemption',
    status: 'fail',
    detail: 'It refuses: invalid_client.',
    remedy: 'Compare the secret.',
    evidence: { error: 'invalid_client' },
  },
];

it('reports the faults that the hub finds in the connector, with their remedies', async () => {
  const { urls } = await startFakeStack({ examination: { checks: CHECKS } });
  await expect(examineConnector(urls, EXAMINED)).rejects.toThrow(
    [
      'It does not work yet. redemption: It refuses: invalid_client.',
      'Remedy: Compare the secret.',
      'Most likely HUB_SECRET is not the secret that the tool server has for the client tool-hub: repeat npm run register with that one.',
      'Next: npx legate doctor --connector con_1 --user alice@acme.example',
    ].join('\n'),
  );
});

it('accepts a connector without a fault', async () => {
  const { urls } = await startFakeStack({ examination: { checks: CHECKS.slice(0, 1) } });
  expect(await examineConnector(urls, EXAMINED)).toBeUndefined();
});

it('says why a connector could not be examined', async () => {
  const { urls } = await startFakeStack({ examination: { detail: 'Too many examinations.' } });
  await expect(examineConnector(urls, EXAMINED)).rejects.toThrow(
    'It could not be examined. Too many examinations.\nNext: npx legate doctor',
  );
});
