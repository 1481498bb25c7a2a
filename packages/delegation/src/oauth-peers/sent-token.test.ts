import { expect, it } from '@jest/globals';
import { Configuration, customFetch, refreshTokenGrant } from 'openid-client';
import { becameOfSent, type SentToken } from './sent-token.ts';

/** Returns the error of openid-client for a response of `fetch`, as becameOfSent gets it. */
async function thrownFor(answer: () => Promise<Response>): Promise<unknown> {
  const server = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' };
  const client = new Configuration(server, 'hub');
  client[customFetch] = answer;
  return refreshTokenGrant(client, 'a-refresh-token').then(
    () => undefined,
    (err: unknown) => err,
  );
}
const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const json = (status: number, body: object) => async () => Response.json(body, { status });
const failed = (code: string) => async () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
};
const redirected = async () => {
  throw Object.assign(new Error('redirects are not followed'), { code: 'ERR_UNUSABLE_ANSWER', status: 302 });
};

it.each<[outcome: string, SentToken, () => Promise<Response>]>([
  ['no connection', 'untouched', failed('ECONNREFUSED')],
  ['a name without an address', 'untouched', failed('ENOTFOUND')],
  ['an address that may not be reached', 'untouched', failed('ERR_FORBIDDEN_ADDRESS')],
  ['our certificate having expired', 'untouched', failed('ERR_CLIENT_CERTIFICATE_EXPIRED')],
  ['a handshake that ends', 'untouched', failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')],
  ['a CA that is not trusted', 'untouched', failed('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA')],
  ['another alert', 'in_doubt', failed('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR')],
  ['a connection that breaks', 'in_doubt', failed('ECONNRESET')],
  ['no answer in time', 'in_doubt', failed('UND_ERR_HEADERS_TIMEOUT')],
  ['a redirect', 'untouched', redirected],
  ['429', 'untouched', json(429, {})],
  ['503', 'untouched', json(503, {})],
  ['500', 'in_doubt', json(500, {})],
  ['500 with an error code', 'in_doubt', json(500, { error: 'server_error' })],
  ['502', 'in_doubt', json(502, {})],
  ['504', 'in_doubt', json(504, {})],
  ['invalid_grant', 'refused', json(400, { error: 'invalid_grant' })],
  ['invalid_client', 'refused', json(401, { error: 'invalid_client' })],
  ['a 4xx that says that it is busy', 'untouched', json(400, { error: 'temporarily_unavailable' })],
  ['slow_down', 'untouched', json(400, { error: 'slow_down' })],
  ['a 4xx without an error code', 'untouched', json(403, {})],
  ['a token response without a token', 'spent', json(200, { token_type: 'bearer' })],
  [
    'an ID token of another issuer',
    'spent',
    json(200, {
      access_token: 'a',
      token_type: 'bearer',
      id_token: `${b64({ alg: 'RS256' })}.${b64({ iss: 'x' })}.c2ln`,
    }),
  ],
  ['a page', 'spent', async () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } })],
  [
    'half a document',
    'spent',
    async () => new Response('{', { headers: { 'Content-Type': 'application/json' } }),
  ],
])('after %s treats a refresh token as %s', async (_outcome, expected, answer) => {
  expect(becameOfSent(await thrownFor(answer))).toBe(expected);
});
