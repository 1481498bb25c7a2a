/**
 * oidc-provider with the JWT bearer grant registered, in the way that its documentation shows, and the same checks: client
 * authentication by the library, the assertion by jose, ES256 access tokens as JWTs (RFC 9068).
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { listen } from '../harness/json-server.ts';
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_ID,
  CLIENT_SECRET,
  IDP_ISSUER,
  MAX_ASSERTION_SECONDS,
  RESOURCE,
  SCOPE,
  SKEW_SECONDS,
  TOKEN_PATH,
} from './scene.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const { PORT = '0', JWKS_URI = '', SIGNING_KEYS_FILE = '' } = process.env;
const idpKeys = createRemoteJWKSet(new URL(JWKS_URI));
const used = new Map<string, number>();

const provider = new Provider(RESOURCE, {
  jwks: JSON.parse(readFileSync(SIGNING_KEYS_FILE, 'utf8')),
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: [JWT_BEARER],
      response_types: [],
      redirect_uris: [],
    },
  ],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  scopes: SCOPE.split(' '),
  routes: { token: TOKEN_PATH },
  ttl: { AccessToken: ACCESS_TOKEN_SECONDS },
  features: { devInteractions: { enabled: false }, resourceIndicators: { enabled: true } },
});

const resourceServer = new provider.ResourceServer(RESOURCE, {
  scope: SCOPE,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
});

async function checkAssertion(assertion: unknown, clientId: string) {
  if (typeof assertion !== 'string') throw new errors.InvalidRequest('assertion');
  const { payload } = await jwtVerify(assertion, idpKeys, {
    issuer: IDP_ISSUER,
    audience: RESOURCE,
    typ: 'oauth-id-jag+jwt',
    algorithms: ['RS256', 'ES256'],
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ['sub', 'client_id', 'jti', 'iat', 'exp'],
  }).catch((cause) => {
    throw new errors.InvalidGrant(`assertion: ${cause.code}`);
  });
  const { sub, aud, jti, iat, exp, client_id, resource, scope } = payload;
  const now = Math.floor(Date.now() / 1000);
  const isValid =
    typeof sub === 'string' &&
    typeof jti === 'string' &&
    typeof scope === 'string' &&
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    typeof aud === 'string' &&
    iat <= now + SKEW_SECONDS &&
    exp - iat <= MAX_ASSERTION_SECONDS &&
    client_id === clientId &&
    resource === RESOURCE &&
    scope.split(' ').every((each) => resourceServer.scopes.has(each));
  if (!isValid) throw new errors.InvalidGrant('assertion');
  if (used.has(jti)) throw new errors.InvalidGrant('assertion: replayed');
  used.set(jti, exp + SKEW_SECONDS);
  return { sub, scope, jti };
}

async function redeem(ctx: KoaContextWithOIDC): Promise<void> {
  const { client, params } = ctx.oidc;
  if (!client) throw new errors.InvalidClient('client');
  const { sub, scope, jti } = await checkAssertion(params?.assertion, client.clientId);
  const token = new provider.AccessToken({
    client,
    accountId: sub,
    scope,
    resourceServer,
    gty: 'jwt_bearer',
    grantId: jti,
  });
  ctx.body = {
    access_token: await token.save(),
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope: token.scope,
  };
}

provider.registerGrantType(JWT_BEARER, redeem, ['assertion', 'scope', 'resource']);

const handle = provider.callback();
const server = createServer((req, res) => {
  if (req.url === '/readyz') res.end();
  else handle(req, res);
});
await listen(server, Number(PORT));
