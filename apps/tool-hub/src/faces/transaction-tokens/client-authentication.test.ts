import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import { CLIENT_ASSERTION_TYPE } from '@legate/oauth';
import type { UseOnce } from '@legate/secure-store';
import {
  createTransactionScene,
  type Form,
  ISSUER,
  OTHER_WORKLOAD,
  type TransactionScene,
  WORKLOAD,
} from '../../testing/transaction-scene.ts';

const NOBODY = { client_id: undefined, client_secret: undefined };
const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

let scene: TransactionScene;
let keys: SigningKeys;
beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'ES256', clock: () => new Date() });
  scene = await createTransactionScene({ jwks: keys.publicJwks() });
});

async function assertion(claims: Record<string, unknown> = {}): Promise<Form> {
  const [iss, now] = [WORKLOAD.client_id, scene.now()];
  const standard = { iss, sub: iss, aud: ISSUER, iat: now, exp: now + 60, jti: randomUUID() };
  const client_assertion = await keys.sign({ ...standard, ...claims }, { typ: 'client-authentication+jwt' });
  return { ...NOBODY, client_assertion, client_assertion_type: CLIENT_ASSERTION_TYPE };
}

it('authenticates a workload by its secret, in the form or in the header, and by its key', async () => {
  expect((await scene.ask()).status).toBe(200);
  expect((await scene.ask(NOBODY, basic(WORKLOAD.client_id, WORKLOAD.client_secret))).status).toBe(200);
  expect((await scene.ask(await assertion())).status).toBe(200);
});

it.each<[string, Form, Record<string, string>]>([
  ['nobody', NOBODY, {}],
  ['a client id without a secret', { client_secret: undefined }, {}],
  ['a wrong secret', { client_secret: 'another-secret-of-the-tools' }, {}],
  ['the secret of another', { client_secret: OTHER_WORKLOAD.client_secret }, {}],
  ['a stranger', { client_id: 'stranger' }, {}],
  ['the name of an object property', { client_id: '__proto__' }, {}],
  ['a wrong secret in the header', NOBODY, basic(WORKLOAD.client_id, 'x')],
])('refuses %s as a client', async (_case, form, headers) => {
  const answer = await scene.ask(form, headers);
  expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
});

it.each([
  ['for the token endpoint', { aud: `${ISSUER}/oauth/token` }],
  ['of another client', { iss: OTHER_WORKLOAD.client_id, sub: OTHER_WORKLOAD.client_id }],
  ['that is over', { iat: 1, exp: 2 }],
])('refuses an assertion %s', async (_case, claims) => {
  const answer = await scene.ask(await assertion(claims));
  expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
});

it('accepts an assertion only once, and refuses it while its use cannot be recorded', async () => {
  const form = await assertion();
  expect((await scene.ask(form)).status).toBe(200);
  expect((await scene.ask(form)).body.error).toBe('invalid_client');
  const jwks = keys.publicJwks();
  const down = await createTransactionScene({ jwks, useOnce: () => Promise.reject(new Error('closed')) });
  const answer = await down.ask(await assertion());
  expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
});

it('remembers an assertion of a workload for as long as it could be presented', async () => {
  const uses: unknown[] = [];
  const useOnce: UseOnce = async (...use) => uses.push(use) > 0;
  const other = await createTransactionScene({ jwks: keys.publicJwks(), useOnce });
  await other.ask(await assertion({ jti: 'the-assertion' }));
  expect(uses).toEqual([[['client_assertion', WORKLOAD.client_id, 'the-assertion'], 420]]);
});

it('refuses two authentication methods at once', async () => {
  const answer = await scene.ask({}, basic(WORKLOAD.client_id, WORKLOAD.client_secret));
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
});

it('delays an address whose authentications keep failing', async () => {
  const other = await createTransactionScene();
  // Includes five attempts that are still allowed in the same second
  for (let i = 0; i < 125; i += 1)
    await other.ask({ client_secret: 'a-guess-at-the-secret', subject_token: 'x' });
  const answer = await other.ask();
  expect([answer.status, answer.body.error]).toEqual([429, 'temporarily_unavailable']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});
