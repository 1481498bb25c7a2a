import { expect, it } from '@jest/globals';
import { assertionKeyFault, findKind, KIND_NAMES } from './index.ts';

it.each(KIND_NAMES)('accepts a key of %s with its first algorithm, and a certificate', (kind) => {
  const [alg] = findKind(kind).assertionAlgorithms;
  const fault = assertionKeyFault(kind, { alg, kid: 'k1', 'x5t#S256': 'thumbprint' });
  expect(fault?.says).toEqual(alg === undefined ? expect.stringContaining('accepts no keys') : undefined);
});

it.each([
  ['okta', { alg: 'PS256', kid: 'k1' }, 'signs with PS256', 'RS256 or ES256'],
  ['entra', { alg: 'RS256', 'x5t#S256': 't' }, 'signs with RS256', 'PS256'],
  ['entra', { alg: 'PS256', kid: 'k1' }, 'has no x5t#S256', 'x5t#S256'],
  ['google', { alg: 'RS256', kid: 'k1' }, 'accepts no keys', 'secret'],
] as const)('says why a key does not do at %s, and what does: %j', (kind, key, says, helps) => {
  expect(assertionKeyFault(kind, key)).toEqual({
    says: expect.stringContaining(says),
    helps: expect.stringContaining(helps),
  });
});

it('expects nothing of a provider without documents', () => {
  expect(assertionKeyFault('generic', { alg: 'EdDSA' })).toBeUndefined();
});

it('accepts the older thumbprint of a certificate', () => {
  expect(assertionKeyFault('entra', { alg: 'PS256', x5t: 'thumbprint' })).toBeUndefined();
});
