// PORT=8080 node linear.mjs: a stand-in for Linear's MCP server, for docs/how-to/connect-saas.md. Its metadata is what
// https://mcp.linear.app served on 2026-09-30, except the origin. Every visitor consents. No token protects anything.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const port = Number(process.env.PORT ?? 8080);
const origin = `http://localhost:${port}`;
const RESOURCE_METADATA = {
  resource: `${origin}/mcp`,
  authorization_servers: [origin],
  scopes_supported: ['read', 'write'],
  bearer_methods_supported: ['header'],
};
const SERVER_METADATA = {
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  scopes_supported: ['read', 'write', 'openid', 'email'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  code_challenge_methods_supported: ['S256'],
};
const ANSWERS = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'linear', version: '1' },
  },
  'tools/list': { tools: [{ name: 'list_issues', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'no issues' }] },
};

/** Redirect URIs, by client id */
const clients = new Map();
/** Code challenges, by authorization code */
const challenges = new Map();
const tokens = new Set();

const register = (body) => {
  const client = { ...JSON.parse(body), client_id: randomUUID() };
  clients.set(client.client_id, client.redirect_uris);
  return [201, client];
};

const authorize = (query) => {
  if (!clients.get(query.get('client_id'))?.includes(query.get('redirect_uri')))
    return [400, { error: 'invalid_request' }];
  const code = randomUUID();
  challenges.set(code, query.get('code_challenge'));
  const back = new URL(query.get('redirect_uri'));
  back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
  return [302, {}, { Location: back.href }];
};

const grant = (body) => {
  const form = new URLSearchParams(body);
  if (!clients.has(form.get('client_id'))) return [401, { error: 'invalid_client' }];
  const hash = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (challenges.get(form.get('code')) !== hash) return [400, { error: 'invalid_grant' }];
  const token = randomUUID();
  tokens.add(token);
  return [200, { access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: randomUUID() }];
};

const mcp = (body, { authorization }) => {
  if (!tokens.has(authorization?.replace('Bearer ', '')))
    return [
      401,
      { error: 'invalid_token' },
      {
        'WWW-Authenticate': `Bearer error="invalid_token", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      },
    ];
  const { id, method } = JSON.parse(body);
  return id === undefined ? [202, {}] : [200, { jsonrpc: '2.0', id, result: ANSWERS[method] ?? {} }];
};

createServer(async (req, res) => {
  const { pathname, searchParams } = new URL(req.url, origin);
  const body = await text(req);
  const answer = {
    '/.well-known/oauth-protected-resource/mcp': () => [200, RESOURCE_METADATA],
    '/.well-known/oauth-authorization-server': () => [200, SERVER_METADATA],
    '/register': () => register(body),
    '/authorize': () => authorize(searchParams),
    '/token': () => grant(body),
    '/mcp': () => mcp(body, req.headers),
  }[pathname];
  const [status, content, headers] = answer?.() ?? [404, {}];
  res
    .writeHead(status, { 'Content-Type': 'application/json', ...headers })
    .end(status === 202 ? '' : JSON.stringify(content));
}).listen(port, 'localhost');
