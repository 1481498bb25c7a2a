import { randomUUID } from 'node:crypto';
import { type Handler, sendJson } from '@legate/service/testing';
import { decodeJwt } from 'jose';
import type { Ledger } from './ledger.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

/** How the tool server misbehaves; an empty object means that it behaves correctly. */
export interface ToolServerLie {
  /** Each replaces the response of its endpoint completely */
  readonly resourceMetadata?: Handler;
  readonly serverMetadata?: Handler;
  readonly token?: Handler;
  readonly mcp?: Handler;
  /** Change members of the documents and of the token response. */
  readonly resource?: Readonly<Record<string, unknown>>;
  readonly server?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
}

export interface HostileToolServer extends RecordingServer {
  /** The authorization server: the tool server itself, or a server at another origin */
  readonly authorizationServer: RecordingServer;
  /** Assertions that it redeemed, by the `sub` in them */
  readonly redeemed: readonly string[];
  /** `aud` of the redeemed assertions */
  readonly audiences: readonly unknown[];
}

/** The result of `whoami`: the user of the access token, and the server. */
export interface WhoAmI {
  readonly subject: string;
  readonly server: string;
}

const TOOLS = [{ name: 'whoami', description: 'Who calls', inputSchema: { type: 'object' } }];
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * A tool server with its authorization server, for MCP revision 2026-07-28, with one tool: `whoami` returns the user.
 * It verifies no assertion, and accepts only access tokens that it issued.
 */
export async function startHostileToolServer(options: {
  name: string;
  ledger: Ledger;
  lie?: ToolServerLie;
  /** True puts its authorization server at another origin, as in an enterprise. */
  isAuthorizedElsewhere?: boolean;
}): Promise<HostileToolServer> {
  const { name, ledger, lie = {} } = options;
  const subjects = new Map<string, string>();
  const redeemed: string[] = [];
  const audiences: unknown[] = [];

  const redeem: Handler = (_req, res, body) => {
    const { sub = '', aud, scope } = decodeJwt(new URLSearchParams(body).get('assertion') ?? '');
    redeemed.push(sub);
    audiences.push(aud);
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()];
    subjects.set(accessToken, sub);
    ledger.note(`access token of ${sub} for ${name}`, accessToken, [server.url]);
    ledger.note(`refresh token of ${sub} for ${name}`, refreshToken, []);
    sendJson(res, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
      refresh_token: refreshToken, // RFC 7521 §4.1 advises against it; clients must not store it
      ...lie.response,
    });
  };

  const serveMcp: Handler = (req, res, body) => {
    const subject = subjects.get(req.headers.authorization?.replace('Bearer ', '') ?? '');
    if (subject === undefined) return sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer' });
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    const answer = (result: object) =>
      sendJson(res, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
    if (method === 'tools/list') return answer({ tools: TOOLS, ttlMs: 60_000, cacheScope: 'private' });
    if (method !== 'tools/call')
      return sendJson(res, 404, { jsonrpc: '2.0', id, error: { code: -32601, message: '' } });
    const who: WhoAmI = { subject, server: name };
    answer({ content: [{ type: 'text', text: subject }], structuredContent: who });
  };

  const serveTokens: Handler = (req, res, body) => {
    switch (req.url) {
      case '/.well-known/oauth-authorization-server':
        if (lie.serverMetadata) return lie.serverMetadata(req, res, body);
        return sendJson(res, 200, {
          issuer: authorizationServer.url,
          token_endpoint: `${authorizationServer.url}/token`,
          grant_types_supported: [GRANT],
          authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
          ...lie.server,
        });
      case '/token':
        return (lie.token ?? redeem)(req, res, body);
      default:
        return sendJson(res, 404, {});
    }
  };

  const server = await startRecordingServer((req, res, body) => {
    switch (req.url) {
      case '/.well-known/oauth-protected-resource':
        if (lie.resourceMetadata) return lie.resourceMetadata(req, res, body);
        return sendJson(res, 200, {
          resource: server.url,
          authorization_servers: [authorizationServer.url],
          scopes_supported: ['tools'],
          ...lie.resource,
        });
      case '/mcp':
        return (lie.mcp ?? serveMcp)(req, res, body);
      default:
        return authorizationServer === server ? serveTokens(req, res, body) : sendJson(res, 404, {});
    }
  });
  const authorizationServer = options.isAuthorizedElsewhere
    ? await startRecordingServer(serveTokens)
    : server;
  return {
    ...server,
    authorizationServer,
    redeemed,
    audiences,
    async stop() {
      await server.stop();
      if (authorizationServer !== server) await authorizationServer.stop();
    },
  };
}
