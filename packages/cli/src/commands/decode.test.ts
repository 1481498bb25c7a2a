import { beforeAll, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import {
  ID_TOKEN,
  ISSUER,
  NOW,
  type Routes,
  runTyped,
  secondsFromNow,
  unsigned,
} from '../testing/run-typed.ts';

let sign: (claims: JWTPayload) => Promise<string>;
let routes: Routes;
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' };
  sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey);
  routes = {
    [`GET ${ISSUER}/.well-known/oauth-authorization-server`]: () => new Response(null, { status: 404 }),
    [`GET ${ISSUER}/.well-known/openid-configuration`]: { jwks_uri: `${ISSUER}/jwks` },
    [`GET ${ISSUER}/jwks`]: { keys: [jwk] },
  };
});

it('explains each claim, shows relative times, states that nothing is verified, and sends nothing', async () => {
  const token = unsigned(
    { sub: 'user_alice', exp: secondsFromNow(240), iat: secondsFromNow(-60), jti: 'j' },
    { alg: 'ES256', typ: 'oauth-id-jag+jwt' },
  );
  const { code, stdout, stderr, sent } = await runTyped(['decode', token]);
  expect([code, stderr, sent]).toEqual([0, '', []]);
  expect(stdout).toBe(
    `${[
      'ID-JAG  not verified',
      '',
      'HEADER  VALUE',
      'alg     ES256',
      'typ     oauth-id-jag+jwt',
      '',
      'CLAIM  WHAT IT PROVES                 VALUE',
      'sub    still the same user            user_alice',
      'jti    once: a second use is refused  j',
      'iat    issued                         1 min ago (2026-11-25T11:59:00Z)',
      'exp    within five minutes            in 4 min (2026-11-25T12:04:00Z)',
    ].join('\n')}\n`,
  );
});

it('reads the token from stdin', async () => {
  const { stdout } = await runTyped(['decode', '-', '--json'], { stdin: `${ID_TOKEN}\n` });
  const { kind, verified, header, claims } = JSON.parse(stdout);
  expect([kind, verified, header.typ]).toEqual(['idToken', false, 'JWT']);
  expect(claims).toContainEqual({ name: 'sub', value: 'user_alice', proves: 'this user only' });
});

it('asks for the token at a terminal', async () => {
  const { code, asked } = await runTyped(['decode', '-'], { answer: ID_TOKEN });
  expect([code, asked]).toEqual([0, ['Token (it is not shown): ']]);
});

it('verifies a token with the keys of the issuer', async () => {
  const token = await sign({ iss: ISSUER, sub: 'user_alice', exp: secondsFromNow(60) });
  const { code, stdout } = await runTyped(['decode', token, '--issuer', ISSUER], { routes });
  expect([code, stdout]).toEqual([0, expect.stringContaining(`verified by the keys of ${ISSUER}\n`)]);
});

it('accepts another spelling of the URL of an issuer, and shows the issuer of the token', async () => {
  const token = await sign({ iss: `${ISSUER}/`, exp: secondsFromNow(60) });
  const { code, stdout } = await runTyped(['decode', token, '--issuer', ISSUER], { routes });
  expect([code, stdout]).toEqual([0, expect.stringContaining(`verified by the keys of ${ISSUER}/\n`)]);
});

it.each([
  ['an expired token', { iss: ISSUER, exp: NOW.getTime() / 1000 - 1 }, 'it has expired'],
  [
    'a token of another issuer',
    { iss: 'https://other.example', exp: secondsFromNow(60) },
    'its issuer is https://other.example',
  ],
  [
    'a token of an issuer with another path',
    { iss: `${ISSUER}/realms/acme/`, exp: secondsFromNow(60) },
    `its issuer is ${ISSUER}/realms/acme/`,
  ],
])('exits with 1 for %s', async (_case, claims, reason) => {
  const { code, stdout } = await runTyped(['decode', await sign(claims), '--issuer', ISSUER, '--json'], {
    routes,
  });
  expect([code, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ verified: false, reason })]);
});

it('exits with 1 for a forged token', async () => {
  const [header, , signature] = (await sign({ iss: ISSUER, sub: 'a', exp: secondsFromNow(60) })).split('.');
  const payload = Buffer.from(JSON.stringify({ iss: ISSUER, sub: 'b', exp: secondsFromNow(60) })).toString(
    'base64url',
  );
  const { code, stdout } = await runTyped(
    ['decode', `${header}.${payload}.${signature}`, '--issuer', ISSUER],
    { routes },
  );
  expect([code, stdout]).toEqual([1, expect.stringContaining('does not hold: its signature is wrong')]);
});

it.each([
  ['an unreachable issuer', {}],
  [
    'keys elsewhere without TLS',
    { [`GET ${ISSUER}/.well-known/openid-configuration`]: { jwks_uri: 'http://evil.example/jwks' } },
  ],
])('exits with 5 for %s', async (_case, broken) => {
  const { code, stderr, sent } = await runTyped(['decode', ID_TOKEN, '--issuer', ISSUER], { routes: broken });
  expect([code, stderr]).toEqual([5, expect.stringContaining(`The keys of ${ISSUER} cannot be read.`)]);
  expect(sent.every(({ url }) => url.startsWith(ISSUER))).toBe(true);
});

it.each([
  ['', 'This is not a JWT.'],
  ['abc', 'This is not a JWT.'],
  ['lgt_key', 'This is an API key or a link token: it has no claims.'],
])('exits with 2 for %j', async (stdin, message) => {
  expect(await runTyped(['decode', '-'], { stdin })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
});
