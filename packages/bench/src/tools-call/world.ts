/**
 * What a hub needs around it, in one process that is not measured: an identity provider that exchanges tokens, and a tool
 * server with its authorization server and an MCP endpoint that gives one canned answer. Nothing here verifies anything
 * beyond what shows a wrong request.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { GRANT_TYPE, ID_JAG_GRANT_PROFILE, TOKEN_TYPE } from '@legate/oauth';
import { z } from 'zod';
import { listen, readBody } from '../harness/json-server.ts';
import { CONNECTOR_CLIENT_ID, SCOPE, TOOL, TOOL_RESULT, WORLD_PATHS } from './scene.ts';

const { PORT = '0', SIGNING_KEYS_FILE = '' } = process.env;
const clock = () => new Date();
const jwks = JSON.parse(readFileSync(SIGNING_KEYS_FILE, 'utf8'));
const keys = await createSigningKeys({ alg: 'RS256', clock, jwks });
const origin = `http://127.0.0.1:${PORT}`;
const issuer = `${origin}${WORLD_PATHS.idp}`;
const resource = `${origin}${WORLD_PATHS.resource}`;
const ACCESS_TOKEN = randomUUID();
const REVISION = '2026-07-28';

const documents: Readonly<Record<string, unknown>> = {
  '/readyz': {},
  [`${WORLD_PATHS.idp}/.well-known/openid-configuration`]: {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${origin}${WORLD_PATHS.idpToken}`,
    jwks_uri: `${origin}${WORLD_PATHS.idpJwks}`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    grant_types_supported: [GRANT_TYPE.tokenExchange],
  },
  [WORLD_PATHS.idpJwks]: keys.publicJwks(),
  [`/.well-known/oauth-protected-resource${WORLD_PATHS.resource}`]: {
    resource,
    authorization_servers: [resource],
    scopes_supported: [SCOPE],
  },
  [`/.well-known/oauth-authorization-server${WORLD_PATHS.resource}`]: {
    issuer: resource,
    authorization_endpoint: `${resource}/authorize`,
    token_endpoint: `${origin}${WORLD_PATHS.resourceToken}`,
    response_types_supported: [],
    grant_types_supported: [GRANT_TYPE.jwtBearer],
    authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  },
};

/** RFC 8693: an ID-JAG for the user of any ID token. */
async function exchange(form: URLSearchParams): Promise<unknown> {
  const [, payload = ''] = (form.get('subject_token') ?? '').split('.');
  const { sub } = z
    .object({ sub: z.string() })
    .parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const now = epochSeconds(clock());
  const idJag = await keys.sign(
    {
      ...{ iss: issuer, sub, aud: resource, resource, client_id: CONNECTOR_CLIENT_ID, scope: SCOPE },
      ...{ jti: randomUUID(), iat: now, exp: now + 300 },
    },
    { typ: 'oauth-id-jag+jwt' },
  );
  return {
    access_token: idJag,
    issued_token_type: TOKEN_TYPE.idJag,
    token_type: 'N_A',
    expires_in: 300,
    scope: SCOPE,
  };
}

const RpcRequest = z.object({
  method: z.string(),
  id: z.union([z.number(), z.string()]).optional(),
  params: z.looseObject({}).optional(),
});
const RESULTS: Readonly<Record<string, string>> = {
  'tools/call': JSON.stringify(TOOL_RESULT),
  'server/discover': JSON.stringify({
    ...{ supportedVersions: [REVISION], capabilities: { tools: {} }, resultType: 'complete' },
    ...{ serverInfo: { name: 'bench', version: '1.0.0' }, ttlMs: 0, cacheScope: 'private' },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } },
  }),
  'tools/list': JSON.stringify({
    tools: [{ name: TOOL, description: 'Finds orders', inputSchema: { type: 'object' } }],
    ...{ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' },
  }),
};

function answerRpc(req: IncomingMessage, body: string): { status: number; text: string } {
  if (req.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) return { status: 401, text: '{}' };
  const { method, id, params } = RpcRequest.parse(JSON.parse(body));
  const result = RESULTS[method];
  if (method === 'tools/call' && params?.name !== TOOL) return { status: 400, text: '{}' };
  return result === undefined
    ? {
        status: 404,
        text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"unknown method"}}`,
      }
    : { status: 200, text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` };
}

async function answer(req: IncomingMessage): Promise<{ status: number; text: string }> {
  const document = documents[req.url ?? ''];
  if (document) return { status: 200, text: JSON.stringify(document) };
  const body = await readBody(req);
  switch (req.url) {
    case WORLD_PATHS.mcp:
      return answerRpc(req, body);
    case WORLD_PATHS.idpToken:
      return { status: 200, text: JSON.stringify(await exchange(new URLSearchParams(body))) };
    case WORLD_PATHS.resourceToken: {
      const token = { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600, scope: SCOPE };
      return { status: 200, text: JSON.stringify(token) };
    }
    default:
      return { status: 404, text: '{}' };
  }
}

const server = createServer(async (req, res) => {
  const { status, text } = await answer(req).catch(() => ({ status: 400, text: '{}' }));
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
});
await listen(server, Number(PORT));
