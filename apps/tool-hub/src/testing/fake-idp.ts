import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSigningKeys, epochSeconds, type SigningKeys } from '@legate/jwt';
import { START } from '@legate/service/testing';
import { type Handler, sendJson, startServer } from './http-server.ts';

/** Misbehaviour of the provider; an empty object means that it behaves correctly. */
export interface IdpMisbehaviour {
  /** Replaces the handler of the token endpoint. */
  token?: Handler;
  /** Replaces the handler of all grants other than refreshes and authorization codes. */
  exchange?: Handler;
  /** Replaces the handler of authorization codes. */
  code?: (req: IncomingMessage, res: ServerResponse, form: URLSearchParams) => void | Promise<void>;
  /** The only type of token that is exchanged; default: any */
  exchanges?: 'id_token' | 'access_token' | 'refresh_token';
  /** Replaces the response to a token exchange, after a refresh token has been rotated. */
  exchanged?: Handler;
  /** Changes the response of the token exchange. */
  response?: Record<string, unknown>;
  /** Changes the claims of the ID-JAG; undefined removes one. */
  claims?: Record<string, unknown>;
  typ?: string;
  /** Replaces the response to a refresh, after the token has been rotated. */
  refreshed?: Handler;
  /** Changes the claims of renewed ID tokens; undefined removes one. */
  renewed?: Record<string, unknown>;
  /** False: the response to a refresh has no ID token. */
  renewsIdTokens?: boolean;
  /** False: refresh tokens are not rotated. */
  rotates?: boolean;
  /** Changes the discovery document. */
  metadata?: Record<string, unknown>;
}

export interface FakeIdp {
  readonly issuer: string;
  misbehaviour: IdpMisbehaviour;
  /** Every form that was sent to the token or revocation endpoint. */
  readonly forms: URLSearchParams[];
  /** The forms of all token exchanges so far. */
  readonly exchanges: URLSearchParams[];
  /** The forms of all refreshes so far. */
  readonly refreshes: URLSearchParams[];
  /** Refresh tokens that were sent or exchanged after they had been rotated, which a hub must never do. */
  readonly reused: string[];
  /** Refresh tokens that were revoked by their client */
  readonly revoked: string[];
  /** All tokens that were issued. */
  readonly issued: string[];
  /** Scopes that policy grants; undefined: all requested ones. */
  policy: readonly string[] | undefined;
  mintIdToken(claims: Record<string, unknown>, header?: { typ: string }): Promise<string>;
  /**
   * Issues an ID token that expires in five minutes by default, an access token for five minutes, and a refresh token
   * that is rotated at each use.
   */
  signIn(
    claims: Record<string, unknown>,
    options?: { idTokenSeconds?: number; clientId?: string },
  ): Promise<{ idToken: string; refreshToken: string; accessToken: string }>;
  stop(): Promise<void>;
}

const ACCESS_TOKEN_SECONDS = 300;

interface SignIn {
  readonly claims: Record<string, unknown>;
  readonly clientId: string;
  readonly idTokenSeconds: number;
  current: string;
}

/** Created once for all scenes of a test file, because generating an RSA key is slow. */
let signingKeys: Promise<SigningKeys> | undefined;

