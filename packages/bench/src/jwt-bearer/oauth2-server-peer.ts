/**
 * Express and @node-oauth/oauth2-server with an extension grant, in the way that its documentation shows: client
 * authentication by the library and its model, the assertion by jose, ES256 access tokens (RFC 9068) signed by jose.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import OAuth2Server from '@node-oauth/oauth2-server';
import express from 'express';
import { importJWK, type JSONWebKeySet, SignJWT } from 'jose';
import { createAssertionCheck } from './check-assertion.ts';
import { ACCESS_TOKEN_SECONDS, CLIENT_ID, CLIENT_SECRET, RESOURCE, TOKEN_PATH } from './scene.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const { PORT = '0', JWKS_URI = '', SIGNING_KEYS_FILE = '' } = process.env;
const checkAssertion = createAssertionCheck(JWKS_URI);
const [jwk] = (JSON.parse(readFileSync(SIGNING_KEYS_FILE, 'utf8')) as JSONWebKeySet).keys;
const signingKey = await importJWK({ ...jwk }, 'ES256');
const header = { alg: 'ES256', typ: 'at+jwt', kid: jwk?.kid ?? '' };
const secret = Buffer.from(CLIENT_SECRET);

const model = {
  async getClient(id: string, clientSecret: string) {
    const presented = Buffer.from(clientSecret);
    const isClient =
      id === CLIENT_ID && presented.length === secret.length && timingSafeEqual(presented, secret);
    return isClient ? { id, grants: [JWT_BEARER] } : undefined;
  },
  generateAccessToken(client: OAuth2Server.Client, user: OAuth2Server.User, scope: string[]) {
    const iat = Math.floor(Date.now() / 1000);
    return new SignJWT({
      ...{ iss: `${RESOURCE}${TOKEN_PATH}`, aud: RESOURCE, sub: user.id, client_id: client.id },
      ...{ scope: scope.join(' '), jti: randomUUID(), iat, exp: iat + ACCESS_TOKEN_SECONDS },
    })
      .setProtectedHeader(header)
      .sign(signingKey);
  },
  /** Stores nothing, because the token is a JWT. */
  async saveToken(token: OAuth2Server.Token) {
    return token;
  },
  async getAccessToken() {
    return undefined;
  },
};

class JwtBearerGrant extends OAuth2Server.AbstractGrantType {
  async handle({ body }: OAuth2Server.Request, client: OAuth2Server.Client): Promise<OAuth2Server.Token> {
    if (typeof body.assertion !== 'string') throw new OAuth2Server.InvalidRequestError('assertion');
    const { sub, scope } = await checkAssertion(body.assertion, client.id).catch((err: Error) => {
      throw new OAuth2Server.InvalidGrantError(`assertion: ${err.message}`);
    });
    const user = { id: sub };
    const scopes = scope.split(' ');
    return model.saveToken({
      accessToken: await this.generateAccessToken(client, user, scopes),
      accessTokenExpiresAt: this.getAccessTokenExpiresAt(),
      scope: scopes,
      client,
      user,
    });
  }
}

const oauth = new OAuth2Server({
  model,
  accessTokenLifetime: ACCESS_TOKEN_SECONDS,
  extendedGrantTypes: { [JWT_BEARER]: JwtBearerGrant },
});

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/readyz', (_req, res) => void res.end());
app.post(TOKEN_PATH, express.urlencoded({ extended: false }), async (req, res) => {
  const response = new OAuth2Server.Response(res);
  await oauth.token(new OAuth2Server.Request(req), response).catch(() => undefined); // the response has the error
  res
    .status(response.status ?? 200)
    .set(response.headers ?? {})
    .json(response.body);
});
app.listen(Number(PORT), '127.0.0.1');
