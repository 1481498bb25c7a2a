import { beforeAll, expect, it } from '@jest/globals';
import {
  createSigningKeys,
  epochSeconds,
  KeysUnavailable,
  type SigningKeys,
  TokenRefused,
} from '@legate/jwt';
import { createTestClock } from '@legate/service/testing';
import { createLocalJWKSet } from 'jose';
import { createTransactionVerifier, OtherWorkload } from './verify-transaction.ts';

const ISSUER = 'https://tokens.example';
const API = 'https://api.example';
const clock = createTestClock();
const now = epochSeconds(clock());

let keys: SigningKeys;
beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'ES256', clock });
});

const token = (claims: object = {}, typ = 'txntoken+jwt') =>
  keys.sign(
    {
      ...{ iss: ISSUER, aud: API, sub: 'alice', txn: 'a-transaction', jti: 'a-token', scope: 'sites:list' },
      ...{ iat: now, exp: now + 60, req_wl: 'tools', rctx: {} },
      tctx: { organization_id: 'acme', roles: ['editor'], limit: 20, deep: true, search: 'a' },
      ...claims,
    },
    { typ },
  );
const verify = async (txnToken: string, workload = 'tools') => {
  const trusted = { issuer: ISSUER, keys: createLocalJWKSet(keys.publicJwks()) };
  return createTransactionVerifier({ issuer: trusted, audience: API, clock })(txnToken, workload);
};

it('returns the user for whom a workload calls, the operation, and its parameters as texts', async () => {
  expect(await verify(await token())).toEqual({
    ...{ issuer: ISSUER, txn: 'a-transaction', jti: 'a-token', scope: 'sites:list', workload: 'tools' },
    ...{ subject: 'alice', organizationId: 'acme', roles: ['editor'] },
    parameters: { limit: '20', deep: 'true', search: 'a' },
    acceptedUntil: now + 65, // including the clock skew
  });
});

it('needs neither roles nor parameters', async () => {
  const transaction = await verify(await token({ tctx: { organization_id: 'acme' } }));
  expect(transaction).toMatchObject({ roles: undefined, parameters: {} });
});

it('refuses a valid token of another workload', async () => {
  await expect(verify(await token(), 'other-tools')).rejects.toThrow(OtherWorkload);
});

it.each<[string, object]>([
  ['another service', { aud: 'https://other.example' }],
  ['another issuer', { iss: 'https://other.example' }],
  ['no organization', { tctx: { limit: 20 } }],
  ['an impossible organization', { tctx: { organization_id: 'a:b' } }],
  ['a list as a parameter', { tctx: { organization_id: 'acme', limit: ['20', '21'] } }],
  ['roles that are a text', { tctx: { organization_id: 'acme', roles: 'owner' } }],
  ['no workload', { req_wl: undefined }],
  ['no transaction', { txn: undefined }],
  ['a longer life than transactions have', { exp: now + 301 }],
  ['an end in the past', { iat: now - 60, exp: now - 6 }],
])('refuses a token with %s', async (_case, claims) => {
  await expect(verify(await token(claims))).rejects.toThrow(TokenRefused);
});

it('refuses a token of another type', async () => {
  await expect(verify(await token({}, 'at+jwt'))).rejects.toThrow(TokenRefused);
});

it('distinguishes an outage from a refusal', async () => {
  const trusted = { issuer: ISSUER, keys: () => Promise.reject(new KeysUnavailable('away')) };
  const check = createTransactionVerifier({ issuer: trusted, audience: API, clock });
  await expect(check(await token(), 'tools')).rejects.toThrow(KeysUnavailable);
});
