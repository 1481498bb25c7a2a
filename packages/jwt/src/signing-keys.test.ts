import { expect, it } from '@jest/globals';
import { createPrivateJwk } from '@legate/testing';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify } from 'jose';
import { createSigningKeys } from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const verify = (token: string, jwks: JSONWebKeySet) =>
  jwtVerify(token, createLocalJWKSet(jwks), { currentDate: clock() });

it.each(['ES256', 'RS256', 'PS256', 'Ed25519'] as const)('signs with %s and sets the kid', async (alg) => {
  const keys = await createSigningKeys({ alg, clock });
  const [jwk] = keys.publicJwks().keys;
  const token = await keys.sign({ iss: 'me', exp: NOW + 60 }, { typ: 'at+jwt' });
  const { payload, protectedHeader } = await verify(token, keys.publicJwks());
  expect(protectedHeader).toEqual({ alg, typ: 'at+jwt', kid: jwk?.kid });
  expect(payload).toEqual({ iss: 'me', exp: NOW + 60 });
});

it('publishes no private member of any given key', async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), key_ops: ['sign'], comment: 'do not publish' };
  const keys = await createSigningKeys({ alg: 'RS256', clock, jwks: { keys: [jwk] } });
  const [published] = keys.publicJwks().keys;
  expect(Object.keys(published ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  expect(keys.privateJwks().keys[0]).toMatchObject({
    d: jwk.d,
    kid: published?.kid,
    alg: 'RS256',
    use: 'sig',
  });
});

it('signs with the first given key and publishes all of them', async () => {
  const before = await createSigningKeys({ alg: 'ES256', clock });
  await before.rotate();
  const after = await createSigningKeys({ alg: 'ES256', clock, jwks: before.privateJwks() });
  expect(after.publicJwks()).toEqual(before.publicJwks());
  const token = await before.sign({ sub: 'a' }, { typ: 'JWT' });
  expect((await verify(token, after.publicJwks())).payload.sub).toBe('a');
});

it('publishes a replaced key until its tokens have expired, and then removes it', async () => {
  let now = NOW;
  const keys = await createSigningKeys({
    alg: 'ES256',
    clock: () => new Date(now * 1000),
    retainSeconds: 60,
  });
  const oldKid = keys.publicJwks().keys[0]?.kid;
  const token = await keys.sign({ sub: 'a' }, { typ: 'JWT' });
  const newKid = await keys.rotate();
  expect(keys.publicJwks().keys.map((jwk) => jwk.kid)).toEqual([newKid, oldKid]);
  now += 59;
  expect((await verify(token, keys.publicJwks())).payload.sub).toBe('a');
  now += 1;
  expect(keys.publicJwks().keys.map((jwk) => jwk.kid)).toEqual([newKid]);
});

it('publishes a replaced key for a day by default', async () => {
  let now = NOW;
  const keys = await createSigningKeys({ alg: 'ES256', clock: () => new Date(now * 1000) });
  await keys.rotate();
  now += 86_399;
  expect(keys.publicJwks().keys).toHaveLength(2);
  now += 1;
  expect(keys.publicJwks().keys).toHaveLength(1);
});

it('does not publish a replaced key for longer when the keys are rotated again', async () => {
  let now = NOW;
  const keys = await createSigningKeys({
    alg: 'ES256',
    clock: () => new Date(now * 1000),
    retainSeconds: 60,
  });
  const second = await keys.rotate();
  now += 30;
  const third = await keys.rotate();
  now += 30;
  expect(keys.publicJwks().keys.map((jwk) => jwk.kid)).toEqual([third, second]);
});

it('signs with the new key at once after a rotation', async () => {
  const keys = await createSigningKeys({ alg: 'ES256', clock });
  const kid = await keys.rotate();
  const { protectedHeader } = await verify(await keys.sign({}, { typ: 'JWT' }), keys.publicJwks());
  expect(protectedHeader.kid).toBe(kid);
});

async function jwkOf(alg: string, options = {}) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, ...options });
  return { secret: await exportJWK(privateKey), open: await exportJWK(publicKey) };
}

// jose cannot generate such a key.
const weakRsaKey = () => createPrivateJwk({ modulusLength: 1024 });

it.each([
  ['no key', async () => []],
  ['a public key', async () => [(await jwkOf('ES256')).open]],
  ['a shared secret', async () => [{ kty: 'oct', k: 'c2VjcmV0', d: 'x' }]],
  ['a key of another curve', async () => [{ ...(await jwkOf('ES384')).secret, alg: 'ES256' }]],
  ['an RSA key below 2048 bits', async () => [{ ...weakRsaKey(), alg: 'RS256' }]],
  [
    'a key for an algorithm that is not ours',
    async () => [{ ...(await jwkOf('ES384')).secret, alg: 'ES384' }],
  ],
  ['one key twice', async () => Array(2).fill((await jwkOf('ES256')).secret)],
])('refuses %s at start', async (_case, keys) => {
  const jwks = { keys: await keys() };
  await expect(createSigningKeys({ alg: 'ES256', clock, jwks })).rejects.toThrow();
});

it('reports that a shared secret is not an asymmetric key, without importing it', async () => {
  const jwks = { keys: [{ kty: 'oct', k: 'c2VjcmV0', d: 'x' }] };
  await expect(createSigningKeys({ alg: 'ES256', clock, jwks })).rejects.toThrow(
    'a signing key must be an asymmetric private JWK',
  );
});
