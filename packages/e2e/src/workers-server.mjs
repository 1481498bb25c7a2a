// A program: two MCP servers and their authorization server, all of @cloudflare/workers-oauth-provider, in Node.js.
// It trusts the identity provider ISSUER, listens on PORT, and prints its client for the hub as a line of JSON.
import { createServer } from 'node:http';
import { register } from 'node:module';
import { toNodeListener } from '@legate/tool-server/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Replaces the one module that only the Workers runtime has. */
const HOOKS = `
const url = 'data:text/javascript,export class WorkerEntrypoint {}';
export const resolve = (name, context, next) =>
  name === 'cloudflare:workers' ? { url, shortCircuit: true } : next(name, context);
`;
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
const { GrantType, OAuthAuthorizationServer, OAuthResourceServer } = await import(
  '@cloudflare/workers-oauth-provider'
);

const { ISSUER = '', PORT = '' } = process.env;
const origin = `http://localhost:${PORT}`;
const SCOPES = { notes: ['notes:read'], files: ['files:read'] };

/** The part of Workers KV that the library uses. Nothing expires within a test. */
function createMemoryKv() {
  const values = new Map();
  return {
    async get(name, { type } = {}) {
      const value = values.get(name) ?? null;
      return type === 'json' ? JSON.parse(value) : value;
    },
    put: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
    async list({ prefix = '' }) {
      const names = [...values.keys()].filter((name) => name.startsWith(prefix));
      return { keys: names.map((name) => ({ name })), list_complete: true };
    },
  };
}

const resourceOf = (name) => `${origin}/${name}/mcp`;
const env = { OAUTH_KV: createMemoryKv() };
const context = () => ({ waitUntil: () => {}, passThroughOnException: () => {}, props: {} });

const authorizationServer = new OAuthAuthorizationServer({
  issuer: origin,
  resources: Object.keys(SCOPES).map(resourceOf),
  scopesSupported: Object.values(SCOPES).flat(),
  enterpriseManagedAuthorization: {
    async trustedIssuers({ iss }) {
      if (iss !== ISSUER) return null;
      const metadata = await fetch(`${ISSUER}/.well-known/openid-configuration`);
      const { jwks_uri: jwksUri } = await metadata.json();
      return { issuer: iss, jwksUri, algorithms: ['RS256', 'ES256'] };
    },
    mapClaims: async ({ claims, requestedScope, resource }) => ({
      userId: claims.sub,
      scope: requestedScope,
      props: { subject: claims.sub, resource, scope: requestedScope.join(' ') },
    }),
  },
  onError: ({ internal }) => void process.stderr.write(`${JSON.stringify(internal)}\n`),
});

const mcp = createMcpHandler(({ authInfo }) => {
  const server = new McpServer({ name: 'workers', version: '1' });
  server.registerTool('whoami', { description: 'Who calls', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: authInfo.extra.subject }],
    structuredContent: authInfo.extra,
  }));
  return server;
});
const resourceServers = Object.entries(SCOPES).map(
  ([name, requiredScopes]) =>
    new OAuthResourceServer({
      resourceMetadata: { resource: resourceOf(name), authorization_servers: [origin] },
      requiredScopes,
      validateToken: () => (resource, token) => authorizationServer.validateToken(resource, token, env),
      handler: {
        fetch: (request, _env, { auth, props }) =>
          mcp.fetch(request, {
            authInfo: { token: auth.token, clientId: auth.clientId, scopes: auth.scope, extra: props },
          }),
      },
    }),
);

/** Forms of the token requests, for the test */
const received = [];

async function answer(request) {
  const { pathname } = new URL(request.url);
  if (pathname === '/received') return Response.json(received);
  const names = Object.keys(SCOPES);
  const index = names.findIndex((name) => pathname.includes(`/${name}/mcp`));
  const host = index === -1 ? authorizationServer : resourceServers[index];
  if (pathname === '/oauth/token')
    received.push(Object.fromEntries(new URLSearchParams(await request.clone().text())));
  return host.fetch(request, env, context());
}

const client = await authorizationServer.getOAuthApi(env).createClient({
  clientName: 'The hub',
  redirectUris: [`${origin}/callback`],
  grantTypes: [GrantType.JWT_BEARER],
  responseTypes: [],
  tokenEndpointAuthMethod: 'client_secret_post',
});
createServer(toNodeListener(answer)).listen(Number(PORT), '127.0.0.1', () =>
  process.stdout.write(
    `${JSON.stringify({ clientId: client.clientId, clientSecret: client.clientSecret })}\n`,
  ),
);
