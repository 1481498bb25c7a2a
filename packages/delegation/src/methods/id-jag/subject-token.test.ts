import { expect, it } from '@jest/globals';
import { subjectTokenOf } from './subject-token.ts';

const TYPE = 'urn:ietf:params:oauth:token-type:';

it('is the ID token by default, as in the product specification', () => {
  expect(subjectTokenOf({ subjectToken: 'the-id-token' })).toEqual({
    kind: 'found',
    subject: { token: 'the-id-token', tokenType: `${TYPE}id_token` },
  });
});

it.each(['access_token', 'refresh_token'] as const)('is the %s if the caller has one', (type) => {
  const exchangeToken = { type, token: 'another' };
  expect(subjectTokenOf({ subjectToken: 'the-id-token', exchangeToken })).toEqual({
    kind: 'found',
    subject: { token: 'another', tokenType: `${TYPE}${type}` },
  });
});

it.each([
  ['session', { outcome: 'expired', needsSession: true }],
  ['renewal', { outcome: 'unavailable', by: 'idp', retryable: false }],
  ['rotation', { outcome: 'misconfigured', by: 'idp' }],
  ['client', { outcome: 'misconfigured', by: 'idp' }],
] as const)('is never the ID token in its place, for lack of a %s', (lack, refusal) => {
  const exchangeToken = { type: 'refresh_token', lack } as const;
  const found = subjectTokenOf({ subjectToken: 'the-id-token', exchangeToken });
  expect(found).toEqual({ kind: 'refused', refusal: expect.objectContaining(refusal) });
});
