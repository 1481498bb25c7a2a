/**
 * oidc-provider with the JWT bearer grant registered, in the way that its documentation shows, and the same checks: client
 * authentication by the library, the assertion by jose, ES256 access tokens as JWTs (RFC 9068).
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { listen } from '../harness/json-server.ts';
import { createAssertionCheck } from './check-assertion.ts';
import { ACCESS_TOKEN_SECONDS, CLIENT_ID, CLIENT_SECRET, RESOURCE, SCOPE, TOKEN_PATH } from './scene.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const { PORT = '0', JWKS_URI = '', SIGNING_KEYS_FILE = '' } = process.env;
const checkAssertion = createAssertionCheck(JWKS_URI);

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

async function redeem(ctx: KoaContextWithOIDC): Promise<void> {
  const { client, params } = ctx.oidc;
  if (!client) throw new errors.InvalidClient('client');
  if (typeof params?.assertion !== 'string') throw new errors.InvalidRequest('assertion');
  const { sub, scope, jti } = await checkAssertion(params.assertion, client.clientId).catch((err: Error) => {
    throw new errors.InvalidGrant(`assertion: ${err.message}`);
  });
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
