import type { IncomingHttpHeaders } from 'node:http';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { answerMcp, type McpMode, type McpSession } from './fake-mcp.ts';
import { type Handler, sendJson, startServer } from './http-server.ts';

export interface ToolServerMisbehaviour {
  token?: Handler;
  /** Changes the token response; undefined removes a member. */
  response?: Record<string, unknown>;
  mcp?: Handler;
  resourceMetadata?: Record<string, unknown> | number;
  serverMetadata?: Record<string, unknown> | number;
}

export interface Redemption {
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
  readonly assertionId: string;
}

export interface McpCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly message: { readonly method?: string; readonly params?: { readonly name?: string } };
}

export interface FakeToolServer {
  readonly resource: string;
  mode: McpMode;
  /** Identifies callers, replacing the check of tokens issued here */
  recognize: ((headers: IncomingHttpHeaders) => string | undefined) | undefined;
  misbehaviour: ToolServerMisbehaviour;
  /** Lifetime in seconds; undefined: omitted from the response */
  expiresIn: number | undefined;
  readonly redemptions: Redemption[];
  readonly calls: McpCall[];
  readonly metadataReads: string[];
  /** All tokens that were issued. */
  readonly issued: string[];
  /** Scopes that a tool requires besides a valid token. */
  readonly requiredScopes: Map<string, string[]>;
  readonly sessions: Map<string, McpSession>;
  /** Rejects all tokens issued so far. */
  revokeAll(): void;
  stop(): Promise<void>;
}

/**
 * Starts a tool server with its authorization server. It issues real tokens, accepts only its own, and can misbehave.
 */
export async function startFakeToolServer(options: { clock: () => Date }): Promise<FakeToolServer> {
  const now = () => epochSeconds(options.clock());
  const keys = await createSigningKeys({ alg: 'ES256', clock: options.clock });
  const accepted = new Map<string, { sub: string; scopes: string[] }>();
  let jti = 0;

  const redeem: Handler = async (req, res, body) => {
    const form = new URLSearchParams(body);
    const assertion = JSON.parse(
      Buffer.from(form.get('assertion')?.split('.')[1] ?? '', 'base64url').toString(),
    );
    server.redemptions.push({
      form,
      authorization: req.headers.authorization,
      assertionId: assertion.jti,
    });
    if (server.misbehaviour.token) return void (await server.misbehaviour.token(req, res, body));
    jti += 1;
    const accessToken = await keys.sign(
      {
        iss: `${http.url}/oauth/token`,
        sub: assertion.sub,
        aud: http.url,
        jti: `at_${jti}`,
        exp: now() + 3600,
      },
      { typ: 'at+jwt' },
    );
    accepted.set(accessToken, { sub: assertion.sub, scopes: String(assertion.scope).split(' ') });
    server.issued.push(accessToken);
    sendJson(res, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      ...(server.expiresIn !== undefined && { expires_in: server.expiresIn }),
      scope: assertion.scope,
      refresh_token: 'a-refresh-token-that-nobody-asked-for',
      ...server.misbehaviour.response,
    });
  };

  const serveMcp: Handler = (req, res, body) => {
    const message = body === '' ? {} : JSON.parse(body);
    server.calls.push({ method: req.method ?? '', headers: req.headers, message });
    if (server.misbehaviour.mcp) return server.misbehaviour.mcp(req, res, body);
    const known = server.recognize?.(req.headers);
    const user = server.recognize
      ? known && { sub: known, scopes: [] }
      : accepted.get(req.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!user) return sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    const needed = server.requiredScopes.get(message.params?.name) ?? [];
    if (!needed.every((scope) => user.scopes.includes(scope))) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`;
      return sendJson(res, 403, {}, { 'WWW-Authenticate': challenge });
    }
    answerMcp({ mode: server.mode, user, message, headers: req.headers, sessions: server.sessions }, res);
  };

  const http = await startServer((req, res, body) => {
    res.setHeader('Date', options.clock().toUTCString());
    if (req.url === '/mcp') return serveMcp(req, res, body);
    if (req.url === '/oauth/token') return redeem(req, res, body);
    server.metadataReads.push(req.url ?? '');
    if (req.url === '/.well-known/oauth-protected-resource') {
      return sendDocument(res, server.misbehaviour.resourceMetadata, {
        resource: http.url,
        authorization_servers: [http.url],
        scopes_supported: ['mcp:tools:read', 'mcp:tools:call'],
      });
    }
    if (req.url === '/.well-known/oauth-authorization-server') {
      return sendDocument(res, server.misbehaviour.serverMetadata, {
        issuer: http.url,
        token_endpoint: `${http.url}/oauth/token`,
        grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
        authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      });
    }
    sendJson(res, 404, {});
  });

  const server: FakeToolServer = {
    resource: http.url,
    mode: 'modern',
    recognize: undefined,
    misbehaviour: {},
    expiresIn: 3600,
    redemptions: [],
    calls: [],
    metadataReads: [],
    issued: [],
    requiredScopes: new Map(),
    sessions: new Map(),
    revokeAll: () => accepted.clear(),
    stop: http.stop,
  };
  return server;
}

/** @param change members to change, or a status to respond with */
function sendDocument(
  res: Parameters<typeof sendJson>[0],
  change: Record<string, unknown> | number | undefined,
  document: Record<string, unknown>,
): void {
  if (typeof change === 'number') sendJson(res, change, {});
  else sendJson(res, 200, { ...document, ...change });
}
