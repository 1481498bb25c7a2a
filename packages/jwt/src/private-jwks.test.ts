import { expect, it } from '@jest/globals';
import { createSigningKeys, privateJwks } from './index.ts';

const clock = () => new Date(1_790_000_000_000);
const textOf = async (alg: 'ES256' | 'RS256' | 'Ed25519') =>
  JSON.stringify((await createSigningKeys({ alg, clock })).privateJwks());

it.each(['ES256', 'RS256', 'Ed25519'] as const)('reads a private JWKS for %s that can sign', async (alg) => {
  const jwks = privateJwks().parse(await textOf(alg));
  const keys = await createSigningKeys({ alg, clock, jwks });
  expect(keys.publicJwks().keys[0]?.kid).toBe(jwks.keys[0]?.kid);
});

it('accepts only RSA keys if the key type is RSA', async () => {
  expect(privateJwks('RSA').parse(await textOf('RS256')).keys[0]?.kty).toBe('RSA');
  const { error } = privateJwks('RSA').safeParse(await textOf('ES256'));
  expect(error?.issues).toMatchObject([{ message: 'must be a JWKS of private RSA keys' }]);
});

it.each([
  ['no JSON', 'needle'],
  ['an empty set', '{"keys":[]}'],
  ['a shared secret', '{"keys":[{"kty":"oct","k":"needle","d":"needle"}]}'],
  ['a public key', '{"keys":[{"kty":"EC","crv":"P-256","x":"needle","y":"needle"}]}'],
  ['a single key', '{"kty":"RSA","d":"needle"}'],
  ['no object', 'null'],
])('refuses %s and does not quote it', (_case, text) => {
  const { error } = privateJwks().safeParse(text);
  expect(error?.issues).toMatchObject([{ message: 'must be a JWKS of private keys' }]);
  expect(JSON.stringify(error)).not.toContain('needle');
});
