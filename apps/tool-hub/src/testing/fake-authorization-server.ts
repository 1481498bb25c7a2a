import { createHash, randomUUID } from 'node:crypto';
import { answerMcp } from './fake-mcp.ts';
import { type Handler, sendJson, startServer } from './http-server.ts';

export interface ExternalMisbehaviour {
  /** Changes members of the metadata; undefined removes one. */
  serverMetadata?: Record<string, unknown>;
  /** Changes members of the protected resource metadata; a number is an error status to return instead. */
  resourceMetadata?: Record<string, unknown> | number;
  /** Changes the parameters of the authorization response; undefined removes one. */
  authorization?: Record<string, string | undefined>;
  /** Replaces the handler of the token endpoint. */
  token?: Handler;
  /** Replaces the handler of the MCP endpoint, without authentication. */
  mcp?: Handler;
  /** Changes the token response. */
  response?: Record<string, unknown>;
}

export interface FakeExternal {
  readonly issuer: string;
  readonly resource: string;
  misbehaviour: ExternalMisbehaviour;
  /** Lifetime in seconds; undefined: omitted from the response */
  expiresIn: number | undefined;
  /** True if each refresh token works once, and a second use revokes the whole consent */
  rotates: boolean;
  /** Scopes to which users consent; undefined: all requested ones */
  consent: readonly string[] | undefined;
  /** Client secrets that it accepts; undefined: secrets are not checked */
  secrets: readonly string[] | undefined;
  readonly authorizations: URLSearchParams[];
  readonly tokenRequests: { readonly form: URLSearchParams; readonly authorization: string | undefined }[];
  readonly revocations: URLSearchParams[];
  /** All access tokens, refresh tokens and codes that were issued */
  readonly issued: string[];
  readonly requiredScopes: Map<string, string[]>;
  /** Number of times that a refresh token was used again */
  reuses: number;
  /** Acts as the browser of a user who consents at once. @returns the URL to which the browser is redirected */
  authorize(url: string): string;
  refreshes(): URLSearchParams[];
  /** Makes the tool server reject all earlier tokens. */
  refuseAllTokens(): void;
  /** Withdraws the users' consent at the authorization server. */
  endAllGrants(): void;
  stop(): Promise<void>;
}

interface Grant {
  readonly user: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  ended: boolean;
}

