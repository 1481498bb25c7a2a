import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigningKeys, epochSeconds } from '@legate/jwt';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Handler = (request: SeenRequest, res: ServerResponse) => void | Promise<void>;

export const sendJson = (res: ServerResponse, status: number, body: unknown, headers = {}): void =>
  void res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A server on a free port that records the requests it gets. */
export async function startPeer(handler: Handler) {
  const requests: SeenRequest[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const request = {
      ...{ method: req.method ?? '', path: req.url ?? '', headers: req.headers },
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(request);
    await handler(request, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const CLIENT_ID = 'legate-console';
const TOKEN_SECONDS = 3600;

/** An identity provider that issues real ID tokens, and rotates refresh tokens. */
export async function startIdp(clock: () => Date) {
  const keys = await createSigningKeys({ alg: 'RS256', clock });
  const codes = new Map<string, { nonce: string; claims: Record<string, unknown> }>();
  const refreshTokens = new Map<string, Record<string, unknown>>();
  const state = {
    /** Values that the console must never send to a browser */
    secrets: [] as string[],
    refreshes: [] as string[],
    revoked: [] as string[],
    /** Replaces the response to a refresh */
    refreshStatus: undefined as number | undefined,
    renewedClaims: {} as Record<string, unknown>,
    /** Awaited before the response to a refresh is sent */
    beforeRefresh: async () => {},
  };
  let count = 0;
  const next = (kind: string) => {
    count += 1;
    const secret = `${kind}-${count}-secret`;
    state.secrets.push(secret);
    return secret;
  };

  async function issue(claims: Record<string, unknown>, nonce?: string) {
    const now = epochSeconds(clock());
    const idToken = await keys.sign(
      {
        iss: peer.url,
        aud: CLIENT_ID,
        iat: now,
        exp: now + TOKEN_SECONDS,
        ...claims,
        ...(nonce && { nonce }),
      },
      { typ: 'JWT' },
    );
    state.secrets.push(idToken);
    const refreshToken = next('refresh');
    refreshTokens.set(refreshToken, claims);
    return {
      ...{ access_token: next('access'), token_type: 'Bearer', expires_in: TOKEN_SECONDS },
      ...{ id_token: idToken, refresh_token: refreshToken },
    };
  }

  const peer = await startPeer(async ({ path, body }, res) => {
    const form = new URLSearchParams(body);
    if (path === '/.well-known/openid-configuration')
      return sendJson(res, 200, {
        issuer: peer.url,
        authorization_endpoint: `${peer.url}/authorize`,
        token_endpoint: `${peer.url}/token`,
        revocation_endpoint: `${peer.url}/revoke`,
        end_session_endpoint: `${peer.url}/logout`,
        jwks_uri: `${peer.url}/jwks`,
        response_types_supported: ['code'],
        authorization_response_iss_parameter_supported: true,
      });
    if (path === '/jwks') return sendJson(res, 200, keys.publicJwks());
    if (path === '/revoke') {
      state.revoked.push(form.get('token') ?? '');
      return void res.writeHead(200).end();
    }
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      state.refreshes.push(token);
      await state.beforeRefresh();
      const claims = refreshTokens.get(token);
      refreshTokens.delete(token);
      if (state.refreshStatus) return sendJson(res, state.refreshStatus, { error: 'server_error' });
      if (!claims)
        return sendJson(res, 400, { error: 'invalid_grant', error_description: 'a secret of theirs' });
      return sendJson(res, 200, await issue({ ...claims, ...state.renewedClaims }));
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (!code) return sendJson(res, 400, { error: 'invalid_grant' });
    return sendJson(res, 200, await issue(code.claims, code.nonce));
  });

  return {
    ...peer,
    state,
    keys,
    forget: (token: string) => refreshTokens.delete(token),
    /** Signs the user in. @returns the path and query to which the browser is redirected */
    authorize(
      location: string,
      claims: Record<string, unknown>,
      { iss = peer.url, state: given = '' } = {},
    ): string {
      const asked = new URL(location).searchParams;
      const code = next('code');
      codes.set(code, { nonce: asked.get('nonce') ?? '', claims });
      return `/bff/callback?${new URLSearchParams({ code, state: given || (asked.get('state') ?? ''), iss })}`;
    },
    logoutToken: (claims: Record<string, unknown>) => {
      const now = epochSeconds(clock());
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      return keys.sign(
        { iss: peer.url, aud: CLIENT_ID, iat: now, exp: now + 120, jti: randomUUID(), events, ...claims },
        { typ: 'logout+jwt' },
      );
    },
  };
}
