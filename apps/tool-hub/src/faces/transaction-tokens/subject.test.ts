import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import type { OnKeysRead } from '@legate/transaction-tokens';
import {
  accessTokenClaims,
  BILLING,
  createTransactionScene,
  IDP,
  ISSUER,
  OTHER_TOOLS,
  OTHER_WORKLOAD,
  TOOLS,
  type TransactionScene,
} from '../../testing/transaction-scene.ts';

let scene: TransactionScene;
let now: number;
beforeAll(async () => {
  scene = await createTransactionScene();
});
beforeEach(() => {
  now = scene.now();
});

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const outcomeOf = async (subject_token: string) => {
  const { status, body, text } = await scene.ask({ subject_token });
  expect(text).not.toContain(subject_token.slice(-20));
  return [status, body.error];
};

it('refuses a user whom services know by another claim than sub', async () => {
  const other = await createTransactionScene({ isSubTheUser: false });
  const { status, body } = await other.ask();
  expect([status, body.error]).toEqual([400, 'access_denied']);
});

describe('a subject token is refused that is', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['an ID token', { aud: 'frontend-app', nonce: 'n' }, 'JWT'],
    ['an ID-JAG', { iss: IDP, aud: TOOLS }, 'oauth-id-jag+jwt'],
    ['a transaction token', { scope: 'sites:list' }, 'txntoken+jwt'],
    ['an access token of the identity provider', { iss: IDP, aud: 'https://api.example' }, 'at+jwt'],
    ['of the tool server itself, and not of its token endpoint', { iss: TOOLS }, 'at+jwt'],
    ['of another tool server', { iss: `${OTHER_TOOLS}/oauth/token`, aud: OTHER_TOOLS }, 'at+jwt'],
    ['for another tool server', { aud: OTHER_TOOLS }, 'at+jwt'],
    ['for us', { aud: ISSUER }, 'at+jwt'],
    ['for several', { aud: [TOOLS, OTHER_TOOLS] }, 'at+jwt'],
    ['without a user', { sub: undefined }, 'at+jwt'],
    ['without a client', { client_id: undefined }, 'at+jwt'],
    ['without a name of its own', { jti: undefined }, 'at+jwt'],
    ['without an end', { exp: undefined }, 'at+jwt'],
    ['without a beginning', { iat: undefined }, 'at+jwt'],
    ['of a key that only its client has', { cnf: { jkt: 'x' } }, 'at+jwt'],
  ])('%s', async (_case, claims, typ) => {
    expect(await outcomeOf(await scene.accessToken(claims, typ))).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['expired in this second', 0],
    ['expired for 59 s, which its own server would still accept', -59],
    ['expired for 60 s', -60],
    ['expired for an hour', -3600],
  ])('%s', async (_case, left) => {
    expect(await outcomeOf(await scene.accessToken({ iat: now - 7200, exp: now + left }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('issued more than 60 s in the future', async () => {
    const issuedAt = async (iat: number) => outcomeOf(await scene.accessToken({ iat }));
    expect(await issuedAt(now + 61)).toEqual([400, 'invalid_request']);
    expect(await issuedAt(now + 60)).toEqual([200, undefined]);
  });

  it('unsigned, signed with a foreign key, or signed with the public key as a secret', async () => {
    const payload = b64(accessTokenClaims(now));
    const [jwk] = scene.toolKeys.publicJwks().keys;
    const none = `${b64({ alg: 'none', typ: 'at+jwt' })}.${payload}.`;
    const hs256 = `${b64({ alg: 'HS256', typ: 'at+jwt', kid: jwk?.kid })}.${payload}`;
    const mac = createHmac('sha256', JSON.stringify(jwk)).update(hs256).digest('base64url');
    const stranger = await createSigningKeys({ alg: 'ES256', clock: scene.clock });
    const forged = await stranger.sign(accessTokenClaims(now), { typ: 'at+jwt' });
    const [head, , signature] = (await scene.accessToken()).split('.');
    const altered = `${head}.${b64({ ...accessTokenClaims(now), sub: 'user_bob' })}.${signature}`;
    for (const token of [
      none,
      `${none}x`,
      `${hs256}.${mac}`,
      forged,
      altered,
      'nonsense',
      'a.b.c',
      'x'.repeat(20_000),
    ]) {
      expect(await outcomeOf(token)).toEqual([400, 'invalid_request']);
    }
  });

  it('valid, but presented by the workload of another tool server', async () => {
    const subject_token = await scene.accessToken();
    const answer = await scene.ask({
      ...OTHER_WORKLOAD,
      audience: BILLING,
      scope: 'invoices:list',
      subject_token,
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });
});

describe('a valid subject token is refused', () => {
  it.each<[string, Record<string, unknown>]>([
    ['without the scope that covers the operation', { scope: 'mcp:tools:read' }],
    ['without any scope', { scope: undefined }],
    ['with an empty scope', { scope: '' }],
    ['with a scope that only begins alike', { scope: 'mcp:tools:call:x mcp:tools' }],
    ['with the operation itself as scope', { scope: 'sites:list' }],
  ])('%s', async (_case, claims) => {
    expect(await outcomeOf(await scene.accessToken(claims))).toEqual([400, 'invalid_scope']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a user without an organization', { organization_id: undefined }],
    [
      'a user of another identity provider, whose sub may be that of ours',
      { idp: 'https://idp.other.example' },
    ],
    ['a user without an identity provider in the token', { idp: undefined }],
    ['a user of one tenant among several', { tenant: 't1' }],
  ])('%s', async (_case, claims) => {
    expect(await outcomeOf(await scene.accessToken(claims))).toEqual([400, 'access_denied']);
  });

  it('a user whose organization id is malformed', async () => {
    expect(await outcomeOf(await scene.accessToken({ organization_id: 'a:b' }))).toEqual([
      400,
      'invalid_request',
    ]);
  });
});

it("reports an outage, and not an invalid token, while the issuer's keys are unavailable", async () => {
  const other = await createTransactionScene();
  other.documents.clear();
  const answer = await other.ask();
  expect([answer.status, answer.body.error, answer.headers['retry-after']]).toEqual([
    503,
    'temporarily_unavailable',
    '5',
  ]);
});

it("reports each fetch of an issuer's keys, and whether it worked", async () => {
  const fetched: string[] = [];
  const onKeysRead: OnKeysRead = (issuer) => (outcome) => void fetched.push(`${issuer} ${outcome}`);
  await (await createTransactionScene({ onKeysRead })).ask();
  const other = await createTransactionScene({ onKeysRead });
  other.documents.clear();
  await other.ask();
  expect(fetched).toEqual([`${TOOLS}/oauth/token read`, `${TOOLS}/oauth/token failed`]);
});
