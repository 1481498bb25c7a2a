import { expect, it } from '@jest/globals';
import { readJwt } from '@legate/jwt';
import { createPrivateJwk } from '@legate/testing';
import {
  CLIENT_ID,
  examineFake,
  ISSUER,
  METADATA,
  refusal,
  SECRET,
  type Sent,
  WITH_CLIENT,
} from './testing/fake-provider.ts';

const WITH_KEY = {
  method: 'private_key_jwt',
  privateJwk: { ...createPrivateJwk({ modulusLength: 2048 }), kid: 'k1', alg: 'RS256' },
} as const;

it('takes invalid_grant as a proof of the authentication', async () => {
  const { leg, sent } = await examineFake(WITH_CLIENT);
  expect(leg('client')).toMatchObject({ status: 'ok', evidence: { method: 'client secret' } });
  expect(Object.fromEntries(sent[0]?.form ?? [])).toMatchObject({
    grant_type: 'refresh_token',
    refresh_token: 'made-up-by-legate-doctor',
    client_id: CLIENT_ID,
    client_secret: SECRET,
  });
});

it.each([
  ['invalid_client', 401],
  ['invalid_client', 400],
  ['unauthorized_client', 401],
])('takes %s with status %i as a refusal of the authentication', async (error, status) => {
  const { leg } = await examineFake(WITH_CLIENT, { token: () => refusal(error, {}, status) });
  expect(leg('client')).toMatchObject({
    status: 'fail',
    detail: `The provider refuses our authentication: ${error}.`,
    remedy: expect.stringContaining('--client-id'),
  });
});

it('does not read a text about the audience of the assertion as one about an audience of the exchange', async () => {
  const error_description =
    "Client authentication with signed JWT failed: Token audience doesn't match domain. Expected audiences are any of []";
  const token = () => refusal('invalid_client', { error_description });
  const { leg } = await examineFake({ ...WITH_CLIENT, kind: 'keycloak' }, { token });
  expect(leg('client')).toMatchObject({ status: 'fail', remedy: expect.stringContaining('--client-id') });
});

it('says where to look with a secret and with a key, as one number may mean either', async () => {
  const token = () => refusal('invalid_client', { error_codes: [7000215] }, 401);
  const { leg } = await examineFake({ ...WITH_CLIENT, kind: 'entra' }, { token });
  expect(leg('client').remedy).toMatch(/secret: .*not its id.*keys: .*certificate/);
});

it('asks for an exchange if the client may not use refresh tokens', async () => {
  const grants: unknown[] = [];
  const token = ({ form }: Sent) => {
    grants.push(form.get('grant_type'));
    return refusal(grants.length === 1 ? 'unauthorized_client' : 'invalid_grant');
  };
  const { leg } = await examineFake(WITH_CLIENT, { token });
  expect([leg('client').status, grants.length]).toEqual(['ok', 2]);
});

it('says that answers do not tell', async () => {
  const { leg } = await examineFake(WITH_CLIENT, { token: () => refusal('invalid_request') });
  expect(leg('client')).toMatchObject({ status: 'warn', detail: expect.stringContaining('do not tell') });
});

it.each([
  ['an outage', () => new Response('', { status: 503 }), 'status 503'],
  ['a page', () => new Response('<html>', { status: 403 }), 'without an error code'],
  ['a token for nothing', () => ({ access_token: 'at', token_type: 'Bearer' }), 'made-up token'],
])('fails for %s', async (_case, token, detail) => {
  const { leg } = await examineFake(WITH_CLIENT, { token });
  expect([leg('client').status, leg('client').detail]).toEqual(['fail', expect.stringContaining(detail)]);
});

it.each([
  ['generic', ISSUER],
  ['okta', METADATA.token_endpoint],
] as const)('signs assertions with the aud of the kind %s', async (kind, audience) => {
  const { leg, sent } = await examineFake({
    ...WITH_CLIENT,
    kind,
    credentials: WITH_KEY,
  });
  const assertion = sent[0]?.form.get('client_assertion') ?? '';
  const { header, claims } = readJwt(assertion);
  expect(leg('client')).toMatchObject({ status: 'ok', evidence: { method: 'private_key_jwt' } });
  expect([header.alg, header.kid, claims.aud]).toEqual(['RS256', 'k1', audience]);
});

it.each([
  ['entra', 'does not accept'],
  ['google', 'accepts no keys'],
] as const)('fails for a key that %s does not accept', async (kind, detail) => {
  const { leg, sent } = await examineFake({ ...WITH_CLIENT, kind, credentials: WITH_KEY });
  expect([leg('client').status, leg('client').detail]).toEqual(['fail', expect.stringContaining(detail)]);
  expect(sent).toEqual([]);
});

it('fails for a key without the thumbprint by which a kind finds its certificate', async () => {
  const privateJwk = { ...WITH_KEY.privateJwk, alg: 'PS256' };
  const credentials = { ...WITH_KEY, privateJwk };
  const without = await examineFake({ ...WITH_CLIENT, kind: 'entra', credentials });
  expect(without.leg('client')).toMatchObject({
    status: 'fail',
    remedy: expect.stringContaining('x5t#S256'),
  });
  const named = { ...credentials, privateJwk: { ...privateJwk, 'x5t#S256': 'thumbprint' } };
  const { leg } = await examineFake({ ...WITH_CLIENT, kind: 'entra', credentials: named });
  expect(leg('client').status).toBe('ok');
});

it('shows how far the clock of the provider is off', async () => {
  const date = new Date('2026-11-25T12:05:00.000Z').toUTCString();
  const token = () => Response.json({ error: 'invalid_client' }, { status: 401, headers: { Date: date } });
  const { leg } = await examineFake(WITH_CLIENT, { token });
  expect(leg('client').evidence?.clock).toMatch(/^the provider is 30[01] s ahead/);
});

it.each([
  [{}, 'Needs --client-id, and --secret-file, --key or LEGATE_IDP_SECRET.'],
  [{ clientId: CLIENT_ID }, 'Needs --secret-file, --key or LEGATE_IDP_SECRET.'],
])('says what is missing with %j', async (target, detail) => {
  const { leg } = await examineFake(target);
  expect(leg('client')).toMatchObject({ status: 'skipped', detail });
});