/** Starts an external tool server, with its authorization server at another origin, where users give their consent. */
export async function startFakeExternal(): Promise<FakeExternal> {
  const codes = new Map<string, { grant: Grant; challenge: string; redirectUri: string; resource: string }>();
  const refreshTokens = new Map<string, { grant: Grant; used: boolean }>();
  const accessTokens = new Map<string, Grant>();

  const issue = (kind: string): string => {
    const token = `${kind}-${randomUUID()}`;
    external.issued.push(token);
    return token;
  };

  function tokensFor(grant: Grant): Record<string, unknown> {
    const [accessToken, refreshToken] = [issue('access'), issue('refresh')];
    accessTokens.set(accessToken, grant);
    refreshTokens.set(refreshToken, { grant, used: false });
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      ...(external.expiresIn !== undefined && { expires_in: external.expiresIn }),
      refresh_token: refreshToken,
      scope: grant.scopes.join(' '),
    };
  }

  function redeemCode(form: URLSearchParams): Record<string, unknown> | undefined {
    const code = form.get('code') ?? '';
    const known = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      known?.challenge === challenge &&
      known.redirectUri === form.get('redirect_uri') &&
      known.resource === form.get('resource') &&
      known.grant.clientId === form.get('client_id');
    return fits ? tokensFor(known.grant) : undefined;
  }

  function redeemRefreshToken(form: URLSearchParams): Record<string, unknown> | undefined {
    const known = refreshTokens.get(form.get('refresh_token') ?? '');
    if (!known || known.grant.ended) return undefined;
    // RFC 6749 §10.4: the refresh token is bound to the client to which it was issued.
    if (form.has('client_id') && form.get('client_id') !== known.grant.clientId) return undefined;
    if (known.used) {
      external.reuses += 1;
      known.grant.ended = true;
      return undefined;
    }
    known.used = external.rotates;
    const tokens = tokensFor(known.grant);
    if (!external.rotates) delete tokens.refresh_token;
    return tokens;
  }

  const server = await startServer(async (req, res, body) => {
    if (req.url === '/.well-known/oauth-authorization-server')
      return sendJson(res, 200, {
        issuer: server.url,
        authorization_endpoint: `${server.url}/authorize`,
        token_endpoint: `${server.url}/token`,
        revocation_endpoint: `${server.url}/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...external.misbehaviour.serverMetadata,
      });
    const form = new URLSearchParams(body);
    if (req.url === '/revoke') {
      external.revocations.push(form);
      return sendJson(res, 200, {});
    }
    if (req.url !== '/token') return sendJson(res, 404, {});
    external.tokenRequests.push({ form, authorization: req.headers.authorization });
    if (external.misbehaviour.token) return void (await external.misbehaviour.token(req, res, body));
    if (external.secrets?.includes(form.get('client_secret') ?? '') === false)
      return sendJson(res, 401, { error: 'invalid_client' });
    const tokens = form.get('grant_type') === 'refresh_token' ? redeemRefreshToken(form) : redeemCode(form);
    if (!tokens) return sendJson(res, 400, { error: 'invalid_grant' });
    sendJson(res, 200, { ...tokens, ...external.misbehaviour.response });
  });

  const toolServer = await startServer(async (req, res, body) => {
    if (req.url === '/.well-known/oauth-protected-resource') {
      const { resourceMetadata } = external.misbehaviour;
      if (typeof resourceMetadata === 'number') return sendJson(res, resourceMetadata, {});
      return sendJson(res, 200, {
        resource: toolServer.url,
        authorization_servers: [server.url],
        scopes_supported: ['notes:read', 'notes:write'],
        ...resourceMetadata,
      });
    }
    if (req.url !== '/mcp') return sendJson(res, 404, {});
    if (external.misbehaviour.mcp) return void (await external.misbehaviour.mcp(req, res, body));
    const message = JSON.parse(body);
    const grant = accessTokens.get(req.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!grant || grant.ended)
      return sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    const needed = external.requiredScopes.get(message.params?.name) ?? [];
    if (!needed.every((scope) => grant.scopes.includes(scope))) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`;
      return sendJson(res, 403, {}, { 'WWW-Authenticate': challenge });
    }
    const user = { sub: grant.user };
    answerMcp({ mode: 'modern', user, message, headers: req.headers, sessions: new Map() }, res);
  });

  const external: FakeExternal = {
    issuer: server.url,
    resource: toolServer.url,
    misbehaviour: {},
    expiresIn: 3600,
    rotates: true,
    consent: undefined,
    secrets: undefined,
    authorizations: [],
    tokenRequests: [],
    revocations: [],
    issued: [],
    requiredScopes: new Map(),
    reuses: 0,
    authorize(url) {
      const request = new URL(url).searchParams;
      external.authorizations.push(request);
      const asked = (request.get('scope') ?? '').split(' ');
      const scopes = asked.filter((scope) => external.consent?.includes(scope) ?? true);
      const redirectUri = request.get('redirect_uri') ?? '';
      const code = issue('code');
      codes.set(code, {
        grant: { user: 'account_there', clientId: request.get('client_id') ?? '', scopes, ended: false },
        challenge: request.get('code_challenge') ?? '',
        redirectUri,
        resource: request.get('resource') ?? '',
      });
      const answer = new URL(redirectUri);
      const parameters: Record<string, string | undefined> = {
        code,
        state: request.get('state') ?? '',
        iss: server.url,
        ...external.misbehaviour.authorization,
      };
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) answer.searchParams.set(name, value);
      return answer.href;
    },
    refreshes: () =>
      external.tokenRequests
        .map(({ form }) => form)
        .filter((form) => form.get('grant_type') === 'refresh_token'),
    refuseAllTokens: () => accessTokens.clear(),
    endAllGrants() {
      for (const { grant } of refreshTokens.values()) grant.ended = true;
    },
    async stop() {
      await Promise.all([server.stop(), toolServer.stop()]);
    },
  };
  return external;
}
