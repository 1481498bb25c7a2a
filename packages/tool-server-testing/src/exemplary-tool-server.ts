import { type Handler, sendJson, startServer, type TestServer } from '@legate/service/testing';

/** Faults of a tool server; each member changes one thing. */
export interface Faults {
  /** Changes members of a document; undefined removes one. A function gets the server's own URL. */
  readonly resourceMetadata?: (url: string) => Record<string, unknown>;
  readonly serverMetadata?: (url: string) => Record<string, unknown>;
  readonly keys?: readonly Record<string, unknown>[];
  /** Replaces the response at a path. */
  readonly at?: Readonly<Record<string, Handler>>;
  /** How far its clock is ahead, in seconds */
  readonly secondsAhead?: number;
  /** undefined omits the header */
  readonly challenge?: (url: string) => string | undefined;
}

const METADATA = '/.well-known/oauth-protected-resource/mcp';

/** A tool server without visible faults, except those that a test sets. */
export function startExemplaryToolServer(
  faults: Faults = {},
  now: () => Date = () => new Date(),
): Promise<TestServer> {
  const server = startServer(async (req, res, body) => {
    const { url } = await server;
    res.setHeader('Date', new Date(now().getTime() + (faults.secondsAhead ?? 0) * 1000).toUTCString());
    const other = faults.at?.[req.url ?? ''];
    if (other) return void (await other(req, res, body));
    switch (req.url) {
      case METADATA:
        return sendJson(res, 200, {
          resource: `${url}/mcp`,
          authorization_servers: [url],
          scopes_supported: ['mcp:tools:read', 'mcp:tools:call'],
          ...faults.resourceMetadata?.(url),
        });
      case '/.well-known/oauth-authorization-server':
        return sendJson(res, 200, {
          issuer: url,
          token_endpoint: `${url}/oauth/token`,
          jwks_uri: `${url}/jwks`,
          grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
          authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
          token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
          ...faults.serverMetadata?.(url),
        });
      case '/jwks':
        return sendJson(res, 200, { keys: faults.keys ?? [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] });
      case '/mcp': {
        if (req.headers.origin !== undefined) return sendJson(res, 403, {});
        const challenge = faults.challenge
          ? faults.challenge(url)
          : `Bearer resource_metadata="${url}${METADATA}"`;
        return sendJson(res, 401, {}, challenge === undefined ? {} : { 'WWW-Authenticate': challenge });
      }
      default:
        return sendJson(res, 404, {});
    }
  });
  return server;
}
