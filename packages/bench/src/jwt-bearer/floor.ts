/**
 * The minimal correct implementation: node:http and node:crypto, one issuer, one client, everything in memory, with
 * every check that the grant needs and no other layers.
 */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomUUID,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { JSONWebKeySet } from 'jose';
import { request } from 'undici';
import { listen, readBody } from '../harness/json-server.ts';
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_ID,
  CLIENT_SECRET,
  IDP_ISSUER,
  MAX_ASSERTION_SECONDS,
  RESOURCE,
  SKEW_SECONDS,
  TOKEN_PATH,
} from './scene.ts';

const { PORT = '0', JWKS_URI = '', SIGNING_KEYS_FILE = '' } = process.env;
const idpKeys = new Map<string, KeyObject>();
const { keys } = (await (await request(JWKS_URI)).body.json()) as JSONWebKeySet;
for (const jwk of keys) idpKeys.set(jwk.kid ?? '', createPublicKey({ key: { ...jwk }, format: 'jwk' }));

const [signingJwk] = (JSON.parse(readFileSync(SIGNING_KEYS_FILE, 'utf8')) as JSONWebKeySet).keys;
const signingKey = createPrivateKey({ key: { ...signingJwk }, format: 'jwk' });
const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: signingJwk?.kid });
const secret = Buffer.from(CLIENT_SECRET);
const used = new Set<string>();

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));

function redeem(form: URLSearchParams): Record<string, unknown> | undefined {
  const presented = Buffer.from(form.get('client_secret') ?? '');
  if (form.get('client_id') !== CLIENT_ID || presented.length !== secret.length) return undefined;
  if (!timingSafeEqual(presented, secret)) return undefined;
  const [head = '', body = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const { alg, typ, kid } = decode(head);
  const key = idpKeys.get(kid);
  if (alg !== 'RS256' || typ !== 'oauth-id-jag+jwt' || !key) return undefined;
  if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')))
    return undefined;

  const claims = decode(body);
  const now = Math.floor(Date.now() / 1000);
  const isMeantForUs =
    claims.iss === IDP_ISSUER &&
    claims.aud === RESOURCE &&
    claims.resource === RESOURCE &&
    claims.client_id === CLIENT_ID &&
    claims.exp > now - SKEW_SECONDS &&
    claims.iat <= now + SKEW_SECONDS &&
    claims.exp - claims.iat <= MAX_ASSERTION_SECONDS;
  if (!isMeantForUs || used.has(claims.jti)) return undefined;
  used.add(claims.jti);

  const { sub, client_id, scope } = claims;
  const exp = now + ACCESS_TOKEN_SECONDS;
  const payload = encode({
    ...{ iss: `${RESOURCE}${TOKEN_PATH}`, aud: RESOURCE, sub, client_id, scope, jti: randomUUID() },
    ...{ iat: now, exp },
  });
  const signed = sign('sha256', Buffer.from(`${header}.${payload}`), {
    key: signingKey,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64url');
  const access_token = `${header}.${payload}.${signed}`;
  return { access_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, scope };
}

const server = createServer(async (req, res) => {
  if (req.url === '/readyz') return void res.end();
  const answer = redeem(new URLSearchParams(await readBody(req)));
  res.writeHead(answer ? 200 : 400, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  res.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
});
await listen(server, Number(PORT));