/** Starts an identity provider that issues real ID tokens and ID-JAGs, and wrong ones on request. */
export async function startFakeIdp(options: { clock: () => Date }): Promise<FakeIdp> {
  const now = () => epochSeconds(options.clock());
  signingKeys ??= createSigningKeys({ alg: 'RS256', clock: () => START });
  const keys = await signingKeys;
  let jti = 0;

  const server = await startServer(async (req, res, body) => {
    if (req.url === '/.well-known/openid-configuration') {
      return sendJson(res, 200, {
        issuer: idp.issuer,
        authorization_endpoint: `${idp.issuer}/oauth/authorize`,
        token_endpoint: `${idp.issuer}/oauth/token`,
        jwks_uri: `${idp.issuer}/jwks`,
        response_types_supported: ['code'],
        revocation_endpoint: `${idp.issuer}/oauth/revoke`,
        identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        ...idp.misbehaviour.metadata,
      });
    }
    if (req.url === '/jwks') return sendJson(res, 200, keys.publicJwks());
    const form = new URLSearchParams(body);
    idp.forms.push(form);
    if (req.url === '/oauth/revoke') {
      const token = form.get('token') ?? '';
      idp.revoked.push(token);
      signIns.delete(token);
      return void res.writeHead(200).end();
    }
    if (req.url !== '/oauth/token') return sendJson(res, 404, {});
    if (form.get('grant_type') === 'refresh_token') return refresh(req, res, form, body);
    if (form.get('grant_type') === 'authorization_code' && idp.misbehaviour.code)
      return void (await idp.misbehaviour.code(req, res, form));
    idp.exchanges.push(form);
    if (idp.misbehaviour.exchange) return void (await idp.misbehaviour.exchange(req, res, body));
    if (idp.misbehaviour.token) return void (await idp.misbehaviour.token(req, res, body));

    const asked = (form.get('scope') ?? '').split(' ');
    const scope = (idp.policy ? asked.filter((each) => idp.policy?.includes(each)) : asked).join(' ');
    const subjectToken = form.get('subject_token') ?? '';
    const type = form.get('subject_token_type')?.split(':').at(-1);
    const { exchanges = type } = idp.misbehaviour;
    const subject = type === exchanges ? subjectOf(type, subjectToken) : undefined;
    if (!subject) return sendJson(res, 400, { error: 'invalid_request' });
    const next = type === 'refresh_token' ? rotate(subjectToken) : undefined;
    if (idp.misbehaviour.exchanged) return void (await idp.misbehaviour.exchanged(req, res, body));
    jti += 1;
    const idJag = await keys.sign(
      {
        iss: idp.issuer,
        sub: String(subject.sub),
        aud: form.get('audience') ?? '',
        client_id: 'hub-at-server',
        resource: form.get('resource') ?? '',
        scope,
        jti: `jag_${jti}`,
        iat: now(),
        exp: now() + 300,
        organization_id: subject.organization_id,
        ...idp.misbehaviour.claims,
      },
      { typ: idp.misbehaviour.typ ?? 'oauth-id-jag+jwt' },
    );
    idp.issued.push(idJag);
    sendJson(res, 200, {
      access_token: idJag,
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
      expires_in: 300,
      scope,
      ...(next !== undefined && { refresh_token: next }),
      ...idp.misbehaviour.response,
    });
  });

  async function refresh(req: IncomingMessage, res: ServerResponse, form: URLSearchParams, body: string) {
    idp.refreshes.push(form);
    if (idp.misbehaviour.token) return void (await idp.misbehaviour.token(req, res, body));
    const sent = form.get('refresh_token') ?? '';
    const signIn = signInOf(sent);
    if (!signIn || signIn.clientId !== form.get('client_id'))
      return sendJson(res, 400, { error: 'invalid_grant' });
    const next = rotate(sent);
    if (idp.misbehaviour.refreshed) return void (await idp.misbehaviour.refreshed(req, res, body));
    const { renewed, renewsIdTokens = true } = idp.misbehaviour;
    const exp = now() + signIn.idTokenSeconds;
    const idToken = await idp.mintIdToken({ ...signIn.claims, exp, ...renewed });
    sendJson(res, 200, {
      access_token: issueAccessToken(signIn),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      ...(next !== undefined && { refresh_token: next }),
      ...(renewsIdTokens && { id_token: idToken }),
    });
  }

  const signIns = new Map<string, SignIn>();
  const accessTokens = new Map<string, { claims: Record<string, unknown>; expiresAt: number }>();
  function issueAccessToken({ claims }: SignIn): string {
    const token = `access-${randomUUID()}`;
    accessTokens.set(token, { claims, expiresAt: now() + ACCESS_TOKEN_SECONDS });
    idp.issued.push(token);
    return token;
  }
  /** Returns the sign-in of a refresh token; one that has been rotated ends it. */
  function signInOf(sent: string): SignIn | undefined {
    const signIn = signIns.get(sent);
    if (!signIn || signIn.current === sent) return signIn;
    idp.reused.push(sent);
    for (const [token, other] of signIns) if (other === signIn) signIns.delete(token);
    return undefined;
  }
  /** @returns undefined if the token stays valid */
  function rotate(sent: string): string | undefined {
    const signIn = signIns.get(sent);
    if (!signIn || idp.misbehaviour.rotates === false) return undefined;
    signIn.current = nextRefreshToken(signIn);
    return signIn.current;
  }
  function subjectOf(type: string | undefined, token: string): Record<string, unknown> | undefined {
    if (type === 'refresh_token') return signInOf(token)?.claims;
    if (type === 'id_token')
      return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const access = accessTokens.get(token);
    return access && access.expiresAt > now() ? access.claims : undefined;
  }
  function nextRefreshToken(signIn: SignIn): string {
    const token = `refresh-${randomUUID()}`;
    signIns.set(token, signIn);
    idp.issued.push(token);
    return token;
  }

  const idp: FakeIdp = {
    issuer: server.url,
    misbehaviour: {},
    forms: [],
    refreshes: [],
    reused: [],
    revoked: [],
    exchanges: [],
    issued: [],
    policy: undefined,
    async mintIdToken(claims, header = { typ: 'JWT' }) {
      const token = await keys.sign(
        { iss: server.url, aud: 'frontend-app', iat: now(), exp: now() + 3600, ...claims },
        header,
      );
      idp.issued.push(token);
      return token;
    },
    async signIn(claims, { idTokenSeconds = 300, clientId = 'frontend-app' } = {}) {
      const signIn: SignIn = {
        claims: { organization_id: 'org_acme', ...claims },
        clientId,
        idTokenSeconds,
        current: '',
      };
      signIn.current = nextRefreshToken(signIn);
      const idToken = await idp.mintIdToken({ ...signIn.claims, exp: now() + idTokenSeconds });
      return { idToken, refreshToken: signIn.current, accessToken: issueAccessToken(signIn) };
    },
    stop: server.stop,
  };
  return idp;
}
