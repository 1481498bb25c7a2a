import { beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, RESOURCE } from '@legate/tool-server-testing';
import { callerOf, createToolServer, hasScopes, type ProtectedHandler, type ToolServer } from './index.ts';

let logged: unknown[];
const log = { info() {}, warn() {}, error: (fields: object) => void logged.push(fields) };
let toolServer: ToolServer;
let forge: (claims?: Record<string, unknown>) => Promise<string>;
beforeEach(async () => {
  logged = [];
  const scene = await openScene(async (given) => {
    toolServer = await createToolServer({ scopes: ['read', 'write'], log, ...given });
    return { app: (() => {}) as never };
  });
  forge = scene.forgeAccessToken;
});

const ask = (fetch: (request: Request) => Promise<Response>, path: string, token?: string) =>
  fetch(
    new Request(`${RESOURCE}${path}`, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    }),
  );
const whoami: ProtectedHandler = async (_request, { authInfo }) => Response.json(callerOf(authInfo));

describe('router', () => {
  it('passes the caller to the route of the path', async () => {
    const response = await ask(toolServer.router({ '/mcp': whoami }), '/mcp?x=1', await forge());
    expect(await response.json()).toMatchObject({ sub: 'user_alice', userKey: expect.any(String) });
  });

  it('refuses requests without a token for every route', async () => {
    const response = await ask(toolServer.router({ '/mcp': whoami }), '/mcp');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('resource_metadata='),
    ]);
  });

  it('requires the configured scopes on all routes', async () => {
    const router = toolServer.router({ '/mcp': whoami }, { scopes: ['write'] });
    expect((await ask(router, '/mcp', await forge({ scope: 'read' }))).status).toBe(403);
    expect((await ask(router, '/mcp', await forge({ scope: 'read write' }))).status).toBe(200);
  });

  it('serves the public documents before any route', async () => {
    const router = toolServer.router({ '/.well-known/jwks.json': whoami });
    expect(await (await ask(router, '/.well-known/jwks.json')).json()).toHaveProperty('keys');
  });

  it.each(['/', '/mcp/', '/MCP', '/mcp/x', '/__proto__', '/constructor', '//mcp'])(
    'answers 404 without looking at the token for %s',
    async (path) => {
      const response = await ask(toolServer.router({ '/mcp': whoami }), path);
      expect([response.status, await response.json()]).toEqual([404, { error: 'not_found' }]);
    },
  );

  it('returns 500 without details if a handler fails, and logs the error', async () => {
    const failing = async () => Promise.reject(new Error('select * from notes'));
    const response = await ask(toolServer.router({ '/mcp': failing }), '/mcp', await forge());
    expect([response.status, await response.text()]).toEqual([500, '{"error":"server_error"}']);
    expect(logged).toEqual([{ err: new Error('select * from notes') }]);
  });

  it('passes on a parsed body', async () => {
    const echo: ProtectedHandler = async (_request, { parsedBody }) => Response.json({ parsedBody });
    const request = new Request(`${RESOURCE}/mcp`, { headers: { Authorization: `Bearer ${await forge()}` } });
    const response = await toolServer.router({ '/mcp': echo })(request, { parsedBody: { id: 1 } });
    expect(await response.json()).toEqual({ parsedBody: { id: 1 } });
  });
});

describe('scopes of a tool', () => {
  it('are compared by hasScopes', async () => {
    const authInfo = await toolServer.authenticate(
      new Request(RESOURCE, { headers: { Authorization: `Bearer ${await forge({ scope: 'read write' })}` } }),
    );
    if (authInfo instanceof Response) throw new Error('refused');
    expect([hasScopes(authInfo), hasScopes(authInfo, 'read', 'write')]).toEqual([true, true]);
    expect([
      hasScopes(authInfo, 'read', 'admin'),
      hasScopes(undefined),
      hasScopes(undefined, 'read'),
    ]).toEqual([false, false, false]);
  });

  it('are requested by challenge in the same way as by the gate', async () => {
    const challenge = toolServer.challenge(['write', 'admin']);
    expect([challenge.status, challenge.headers.get('cache-control'), await challenge.json()]).toEqual([
      403,
      'no-store',
      { error: 'insufficient_scope', error_description: expect.any(String) },
    ]);
    expect(challenge.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", error_description="The access token lacks a scope that this request needs.", scope="write admin", resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource"`,
    );
  });
});
