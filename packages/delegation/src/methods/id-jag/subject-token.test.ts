import { expect, it } from '@jest/globals';
import type { ExchangeToken, LendToken, LentToken } from '../../domain/caller.ts';
import { presentSubject, type SubjectToken } from './subject-token.ts';

const TYPE = 'urn:ietf:params:oauth:token-type:';
const ANSWER = { kind: 'answered', body: { access_token: 'an-id-jag', token_type: 'n_a' } } as const;

async function present(exchangeToken?: ExchangeToken) {
  const presented: SubjectToken[] = [];
  const answer = await presentSubject({ subjectToken: 'the-id-token', exchangeToken }, async (subject) => {
    presented.push(subject);
    return { answer: ANSWER, became: { kind: 'answered', next: 'the-next' } };
  });
  return { presented, answer };
}

it('is the ID token by default, as in the product specification', async () => {
  const presented = [{ token: 'the-id-token', tokenType: `${TYPE}id_token` }];
  expect(await present()).toEqual({ presented, answer: ANSWER });
});

it.each(['access_token', 'refresh_token'] as const)('is the %s if the caller has one', async (type) => {
  const presented = [{ token: 'another', tokenType: `${TYPE}${type}` }];
  expect(await present({ type, token: 'another' })).toEqual({ presented, answer: ANSWER });
});

it('is a token that is lent, whose owner learns what became of it', async () => {
  const seen: LentToken[] = [];
  const lend: LendToken = async (send) => {
    const reply = await send('a-lent-one');
    seen.push(reply.became);
    return reply;
  };
  expect(await present({ type: 'refresh_token', lend })).toEqual({
    presented: [{ token: 'a-lent-one', tokenType: `${TYPE}refresh_token` }],
    answer: ANSWER,
  });
  expect(seen).toEqual([{ kind: 'answered', next: 'the-next' }]);
});

it('is nothing if the token cannot be lent', async () => {
  const { presented, answer } = await present({
    type: 'refresh_token',
    lend: async () => ({ lack: 'turn' }),
  });
  expect([presented, answer]).toEqual([
    [],
    { kind: 'not_presented', refusal: expect.objectContaining({ outcome: 'unavailable', by: 'idp' }) },
  ]);
});

it.each([
  ['session', { outcome: 'expired', needsSession: 'refresh_token' }],
  ['client', { outcome: 'expired', needsSession: 'refresh_token' }],
  ['lost', { outcome: 'expired', reason: 'the response that replaced the refresh token was lost' }],
  ['renewal', { outcome: 'unavailable', by: 'idp', retryable: false }],
  ['turn', { outcome: 'unavailable', by: 'idp', retryable: false }],
] as const)('is never the ID token in its place, for lack of a %s', async (lack, refusal) => {
  const { presented, answer } = await present({ type: 'refresh_token', lack });
  expect(presented).toEqual([]);
  expect(answer).toEqual({ kind: 'not_presented', refusal: expect.objectContaining(refusal) });
});
