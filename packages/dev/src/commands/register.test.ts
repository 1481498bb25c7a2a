import { afterEach, expect, it } from '@jest/globals';
import { sendJson, startServer, type TestServer } from '@legate/service/testing';
import { portsFrom, urlsOf } from '../stack/services.ts';
import { putConnector } from './put-connector.ts';
import { registerToolServer } from './register.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const RESOURCE = 'http://localhost:8080';
const ORDER = {
  ...{ resource_url: RESOURCE, mcp_url: null, name: 'Notes', client_id: 'tool-hub' },
  ...{ secret: 'the-second-secret', scopes: ['notes:read', 'notes:write'] },
};
const KNOWN = { id: 'con_1', slug: 'notes', resource_url: RESOURCE, auth_method: 'id-jag' };

/** A management API with these connectors, which records the changes */
async function startApi(connectors: readonly object[]) {
  const changes: unknown[] = [];
  const api = await startServer((req, res, body) => {
    if (req.method === 'GET') return sendJson(res, 200, { data: connectors });
    changes.push([req.method, req.url, JSON.parse(body)]);
    return sendJson(res, req.method === 'PATCH' ? 200 : 201, { id: 'con_1', slug: 'notes' });
  });
  servers.push(api);
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

it('names the address of a tool server that is not running', async () => {
  const gone = await startServer((_req, res) => sendJson(res, 200, {}));
  await gone.stop();
  const urls = urlsOf(portsFrom({}));
  await expect(registerToolServer(urls, gone.url, { secret: 'a-secret' })).rejects.toThrow(
    `${gone.url}/.well-known/oauth-protected-resource cannot be reached (ECONNREFUSED). Is the tool server running?`,
  );
});
