import { randomUUID } from 'node:crypto';
import { type Handler, sendJson } from '@legate/service/testing';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Ledger } from './ledger.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

/** How the provider misbehaves; an empty object means that it behaves correctly. */
export interface IdentityProviderLie {
  /** Replaces the token endpoint completely. */
  readonly token?: Handler;
  /** Changes members of the response to a token exchange. */
  readonly response?: Readonly<Record<string, unknown>>;
  /** Changes claims of the ID-JAG. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `typ` of the ID-JAG */
  readonly typ?: string;
}

export interface HostileIdentityProvider extends RecordingServer {
  lie: IdentityProviderLie;
  /** Number of token exchanges so far */
  readonly exchanges: number;
  /** Returns a validly signed ID token for `audience`, valid from now for an hour, unless the claims change that */
  signIn(
    user: { id: string; organizationId: string },
    audience: string,
    claims?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  /** A logout token for `audience`, with `sub`, `sid` or both. @see OpenID Connect Back-Channel Logout 1.0 §2.4 */
  signLogoutToken(
    who: { readonly sub: string } | { readonly sid: string },
    audience: string,
  ): Promise<string>;
}

const TTL_SECONDS = 300;

const isLie = (lie: IdentityProviderLie): boolean => Object.keys(lie).length > 0;

/**
 * An identity provider for any number of users, which exchanges their ID tokens for ID-JAGs and misbehaves on request.
 * It verifies nothing: anyone who can mint its ID tokens is a user.
 * @param options.clientIdAtToolServers the exchanging client, as the tool servers know it
 */
export async function startHostileIdentityProvider(options: {
  clientIdAtToolServers: string;
  ledger: Ledger;
}): Promise<HostileIdentityProvider> {
  const { ledger, clientIdAtToolServers } = options;
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = 'hostile';
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] };
  const now = () => Math.floor(Date.now() / 1000);
  const sign = (claims: JWTPayload, typ: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(privateKey);
  let exchanges = 0;

  /** Tokens that a hub requests for itself, for management-api */
  const grantToClient: Handler = (_req, res) => {
    const accessToken = randomUUID();
    ledger.note("the hub's own token", accessToken, []);
    sendJson(res, 200, { access_token: accessToken, token_type: 'Bearer', expires_in: TTL_SECONDS });
  };

  const exchange: Handler = async (req, res, body) => {
    const form = new URLSearchParams(body);
    if (form.get('grant_type') === 'client_credentials') return void grantToClient(req, res, body);
    exchanges += 1;
    if (idp.lie.token) return void (await idp.lie.token(req, res, body));
    const audience = form.get('audience') ?? '';
    const { sub, organization_id } = decodeJwt(form.get('subject_token') ?? '');
    const honest = {
      ...{ iss: server.url, sub, aud: audience, client_id: clientIdAtToolServers, organization_id },
      ...{ resource: form.get('resource') ?? '', scope: form.get('scope') ?? '' },
      ...{ jti: randomUUID(), iat: now(), exp: now() + TTL_SECONDS },
    };
    const idJag = await sign(
      { ...honest, ...idp.lie.claims } as JWTPayload,
      idp.lie.typ ?? 'oauth-id-jag+jwt',
    );
    ledger.note(`ID-JAG of ${sub}`, idJag, isLie(idp.lie) ? [] : [new URL(audience).origin]);
    sendJson(res, 200, {
      access_token: idJag,
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
      expires_in: TTL_SECONDS,
      scope: honest.scope,
      ...idp.lie.response,
    });
  };

  const server = await startRecordingServer((req, res, body) => {
    switch (req.url) {
      case '/.well-known/openid-configuration':
        return sendJson(res, 200, {
          issuer: server.url,
          authorization_endpoint: `${server.url}/authorize`,
          token_endpoint: `${server.url}/token`,
          jwks_uri: `${server.url}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        });
      case '/jwks':
        return sendJson(res, 200, jwks);
      case '/token':
        return exchange(req, res, body);
      default:
        return sendJson(res, 404, {});
    }
  });

  const idp: HostileIdentityProvider = {
    ...server,
    lie: {},
    get exchanges() {
      return exchanges;
    },
    async signIn({ id, organizationId }, audience, further = {}) {
      const claims = { iss: server.url, sub: id, aud: audience, organization_id: organizationId };
      const times = { iat: now(), exp: now() + 3600, jti: randomUUID() };
      const idToken = await sign({ ...times, ...further, ...claims }, 'JWT');
      ledger.note(`ID token of ${id}`, idToken, [server.url]);
      return idToken;
    },
    async signLogoutToken(who, audience) {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const claims = { ...who, iss: server.url, aud: audience, events };
      const times = { iat: now(), exp: now() + 120, jti: randomUUID() };
      const logoutToken = await sign({ ...claims, ...times }, 'logout+jwt');
      ledger.note('a logout token', logoutToken, []);
      return logoutToken;
    },
  };
  return idp;
}
