/**
 * All peers of a hub, in one process that is not measured: an identity provider that exchanges tokens, a management API
 * that returns the connectors and accepts audit events, and tool servers, each with its authorization server and an MCP
 * endpoint with fixed responses: one at `/tools`, others at `/tools1`, `/tools2` and so on. They check requests only
 * enough to detect wrong ones.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { auditEventsUrl } from '@legate/management-contract';
import { GRANT_TYPE, ID_JAG_GRANT_PROFILE, TOKEN_TYPE } from '@legate/oauth';
import { z } from 'zod';
import { listen, readBody } from '../harness/json-server.ts';
import { Organizations, organizationDocument } from './management-api.ts';
import {
  CONNECTOR_CLIENT_ID,
  HUB_CLIENT_ID,
  SCOPE,
  SignedIn,
  TOOL,
  TOOL_RESULT,
  WORLD_PATHS,
} from './scene.ts';

const { PORT = '0', SIGNING_KEYS_FILE = '', ORGANIZATIONS_FILE = '' } = process.env;
const clock = () => new Date();
const jwks = JSON.parse(readFileSync(SIGNING_KEYS_FILE, 'utf8'));
const organizations = Organizations.parse(JSON.parse(readFileSync(ORGANIZATIONS_FILE, 'utf8')));
const keys = await createSigningKeys({ alg: 'RS256', clock, jwks });
const origin = `http://127.0.0.1:${PORT}`;
const issuer = `${origin}${WORLD_PATHS.idp}`;
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
    grant_types_supported: [GRANT_TYPE.tokenExchange, 'client_credentials'],
  },
  [WORLD_PATHS.idpJwks]: keys.publicJwks(),
};

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
const SERVER_METADATA = '/.well-known/oauth-authorization-server';

/** Documents of the tool server at `resource` */
const toolServerDocuments = (resource: string): Readonly<Record<string, unknown>> => ({
  [RESOURCE_METADATA]: { resource, authorization_servers: [resource], scopes_supported: [SCOPE] },
  [SERVER_METADATA]: {
    issuer: resource,
    authorization_endpoint: `${resource}/authorize`,
    token_endpoint: `${resource}/token`,
    response_types_supported: [],
    grant_types_supported: [GRANT_TYPE.jwtBearer],
    authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  },
});

const ORGANIZATION_PATH = new RegExp(
  `^${WORLD_PATHS.managementApi}/internal/v1/organizations/([^/]+)/connectors$`,
);
const AUDIT_PATH = auditEventsUrl(WORLD_PATHS.managementApi);

/** `[, well-known path, path of the tool server, rest of the path]` */
const TOOL_SERVER_PATH = /^(\/\.well-known\/[a-z-]+)?(\/tools\d*)(\/mcp|\/token)?$/;

/** RFC 8693: an ID-JAG for the user of any ID token. */
async function exchange(form: URLSearchParams): Promise<unknown> {
  const [, payload = ''] = (form.get('subject_token') ?? '').split('.');
  const { sub, organization_id } = z
    .object({ sub: z.string(), organization_id: z.string() })
    .parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const now = epochSeconds(clock());
  const idJag = await keys.sign(
    {
      ...{ iss: issuer, sub, organization_id, client_id: CONNECTOR_CLIENT_ID, scope: SCOPE },
      ...{ aud: form.get('audience') ?? '', resource: form.get('resource') ?? '' },
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

/** OpenID Connect Core 1.0 §3.1.3: the code contains the user who has signed in. */
async function redeem(form: URLSearchParams): Promise<unknown> {
  const signedIn = SignedIn.parse(JSON.parse(Buffer.from(form.get('code') ?? '', 'base64url').toString()));
  const now = epochSeconds(clock());
  const claims = {
    iss: issuer,
    aud: HUB_CLIENT_ID,
    iat: now,
    exp: now + 3600,
    auth_time: now,
    jti: randomUUID(),
  };
  const id_token = await keys.sign({ ...claims, ...signedIn }, { typ: 'JWT' });
  return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 3600, id_token };
}

/** The hub also requests tokens for itself, and signs users in. */
async function grant(form: URLSearchParams): Promise<unknown> {
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return {
        access_token: randomUUID(),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: form.get('scope') ?? '',
      };
    case 'authorization_code':
      return redeem(form);
    default:
      return exchange(form);
  }
}

const RpcRequest = z.object({
  method: z.string(),
  id: z.union([z.number(), z.string()]).optional(),
  params: z.looseObject({}).optional(),
});
const RESULTS: Readonly<Record<string, string>> = {
  'tools/call': JSON.stringify(TOOL_RESULT),
  // Revisions before 2026-07-28 begin with this; mcp-hub has no other.
  initialize: JSON.stringify({
    ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
    serverInfo: { name: 'bench', version: '1.0.0' },
  }),
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

interface WorldAnswer {
  readonly status: number;
  readonly text: string;
  /** `WWW-Authenticate` */
  readonly challenge?: string;
}

function answerRpc(req: IncomingMessage, toolServer: string, body: string): WorldAnswer {
  if (req.headers.authorization !== `Bearer ${ACCESS_TOKEN}`)
    return {
      status: 401,
      text: '{}',
      challenge: `Bearer resource_metadata="${origin}${RESOURCE_METADATA}${toolServer}"`,
    };
  if (req.method === 'GET') return { status: 405, text: '{}' }; // no stream of notifications
  const { method, id, params } = RpcRequest.parse(JSON.parse(body));
  if (id === undefined) return { status: 202, text: '' };
  const result = RESULTS[method];
  if (method === 'tools/call' && params?.name !== TOOL) return { status: 400, text: '{}' };
  return result === undefined
    ? {
        status: 404,
        text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"unknown method"}}`,
      }
    : { status: 200, text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` };
}

async function answer(req: IncomingMessage): Promise<WorldAnswer> {
  const document = documents[req.url ?? ''];
  if (document) return { status: 200, text: JSON.stringify(document) };
  const body = await readBody(req);
  if (req.url === WORLD_PATHS.idpToken)
    return { status: 200, text: JSON.stringify(await grant(new URLSearchParams(body))) };
  if (req.url === AUDIT_PATH) return { status: 200, text: '{"accepted":0,"refused":[]}' };
  const organization = ORGANIZATION_PATH.exec(req.url ?? '')?.[1] ?? '';
  const connectors = organizations[organization];
  if (connectors)
    return { status: 200, text: JSON.stringify(organizationDocument(organization, connectors, origin)) };
  const [, wellKnown, toolServer, below] = TOOL_SERVER_PATH.exec(req.url ?? '') ?? [];
  if (toolServer === undefined) return { status: 404, text: '{}' };
  if (wellKnown !== undefined) {
    const found = toolServerDocuments(`${origin}${toolServer}`)[wellKnown];
    return found && below === undefined
      ? { status: 200, text: JSON.stringify(found) }
      : { status: 404, text: '{}' };
  }
  if (below === '/mcp') return answerRpc(req, toolServer, body);
  if (below !== '/token') return { status: 404, text: '{}' };
  const token = { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600, scope: SCOPE };
  return { status: 200, text: JSON.stringify(token) };
}

const server = createServer(async (req, res) => {
  const { status, text, challenge } = await answer(req).catch(
    (): WorldAnswer => ({ status: 400, text: '{}' }),
  );
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
  });
  res.end(text);
});
await listen(server, Number(PORT));
