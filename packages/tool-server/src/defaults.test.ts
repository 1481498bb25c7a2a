import { expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { openSigningKeys } from './defaults.ts';

const surroundings = {
  clock: () => new Date(),
  log: { info: () => {}, warn: () => {}, error: () => {} },
  isProduction: true,
};

it.each([
  ['a JWKS', (jwks: object) => jwks],
  ['the text of one', (jwks: object) => JSON.stringify(jwks)],
])('treats a key without alg in %s as ES256', async (_case, given) => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwks = given({ keys: [await exportJWK(privateKey)] }) as Parameters<typeof openSigningKeys>[0];
  const keys = await openSigningKeys(jwks, surroundings);
  expect(keys.publicJwks().keys).toMatchObject([{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }]);
});
