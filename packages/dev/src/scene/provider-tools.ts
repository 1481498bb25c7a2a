import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

/** Name of the tool server at the identity provider, and `aud` of its access tokens */
export const PROVIDER_TOOLS = 'provider-tools';

export interface ProviderTools {
  /** The public URL, without a path */
  readonly resource: string;
  close(): Promise<void>;
}

/**
 * Starts a tool server that takes access tokens of the identity provider itself, as one behind an API of Entra ID,
 * Keycloak or Auth0 does: it has no authorization server of its own.
 * @param options.userClaim the claim of access tokens that names the user
 */
export async function startProviderTools(options: {
  issuer: string;
  jwksUri: string;
  userClaim: string;
}): Promise<ProviderTools> {
  const keys = createRemoteJWKSet(new URL(options.jwksUri));
  const handle = toNodeHandler(createMcpHandler(({ authInfo }) => createTools(authInfo, options.userClaim)));
  const server = createServer((req, res) => {
    const { method = 'GET', url = '/' } = req;
    verify(req.headers.authorization).then(
      (auth) => handle(Object.assign(req, { method, url, auth }), res),
      () => void res.writeHead(401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end(),
    );
  });

  async function verify(authorization = ''): Promise<AuthInfo> {
    const token = authorization.replace(/^Bearer /, '');
    const { payload } = await jwtVerify(token, keys, { issuer: options.issuer, audience: PROVIDER_TOOLS });
    const { azp = payload.client_id, scope = payload.scp } = payload;
    return { token, clientId: String(azp), scopes: String(scope).split(' '), extra: { claims: payload } };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    resource: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createTools(authInfo: AuthInfo | undefined, userClaim: string): McpServer {
  const server = new McpServer({ name: PROVIDER_TOOLS, version: '1.0.0' });
  const claims = (authInfo?.extra?.claims ?? {}) as JWTPayload;
  server.registerTool(
    'whoami',
    { title: 'Who am I', description: 'Shows whom the access token of the call is for.' },
    () => {
      const { [userClaim]: subject, aud, act = null } = claims;
      const seen = { subject, audience: aud, client_id: authInfo?.clientId, act };
      return { content: [{ type: 'text', text: JSON.stringify(seen) }], structuredContent: seen };
    },
  );
  return server;
}
